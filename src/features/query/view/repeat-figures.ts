import { binomialTail } from '../../../base/statistics/binomial.ts'
import { quantileOf } from '../../../base/statistics/quantile.ts'

export interface LatencyFigures {
  readonly median: number
  /** 95 % interval of the median by order statistics, whatever the distribution; null: too few runs. */
  readonly interval: readonly [low: number, high: number] | null
  readonly p95: number
  readonly least: number
  readonly most: number
}

const CONFIDENCE = 0.95

/** Computes the figures of at least one run, ms. */
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

/** Between the k-th value from either end: the median lies outside as rarely as a coin falls to one side so often. */
function medianInterval(sorted: readonly number[]): readonly [number, number] | null {
  const count = sorted.length
  let rank = 0
  while (rank < count / 2 && 2 * binomialTail(count - rank, count, 0.5) <= 1 - CONFIDENCE) rank++
  const low = sorted[rank - 1]
  const high = sorted[count - rank]
  return rank === 0 || low === undefined || high === undefined ? null : [low, high]
}

/** Counts of runs in equal steps from the least to the most. */
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
