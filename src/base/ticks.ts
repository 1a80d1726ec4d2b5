import type { Brand } from './brand.ts'

/**
 * A point in time: whole 100 ns ticks (the server's own resolution) since 2020-01-01T00:00:00Z.
 * A double holds each of them exactly from 1991 to 2048; milliseconds since 1970 would lose the last digit.
 * A view's edges may be fractional; a row's never are.
 */
export type Ticks = Brand<number, 'Ticks'>

/** A length of time in whole 100 ns ticks. */
export type TickSpan = Brand<number, 'TickSpan'>

export const TICKS_PER_MS = 10_000
export const TICKS_PER_SECOND = 10_000_000

/** 2020-01-01T00:00:00Z in milliseconds since 1970. */
const EPOCH_MS = 1_577_836_800_000

/** Years in which every tick is exact in a double (below 2^53); others are missing. .NET's year 1: never. */
export const FIRST_YEAR = 1992
export const LAST_YEAR = 2047

export const ticksFromMs = (epochMs: number): Ticks => ((epochMs - EPOCH_MS) * TICKS_PER_MS) as Ticks
export const msFromTicks = (at: Ticks): number => at / TICKS_PER_MS + EPOCH_MS
export const spanFromMs = (ms: number): TickSpan => Math.round(ms * TICKS_PER_MS) as TickSpan
export const msFromSpan = (span: TickSpan): number => span / TICKS_PER_MS

export const addSpan = (at: Ticks, span: TickSpan): Ticks => ((at as number) + span) as Ticks

/** Half-open range: includes `startTicks`, excludes `endTicks`. */
export interface TimeRange {
  readonly startTicks: Ticks
  readonly endTicks: Ticks
}

export const ALL_TIMES: TimeRange = {
  startTicks: Number.NEGATIVE_INFINITY as Ticks,
  endTicks: Number.POSITIVE_INFINITY as Ticks,
}

export const isSameRange = (a: TimeRange | null, b: TimeRange | null): boolean =>
  a?.startTicks === b?.startTicks && a?.endTicks === b?.endTicks

/** From the earlier start to the later end. */
export const joinRanges = (a: TimeRange | undefined, b: TimeRange): TimeRange =>
  a === undefined
    ? b
    : {
        startTicks: Math.min(a.startTicks, b.startTicks) as Ticks,
        endTicks: Math.max(a.endTicks, b.endTicks) as Ticks,
      }

/** Range in whole ticks, as in a link: edges move outwards to the next tick, inwards to what is exact. Not empty. */
export function exactRange({ startTicks, endTicks }: TimeRange): TimeRange {
  const start = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER - 1, Math.floor(startTicks)))
  const end = Math.max(start + 1, Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(endTicks)))
  return { startTicks: start as Ticks, endTicks: end as Ticks }
}

/**
 * `2026-11-20T04:01:30.6364827Z` → ticks, exact to seven fractional digits (further ones are cut). An offset (`+03:00`,
 * `+0300`, `+03`) in place of `Z` is applied, and other programs' variants (`t` or a space in place of `T`, `z`, a comma
 * before the fraction) are read; without `Z` or an offset the time is UTC, as the server means it in the fields that are
 * read with this function. NaN for any other text, for a day or hour that does not exist, and for a year outside
 * `FIRST_YEAR` to `LAST_YEAR`.
 */
export function parseTicks(text: string): Ticks {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const isSplit = text[10] === 'T' || text[10] === ' ' || text[10] === 't'
  const shaped = text[4] === '-' && text[7] === '-' && isSplit && text[13] === ':' && text[16] === ':'
  const isExact = year >= FIRST_YEAR && year <= LAST_YEAR
  if (!shaped || !isExact || !(hour < 24 && minute < 60 && second < 60)) return Number.NaN as Ticks
  let end = 19
  let fraction = 0
  if (text[19] === '.' || text[19] === ',') {
    let scale = TICKS_PER_SECOND / 10
    for (end = 20; end < text.length; end++) {
      const digit = text.charCodeAt(end) - 48
      if (!(digit >= 0 && digit <= 9)) break
      if (scale >= 1) fraction += digit * scale
      scale /= 10
    }
    if (end === 20) return Number.NaN as Ticks
  }
  const offsetMinutes = end === text.length ? 0 : offsetOf(text, end)
  const dayStartMs = startOfDayMs(year, month, day)
  return ((dayStartMs - EPOCH_MS) * TICKS_PER_MS +
    (hour * 3600 + (minute - offsetMinutes) * 60 + second) * TICKS_PER_SECOND +
    fraction) as Ticks
}

/** Offset at the end of a text, `Z`, `±hh:mm`, `±hhmm` or `±hh` up to 14 hours, in minutes east of UTC; NaN: none. */
function offsetOf(text: string, from: number): number {
  const sign = text[from]
  if (sign === 'Z' || sign === 'z') return from + 1 === text.length ? 0 : Number.NaN
  if (sign !== '+' && sign !== '-') return Number.NaN
  const hours = digits(text, from + 1, from + 3)
  const hasColon = text[from + 3] === ':'
  const minutesAt = from + (hasColon ? 4 : 3)
  const minutes = !hasColon && text.length === minutesAt ? 0 : digits(text, minutesAt, minutesAt + 2)
  const isWhole = text.length === minutesAt || text.length === minutesAt + 2
  if (!isWhole || !(hours <= 14 && minutes < 60)) return Number.NaN
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** Decimal number in text[from, to); NaN if a character is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

let knownDay = Number.NaN
let knownDayMs = Number.NaN

/** Keeps the last result, since rows come in runs of one day. NaN for a day that does not exist. */
function startOfDayMs(year: number, month: number, day: number): number {
  const key = year * 10_000 + month * 100 + day
  if (key === knownDay) return knownDayMs
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  knownDay = key
  knownDayMs = exists ? date.getTime() : Number.NaN
  return knownDayMs
}

/** Ticks → `2026-11-20T04:01:30.6364827Z`, the server's form. Fractions of a tick are cut; `''` if not a number. */
export function formatTicks(at: Ticks): string {
  if (!Number.isFinite(at)) return ''
  const wholeSeconds = Math.floor(at / TICKS_PER_SECOND)
  const fraction = Math.floor(at - wholeSeconds * TICKS_PER_SECOND)
  const seconds = new Date(EPOCH_MS + wholeSeconds * 1000)
  if (Number.isNaN(seconds.getTime())) return ''
  return `${seconds.toISOString().slice(0, -5)}.${String(fraction).padStart(7, '0')}Z`
}
