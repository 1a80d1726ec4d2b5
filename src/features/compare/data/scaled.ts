import type { Estimate } from '../../../base/statistics/estimate.ts'

/** Converts an estimate to another unit. */
export const scaled = ({ value, low, high, lowest, highest, ...rest }: Estimate, times: number): Estimate => ({
  ...rest,
  value: value * times,
  low: low * times,
  high: high === null ? null : high * times,
  lowest: lowest * times,
  highest: highest === null ? null : highest * times,
})
