import { bisectRight } from '../../../../base/columns/bisect.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import type { SeriesRows } from '../../../../feeds/server/contract/series.ts'

/**
 * Figures of a series in a range, over all buckets that overlap it. Without samples `samples` is 0 and the others are
 * NaN.
 */
export interface SeriesFigures {
  readonly samples: number
  readonly min: number
  readonly max: number
  /** Mean weighted by samples, not by buckets. */
  readonly mean: number
  /** Mean of the newest bucket. */
  readonly newest: number
  readonly newestAtTicks: Ticks
}

/** Index of the first row that ends after `at`. O(log n) */
export function firstRowAfter({ startTicks, length, bucketTicks }: SeriesRows, at: number): number {
  return bisectRight(startTicks, at - bucketTicks, length)
}

/** Row that contains a moment, or the nearest one within one and a half buckets of it. −1: nothing is known there. */
export function rowNear(rows: SeriesRows, at: number): number {
  const after = firstRowAfter(rows, at)
  const distance = (row: number): number => {
    if ((rows.count[row] ?? 0) === 0) return Infinity
    const start = rows.startTicks[row] ?? Infinity
    return Math.max(0, start - at, at - start - rows.bucketTicks)
  }
  const best = distance(after - 1) < distance(after) ? after - 1 : after
  return distance(best) <= rows.bucketTicks * 1.5 ? best : -1
}

/** Summarises the rows that overlap a range. O(rows in it) */
export function summariseSeries(rows: SeriesRows, range: TimeRange): SeriesFigures {
  let [samples, sum, min, max] = [0, 0, Infinity, -Infinity]
  let newest = Number.NaN
  let newestAtTicks = Number.NaN
  for (let row = firstRowAfter(rows, range.startTicks); row < rows.length; row++) {
    const start = rows.startTicks[row] ?? Infinity
    if (start >= range.endTicks) break
    const count = rows.count[row] ?? 0
    if (count === 0) continue
    samples += count
    sum += count * (rows.mean[row] ?? 0)
    min = Math.min(min, rows.min[row] ?? Infinity)
    max = Math.max(max, rows.max[row] ?? -Infinity)
    newest = rows.mean[row] ?? Number.NaN
    newestAtTicks = start
  }
  return samples === 0
    ? { samples: 0, min: Number.NaN, max: Number.NaN, mean: Number.NaN, newest, newestAtTicks: Number.NaN as Ticks }
    : { samples, min, max, mean: sum / samples, newest, newestAtTicks: newestAtTicks as Ticks }
}
