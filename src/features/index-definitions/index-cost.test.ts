import { expect, it } from 'vitest'
import { TICKS_PER_SECOND, type Ticks, type TickSpan } from '../../base/ticks.ts'
import { allIndexesLane, type Gap } from '../../capture/client/state.ts'
import { costRange, costText, costWords, indexCosts } from './index-cost.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const SOURCE = 'db:shop'
const gapOf = (lane: string, from: number, to: number, open = false): Gap => ({
  id: from,
  source: SOURCE,
  lane,
  kind: null,
  startTicks: at(from),
  endTicks: at(to),
  reason: 'not-watched',
  missingCount: null,
  missingBytes: null,
  detail: '',
  ...(open ? { isOpen: true as const } : {}),
})
const ALL = allIndexesLane(SOURCE)

it('compares over the last quarter of an hour, or since all batches are known', () => {
  expect(costRange(null, SOURCE, [])).toBeNull()
  expect(costRange(at(3004), SOURCE, [])).toEqual({ startTicks: at(2100), endTicks: at(3000) })
  expect(costRange(at(3004), SOURCE, [gapOf(ALL, 2000, 2500), gapOf('db:other', 2600, 2700)])).toEqual({
    startTicks: at(2500),
    endTicks: at(3000),
  })
  // Too short, and not known at all now.
  expect(costRange(at(3004), SOURCE, [gapOf(ALL, 2000, 2995)])).toBeNull()
  expect(costRange(at(3004), SOURCE, [gapOf(ALL, 2000, 2500, true)])).toBeNull()
})

const index = (name: string, firstTicks: number, runningSince: number | null = null) => ({
  key: `${SOURCE}|${name}`,
  name,
  firstTicks: firstTicks as Ticks,
  running: runningSince === null ? null : { index: `${SOURCE}|${name}`, startTicks: at(runningSince), id: 9 },
})
const summary = (name: string, busyShare: number, running = 0) => ({
  index: `${SOURCE}|${name}`,
  busyShare,
  knownTicks: (1000 * TICKS_PER_SECOND) as TickSpan,
  counts: { batches: 5, empty: 1, failed: 0, training: 0 },
  running,
  documentsIn: 1200,
})

it('takes an index by the time that is known of it, and says where batches of it are missing', () => {
  const range = { startTicks: at(2000), endTicks: at(3000) }
  const costs = indexCosts(
    [
      index('Old', at(100)),
      index('New', at(2900)),
      index('Idle', Number.NaN),
      index('Short', at(2995)),
      index('Gone', 0),
    ],
    [summary('Old', 0.05), summary('New', 0.05), summary('Idle', 0), summary('Short', 0.001)],
    range,
    [gapOf(`${SOURCE}|New`, 2950, 2960), gapOf(`${SOURCE}|Old`, 500, 600)],
    undefined,
  )
  expect([...costs.keys()]).toEqual(['Old', 'New', 'Idle'])
  const [old, fresh, idle] = [costs.get('Old'), costs.get('New'), costs.get('Idle')]
  // The same 50 s of work: a twentieth of 1000 s, and half of the 100 s that are known.
  expect(old).toMatchObject({ share: 0.05, busyTicks: at(50), batches: 4, documents: 1200, isPartial: false })
  expect(fresh).toMatchObject({ share: 0.5, busyTicks: at(50), sinceTicks: at(2900), isPartial: true })
  expect(idle).toMatchObject({ share: 0, sinceTicks: at(2000) })
  expect([old, fresh, idle].map((cost) => cost && costText(cost))).toEqual(['5.00 %', '≥ 50.0 %', '0 %'])
  expect(fresh && costWords(fresh, 'utc')).toBe(
    '50.0 s in 4 batches since 00:48:20, 1,200 documents read; more batches that were not received',
  )
})

it('counts the time without batches since the first response as idle', () => {
  const range = { startTicks: at(2000), endTicks: at(3000) }
  const costs = (knownSeconds: number) =>
    indexCosts([index('New', at(2900))], [summary('New', 0.05)], range, [], at(knownSeconds)).get('New')
  expect(costs(1500)).toMatchObject({ share: 0.05, sinceTicks: at(2000) })
  expect(costs(2500)).toMatchObject({ share: 0.1, sinceTicks: at(2500) })
  expect(costs(2990)).toMatchObject({ share: 0.5, sinceTicks: at(2900) })
})

it('counts a batch that is running, once', () => {
  const range = { startTicks: at(2000), endTicks: at(3000) }
  const costs = indexCosts(
    [
      index('Built', Number.NaN, 1000),
      index('Begun', at(100), 2600),
      index('Ended', at(100), 2600),
      index('Ended long', at(100), 1000),
    ],
    [summary('Built', 0), summary('Begun', 0.05, 1), summary('Ended', 0.4), summary('Ended long', 0.9)],
    range,
    [],
    undefined,
  )
  const shares = Object.fromEntries(Array.from(costs, ([name, { share }]) => [name, share]))
  expect(shares).toEqual({ Built: 1, Begun: 0.45, Ended: 0.4, 'Ended long': 1 })
  const begun = costs.get('Begun')
  expect(begun && costWords(begun, 'utc')).toBe(
    '7 min 30 s in 4 batches and one that is running since 00:33:20, 1,200 documents read',
  )
})
