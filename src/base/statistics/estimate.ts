/** A figure with bounds, in its own unit; null: unbounded. */
export interface Estimate {
  readonly value: number
  /** 95 % interval. */
  readonly low: number
  readonly high: number | null
  /** Wider interval: the intervals of all figures tested together hold at once in 95 % of cases. */
  readonly lowest: number
  readonly highest: number | null
  /** Set if there are no bounds because the cause changes too slowly for this amount of data. */
  readonly drifts?: true
}

/** Estimate from its narrow and its wide bounds; null bounds are open. */
export function boundsOf(
  value: number,
  bounds: readonly (readonly [low: number | null, high: number | null])[] | null,
  drifts: boolean,
): Estimate {
  const [[low, high], [lowest, highest]] = [bounds?.[0] ?? [null, null], bounds?.[1] ?? [null, null]]
  return { value, low: low ?? 0, high, lowest: lowest ?? 0, highest, ...(drifts ? { drifts } : {}) }
}

/** `unclear`: one side has no bound, so that the data could not show a change. */
export type Change = 'higher' | 'lower' | 'same' | 'unclear'

export interface Comparison {
  readonly change: Change
  /** After divided by before; NaN: undefined. */
  readonly ratio: number
  /** 95 % interval of the ratio. */
  readonly low: number
  readonly high: number | null
  /** Bounds that hold for all figures tested together. */
  readonly atLeast: number
  readonly atMost: number | null
  /** Smallest ratio that this data would most likely have shown as a change; null: none. */
  readonly showable: number | null
}

/** Smaller differences count as equal, even if significant. */
const LEAST_RATIO = 1.03
/** Quantile of the normal distribution for 90 % power: a difference of that size is detected in 90 % of cases. */
const POWER = 1.28

/**
 * Compares after with before by their ratio; 0 on both sides is equal. The interval of the ratio follows from the
 * intervals of the sides (MOVER: Zou and Donner, 2008), so that the sides can be estimated at different times.
 */
export function compareEstimates(before: Estimate, after: Estimate): Comparison {
  const ratio = after.value / before.value
  if (before.value === 0 && after.value === 0)
    return { change: 'same', ratio: 1, low: 0, high: null, atLeast: 0, atMost: null, showable: null }
  if (!(before.value > 0 && after.value > 0))
    return { change: 'unclear', ratio: Number.NaN, low: 0, high: null, atLeast: 0, atMost: null, showable: null }
  const [low, high] = intervalOf(before, after, 'low', 'high')
  const [atLeast, atMost] = intervalOf(before, after, 'lowest', 'highest')
  const isShowable = atLeast > 0 && atMost !== null
  // The wider half of the interval decides: by it a rise could be missed.
  const half = isShowable ? Math.max(Math.log(ratio / atLeast), Math.log(atMost / ratio)) : Number.NaN
  const showable = isShowable ? Math.max(LEAST_RATIO, Math.exp(half * (1 + POWER / 3))) : null
  const change =
    atLeast > 1 && ratio >= LEAST_RATIO
      ? 'higher'
      : atMost !== null && atMost < 1 && ratio <= 1 / LEAST_RATIO
        ? 'lower'
        : isShowable
          ? 'same'
          : 'unclear'
  return { change, ratio, low, high, atLeast, atMost, showable }
}

function intervalOf(
  before: Estimate,
  after: Estimate,
  lower: 'low' | 'lowest',
  upper: 'high' | 'highest',
): readonly [low: number, high: number | null] {
  const up = (side: Estimate): number => (side[upper] === null ? Infinity : Math.log(side[upper] / side.value))
  const down = (side: Estimate): number => (side[lower] <= 0 ? Infinity : Math.log(side.value / side[lower]))
  const middle = Math.log(after.value / before.value)
  const high = Math.exp(middle + Math.hypot(up(after), down(before)))
  return [Math.exp(middle - Math.hypot(down(after), up(before))), Number.isFinite(high) ? high : null]
}

/** Verdict on several figures of the same thing; `mixed` if one is higher and another lower. */
export function changeOfAll(comparisons: readonly Pick<Comparison, 'change'>[]): Change | 'mixed' {
  const any = (wanted: Change): boolean => comparisons.some(({ change }) => change === wanted)
  if (any('higher')) return any('lower') ? 'mixed' : 'higher'
  if (any('lower')) return 'lower'
  return any('same') ? 'same' : 'unclear'
}
