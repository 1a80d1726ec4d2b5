import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import type { Candidate } from './candidates.ts'
import { durationOf, type Events, type Lane, type WriteRef } from './events.ts'
import { leadOf } from './exposure.ts'
import { covers, unionOf, type Span } from './spans.ts'
import { binomialTail } from './statistics.ts'

/** A write is slow that takes so many times the median of its lane, and at least so many ms. */
const SLOW = { times: 3, leastMs: 10 }
/** Shorter intervals slow no write down until it stalls, ms. */
const LEAST_MS = 50
/** A write is near a begin or an end within this share of the length of the interval, and within so many ms. */
const NEAR = { share: 0.5, mostMs: 2000 }
/** A slow write that is so many times larger says nothing: what waited is committed together. */
const TIMES_LARGER = 4
/** Intervals, at least, at whose begin writes become slow, and at whose end they do no longer. */
const ENOUGH = { begins: 8, ends: 5 }
/** Of these, so many may have a slow write before they begin, or after they ended. */
const BEFORE_SHARE = 0.2
const AFTER_SHARE = 0.35
/** Fewer that were slow before tell nothing alone, and then the chance that so many of few are. */
const ENOUGH_BEFORE = 5
const BY_CHANCE = 0.05
const ENOUGH_AFTER = 3
/** So many of the intervals slow the first write that starts inside. */
const SLOWING_SHARE = 0.4

interface Writes {
  readonly lanes: readonly Lane[]
  /** Of the volume. */
  readonly ids: readonly number[]
  readonly medians: readonly number[]
  /** Stalls of which the cause is known. */
  readonly explained: readonly WriteRef[]
}

/** How many intervals have a slow write on both sides of a moment, on one of them, and on none. */
interface Sides {
  inside: number
  outside: number
  both: number
  none: number
}

/** How writes next to the begins and ends of intervals are slow. */
export interface Boundaries {
  readonly begins: Sides
  readonly ends: Sides
}

/**
 * Compares the writes next to the begins of intervals, and those next to their ends. Each interval counts once for a lane, whatever its
 * length: long ones are those that something slowed.
 */
export function boundariesOf(
  { lanes, ids, medians, explained }: Writes,
  { intervals, concerns }: Candidate,
): Boundaries {
  const begins: Sides = { inside: 0, outside: 0, both: 0, none: 0 }
  const ends: Sides = { inside: 0, outside: 0, both: 0, none: 0 }
  const covered = unionOf(intervals)
  const known = new Map(groupBy(explained, (stall) => stall.lane).map(([lane, of]) => [lane, of.map(({ row }) => row)]))
  for (const lane of ids) {
    const side: LaneWrites = {
      writes: (lanes[lane] as Lane).writes,
      medianMs: medians[lane] ?? 0,
      covered,
      explained: new Set(known.get(lane)),
    }
    for (const span of unionOf(intervals.filter((interval) => concerns(interval, { lane, bytes: 0 })))) {
      if (span.end - span.start < LEAST_MS) continue
      add(begins, atBegin(side, span))
      add(ends, atEnd(side, span))
    }
  }
  return { begins, ends }
}

/**
 * Whether writes become slow as intervals begin, and no longer are as they end: what shares the device with them slows them down for
 * as long as it lasts, and they end at any time. What makes both slow (a phase of the device, load, something beside) was
 * there before the interval began, and slowed the write before.
 */
export function isSlowing({ begins, ends }: Boundaries): boolean {
  const all = begins.inside + begins.outside + begins.both + begins.none
  return (
    begins.inside >= ENOUGH.begins &&
    ends.inside >= ENOUGH.ends &&
    begins.both + begins.outside <= BEFORE_SHARE * begins.inside &&
    ends.both + ends.outside <= AFTER_SHARE * ends.inside &&
    begins.inside >= SLOWING_SHARE * all
  )
}

/**
 * Whether writes were slow before intervals began as often as they became slow with them; fewer tell where none are slow any more after the
 * end, as by a phase of the device that ends with the interval. Writes that are slow before and after it are so anyway.
 */
export const isSlowBefore = ({ begins: { both, inside }, ends }: Boundaries): boolean =>
  (both >= ENOUGH_BEFORE && both >= inside) ||
  (ends.inside >= ENOUGH_AFTER &&
    ends.both + ends.outside <= AFTER_SHARE * ends.inside &&
    binomialTail(both, both + inside, BEFORE_SHARE) < BY_CHANCE)

function add(to: Sides, side: keyof Sides | null): void {
  if (side !== null) to[side]++
}

/** Writes of a lane. */
interface LaneWrites {
  readonly writes: Events
  readonly medianMs: number
  /** All intervals, whether they concern the lane or not. */
  readonly covered: readonly Span[]
  /** Rows of which the cause is known. */
  readonly explained: ReadonlySet<number>
}

/** Null: a write has another cause, or is slow and far larger than the other one. */
function sideOf({ writes, medianMs, explained }: LaneWrites, inside: number, outside: number): keyof Sides | null {
  const isSlow = (row: number): boolean => durationOf(writes, row) >= Math.max(SLOW.leastMs, SLOW.times * medianMs)
  const isLarger = (row: number, than: number): boolean =>
    (writes.bytes[row] ?? 0) > TIMES_LARGER * (writes.bytes[than] ?? 0)
  if (explained.has(inside) || explained.has(outside)) return null
  if ((isSlow(inside) && isLarger(inside, outside)) || (isSlow(outside) && isLarger(outside, inside))) return null
  if (isSlow(inside)) return isSlow(outside) ? 'both' : 'inside'
  return isSlow(outside) ? 'outside' : 'none'
}

const nearOf = ({ start, end }: Span): number => Math.min(NEAR.mostMs, NEAR.share * (end - start))

/** The last write before the begin, and the first one inside; null: they are not near, or another interval was there before. */
function atBegin(lane: LaneWrites, span: Span): keyof Sides | null {
  const { writes, medianMs, covered } = lane
  const inside = bisectNumbers(writes.start, span.start)
  let before = inside - 1
  // One that was under way for a moment only is slowed as well.
  if ((writes.start[before] ?? 0) > span.start - leadOf(medianMs) && (writes.end[before] ?? 0) > span.start) before--
  const [startBefore, endBefore] = [writes.start[before], writes.end[before]]
  if (startBefore === undefined || (endBefore ?? 0) < span.start - nearOf(span)) return null
  const isNear = (writes.start[inside] ?? Number.POSITIVE_INFINITY) < span.start + nearOf(span)
  return isNear && !covers(covered, startBefore) ? sideOf(lane, inside, before) : null
}

/** The last write that starts inside, and the first one after the end; null: they are not near, or another interval follows. */
function atEnd(lane: LaneWrites, span: Span): keyof Sides | null {
  const { writes, medianMs, covered } = lane
  const after = bisectNumbers(writes.start, span.end)
  const inside = bisectNumbers(writes.start, span.end - leadOf(medianMs)) - 1
  const [startInside, startAfter] = [writes.start[inside], writes.start[after]]
  if (startInside === undefined || startInside < span.start || startAfter === undefined) return null
  const isNear = (writes.end[inside] ?? 0) >= span.end - nearOf(span) && startAfter < span.end + nearOf(span)
  return isNear && !covers(covered, startAfter) ? sideOf(lane, inside, after) : null
}
