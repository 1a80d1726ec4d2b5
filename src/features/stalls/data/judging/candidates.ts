import { durationOf, type Interval, type Lane } from './events.ts'
import type { SizePeers } from './size.ts'

/** A commit of so many bytes may hold up its neighbours. */
const LARGE_COMMIT = 1 << 20
/** How much larger it is than the write that waits. */
const TIMES_LARGER = 8
/** Intervals that are judged: the longest ones, where there are more. */
const MOST_INTERVALS = 200_000

/** Something that lasts for intervals, and which writes it might hold up. */
export interface Candidate {
  readonly cause: 'sync' | 'neighbour'
  /** By start. */
  readonly intervals: readonly Interval[]
  readonly concerns: (interval: Interval, write: { readonly lane: number; readonly bytes: number }) => boolean
}

/** What may hold up writes of the lanes of one volume. */
export function candidatesOf(lanes: readonly Lane[], ids: readonly number[], peers: SizePeers): Candidate[] {
  const syncs = capped(ids.flatMap((lane) => syncsOf(lanes, lane)))
  const own: Candidate = {
    cause: 'sync',
    intervals: syncs,
    concerns: (interval, { lane }) => interval.lane === lane,
  }
  if (ids.length === 1) return [own]
  return [
    own,
    { cause: 'sync', intervals: syncs, concerns: (interval, { lane }) => interval.lane !== lane },
    {
      cause: 'neighbour',
      intervals: capped(ids.flatMap((lane) => largeCommitsOf(lanes, lane, peers))),
      concerns: (interval, { lane, bytes }) => interval.lane !== lane && interval.bytes >= TIMES_LARGER * bytes,
    },
  ]
}

function syncsOf(lanes: readonly Lane[], lane: number): Interval[] {
  const { start, end, bytes } = (lanes[lane] as Lane).syncs
  return Array.from(start, (from, row) => ({ start: from, end: end[row] as number, lane, bytes: bytes[row] as number }))
}

/** Commits that took as long as their size explains: a slower one waits itself, and is to blame for nothing. */
function largeCommitsOf(lanes: readonly Lane[], lane: number, peers: SizePeers): Interval[] {
  const { writes } = lanes[lane] as Lane
  const found: Interval[] = []
  for (let row = 0; row < writes.start.length; row++) {
    const bytes = writes.bytes[row] as number
    if (bytes < LARGE_COMMIT || peers.isUsual(lane, bytes, durationOf(writes, row)) !== true) continue
    found.push({ start: writes.start[row] as number, end: writes.end[row] as number, lane, bytes })
  }
  return found
}

function capped(intervals: readonly Interval[]): Interval[] {
  const most =
    intervals.length <= MOST_INTERVALS
      ? [...intervals]
      : intervals.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MOST_INTERVALS)
  return most.toSorted((a, b) => a.start - b.start)
}
