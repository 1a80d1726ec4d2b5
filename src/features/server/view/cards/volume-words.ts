import { formatShare } from '../../../../base/text/format.ts'
import type { Headroom } from './volume-ceiling.ts'

/** Operations or MB per second, or a price. */
export const formatLoad = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')

/** A lower bound, rounded down. The difference of two decimals may be slightly less than its exact value. */
const formatLeast = (value: number): string =>
  formatLoad(value < 100 ? Math.floor(value * 10 + 1e-6) / 10 : Math.floor(value))

/**
 * Describes the headroom. A measured ceiling is a lower bound of the volume's capacity, so the rest is a lower bound,
 * too.
 */
export const describeRoom = ({ used, ceiling, share, left, from }: Headroom, unit: string): string => {
  if (from === 'typed')
    return `${formatLoad(used)} of ${formatLoad(ceiling)} ${unit} (${formatShare(share)}), ${formatLoad(left)} left`
  // The current load is the highest measured one, which does not show that the volume can do no more.
  if (left === 0) return `${formatLoad(used)} ${unit}, the highest seen`
  return `${formatLoad(used)} of ${formatLoad(ceiling)} ${unit} seen (${formatShare(share)}), at least ${formatLeast(left)} left`
}
