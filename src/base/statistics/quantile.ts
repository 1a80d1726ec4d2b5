/** Median of the values; NaN for none. */
export const medianOf = (values: Iterable<number>): number => quantileOf(values, 0.5)

/** Quantile, interpolated between neighbours; NaN for no values. */
export function quantileOf(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).toSorted()
  if (sorted.length === 0) return Number.NaN
  const position = (sorted.length - 1) * share
  const at = Math.floor(position)
  const [low, high] = [sorted[at] as number, sorted[Math.min(at + 1, sorted.length - 1)] as number]
  return low + (high - low) * (position - at)
}
