import { spanFromMs } from '../ticks.ts'
import { formatByteRate, formatBytes, formatDuration, formatRate, UNKNOWN } from './format.ts'

/** Units of figures. `ticks` and `ms` are durations; `perSecond` is a rate; `credits` have no unit. */
export const FIGURE_UNITS = [
  'ticks',
  'percent',
  'bytes',
  'bytesPerSecond',
  'perSecond',
  'ms',
  'count',
  'credits',
] as const
export type FigureUnit = (typeof FIGURE_UNITS)[number]

/** Three digits without an exponent: 0.123, 12.3, 1,234. */
const plain = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en-US', { maximumSignificantDigits: 3 }) : UNKNOWN

/** A value with its unit; NaN: `—`. */
export function formatUnit(value: number, unit: FigureUnit): string {
  if (!Number.isFinite(value)) return UNKNOWN
  switch (unit) {
    case 'percent':
      return `${plain(value)} %`
    case 'bytes':
      return formatBytes(value)
    case 'bytesPerSecond':
      return formatByteRate(value)
    case 'perSecond':
      return formatRate(value)
    case 'ticks':
      return formatDuration(value)
    case 'ms':
      return formatDuration(spanFromMs(value))
    case 'count':
      return plain(value)
    case 'credits':
      return `${plain(value)} credits`
  }
}
