import { BLOCKS, LEAST_BLOCKS, shareError } from './block-error.ts'
import { boundsOf, compareEstimates, type Comparison, type Estimate } from './estimate.ts'
import { canEstimate, studentBounds } from './quantile-estimates.ts'

/** Quantiles of durations, adjusted to one load, and how durations grow with load. */
export interface AtLoad {
  /** Mean and standard deviation of the logarithm of the load (events per second) at which events occurred. */
  readonly load: number
  readonly spread: number
  /** Exponent with which durations grow with load, and its standard error. */
  readonly slope: number
  readonly slopeError: number
  /** Quantiles at `load`, in the order of the shares. */
  readonly quantiles: readonly Estimate[]
}

/** Width of a bin on a logarithmic scale. */
const BIN = 0.02
/** Covers up to e^28 ticks, more than a day. */
const BINS = 1400
/** Variance of the logarithm below which load counts as constant (varies by less than 0.1 %). */
const LEAST_SQUARE = 1e-6
/** Standard errors by which a slope must exceed 0; a negative one is ignored: slow work lowers the load. */
const CLEAR_SLOPE = 3
/** Number of standard errors of the slope that are added to the narrow and to the wide bounds. */
const SLOPE_WIDENS = [2, 3.5] as const

/** Histogram of durations of one lane by block of time, on a logarithmic scale. 0.7 MB. */
export class LoadHistogram {
  readonly #bins = new Uint32Array(BLOCKS * BINS)
  readonly #all = new Float64Array(BLOCKS)
  readonly #logs = new Float64Array(BLOCKS)
  #count = 0

  /** `value`: 0 counts as 1. */
  add(block: number, value: number): void {
    const log = Math.log(Math.max(1, value))
    const bin = block * BINS + Math.min(BINS - 1, Math.floor(log / BIN))
    this.#bins[bin] = (this.#bins[bin] as number) + 1
    this.#all[block] = (this.#all[block] as number) + 1
    this.#logs[block] = (this.#logs[block] as number) + log
    this.#count++
  }

  /**
   * `loads`: events per second in each block, above 0 in blocks with events. Variation that load explains is not
   * counted as error of the quantiles, so that smaller differences can be shown under a varying load. Null: too few
   * blocks have events, or the load is constant.
   */
  estimate(loads: Float64Array, shares: readonly number[], tests: number): AtLoad | null {
    const all = this.#all
    const used = [...all.keys()].filter((block) => (all[block] as number) > 0)
    if (used.length < LEAST_BLOCKS) return null
    const mean = (of: (block: number) => number): number =>
      used.reduce((sum, block) => sum + of(block), 0) / this.#count
    const logLoad = loads.map((load) => Math.log(load))
    const load = mean((block) => (all[block] as number) * (logLoad[block] as number))
    const off = logLoad.map((each, block) => ((all[block] as number) > 0 ? each - load : 0))
    const square = mean((block) => (all[block] as number) * (off[block] as number) ** 2)
    if (!(square > LEAST_SQUARE)) return null
    const slope = mean((block) => (off[block] as number) * (this.#logs[block] as number)) / square
    const slopeError = this.#slopeError(off, slope, square, used)
    const quantiles = shares.map((share) => this.#quantile(off, slope, share, tests))
    return { load, spread: Math.sqrt(square), slope, slopeError, quantiles }
  }

  /** Standard error of the slope; neighbouring blocks may be correlated (AR(1)). */
  #slopeError(off: Float64Array, slope: number, square: number, used: readonly number[]): number {
    const middle = this.#logs.reduce((sum, each) => sum + each, 0) / this.#count
    let [squares, neighbours, last] = [0, 0, 0]
    for (const block of used) {
      const [own, at] = [this.#all[block] as number, off[block] as number]
      const rest = at * ((this.#logs[block] as number) - own * middle - slope * at * own)
      squares += rest * rest
      neighbours += rest * last
      last = rest
    }
    const alike = squares === 0 ? 0 : Math.max(0, Math.min(0.8, neighbours / squares))
    return Math.sqrt((squares * (1 + alike)) / (1 - alike)) / (square * this.#count)
  }

  #quantile(off: Float64Array, slope: number, share: number, tests: number): Estimate {
    const shifts = off.map((each) => (-slope * each) / BIN)
    const together = this.#shifted(shifts)
    const place = placeOf(together, share * this.#count)
    const value = Math.exp(place * BIN)
    const slow = shifts.map((shift, block) => this.#above(block, place - shift))
    const found = canEstimate(this.#count, share) ? shareError(this.#all, slow) : 'few'
    if (typeof found === 'string') return boundsOf(value, null, found === 'drifts')
    const error = Math.max(found.error, Math.sqrt((share * (1 - share)) / this.#count))
    const at = (wanted: number): number | null =>
      wanted >= 1 || wanted <= 0 ? null : Math.exp(placeOf(together, wanted * this.#count) * BIN)
    return boundsOf(
      value,
      studentBounds(error, found.freedom, tests).map((wide) => [at(share - wide), at(share + wide)] as const),
      false,
    )
  }

  /** Sum of all blocks, each moved by its number of bins. */
  #shifted(shifts: Float64Array): Float64Array {
    const together = new Float64Array(BINS)
    for (let block = 0; block < BLOCKS; block++) {
      const shift = shifts[block] as number
      const whole = Math.floor(shift)
      for (let bin = 0; bin < BINS; bin++) {
        const count = this.#bins[block * BINS + bin] as number
        if (count === 0) continue
        for (const [into, part] of [
          [bin + whole, count * (1 - shift + whole)],
          [bin + whole + 1, count * (shift - whole)],
        ] as const) {
          const within = Math.max(0, Math.min(BINS - 1, into))
          together[within] = (together[within] as number) + part
        }
      }
    }
    return together
  }

  #above(block: number, place: number): number {
    const edge = Math.max(0, Math.floor(place))
    let above = 0
    for (let bin = edge; bin < BINS; bin++) {
      const count = this.#bins[block * BINS + bin] as number
      above += bin === edge ? count * Math.max(0, Math.min(1, edge + 1 - place)) : count
    }
    return above
  }
}

/** Position, in bins, below which `wanted` events lie. */
function placeOf(counts: Float64Array, wanted: number): number {
  let below = 0
  for (let bin = 0; bin < counts.length; bin++) {
    const own = counts[bin] as number
    if (own > 0 && below + own >= wanted) return bin + (wanted - below) / own
    below += own
  }
  return counts.length
}

/**
 * Compares after with before at the load halfway between, for each quantile. Null: durations do not clearly grow with
 * load, or the loads of the sides do not overlap, so that the result would be an extrapolation.
 */
export function compareAtLoad(before: AtLoad, after: AtLoad): readonly Comparison[] | null {
  const [was, is] = [before.slopeError ** -2, after.slopeError ** -2]
  const slope = (before.slope * was + after.slope * is) / (was + is)
  const slopeError = Math.sqrt(1 / (was + is))
  const apart = after.load - before.load
  if (!(slope > CLEAR_SLOPE * slopeError) || Math.abs(apart) > before.spread + after.spread) return null
  const error = Math.abs(apart) * slopeError
  return before.quantiles.map((each, i) =>
    compareEstimates(
      movedBy(each, (slope * apart) / 2, error / Math.SQRT2),
      movedBy(after.quantiles[i] as Estimate, (-slope * apart) / 2, error / Math.SQRT2),
    ),
  )
}

/** Moves an estimate on the logarithmic scale and adds a standard error. */
function movedBy(of: Estimate, by: number, error: number): Estimate {
  const { value } = of
  const bound = (at: number, widens: number): number =>
    at <= 0 ? 0 : value * Math.exp(by + Math.sign(at - value) * Math.hypot(Math.log(at / value), widens * error))
  const [narrow, wide] = SLOPE_WIDENS
  return {
    ...of,
    value: value * Math.exp(by),
    low: bound(of.low, narrow),
    high: of.high === null ? null : bound(of.high, narrow),
    lowest: bound(of.lowest, wide),
    highest: of.highest === null ? null : bound(of.highest, wide),
  }
}
