import type { VolumeWrites } from './completions.ts'
import { rowsWithin, type Stall } from './events.ts'
import { unionOf } from './spans.ts'

/** What is complete so soon after another is complete with it, ms: what a write takes after it was let through. */
const TOGETHER_MS = 30
/** A bunch lasts no longer, ms. */
const MOST_MS = 60
/** Writes are looked at that are so near to a stall, ms, as far as they are no more than this. */
const NEAR_MS = 60_000
const MOST_WRITES = 1_000_000

/** Writes of a volume that were complete together, as if they were one. */
interface Bunches {
  readonly volume: VolumeWrites
  /** Those with a stall. */
  readonly stalls: readonly Stall[]
  /** Stalls of each of these, as indices. */
  readonly members: readonly (readonly number[])[]
}

/** `stalls`: by start. Null: there are too many writes. */
export function bunchesOf(volume: VolumeWrites, stalls: readonly Stall[]): Bunches | null {
  const near = unionOf(stalls.map(({ start, end }) => ({ start: start - NEAR_MS, end: end + NEAR_MS })))
  const parts = near.map(({ start, end }) => volume.map(({ writes }) => rowsWithin(writes, start, end)))
  if (parts.flat().reduce((sum, [first, end]) => sum + end - first, 0) > MOST_WRITES) return null
  const stalled = new Map(stalls.map(({ lane, row }, at) => [`${lane} ${row}`, at]))
  const [start, end, bytes]: [number[], number[], number[]] = [[], [], []]
  const [found, members]: [Stall[], number[][]] = [[], []]
  let firstEnd = Number.NEGATIVE_INFINITY
  let own: number[] = []
  const close = (): void => {
    const row = start.length - 1
    if (own.length > 0) {
      members.push(own)
      const [from, to, size] = [start[row] ?? 0, end[row] ?? 0, bytes[row] ?? 0]
      found.push({ lane: 0, row, start: from, end: to, bytes: size, freeSince: Number.NEGATIVE_INFINITY })
    }
    own = []
  }
  for (const rows of parts)
    forEachByEnd(volume, rows, (which, row) => {
      const { id, writes } = volume[which] as VolumeWrites[number]
      const [from, to, size] = [writes.start[row] ?? 0, writes.end[row] ?? 0, writes.bytes[row] ?? 0]
      const last = start.length - 1
      if (to - (end[last] ?? Number.NEGATIVE_INFINITY) <= TOGETHER_MS && to - firstEnd <= MOST_MS) {
        start[last] = Math.min(start[last] as number, from)
        end[last] = to
        bytes[last] = (bytes[last] as number) + size
      } else {
        close()
        firstEnd = to
        start.push(from)
        end.push(to)
        bytes.push(size)
      }
      const at = stalled.get(`${id} ${row}`)
      if (at !== undefined) own.push(at)
    })
  close()
  const writes = { start: Float64Array.from(start), end: Float64Array.from(end), bytes: Float64Array.from(bytes) }
  return { volume: [{ id: 0, writes }], stalls: found, members }
}

/** Visits rows of the lanes by end; those of a lane follow each other. */
function forEachByEnd(
  volume: VolumeWrites,
  rows: readonly (readonly [first: number, end: number])[],
  visit: (which: number, row: number) => void,
): void {
  const next = rows.map(([first]) => first)
  for (;;) {
    let [which, least] = [-1, Number.POSITIVE_INFINITY]
    for (let i = 0; i < next.length; i++) {
      const row = next[i] as number
      if (row >= (rows[i] as readonly [number, number])[1]) continue
      const end = volume[i]?.writes.end[row] ?? 0
      if (end < least) [which, least] = [i, end]
    }
    if (which < 0) return
    visit(which, next[which] as number)
    next[which] = (next[which] as number) + 1
  }
}
