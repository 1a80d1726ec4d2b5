import { expect, it } from 'vitest'
import type { Events, Lane } from './lanes.ts'
import { slowLanes } from './slow.ts'

const eventsOf = (rows: readonly (readonly [start: number, ms: number])[]): Events => ({
  start: Float64Array.from(rows, ([start]) => start),
  end: Float64Array.from(rows, ([start, ms]) => start + ms),
  bytes: Float64Array.from(rows, () => 4096),
})
const NONE = eventsOf([])
const laneOf = (volume: string, rows: readonly (readonly [start: number, ms: number])[]): Lane => ({
  environment: volume,
  volume,
  isVolumeKnown: true,
  writes: eventsOf(rows),
  syncs: NONE,
  flushes: NONE,
})
const every = (everyMs: number, count: number, ms: (i: number) => number, from = 0) =>
  Array.from({ length: count }, (_, i) => [from + i * everyMs, ms(i)] as const)
const { signal } = new AbortController()
const RULE = { leastMs: 50, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

it('names storages whose usual write is slow, beside what they can do, and none whose slow writes stand out', async () => {
  // Quick for a minute, then behind a limit of 20 writes a second.
  const limited = laneOf('limited', [...every(300, 200, () => 0.5), ...every(50, 1200, () => 60, 60_000)])
  const beside = laneOf(
    'limited',
    every(1000, 120, () => 1),
  )
  const stalling = laneOf(
    'quick',
    every(50, 2400, (i) => (i % 4 === 0 ? 90 : 1)),
  )
  const all = await slowLanes([limited, beside, stalling], [240, 50, 50], RULE, signal)
  expect(all).toEqual([
    {
      lane: 0,
      writes: 1400,
      slow: 1140,
      pace: { everyMs: 50, restedMs: expect.closeTo(0.5, 3) as unknown, sizes: null },
      medianMs: 60,
      quickMs: expect.closeTo(0.5, 0) as unknown,
      firstMs: 60_050,
      lastMs: 120_010,
      mostPerSecond: 21,
    },
  ])
  expect(await slowLanes([limited, beside, stalling], [240, 50, 50], { ...RULE, toMs: 60_000 }, signal)).toEqual([])
})

it('names short writes that wait for the pace of their volume, and none of another volume', async () => {
  // A write each 300 ms, then without a rest behind a limit of 222 a second.
  const limited = laneOf('limited', [...every(300, 200, () => 0.5), ...every(4.5, 1200, () => 4.1, 60_000)])
  const slow = laneOf(
    'slow',
    every(4.5, 1200, () => 4.1),
  )
  expect(await slowLanes([slow, limited], [50, 50], RULE, signal)).toMatchObject([
    {
      lane: 1,
      writes: 1400,
      slow: 1199,
      pace: { everyMs: expect.closeTo(4.5, 1) as unknown, sizes: null },
      medianMs: expect.closeTo(4.1, 3) as unknown,
    },
  ])
})

it('names writes that wait for a pace all the time, however many they are', async () => {
  const limited = laneOf('limited', [...every(300, 30, () => 0.5), ...every(4.5, 130_000, () => 4.1, 9000)])
  expect(await slowLanes([limited], [50], RULE, signal)).toMatchObject([
    { lane: 0, writes: 130_030, slow: 129_999, firstMs: expect.closeTo(9004.5, 3) as unknown },
  ])
})

it('compares with the writes in which it looked for a pace, where there are more', async () => {
  // A thousand writes without a rest, then one after a rest, again and again.
  const start = new Float64Array(250_000)
  const end = new Float64Array(start.length)
  for (let i = 0, at = 0; i < start.length; i++) {
    const isRested = i % 1001 === 0
    start[i] = at + (isRested ? 50 : 0.4)
    end[i] = at = (start[i] as number) + (isRested ? 0.5 : 4.1)
  }
  const lane = { ...laneOf('limited', []), writes: { start, end, bytes: new Float64Array(start.length).fill(4096) } }
  const [found] = await slowLanes([lane], [50], RULE, signal)
  expect(found).toMatchObject({ slow: expect.closeTo((found?.writes ?? 0) * (1000 / 1001), -1) as unknown })
  expect(found?.writes).toBeGreaterThan(100_000)
  expect(found?.firstMs).toBeGreaterThan(start[100_000] as number)
})

it('counts the writes of a volume once for all of its slow storages', async () => {
  let reads = 0
  const counted = (i: number): Lane => {
    const lane = laneOf(
      'limited',
      every(50, 100, () => 60, i),
    )
    const end = new Proxy(lane.writes.end, {
      get: (target, key) => {
        if (key === '0') reads++
        return Reflect.get(target, key, target) as unknown
      },
    })
    return { ...lane, writes: { ...lane.writes, end } }
  }
  const readsOf = async (count: number): Promise<number> => {
    reads = 0
    const lanes = Array.from({ length: count }, (_, i) => counted(i))
    expect(await slowLanes(lanes, Array<number>(count).fill(240), RULE, signal)).toHaveLength(count)
    return reads
  }
  expect(await readsOf(20)).toBeLessThanOrEqual(20 * (await readsOf(1)))
})
