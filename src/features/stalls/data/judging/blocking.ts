import { firstAt, type Interval, type Lane, type Stall } from './events.ts'
import { poissonTail } from './statistics.ts'

/** A write that waited for something ends this soon after it, ms, beside what such a write takes anyway. */
const TOGETHER_MS = 10
/** Ends before what it waits for, ms: clocks of two measurements. */
const BEFORE_MS = 3
/** Random shifts of the intervals within their neighbourhood. */
const SHIFTS = 100
/** Neighbourhood of an interval, ms: its own length many times, within these. */
const NEAR = { times: 8, leastMs: 4000, mostMs: 60_000 }
/** Chance that is taken for none, for one of several candidates. */
const SURE = 0.0005
/** Fewer exposed stalls say nothing. */
const ENOUGH = 3
/** Of exposed stalls beyond chance at least this share ends with what they waited for. */
const MECHANISM_SHARE = 0.4
/** So many stalls may have begun before the interval with which they end, for each that began inside. */
const VICTIM_SHARE = 0.2
/** A stall that began before an interval is looked for so far back, ms. */
const LONGEST_MS = 60_000

/** How stalls lie to a candidate's intervals. */
export interface Exposure {
  /** Index into `stalls` → the interval in which it started that ends nearest to its end. */
  readonly inside: ReadonlyMap<number, Interval>
  /** Of these the ones that end with their interval. */
  readonly endedWith: ReadonlySet<number>
  /** What chance alone would give, from local shifts. */
  readonly expectedInside: number
  readonly expectedEndedWith: number
  /** All writes that started inside, and those near the intervals but outside. */
  readonly writesInside: number
  readonly writesNear: number
  /** Stalls that would lie inside if they came there as often as nearby. */
  readonly background: number
}

export interface BlockingResult extends Exposure {
  readonly outcome: 'blocks' | 'no-evidence' | 'too-few'
}

interface Blocking {
  readonly intervals: readonly Interval[]
  readonly stalls: readonly Stall[]
  readonly lanes: readonly Lane[]
  /** Median write of each lane, ms. */
  readonly medians: readonly number[]
  /** Whether an interval could hold up a stall. */
  readonly concerns: (interval: Interval, stall: Stall) => boolean
  /** How many candidates are tried: the more, the surer each must be. */
  readonly tried: number
  readonly random: () => number
  /** Awaited in between, so that others have their turn. */
  readonly step: () => Promise<void>
}

/**
 * Whether something that lasts for intervals holds up the writes that start inside them. Overlap is not enough: what makes
 * both come together (load) gives that, too. A write that was held up ends when what held it up ends; so stalls must end
 * with the intervals, far more of them than with intervals shifted at random within their neighbourhood. Intervals that
 * began while a write was stalling already are victims of the same thing, and no cause.
 */
export async function judgeBlocking(blocking: Blocking): Promise<BlockingResult> {
  const exposure = await expose(blocking)
  const { inside, endedWith, expectedInside, expectedEndedWith } = exposure
  if (blocking.intervals.length < ENOUGH || inside.size < ENOUGH) {
    // Enough intervals over enough writes without a stall in them is evidence, too.
    const isSeen = blocking.intervals.length >= 20 && exposure.writesInside >= 20
    return { ...exposure, outcome: isSeen ? 'no-evidence' : 'too-few' }
  }
  const chance = poissonTail(endedWith.size, expectedEndedWith + 0.05)
  const isBlocked =
    endedWith.size >= ENOUGH &&
    chance < SURE / blocking.tried &&
    endedWith.size - expectedEndedWith >= MECHANISM_SHARE * (inside.size - expectedInside) &&
    !isVictim(blocking, exposure)
  if (isBlocked) return { ...exposure, outcome: 'blocks' }
  return { ...exposure, outcome: inside.size >= 5 ? 'no-evidence' : 'too-few' }
}

/** How soon after its end a write that waited for an interval ends, ms. */
export const isTogether = (interval: Interval, stall: Stall, medianMs: number): boolean => {
  const lateMs = stall.end - interval.end
  return lateMs >= -BEFORE_MS && lateMs <= TOGETHER_MS + 2 * medianMs
}

async function expose(blocking: Blocking): Promise<Exposure> {
  const { intervals, lanes } = blocking
  const found = locate(blocking, (interval) => interval)
  let [sumInside, sumEnded] = [0, 0]
  for (let shift = 0; shift < SHIFTS; shift++) {
    const shifted = locate(blocking, (interval) => shiftOf(interval, blocking.random))
    sumInside += shifted.inside.size
    sumEnded += shifted.endedWith.size
    await blocking.step()
  }
  const concerned = new Set(intervals.map(({ lane }) => lane))
  let [writesInside, writesNear] = [0, 0]
  for (const interval of intervals) {
    const nearMs = nearOf(interval)
    for (const [at, lane] of lanes.entries()) {
      const probe = { lane: at, row: 0, start: interval.start, end: interval.end, bytes: 0 }
      if (!concerned.has(at) && !blocking.concerns(interval, probe)) continue
      const { start } = lane.writes
      const count = (from: number, to: number): number => firstAt(start, to) - firstAt(start, from)
      const own = count(interval.start, interval.end)
      writesInside += own
      writesNear += Math.max(0, count(interval.start - nearMs, interval.end + nearMs) - own)
    }
  }
  const near = locate(blocking, (interval) => {
    const nearMs = nearOf(interval)
    return { ...interval, start: interval.start - nearMs, end: interval.end + nearMs }
  })
  return {
    ...found,
    expectedInside: sumInside / SHIFTS,
    expectedEndedWith: sumEnded / SHIFTS,
    writesInside: Math.max(writesInside, found.inside.size),
    writesNear,
    background: backgroundOf(intervals, Math.max(0, near.inside.size - found.inside.size)),
  }
}

function backgroundOf(intervals: readonly Interval[], stallsNear: number): number {
  const insideMs = unionMs(intervals, () => 0)
  const nearMs = unionMs(intervals, nearOf) - insideMs
  return nearMs <= 0 ? 0 : (stallsNear * insideMs) / nearMs
}

/** Length of all intervals together, each longer by `margin` on both sides, what overlaps counted once. By start. */
function unionMs(intervals: readonly Interval[], margin: (interval: Interval) => number): number {
  const sorted = intervals
    .map((interval) => ({ start: interval.start - margin(interval), end: interval.end + margin(interval) }))
    .toSorted((a, b) => a.start - b.start)
  let [sum, until] = [0, Number.NEGATIVE_INFINITY]
  for (const { start, end } of sorted) {
    sum += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return sum
}

const nearOf = ({ start, end }: Interval): number =>
  Math.min(NEAR.mostMs, Math.max(NEAR.leastMs, NEAR.times * (end - start)))

/** Elsewhere in its neighbourhood, and never where it was. */
function shiftOf(interval: Interval, random: () => number): Interval {
  const ownMs = interval.end - interval.start
  const byMs = ownMs + random() * nearOf(interval)
  const offset = random() < 0.5 ? -byMs : byMs
  return { ...interval, start: interval.start + offset, end: interval.end + offset }
}

function locate(
  { intervals, stalls, medians, concerns }: Blocking,
  moved: (interval: Interval) => Interval,
): Pick<Exposure, 'inside' | 'endedWith'> {
  const inside = new Map<number, Interval>()
  const endedWith = new Set<number>()
  for (const original of intervals) {
    const interval = moved(original)
    for (let at = firstStall(stalls, interval.start); at < stalls.length; at++) {
      const stall = stalls[at] as Stall
      if (stall.start >= interval.end) break
      if (!concerns(interval, stall)) continue
      const before = inside.get(at)
      if (before === undefined || Math.abs(stall.end - interval.end) < Math.abs(stall.end - before.end))
        inside.set(at, interval)
      if (isTogether(interval, stall, medians[stall.lane] ?? 0)) endedWith.add(at)
    }
  }
  return { inside, endedWith }
}

function firstStall(stalls: readonly Stall[], at: number): number {
  let low = 0
  let high = stalls.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((stalls[middle] as Stall).start < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Something else slowed both: often a stall was there before the interval began, and ended with it. */
function isVictim({ intervals, stalls, medians }: Blocking, { endedWith }: Exposure): boolean {
  let victims = 0
  for (const interval of intervals) {
    for (let at = firstStall(stalls, interval.start - LONGEST_MS); at < stalls.length; at++) {
      const stall = stalls[at] as Stall
      const medianMs = medians[stall.lane] ?? 0
      // One that was under way for a moment only may be held up as well.
      if (stall.start >= interval.start - 5 - 2 * medianMs) break
      if (!isTogether(interval, stall, medianMs)) continue
      victims++
      break
    }
  }
  return victims > VICTIM_SHARE * endedWith.size
}
