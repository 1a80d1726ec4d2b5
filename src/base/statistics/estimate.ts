/** A figure with what it may be instead, in its own unit; null: without bound. */
export interface Estimate {
  readonly value: number
  /** 95 % interval. */
  readonly low: number
  readonly high: number | null
  /** Wider: with all figures that are tested together, each lies in its own in 95 % of cases. */
  readonly lowest: number
  readonly highest: number | null
  /** Set where there are no bounds: the cause changes too slowly for this amount of data. */
  readonly drifts?: true
}

/** With the narrow and the wide bounds, of which null are open; null: there are none. */
export function boundsOf(
  value: number,
  bounds: readonly (readonly [low: number | null, high: number | null])[] | null,
  drifts: boolean,
): Estimate {
  const [[low, high], [lowest, highest]] = [bounds?.[0] ?? [null, null], bounds?.[1] ?? [null, null]]
  return { value, low: low ?? 0, high, lowest: lowest ?? 0, highest, ...(drifts ? { drifts } : {}) }
}

/** `unclear`: nothing bounds it on one side, so that it could have shown nothing. */
export type Change = 'higher' | 'lower' | 'same' | 'unclear'

export interface Comparison {
  readonly change: Change
  /** After over before; NaN: there is none. */
  readonly ratio: number
  /** Its 95 % interval. */
  readonly low: number
  readonly high: number | null
  /** Bounds that hold for all figures that are tested together. */
  readonly atLeast: number
  readonly atMost: number | null
  /** The ratio from which on it would most likely have been shown; null: none would. */
  readonly showable: number | null
}

/** Smaller differences are none, however certain. */
const LEAST_RATIO = 1.03
/** Quantile of the normal distribution: a difference that large is shown in 90 % of cases. */
const POWER = 1.28

/**
 * After against before, on the scale of ratios; 0 on both sides is the same. The interval of the ratio follows from those of both sides (MOVER: Zou and
 * Donner, 2008), so that the sides need not be known at the same time.
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
  // The wider half: that is the one by which a rise is missed.
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

/** Verdict on several figures of the same thing: `mixed` where one is higher and another lower. */
export function changeOfAll(comparisons: readonly Pick<Comparison, 'change'>[]): Change | 'mixed' {
  const any = (wanted: Change): boolean => comparisons.some(({ change }) => change === wanted)
  if (any('higher')) return any('lower') ? 'mixed' : 'higher'
  if (any('lower')) return 'lower'
  return any('same') ? 'same' : 'unclear'
}
