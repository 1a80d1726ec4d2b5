import { describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../../../base/random.ts'
import { inGate } from '../../../testing/gate.ts'
import type { Events, Lane } from './lanes.ts'
import { paceOf, type PacedWrites } from './pace.ts'

type Row = readonly [start: number, end: number, bytes: number]

const eventsOf = (rows: readonly Row[]): Events => ({
  start: Float64Array.from(rows, ([start]) => start),
  end: Float64Array.from(rows, ([, end]) => end),
  bytes: Float64Array.from(rows, ([, , bytes]) => bytes),
})
const laneOf = (rows: readonly Row[]): Lane => ({
  environment: '/data',
  volume: 'one',
  isVolumeKnown: true,
  writes: eventsOf(rows),
  syncs: eventsOf([]),
  flushes: eventsOf([]),
})
const ALL = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
const paceIn = (lanes: readonly Lane[]): Promise<PacedWrites | null> =>
  paceOf(lanes, [...lanes.keys()], ALL, new AbortController().signal)
const SEEDS = inGate([1, 2], [1, 2, 3, 4, 5, 6, 7, 8])

interface Disk {
  /** Time of a write without a limit. */
  readonly writeMs: (random: () => number, bytes: number) => number
  /** Time until which a write waits for the disk before it is written. */
  readonly until?: (start: number, bytes: number) => number
  readonly sizes?: number
}

/** Clients that write without a pause for some seconds, then now and then; each write is the next of the merger. */
function play(disk: Disk, seed: number, clients = 1): Lane[] {
  const random = seededRandom(seed)
  const rows: Row[][] = Array.from({ length: clients }, () => [])
  const next = rows.map(() => random() * 10)
  for (;;) {
    const client = next.indexOf(Math.min(...next))
    const start = next[client] as number
    if (start > 60_000) break
    const bytes = 4096 * Math.ceil((disk.sizes ?? 6) * random())
    const end = Math.max(start, disk.until?.(start, bytes) ?? 0) + disk.writeMs(random, bytes)
    ;(rows[client] as Row[]).push([start, end, bytes])
    const isBusy = start % 15_000 < 8000
    next[client] = end + (isBusy ? 0.1 + random() * 0.8 : 20 + 200 * random())
  }
  return rows.map(laneOf)
}

/** Bucket of operations, or of so many bytes each. */
function bucket(everyMs: number, most: number, each = 0): (start: number, bytes: number) => number {
  let [left, at] = [most, 0]
  return (start, bytes) => {
    left = Math.min(most, left + (start - at) / everyMs) - (each === 0 ? 1 : bytes / each)
    at = start
    return left >= 0 ? start : start - left * everyMs
  }
}

const quick = (random: () => number): number => 0.2 + 0.3 * random()

describe('the pace of a volume', () => {
  it.each([
    ['a limit of 222 operations a second', 4.5, 1, 1],
    ['one that lets a burst through', 4.5, 100, 1],
    ['one that two storages share', 4.5, 10, 2],
    ['a limit of 45', 22, 40, 2],
  ])('is that of %s', async (_, everyMs, most, clients) => {
    for (const seed of SEEDS) {
      const lanes = play({ writeMs: quick, until: bucket(everyMs, most) }, seed, clients)
      const found = await paceIn(lanes)
      expect(found?.pace.everyMs, `seed ${seed}`).toBeGreaterThan(everyMs * 0.97)
      expect(found?.pace.everyMs).toBeLessThan(everyMs * 1.03)
      expect(found?.pace.restedMs).toBeLessThan(1)
      expect(found?.pace.sizes).toEqual([4096, 6 * 4096])
      for (const id of lanes.keys()) expect(found?.rows.get(id)?.count).toBeGreaterThan(200 / clients)
    }
  })

  it('says nothing of sizes where all are alike', async () => {
    const lanes = play({ writeMs: quick, until: bucket(4.5, 1), sizes: 1 }, 1)
    expect(await paceIn(lanes)).toMatchObject({ pace: { sizes: null } })
  })

  /** Time at which the place that comes next is below the head. */
  const turn = (start: number): number => Math.ceil(start / 8.33) * 8.33
  const slowing = (): Disk['writeMs'] => {
    let written = 0
    return (random, bytes) => {
      written += bytes
      return written < 4e6 ? quick(random) : 3 + 6 * random()
    }
  }
  const others: readonly (readonly [string, () => Disk, number?])[] = [
    ['a healthy fast disk', () => ({ writeMs: quick })],
    ['a slow disk, each write of which takes 4.5 ms', () => ({ writeMs: (random) => 4.45 + 0.1 * random() })],
    ['a slow one with some spread', () => ({ writeMs: (random) => 3 + 4 * random() })],
    ['a disk that rotates', () => ({ writeMs: () => 0.05, until: turn })],
    ['one that rotates, of two storages', () => ({ writeMs: () => 0.05, until: turn }), 2],
    ['a limit of bytes', () => ({ writeMs: quick, until: bucket(4.5, 10, 12_000) })],
    ['a slow rate of bytes by itself', () => ({ writeMs: (_, bytes) => bytes / 3000 })],
    ['a disk whose cache fills up', () => ({ writeMs: slowing() })],
    ['writes that wait at random', () => ({ writeMs: (random) => (random() < 0.3 ? 4.5 * random() * 2 : 0.4) })],
  ]
  it.each(others.map(([name, disk, clients = 1]) => [name, disk, clients] as const))(
    'is none of %s',
    async (_, disk, clients) => {
      for (const seed of SEEDS) {
        const lanes = play(disk(), seed, clients)
        expect(await paceIn(lanes), `seed ${seed}`).toBeNull()
      }
    },
  )

  it('is none of clients that write at an even pace themselves', async () => {
    const rows = Array.from({ length: 5000 }, (_, i): Row => [i * 5, i * 5 + 0.4, 4096 * (1 + (i % 4))])
    expect(await paceIn([laneOf(rows)])).toBeNull()
  })

  it('is none where no write came after a rest: the disk may be slow by itself', async () => {
    const rows = Array.from({ length: 5000 }, (_, i): Row => [i * 4.5 + 0.3, i * 4.5 + 4.5, 4096 * (1 + (i % 4))])
    expect(await paceIn([laneOf(rows)])).toBeNull()
  })

  it('is none where large writes take longer, and half of all have the smallest size', async () => {
    const everyMs = [4.2, 4.2, 4.2, 4.5, 5.2]
    const rows: Row[] = Array.from({ length: 50 }, (_, i) => [i * 300, i * 300 + 0.4, 4096])
    for (let i = 0, at = 15_000; i < 5000; i++) {
      const ms = everyMs[i % 5] as number
      rows.push([at + 0.1, at + ms, 4096 * Math.max(1, (i % 5) - 1)])
      at += ms
    }
    expect(await paceIn([laneOf(rows)])).toBeNull()
  })

  it('is looked for in slices, so that it can be aborted', async () => {
    const lanes = play({ writeMs: quick, until: bucket(4.5, 1) }, 1)
    let ms = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 20))
    try {
      await expect(paceOf(lanes, [0], ALL, AbortSignal.abort())).rejects.toThrow('aborted')
    } finally {
      now.mockRestore()
    }
  })
})
