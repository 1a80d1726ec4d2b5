import {
  FIRST_YEAR,
  LAST_YEAR,
  msFromTicks,
  parseTicks,
  type Ticks,
  TICKS_PER_MS,
  TICKS_PER_SECOND,
  ticksFromMs,
} from '../ticks.ts'

/** Shown for an unknown figure, never for 0. */
export const UNKNOWN = '—'

export type Clock = 'local' | 'utc'

/** Time zone of the times on the page: the same words everywhere, and the zone is named even if it equals UTC. */
export const describeClock = (
  clock: Clock,
  timeZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string => (clock === 'utc' ? 'Times in UTC' : `Times in local time (${timeZone})`)

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Three significant digits without exponent or trailing rounding noise: 0.123, 1.23, 12.3, 123, 1,234. */
function formatThree(value: number): string {
  const size = Math.abs(value)
  if (size >= 99.95) return grouped.format(value)
  return value.toFixed(size >= 9.995 ? 1 : 2)
}

/** The largest number of three significant digits that is at most `value`, which is not negative. */
function floorThree(value: number): number {
  const per = value >= 100 ? 1 : value >= 10 ? 10 : 100
  // A product such as 0.29 * 100 = 28.999… is the whole number that it misses by a rounding error.
  return Math.floor(value * per * (1 + Number.EPSILON)) / per
}

/** Whole numbers with thousands separators; not finite: `—`. */
export const formatCount = (count: number): string => (Number.isFinite(count) ? grouped.format(count) : UNKNOWN)

/** `1 write`, `2 writes`. */
export const formatPlural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** First letter as a capital; the rest stays as it is. */
export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** For use within a sentence: `CPU saturated` and `Commits are held up` → `CPU saturated`, `commits are held up`. */
export const uncapitalise = (words: string): string =>
  /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)

/** `1st`, `2nd`, `3rd`, `11th`, `1,204th`. */
export function formatOrdinal(rank: number): string {
  const lastTwo = rank % 100
  const last = rank % 10
  const ending =
    lastTwo >= 11 && lastTwo <= 13 ? 'th' : last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th'
  return formatCount(rank) + ending
}

/** A duration in ticks, three significant digits: `0.3 µs`, `1.23 ms`, `412 ms`, `2 min 3 s`, `2 d 5 h`. */
export function formatDuration(ticks: number): string {
  if (!Number.isFinite(ticks)) return UNKNOWN
  if (ticks < 0) return `−${formatDuration(-ticks)}`
  if (ticks === 0) return '0 ms'
  if (ticks < 9_995) return `${ticks < 1000 ? trimZeros((ticks / 10).toFixed(1)) : grouped.format(ticks / 10)} µs`
  if (ticks < 9_995_000) return `${formatThree(ticks / TICKS_PER_MS)} ms`
  const seconds = ticks / TICKS_PER_SECOND
  if (seconds < 59.95) return `${formatThree(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return pair(Math.floor(whole / 60), 'min', whole % 60, 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(seconds / 3600)
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${formatCount(large)} ${largeUnit}` : `${formatCount(large)} ${largeUnit} ${small} ${smallUnit}`

const trimZeros = (text: string): string => text.replace(/\.0$/, '')

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Powers of 1024, as the server counts: `512 B`, `1.50 KiB`, `32.0 MiB`. Not finite: `—`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return UNKNOWN
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return unit === 0 ? `${formatCount(bytes)} B` : `${formatThree(value)} ${BYTE_UNITS[unit] ?? ''}`
}

/** A lower bound, which `formatBytes` would round up: `856 MiB` for 856.6 MiB. Not finite: `—`. */
export function formatLeastBytes(bytes: number): string {
  let scale = 1
  while (bytes / scale >= 1000 && scale < 1024 ** (BYTE_UNITS.length - 1)) scale *= 1024
  return formatBytes(floorThree(bytes / scale) * scale)
}

/** Bytes a second. */
export const formatByteRate = (bytesPerSecond: number): string =>
  Number.isFinite(bytesPerSecond) ? `${formatBytes(bytesPerSecond)}/s` : UNKNOWN

/** Events a second. */
export const formatRate = (perSecond: number): string =>
  Number.isFinite(perSecond) ? `${perSecond === 0 ? '0' : formatThree(perSecond)} /s` : UNKNOWN

/** An approximate rate: `≈ 12 /s`. Zero is exact. */
export const formatAboutRate = (perSecond: number): string =>
  perSecond > 0 ? `≈ ${formatRate(perSecond)}` : formatRate(perSecond)

/** A share of one: `12.3 %`; above zero but rounded to it: `< 0.01 %`. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return UNKNOWN
  if (share > 0 && share < 0.000_05) return '< 0.01 %'
  return share === 0 ? '0 %' : `${formatThree(share * 100)} %`
}

/** A lower bound, which `formatShare` would round up: `33.3 %` for 33.39 %. */
export const formatLeastShare = (share: number): string => formatShare(floorThree(share * 100) / 100)

const two = (value: number): string => String(value).padStart(2, '0')

/** `YYYY-MM-DD` of a point in time; not finite: `''`. */
export function formatDate(at: Ticks, clock: Clock): string {
  const date = new Date(Math.floor(msFromTicks(at)))
  if (Number.isNaN(date.getTime())) return ''
  return clock === 'utc'
    ? `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Length of the hour that is repeated when clocks are set back, ms: an hour, or half an hour on Lord Howe Island. */
const FOLDS_MS = [3_600_000, 1_800_000]

/** The other moment with the same local time, when clocks were set back; null: there is none. */
function twinMs(ms: number): number | null {
  const offsetMs = (of: number): number => new Date(of).getTimezoneOffset() * 60_000
  const own = offsetMs(ms)
  for (const foldMs of FOLDS_MS) {
    if (offsetMs(ms + foldMs) - own === foldMs) return ms + foldMs
    if (own - offsetMs(ms - foldMs) === foldMs) return ms - foldMs
  }
  return null
}

const MINUTE_MS = 60_000
let formattedMinute = Number.NaN
let minuteOffset = ''

/** ` +02:00` if the local time is ambiguous, else empty. Consecutive calls are often in the same minute. */
function foldOffset(date: Date): string {
  const minute = Math.floor(date.getTime() / MINUTE_MS)
  if (minute === formattedMinute) return minuteOffset
  formattedMinute = minute
  const east = -date.getTimezoneOffset()
  const size = Math.abs(east)
  const offset = ` ${east < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  return (minuteOffset = twinMs(date.getTime()) === null ? '' : offset)
}

/** `HH:MM:SS` with up to seven fractional digits; `''` if not finite. Ambiguous: `02:20:00 +01:00`. */
export function formatTime(at: Ticks, clock: Clock, fractionDigits: number): string {
  const wholeSeconds = Math.floor(at / TICKS_PER_SECOND)
  const date = new Date(msFromTicks((wholeSeconds * TICKS_PER_SECOND) as Ticks))
  if (Number.isNaN(date.getTime())) return ''
  const time =
    clock === 'utc'
      ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
      : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const offset = clock === 'utc' ? '' : foldOffset(date)
  if (fractionDigits === 0) return time + offset
  const fraction = String(Math.floor(at - wholeSeconds * TICKS_PER_SECOND)).padStart(7, '0')
  return `${time}.${fraction.slice(0, fractionDigits)}${offset}`
}

/** Date and time, `2026-11-20 04:01:30.6364827`. */
export const formatDateTime = (at: Ticks, clock: Clock, fractionDigits: number): string =>
  `${formatDate(at, clock)} ${formatTime(at, clock, fractionDigits)}`.trim()

/**
 * Parses the text of a time field: `04:01`, `04:01:30.5`, each optionally after a date (`2026-11-20 04:01`), or the
 * server's form with `Z`, which is UTC whatever the clock. Without a date the day of `near` is used. An ambiguous local
 * time means the moment nearer to `near`, unless an offset (`+02:00`) is given. NaN for any other text, for a day or
 * hour that does not exist, and for a year that `parseTicks` refuses.
 */
export function parseDateTime(text: string, clock: Clock, near: Ticks): Ticks {
  const trimmed = text.trim()
  if (trimmed.endsWith('Z')) return parseTicks(trimmed)
  const match = /^(?:(\d{4}-\d\d-\d\d)[ T]+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?(?: ?([+-]\d\d:\d\d))?$/.exec(
    trimmed,
  )
  if (match === null) return Number.NaN as Ticks
  const [, typedDate, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match
  const date = typedDate ?? formatDate(near, clock)
  const asUtc = parseTicks(
    `${date}T${two(Number(hour))}:${minute}:${two(Number(second))}.${fraction.padEnd(7, '0')}${offset}`,
  )
  if (clock === 'utc' || offset !== 'Z' || Number.isNaN(asUtc) || Number(minute) > 59)
    return Number(minute) > 59 ? (Number.NaN as Ticks) : asUtc
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const wholeMs = new Date(year, month - 1, day, Number(hour), Number(minute), Number(second)).getTime()
  const otherMs = twinMs(wholeMs)
  const nearMs = msFromTicks(near)
  const meantMs = otherMs !== null && Math.abs(otherMs - nearMs) < Math.abs(wholeMs - nearMs) ? otherMs : wholeMs
  return ((ticksFromMs(meantMs) as number) + Number(fraction.padEnd(7, '0'))) as Ticks
}

/** Message of a time field for a text that `parseDateTime` refuses. */
export const NOT_A_TIME = `Not a time from ${FIRST_YEAR} to ${LAST_YEAR}. Write it like 04:01:30.5 or 2026-11-20 04:01.`

/** `10 ms`, `1.5s`, `300 µs`, `2 min`, or a number in ms → ticks; empty: null; any other text: NaN. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  const match = /^(\d+(?:\.\d+)?)\s*(µs|us|ms|s|min|m|h|)$/.exec(trimmed)
  if (match === null) return Number.NaN
  const scale =
    { µs: 10, us: 10, ms: 10_000, s: 10_000_000, min: 600_000_000, m: 600_000_000, h: 36_000_000_000 }[
      match[2] ?? ''
    ] ?? 10_000
  return Math.round(Number(match[1]) * scale)
}

/** `4096`, `4 KB`, `1.5 MiB` (powers of 1024 in either form) → bytes; empty: null; any other text: NaN. */
export function parseBytes(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])?i?b?)$/.exec(trimmed)
  if (match === null) return Number.NaN
  const power = match[2] === undefined ? 0 : 'kmgt'.indexOf(match[2]) + 1
  return Math.round(Number(match[1]) * 1024 ** power)
}
