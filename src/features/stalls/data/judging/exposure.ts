import { bisectLeft, bisectNumbers } from '../../../../base/columns/bisect.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import type { Interval, Stall } from './events.ts'
import { covers, lengthOf, unionOf, type Span } from './spans.ts'

/** A write that waited for something ends this soon after it, ms, beside what such a write takes anyway. */
const TOGETHER_MS = 10
/** Ends before what it waits for, ms: clocks of two measurements. */
const BEFORE_MS = 3
/** Random shifts of the intervals within their neighbourhood. */
const SHIFTS = 100
/** Neighbourhood of an interval, ms: its own length many times, within these. */
const NEAR = { times: 8, leastMs: 4000, mostMs: 60_000 }
/** Upper bounds of the classes of how late a stall ends after its interval, ms. */
const LATE_MS = [-300, -100, -30, 0, 30, 100, 300]
const LATE_CLASSES = LATE_MS.length + 1
/** Those in whose interval a write of their lane had been served before, and those that met it first. */
export const CLASSES = 2 * LATE_CLASSES
/** Intervals that are shifted in all: many need fewer shifts for the same mean. */
const SHIFTED = 500_000

/** Intervals of a cause and the stalls that it might have caused. */
export interface Exposed {
  /** By start. */
  readonly intervals: readonly Interval[]
  /** By start. */
  readonly stalls: readonly Stall[]
  /** Median write of each lane, ms. */
  readonly medians: readonly number[]
  /** Whether an interval could hold up a write. */
  readonly concerns: (interval: Interval, write: { readonly lane: number; readonly bytes: number }) => boolean
  readonly random: () => number
  /** Awaited in between, so that others have their turn. */
  readonly step: () => Promise<void>
}

/** How stalls lie to intervals. */
export interface Placement {
  /** Index of a stall → the interval in which it started whose end is nearest to its own. */
  readonly inside: ReadonlyMap<number, Interval>
  /** Of these the ones that end with their interval. */
  readonly endedWith: ReadonlySet<number>
  /** Of the others, how many end about so late after their interval: classes of `lateClass`. */
  readonly late: readonly number[]
}

/** Means over local shifts: what chance alone gives. */
export interface Chance {
  readonly inside: number
  readonly endedWith: number
  readonly late: readonly number[]
}

/** How soon after the end of an interval a write that waited for it ends, ms. */
export const lateOf = (medianMs: number): number => TOGETHER_MS + 2 * medianMs

/** Whether the stall ended when the interval did, as a write that waited for it does. */
export const isTogether = (interval: Span, stall: Stall, medianMs: number): boolean => {
  const lateMs = stall.end - interval.end
  return lateMs >= -BEFORE_MS && lateMs <= lateOf(medianMs)
}

/** A write that started so shortly before an interval was under way for a moment only, and is held up by it as well, ms. */
export const leadOf = (medianMs: number): number => 5 + 2 * medianMs

/**
 * Class of how late the stall ends after the interval, and of whether a write was served in the interval before: one that
 * holds up writes does so from its begin, chance comes at any time.
 */
export function lateClass(interval: Span, stall: Stall): number {
  const lateMs = stall.end - interval.end
  let found = 0
  while (found < LATE_MS.length && lateMs >= (LATE_MS[found] as number)) found++
  return stall.freeSince >= interval.start ? found : LATE_CLASSES + found
}

export const firstStall = (stalls: readonly Stall[], at: number): number => bisectLeft(stalls, at, startOf)

const startOf = ({ start }: Stall): number => start

/** Where the stalls lie. */
export function place({ intervals, stalls, medians, concerns }: Omit<Exposed, 'random' | 'step'>): Placement {
  const inside = new Map<number, Interval>()
  for (const interval of intervals) {
    for (let at = firstStall(stalls, interval.start); at < stalls.length; at++) {
      const stall = stalls[at] as Stall
      if (stall.start >= interval.end) break
      if (!concerns(interval, stall)) continue
      const before = inside.get(at)
      if (before === undefined || Math.abs(stall.end - interval.end) < Math.abs(stall.end - before.end))
        inside.set(at, interval)
    }
  }
  const endedWith = new Set<number>()
  const late = Array.from({ length: CLASSES }, () => 0)
  for (const [at, interval] of inside) {
    const stall = stalls[at] as Stall
    if (isTogether(interval, stall, medians[stall.lane] ?? 0)) endedWith.add(at)
    else {
      const which = lateClass(interval, stall)
      late[which] = (late[which] ?? 0) + 1
    }
  }
  return { inside, endedWith, late }
}

/** What chance gives: the intervals shifted at random, each within its own neighbourhood. */
export async function chanceOf(exposed: Exposed, most = SHIFTS): Promise<Chance> {
  const shifts = Math.max(5, Math.min(most, Math.ceil(SHIFTED / Math.max(1, exposed.intervals.length))))
  let [inside, endedWith] = [0, 0]
  const late = Array.from({ length: CLASSES }, () => 0)
  const { intervals, stalls, medians, concerns, random } = exposed
  const starts = Float64Array.from(stalls, startOf)
  // Of each stall, the shifted interval with whose end it ended most nearly, and in which shift.
  const shiftFound = new Int32Array(stalls.length).fill(-1)
  const [foundStart, foundEnd] = [new Float64Array(stalls.length), new Float64Array(stalls.length)]
  if (stalls.length > 0)
    for (let shift = 0; shift < shifts; shift++) {
      const found: number[] = []
      for (const interval of intervals) {
        const byMs = shiftOf(interval, random)
        const [start, end] = [interval.start + byMs, interval.end + byMs]
        for (let at = bisectNumbers(starts, start); at < starts.length; at++) {
          if ((starts[at] as number) >= end) break
          const stall = stalls[at] as Stall
          if (!concerns(interval, stall)) continue
          if (shiftFound[at] !== shift) found.push(at)
          else if (Math.abs(stall.end - end) >= Math.abs(stall.end - (foundEnd[at] as number))) continue
          shiftFound[at] = shift
          foundStart[at] = start
          foundEnd[at] = end
        }
      }
      inside += found.length
      for (const at of found) {
        const stall = stalls[at] as Stall
        const met = { start: foundStart[at] as number, end: foundEnd[at] as number }
        if (isTogether(met, stall, medians[stall.lane] ?? 0)) endedWith++
        else late[lateClass(met, stall)] = (late[lateClass(met, stall)] ?? 0) + 1
      }
      await exposed.step()
    }
  return { inside: inside / shifts, endedWith: endedWith / shifts, late: late.map((sum) => sum / shifts) }
}

/**
 * Stalls that would have started inside the intervals if they came there as often as near them, by lane; each counts as much as
 * `weightOf` says. Unlike `chanceOf` it
 * is not raised by the stalls that the intervals caused, where those are frequent.
 */
export function backgroundOf(
  { intervals, stalls, concerns }: Exposed,
  weightOf: (stall: Stall) => number = () => 1,
): number {
  let background = 0
  for (const [lane, own] of groupBy(stalls, ({ lane: of }) => of)) {
    const concerning = intervals.filter((interval) => concerns(interval, { lane, bytes: 0 }))
    const inside = unionOf(concerning)
    const near = unionOf(concerning.map(({ start, end }) => widened(start, end)))
    const nearMs = lengthOf(near) - lengthOf(inside)
    if (nearMs <= 0) continue
    const count = own
      .filter(({ start }) => covers(near, start) && !covers(inside, start))
      .reduce((sum, stall) => sum + weightOf(stall), 0)
    background += (count * lengthOf(inside)) / nearMs
  }
  return background
}

function widened(start: number, end: number): Span {
  const nearMs = nearOf({ start, end })
  return { start: start - nearMs, end: end + nearMs }
}

/** How far from an interval is still near it, ms: load and devices are as they are in it. */
export const nearOf = ({ start, end }: Span): number =>
  Math.min(NEAR.mostMs, Math.max(NEAR.leastMs, NEAR.times * (end - start)))

/** By how many ms: elsewhere in its neighbourhood, and never where it was. */
function shiftOf(interval: Span, random: () => number): number {
  const ownMs = interval.end - interval.start
  const byMs = ownMs + random() * nearOf(interval)
  return random() < 0.5 ? -byMs : byMs
}
