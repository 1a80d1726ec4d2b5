import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import type { SparkRows } from './Sparkline.tsx'

/** Minimum range over the whole width, since one sample makes no line. */
const LEAST_TICKS = 60 * TICKS_PER_SECOND
/** If more than this share at the start has no data, it is cut off. */
const EMPTY_SHARE = 0.25

/**
 * The range, or the part of it with data if data began late: a dot at the end of an empty line would look like a fault.
 * `sinceTicks`: start of the data; null: the range is complete, or there is no data.
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
