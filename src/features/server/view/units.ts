import type { SeriesUnit } from './series/charts.ts'

/** The least round number that is at least `value`, of a few steps × 10ⁿ; of bytes × 1024ⁿ. Nothing positive: 1. */
export function niceTop(value: number, unit: SeriesUnit): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1
  const base = unit === 'bytes' || unit === 'bytesPerSecond' ? 1024 ** Math.floor(Math.log2(value) / 10) : 1
  const rest = value / base
  const ten = 10 ** Math.floor(Math.log10(rest))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * ten >= rest * 0.999_999) ?? 10
  return step * ten * base
}
