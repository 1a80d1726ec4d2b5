import { describe, expect, it } from 'vitest'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { inGate } from '../../../testing/gate.ts'
import { FakeServer } from '../../../testing/server/fake-server.ts'
import { healthyAt } from '../../../testing/server/server-load.ts'
import { GIVING_WAY } from './giving-way.ts'
import { POLLS } from './model-inputs.ts'
import { DETAIL_WIDGETS, VITAL_WIDGETS, WIDGETS } from './wire/widgets.ts'

/**
 * Series that must have no holes in the history, and at most so many seconds from one value to the next, under stress
 * too.
 */
const HISTORY = [
  ['traffic.requests', 60],
  ['traffic.averageMs', 6],
  ['writes.rate', 6],
  ['writes.byteRate', 6],
] as const

describe('the order of what gives way', () => {
  it('has each widget and each poll once', () => {
    const steps = Object.values(GIVING_WAY)
    // Memory is the kernel’s.
    expect(steps.flatMap<string>(({ widgets }) => widgets).toSorted()).toEqual(
      WIDGETS.filter((type) => type !== 'MemoryUsage').toSorted(),
    )
    expect(steps.flatMap<string>(({ polls }) => polls).toSorted()).toEqual(Object.keys(POLLS).toSorted())
    const vital: readonly string[] = GIVING_WAY.never.polls
    for (const [poll, { isVital }] of Object.entries(POLLS))
      expect([poll, vital.includes(poll)]).toEqual([poll, isVital])
    expect(VITAL_WIDGETS).not.toEqual(expect.arrayContaining([...DETAIL_WIDGETS]))
  })

  it('a saturated machine, the least limits and changes of the panel leave no hole in latency, requests, writes and throughput', async () => {
    const server = new FakeServer({
      seconds: 900,
      loadAt: (left) => ({ ...healthyAt(left), cpu: { machine: 100, server: 90 } }),
    })
    const { feed, governor } = server
    governor.overhead.setLimits({ attended: 0.0005, background: 0.0005 })
    feed.begin(governor)
    await server.pass(60)
    const startTicks = server.nowTicks
    for (let turn = 0; turn < inGate(3, 7); turn++) {
      // A panel of the server, then one of I/O.
      await server.watch(60)
      governor.overhead.setFront(['io'])
      await server.pass(60)
    }
    const endTicks = server.nowTicks
    const requested = { startTicks, endTicks, maxPoints: 4000, keys: HISTORY.map(([key]) => key) }
    const { series } = feed.responses['server.series'](requested, governor)
    const holes: string[] = []
    for (const [at, [key, mostSeconds]] of HISTORY.entries()) {
      const rows = series[at]
      const known = [...(rows?.startTicks ?? [])].filter((_, row) => (rows?.count[row] ?? 0) > 0)
      // A bucket begins up to its width before its value.
      const times: number[] = [startTicks, ...known.filter((ticks) => ticks >= startTicks), endTicks]
      const longest = Math.max(...times.slice(1).map((ticks, i) => ticks - (times[i] ?? ticks)))
      if (longest / TICKS_PER_SECOND > mostSeconds) holes.push(`${key}: ${String(longest / TICKS_PER_SECOND)} s`)
    }
    expect(holes).toEqual([])
  })
})
