import { binomialTail } from '../../../base/statistics/binomial.ts'
import { quantileOf } from '../../../base/statistics/quantile.ts'

export interface LatencyFigures {
  readonly median: number
  /** 95 % confidence interval of the median from order statistics, for any distribution; null: too few runs. */
  readonly interval: readonly [low: number, high: number] | null
  readonly p95: number
  readonly least: number
  readonly most: number
}

const CONFIDENCE = 0.95

/** Figures of a list of durations in ms, which must not be empty. */
export function latencyFigures(runs: readonly number[]): LatencyFigures {
  const sorted = runs.toSorted((a, b) => a - b)
  return {
    median: quantileOf(sorted, 0.5),
    interval: medianInterval(sorted),
    p95: quantileOf(sorted, 0.95),
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  }
}

/**
 * Interval between the k-th smallest and the k-th largest value, for the largest k with the required confidence. The
 * median is as unlikely to lie outside as that many tosses of a coin are to fall on one side.
 */
function medianInterval(sorted: readonly number[]): readonly [number, number] | null {
  const count = sorted.length
  let rank = 0
  while (rank < count / 2 && 2 * binomialTail(count - rank, count, 0.5) <= 1 - CONFIDENCE) rank++
  const low = sorted[rank - 1]
  const high = sorted[count - rank]
  return rank === 0 || low === undefined || high === undefined ? null : [low, high]
}

/** Number of runs in each of `bins` equal steps from the minimum to the maximum. */
export function histogramOf(runs: readonly number[], bins: number): readonly number[] {
  const counts = Array.from({ length: bins }, () => 0)
  const least = Math.min(...runs)
  const span = Math.max(...runs) - least
  for (const run of runs) {
    const bin = span === 0 ? 0 : Math.min(bins - 1, Math.floor(((run - least) / span) * bins))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}
