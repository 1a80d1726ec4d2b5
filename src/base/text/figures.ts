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

/** How far samples or buckets stand apart: `1 s`, `10 s`, `2 min`. */
export const formatBeat = (ticks: number): string =>
  ticks < 60 * TICKS_PER_SECOND && ticks % TICKS_PER_SECOND === 0
    ? `${String(ticks / TICKS_PER_SECOND)} s`
    : formatDuration(ticks)

/** A length of time in words of whole seconds or larger. */
export const formatSpanMs = (ms: number): string => formatBeat(spanFromMs(Math.max(0, Math.round(ms / 1000) * 1000)))

/** How long ago a moment was, to the minute once it is more than two. */
export function formatAgo(at: Ticks, now: Ticks | null): string {
  if (now === null) return ''
  const seconds = Math.max(0, Math.round((now - at) / TICKS_PER_SECOND))
  if (seconds < 120) return formatPlural(seconds, 'second')
  return formatDuration(Math.floor(seconds / 60) * 60 * TICKS_PER_SECOND)
}

/** The time of a moment, with the day where that is not today's. */
export const formatMoment = (at: Ticks, now: Ticks | null, clock: Clock): string =>
  now !== null && formatDate(now, clock) === formatDate(at, clock)
    ? formatTime(at, clock, 0)
    : formatDateTime(at, clock, 0)

/** A rate whose unit stands beside it. */
export const formatPerSecond = (perSecond: number): string => formatRate(perSecond).replace(' /s', '')

export const formatPercent = (percent: number): string => `${formatCount(Math.round(percent))} %`
