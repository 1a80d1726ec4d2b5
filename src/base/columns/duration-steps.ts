/** Steps for each factor of ten. */
export const STEPS_PER_DECADE = 5
const FIRST_DECADE = 2
const DECADES = 6
/** From 10 µs (10² ticks) to 10 s (10⁸ ticks); the first and the last step also hold what lies below and above. */
export const DURATION_STEPS = DECADES * STEPS_PER_DECADE

/** `bounds[i]` is the smallest number of whole ticks in step `i`; the last item is the end of the last step. */
export const STEP_BOUNDS: readonly number[] = Array.from({ length: DURATION_STEPS + 1 }, (_, i) =>
  Math.round(10 ** (FIRST_DECADE + i / STEPS_PER_DECADE)),
)
const BOUNDS = Float64Array.from(STEP_BOUNDS)

/** The step of a duration, 0 … `DURATION_STEPS` − 1. */
export function stepOf(ticks: number): number {
  let low = 0
  let high = DURATION_STEPS - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((BOUNDS[middle] as number) <= ticks) low = middle
    else high = middle - 1
  }
  return low
}

/** Where a duration lies from 10 µs (0) to 10 s (1) on a log scale; clamped. */
export const stepShare = (ticks: number): number =>
  Math.max(0, Math.min(1, (Math.log10(Math.max(1, ticks)) - FIRST_DECADE) / DECADES))
