import type { SeriesUnit } from './series/charts.ts'

/**
 * Smallest round number that is at least `value`: one of a few steps × 10ⁿ; for bytes also × 1024ⁿ. 1 if `value` is not
 * positive.
 */
export function niceTop(value: number, unit: SeriesUnit): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1
  const base = unit === 'bytes' || unit === 'bytesPerSecond' ? 1024 ** Math.floor(Math.log2(value) / 10) : 1
  const rest = value / base
  const ten = 10 ** Math.floor(Math.log10(rest))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * ten >= rest * 0.999_999) ?? 10
  return step * ten * base
}
