import { bisectNumbers } from '../../../base/columns/bisect.ts'
import type { Lane, Stall } from './lanes.ts'
import {
  AROUND,
  AROUND_SHARE,
  CHANCE,
  DRAWS,
  END_MS,
  END_SHARE,
  ENDED_SHARE,
  HELD_SHARE,
  LEAST_WAITS,
  MOST_INTERVALS,
  NEIGHBOURHOOD,
  TIMES_BEFORE,
  TIMES_CHANCE,
} from './tolerances.ts'

/* Test of waiting for another I/O of the volume: a write that starts during it ends when it ends. */

/** I/O that may hold up writes. `lane`: the lane that it belongs to. */
export interface Interval {
  readonly start: number
  readonly end: number
  readonly lane: number
}

export interface Waiting {
  readonly lanes: readonly Lane[]
  /** Lanes of the volume. */
  readonly ids: readonly number[]
  /** Stalls of the volume, by start. */
  readonly stalls: readonly Stall[]
  /** Intervals that may hold the stalls up, by start. */
  readonly intervals: readonly Interval[]
  /** Whether an interval of one lane may hold up writes of another. */
  readonly concerns: (holder: number, lane: number) => boolean
  /**
   * Whether intervals are no evidence if many writes stall before and after them: then all writes wait for the same as
   * the intervals do.
   */
  readonly isAlone: boolean
}

interface Waits {
  /** Indices of stalls that started during an interval and ended with it, each with that interval. */
  readonly waited: ReadonlyMap<number, Interval>
  /** Share of these stalls that chance alone would produce. */
  readonly chance: number
}

/**
 * Finds the stalls that the intervals hold up, in comparison with intervals moved to random times nearby. Null: no
 * evidence.
 */
export async function waitsFor(
  waiting: Waiting,
  random: () => number,
  step: () => Promise<void>,
): Promise<Waits | null> {
  const { stalls, isAlone } = waiting
  const intervals = longestOf(waiting.intervals)
  const starts = Float64Array.from(stalls, ({ start }) => start)
  const visit = visitor(waiting, starts)
  const [all, inside] = [new Map<number, Interval>(), new Set<number>()]
  visit(intervals, (i, interval, endsWith) => {
    inside.add(i)
    if (endsWith) all.set(i, interval)
  })
  const held = heldLanes({ ...waiting, intervals }, all)
  const isHeld = (i: number): boolean => held.has((stalls[i] as Stall).lane)
  const waited = new Map([...all].filter(([i]) => isHeld(i)))
  const insideHeld = [...inside].filter(isHeld)
  const around = intervals.map(({ start, end, lane }) => {
    const by = AROUND * (end - start)
    return { start: start - by, end: end + by, lane }
  })
  const near = new Set<number>()
  if (isAlone) {
    visit(around, (i) => isHeld(i) && near.add(i))
    visit(waiting.intervals, (i) => near.delete(i))
  }
  const isLikely =
    waited.size >= LEAST_WAITS &&
    waited.size >= ENDED_SHARE * insideHeld.length &&
    waited.size >= TIMES_BEFORE * endingBefore({ ...waiting, intervals }, starts) &&
    near.size <= AROUND_SHARE * insideHeld.length
  if (!isLikely) return null

  // Number of the last draw in which a stall was counted, so that it counts once in each draw.
  const counted = new Int32Array(stalls.length)
  let [sum, asMany] = [0, 0]
  for (let draw = 1; draw <= DRAWS; draw++) {
    await step()
    let count = 0
    visit(moved(intervals, random), (i, _, endsWith) => {
      if (!endsWith || counted[i] === draw || !isHeld(i)) return
      counted[i] = draw
      count++
    })
    sum += count
    if (count >= waited.size) asMany++
    if (asMany + 1 >= CHANCE * (DRAWS + 1)) return null
  }
  const chance = sum / DRAWS / waited.size
  if (chance * TIMES_CHANCE > 1) return null
  if (intervals.length === waiting.intervals.length) return { waited, chance }
  const ofAll = new Map<number, Interval>()
  visit(waiting.intervals, (i, interval, endsWith) => endsWith && isHeld(i) && ofAll.set(i, interval))
  return { waited: ofAll, chance }
}

type Visit = (stall: number, interval: Interval, endsWith: boolean) => void

/** Returns a function that calls back for each stall that starts during an interval. */
const visitor =
  ({ stalls, concerns }: Waiting, starts: Float64Array) =>
  (intervals: readonly Interval[], visit: Visit): void => {
    for (const interval of intervals) {
      const { start, end, lane } = interval
      for (let i = bisectNumbers(starts, start - END_MS); i < stalls.length && (starts[i] as number) < end; i++) {
        const stall = stalls[i] as Stall
        if (concerns(lane, stall.lane)) visit(i, interval, endsWith(stall, end))
      }
    }
  }

const endsWith = (stall: Stall, end: number): boolean =>
  Math.abs(stall.end - end) <= Math.max(END_MS, END_SHARE * (stall.end - stall.start))

/** Lanes that wait in at least `HELD_SHARE` of the intervals in which they write; others are not held up. */
function heldLanes(
  { lanes, ids, stalls, intervals, concerns }: Waiting,
  waited: ReadonlyMap<number, Interval>,
): ReadonlySet<number> {
  const holders = new Map(ids.map((id) => [id, new Set<Interval>()]))
  for (const [i, interval] of waited) holders.get((stalls[i] as Stall).lane)?.add(interval)
  const isHeld = (id: number): boolean => {
    const { start } = (lanes[id] as Lane).writes
    const own = holders.get(id)?.size ?? 0
    if (own === 0) return false
    const met = intervals.filter(
      (interval) =>
        concerns(interval.lane, id) && bisectNumbers(start, interval.end) > bisectNumbers(start, interval.start),
    )
    return own >= HELD_SHARE * met.length
  }
  return new Set(ids.filter(isHeld))
}

/** Counts stalls that started before an interval and ended with it: they wait for the same as the interval does. */
function endingBefore({ stalls, intervals, concerns }: Waiting, starts: Float64Array): number {
  const longest = stalls.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  const found = new Set<number>()
  for (const { start, end, lane } of intervals) {
    const last = bisectNumbers(starts, start - END_MS)
    for (let i = bisectNumbers(starts, start - longest); i < last; i++) {
      const stall = stalls[i] as Stall
      if (concerns(lane, stall.lane) && endsWith(stall, end)) found.add(i)
    }
  }
  return found.size
}

/** Moves each interval forward or back, by 1 to `NEIGHBOURHOOD` times its length. */
const moved = (intervals: readonly Interval[], random: () => number): Interval[] =>
  intervals.map(({ start, end, lane }) => {
    const by = (random() < 0.5 ? -1 : 1) * (1 + random() * (NEIGHBOURHOOD - 1)) * (end - start)
    return { start: start + by, end: end + by, lane }
  })

function longestOf(intervals: readonly Interval[]): readonly Interval[] {
  if (intervals.length <= MOST_INTERVALS) return intervals
  const lengthOf = ({ start, end }: Interval): number => end - start
  return intervals
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, MOST_INTERVALS)
    .toSorted((a, b) => a.start - b.start)
}
