import { fisherChance } from '../../../base/statistics/fisher.ts'
import type { Change } from '../../../base/statistics/estimate.ts'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import { SLOW_MS, type LineFigures } from '../contract.ts'

/**
 * Multiple of its environment's median from which on a write counts as a stall, if it is also `SLOW_MS` or longer; the
 * default rule of Stalls.
 */
const TIMES_MEDIAN = 4
/**
 * Number of parts of time into which the shorter side is divided; the other side gets parts of the same length. Stalls
 * come in bursts.
 */
const PARTS = 32
/** Error rate of this test, in addition to the 5 % for all quantiles together. */
const ERR = 0.01

export interface StallCount {
  readonly stalls: number
  /** Share of writes that stalled, 0 to 1. */
  readonly share: number
  /** Longest stall; NaN: none. */
  readonly longestTicks: number
}

export interface ComparedStalls {
  readonly before: StallCount
  readonly after: StallCount
  /** Duration from which on a write counts, equal on both sides: by the shorter median. */
  readonly leastTicks: number
  /** `higher`, `lower`: more or fewer of the parts of time had a stall. `unclear`: not enough data. */
  readonly change: Change
}

/** Compares the stalls of a line in these ranges; null: not counted. `tests`: number of compared lines. */
export function compareStalls(before: LineFigures, after: LineFigures, tests: number): ComparedStalls | null {
  const median = Math.min(before.quantiles?.[0]?.value ?? Number.NaN, after.quantiles?.[0]?.value ?? Number.NaN)
  if (before.slow === undefined || after.slow === undefined || Number.isNaN(median)) return null
  const leastTicks = Math.max(SLOW_MS * TICKS_PER_MS, TIMES_MEDIAN * median)
  const partTicks = Math.min(before.knownTicks, after.knownTicks) / PARTS
  const parts = [before, after].map((side) => partsOf(side, leastTicks, partTicks))
  const [was, is] = parts as [Parts, Parts]
  const isShown = partTicks > 0 && fisherChance(is.hit, is.all, was.hit, was.all) < ERR / Math.max(1, tests)
  const change = !isShown ? 'unclear' : is.hit / is.all > was.hit / was.all ? 'higher' : 'lower'
  return { before: countOf(before, leastTicks), after: countOf(after, leastTicks), leastTicks, change }
}

function countOf({ slow, count }: LineFigures, leastTicks: number): StallCount {
  const durations = (slow?.durationTicks ?? []).filter((ticks) => ticks >= leastTicks)
  // If all kept writes stalled, others may have as well.
  const stalls = durations.length === slow?.durationTicks.length ? slow.count : durations.length
  return {
    stalls,
    share: stalls / count,
    longestTicks: durations.length === 0 ? Number.NaN : Math.max(...durations),
  }
}

interface Parts {
  readonly all: number
  /** Number of parts with a stall. */
  readonly hit: number
}

/** A side cannot have more parts than writes, since a part without writes cannot have a stall. */
function partsOf({ slow, knownTicks, count }: LineFigures, leastTicks: number, partTicks: number): Parts {
  const found = new Set<number>()
  for (const [i, ticks] of (slow?.durationTicks ?? []).entries())
    if (ticks >= leastTicks) found.add(Math.floor((slow?.sinceTicks[i] ?? 0) / partTicks))
  const all = Math.min(count, Math.round(knownTicks / partTicks))
  return { all, hit: Math.min(all, found.size) }
}
