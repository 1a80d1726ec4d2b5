import { expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { ClockMeasurement } from './clock-measurement.ts'

const AHEAD_MS = -3_600_000
const { signal } = new AbortController()

/** A server an hour ahead; each trip takes so long to it and back, ms. */
function reached(trips: readonly (readonly [there: number, back: number])[], stamps = true) {
  const raven = new FakeRaven()
  let sent = 0
  const governor = new Governor({
    ...raven.env,
    fetch: (url) => {
      const [thereMs, backMs] = trips[sent++ % trips.length] ?? [0, 0]
      if (!url.endsWith('/cluster/topology')) throw new Error(url)
      raven.clock.nowMs += thereMs
      const DateTime = new Date(raven.clock.nowMs - AHEAD_MS).toISOString()
      raven.clock.nowMs += backMs
      return Promise.resolve(json(stamps ? { '@metadata': { DateTime } } : {}))
    },
  })
  return { governor, raven, sent: () => sent }
}

it('bounds the difference by the shortest trip, however its way is split', async () => {
  const { governor } = reached([
    [200, 300],
    [8, 0],
    [30, 30],
  ])
  const clock = await new ClockMeasurement().measure(governor, signal)
  expect(clock).toEqual({ aheadMs: AHEAD_MS - 4, plusMinusMs: 5 })
  expect(Math.abs((clock?.aheadMs ?? 0) - AHEAD_MS)).toBeLessThanOrEqual(clock?.plusMinusMs ?? 0)
})

it('measures at most once a minute', async () => {
  const { governor, raven, sent } = reached([[1, 1]])
  const measurement = new ClockMeasurement()
  await measurement.measure(governor, signal)
  await measurement.measure(governor, signal)
  expect(sent()).toBe(3)
  raven.clock.nowMs += 61_000
  await measurement.measure(governor, signal)
  expect(sent()).toBe(6)
})

it('leaves it unknown where the server stamps nothing', async () => {
  const { governor } = reached([[1, 1]], false)
  expect(await new ClockMeasurement().measure(governor, signal)).toBeNull()
})
