import { expect, it } from 'vitest'
import { seededRandom } from '../../../base/random.ts'
import { judgeStalls } from './judge.ts'
import type { Events, Lane, Stall } from './lanes.ts'

const NONE: Events = { start: new Float64Array(), end: new Float64Array(), bytes: new Float64Array() }
const STALL_MS = 50

/** Writes of 8 KB, each at a start with a duration, ms. */
const eventsOf = (writes: readonly (readonly [start: number, ms: number])[]): Events => ({
  start: Float64Array.from(writes, ([start]) => start),
  end: Float64Array.from(writes, ([start, ms]) => start + ms),
  bytes: new Float64Array(writes.length).fill(8192),
})

it('finds standstills where writes are rare, so that none ends shortly before or after', async () => {
  const random = seededRandom(3)
  const lanes = ['one', 'one', 'two', 'two'].map((volume, lane): Lane => {
    const writes: [number, number][] = []
    for (let atMs = 0; atMs < 40 * 30_000; atMs += 30_000) {
      for (const beforeMs of [20_000, 12_000, 5000]) writes.push([atMs + 25_000 - beforeMs + random() * 1000, 1])
      // Each write that comes in 600 ms is held back until their end.
      const heldMs = 500 + lane * 10 + random() * 5
      writes.push([atMs + 28_600 - heldMs, heldMs])
    }
    return {
      environment: `/data/${String(lane)}`,
      volume,
      isVolumeKnown: true,
      writes: eventsOf(writes),
      syncs: NONE,
      flushes: NONE,
    }
  })
  const stalls = lanes
    .flatMap(({ writes: { start, end, bytes } }, lane) =>
      Array.from(start, (from, row): Stall => ({
        lane,
        row,
        start: from,
        end: end[row] as number,
        bytes: bytes[row] as number,
      })),
    )
    .filter(({ start, end }) => end - start > STALL_MS)
    .toSorted((a, b) => a.start - b.start)
  const { claims } = await judgeStalls(lanes, stalls, seededRandom(1), () => Promise.resolve())
  expect(new Set(claims.map(({ cause }) => cause))).toEqual(new Set(['standstill']))
})
