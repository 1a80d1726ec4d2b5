import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import type { SparkRows } from './Sparkline.tsx'

/** Least range that is drawn over the whole width: one sample is no line. */
const LEAST_TICKS = 60 * TICKS_PER_SECOND
/** When more of the range than this is empty at its begin, it is left out. */
const EMPTY_SHARE = 0.25

/**
 * The range, or of it what is known when it was looked at for a part of it only: a dot at its end looks broken.
 * `sinceTicks`: where what is known begins; null: the range is whole, or nothing is known.
 */
export function sparkRange(
  series: readonly SparkRows[],
  range: TimeRange,
): { readonly range: TimeRange; readonly sinceTicks: Ticks | null } {
  const first = Math.min(...series.map(firstKnown))
  const emptyTicks = first - range.startTicks
  if (!Number.isFinite(first) || emptyTicks < (range.endTicks - range.startTicks) * EMPTY_SHARE)
    return { range, sinceTicks: null }
  const startTicks = Math.min(first, range.endTicks - LEAST_TICKS) as Ticks
  return { range: { startTicks, endTicks: range.endTicks }, sinceTicks: first as Ticks }
}

function firstKnown({ length, count, startTicks }: SparkRows): number {
  for (let row = 0; row < length; row++) if ((count[row] ?? 0) > 0) return startTicks[row] ?? Number.NaN
  return Number.POSITIVE_INFINITY
}
