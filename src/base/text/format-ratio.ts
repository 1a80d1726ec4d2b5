import type { Comparison } from '../statistics/estimate.ts'
import { formatCount } from './format.ts'

/** A ratio as a difference: `+54 %`, `−8 %`, `× 12`. */
export function formatDifference(ratio: number): string {
  if (!Number.isFinite(ratio)) return '—'
  if (ratio >= 10) return `× ${formatCount(Math.round(ratio))}`
  const percent = (ratio - 1) * 100
  const digits = Math.abs(percent) < 9.95 ? 1 : 0
  const text = Math.abs(percent).toFixed(digits).replace(/\.0$/, '')
  if (text === '0') return '0 %'
  return `${percent < 0 ? '−' : '+'}${text} %`
}

/** The 95 % interval of the ratio. */
export const formatInterval = ({ low, high }: Comparison): string =>
  low <= 0 && high === null
    ? 'interval unknown'
    : `${low <= 0 ? 'unknown' : formatDifference(low)} to ${high === null ? 'unknown' : formatDifference(high)}`
