import {
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatRate,
  formatTime,
  type Clock,
} from './format.ts'
import { spanFromMs, type Ticks, TICKS_PER_SECOND } from '../ticks.ts'

/** Interval between samples or buckets: `1 s`, `10 s`, `2 min`. */
export const formatBeat = (ticks: number): string =>
  ticks < 60 * TICKS_PER_SECOND && ticks % TICKS_PER_SECOND === 0
    ? `${String(ticks / TICKS_PER_SECOND)} s`
    : formatDuration(ticks)

/** A duration, rounded to whole seconds. */
export const formatSpanMs = (ms: number): string => formatBeat(spanFromMs(Math.max(0, Math.round(ms / 1000) * 1000)))

/** Age of a moment; in whole minutes above two. */
export function formatAgo(at: Ticks, now: Ticks | null): string {
  if (now === null) return ''
  const seconds = Math.max(0, Math.round((now - at) / TICKS_PER_SECOND))
  if (seconds < 120) return formatPlural(seconds, 'second')
  return formatDuration(Math.floor(seconds / 60) * 60 * TICKS_PER_SECOND)
}

/** Time of a moment, with its date if that is not today's. */
export const formatMoment = (at: Ticks, now: Ticks | null, clock: Clock): string =>
  now !== null && formatDate(now, clock) === formatDate(at, clock)
    ? formatTime(at, clock, 0)
    : formatDateTime(at, clock, 0)

/** A rate without `/s`, for a place where the unit is written beside it. */
export const formatPerSecond = (perSecond: number): string => formatRate(perSecond).replace(' /s', '')

export const formatPercent = (percent: number): string => `${formatCount(Math.round(percent))} %`
