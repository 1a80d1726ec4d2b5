import { fisherChance } from '../../../base/statistics/fisher.ts'
import type { Change } from '../../../base/statistics/estimate.ts'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import { SLOW_MS, type LineFigures } from '../contract.ts'

/** A write stalls that takes so many medians of its environment, and `SLOW_MS` or more: the rule of Stalls, unless changed there. */
const TIMES_MEDIAN = 4
/** The shorter side is cut into so many parts of time, and the other into as long ones: stalls come in bursts. */
const PARTS = 32
/** Beside the quantiles, of which all together err in five of a hundred comparisons. */
const ERR = 0.01

export interface StallCount {
  readonly stalls: number
  /** Share of the writes that stalled, 0 to 1. */
  readonly share: number
  /** Longest stall; NaN: no write stalled. */
  readonly longestTicks: number
}

export interface ComparedStalls {
  readonly before: StallCount
  readonly after: StallCount
  /** Duration from which on a write counts, the same on both sides: by the shorter median. */
  readonly leastTicks: number
  /** `higher`, `lower`: more, or fewer, of the parts of time had a stall. `unclear`: that could not be shown. */
  readonly change: Change
}

/** Stalls of a line, after against before, as they were in these ranges; null: they are not counted. `tests`: lines compared. */
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
  // All of those that are kept stalled, so the others may have, too.
  const stalls = durations.length === slow?.durationTicks.length ? slow.count : durations.length
  return {
    stalls,
    share: stalls / count,
    longestTicks: durations.length === 0 ? Number.NaN : Math.max(...durations),
  }
}

interface Parts {
  readonly all: number
  /** Parts with a stall. */
  readonly hit: number
}

/** A side with few writes has no more parts than writes: without one nothing can stall. */
function partsOf({ slow, knownTicks, count }: LineFigures, leastTicks: number, partTicks: number): Parts {
  const found = new Set<number>()
  for (const [i, ticks] of (slow?.durationTicks ?? []).entries())
    if (ticks >= leastTicks) found.add(Math.floor((slow?.sinceTicks[i] ?? 0) / partTicks))
  const all = Math.min(count, Math.round(knownTicks / partTicks))
  return { all, hit: Math.min(all, found.size) }
}
