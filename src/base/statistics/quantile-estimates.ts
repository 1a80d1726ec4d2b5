import { Quantiles } from '../columns/select.ts'
import { BLOCKS, LEAST_BLOCKS, shareError } from './block-error.ts'
import { boundsOf, type Estimate } from './estimate.ts'
import { studentQuantile } from './student.ts'

/** Events of one lane. */
export interface EventSeries {
  readonly count: number
  /** Range of all starts. */
  readonly firstTicks: number
  readonly lastTicks: number
  /**
   * Visits start and duration (whole, not negative) of each event: the same ones at each call, in any order. May leave
   * out events shorter than `least`. May be asynchronous.
   */
  readonly visit: (each: (start: number, duration: number) => void, least: number) => Promise<void>
}

/** Block of a start: the time from the first to the last event is divided into `BLOCKS` equal parts. */
export function blockOf({
  firstTicks,
  lastTicks,
}: Pick<EventSeries, 'firstTicks' | 'lastTicks'>): (start: number) => number {
  const perTick = (BLOCKS - 1e-6) / Math.max(1, lastTicks - firstTicks)
  return (start) => Math.floor((start - firstTicks) * perTick)
}

/** Confidence level of the bounds. */
const CONFIDENCE = 0.95
/** Minimum number of events beyond a quantile for a bound. */
const LEAST_BEYOND = 8

export const canEstimate = (count: number, share: number): boolean => count * Math.min(share, 1 - share) >= LEAST_BEYOND

/**
 * Exact quantiles (nearest rank) of the durations for ascending `shares`, each with its 95 % interval and the wider
 * interval with which `tests` quantiles are covered at once in 95 % of cases. Bounds are quantiles themselves
 * (Woodruff's intervals), from the error of the share between blocks of time. O(events), four passes.
 */
export async function estimateQuantiles(
  series: EventSeries,
  shares: readonly number[],
  tests: number,
): Promise<Estimate[]> {
  const { count } = series
  const inBlock = blockOf(series)
  const all = new Float64Array(BLOCKS)
  const quantiles = new Quantiles()
  await series.visit((start, duration) => {
    quantiles.add(duration)
    const block = inBlock(start)
    all[block] = (all[block] as number) + 1
  }, 0)
  const again = (each: (duration: number) => void, least: number): Promise<void> =>
    series.visit((_start, duration) => each(duration), least)
  const values = await quantiles.resolve(shares, again)
  if (all.reduce((blocks, events) => blocks + (events > 0 ? 1 : 0), 0) < LEAST_BLOCKS)
    return values.map((value) => boundsOf(value, null, false))

  // Equal durations count half: durations come in steps.
  const slow = shares.map(() => new Float64Array(BLOCKS))
  await series.visit((start, duration) => {
    for (let i = 0; i < values.length && duration >= (values[i] as number); i++) {
      const counts = slow[i] as Float64Array
      const block = inBlock(start)
      counts[block] = (counts[block] as number) + (duration === values[i] ? 0.5 : 1)
    }
  }, values[0] ?? 0)

  const wanted: number[] = []
  const places = shares.map((share, i) => {
    const found = canEstimate(count, share) ? shareError(all, slow[i] as Float64Array) : 'few'
    if (typeof found === 'string') return found
    // The error is at least that of independent events.
    const error = Math.max(found.error, Math.sqrt((share * (1 - share)) / count))
    const put = (at: number): number | null => (at >= 1 || at <= 0 ? null : wanted.push(at) - 1)
    return studentBounds(error, found.freedom, tests).map((off) => [put(share - off), put(share + off)] as const)
  })
  const found = await quantiles.resolve(wanted, again)
  const at = (place: number | null): number | null => (place === null ? null : (found[place] as number))
  return places.map((place, i): Estimate => {
    const value = values[i] as number
    if (typeof place === 'string') return boundsOf(value, null, place === 'drifts')
    return boundsOf(
      value,
      place.map(([low, high]) => [at(low), at(high)] as const),
      false,
    )
  })
}

/** Half widths of the 95 % interval, and of that with which `tests` figures are covered in 95 % of cases. */
export const studentBounds = (error: number, freedom: number, tests: number): readonly [number, number] => [
  error * studentQuantile(1 - (1 - CONFIDENCE) / 2, freedom),
  error * studentQuantile(1 - (1 - CONFIDENCE) / Math.max(1, tests) / 2, freedom),
]

/**
 * Events per unit of `known` (the covered part of each block, 0 for none), with its 95 % interval and the wider one for
 * `tests` rates. Without bounds if too few blocks are covered or have events.
 */
export const estimateRate = (counts: Float64Array, known: Float64Array, tests: number): Estimate =>
  // A steady client varies less than independent events do; one event more or less at an end remains possible.
  estimateRatio(counts, known, tests, 1 / sumOf(known))

/** Mean of samples from their sum and number in each block; bounds as in `estimateRate`. */
export const estimateMean = (sums: Float64Array, counts: Float64Array, tests: number): Estimate =>
  estimateRatio(sums, counts, tests, 0)

function estimateRatio(sums: Float64Array, of: Float64Array, tests: number, leastError: number): Estimate {
  const value = sumOf(sums) / sumOf(of)
  const found = shareError(of, sums)
  if (typeof found === 'string' || !(value > 0)) return boundsOf(value, null, found === 'drifts')
  // On a scale of ratios, since neither can be below zero.
  const times = studentBounds(Math.max(found.error, leastError) / value, found.freedom, tests).map((off) =>
    Math.exp(off),
  )
  return boundsOf(
    value,
    times.map((each) => [value / each, value * each] as const),
    false,
  )
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)
