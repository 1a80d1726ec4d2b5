import { msFromTicks, type Ticks, TICKS_PER_MS, type TimeRange } from '../../../base/ticks.ts'
import { type Clock, formatCount, formatDuration, formatPlural } from '../../../base/text/format.ts'
import { type ArchiveHour, HOUR_TICKS, type Manifest, SLOW_MS } from '../../../capture/archive/manifest.ts'
import { hoursOf } from '../../../capture/archive/recordings.ts'
import type { CalendarFigure } from '../contract.ts'

/** An hour of a day, in local time or UTC. When clocks go back, two hours are combined. */
export interface CalendarHour extends TimeRange {
  readonly rows: number
  /** Sums over all servers; null: written by an older recorder without sums. */
  readonly sums: HourSums | null
}

type HourSums = Omit<ArchiveHour, 'node' | 'startTicks'>

export interface CalendarDay {
  /** Date such as `2026-11-26`. */
  readonly day: string
  /** Recorded hours, by hour of the day. */
  readonly hours: ReadonlyMap<number, CalendarHour>
}

/** Days with data, newest first. */
export function calendarOf(manifest: Manifest, clock: Clock): CalendarDay[] {
  const days = new Map<string, Map<number, CalendarHour>>()
  for (const hour of calendarHours(manifest)) {
    const { day, hour: at } = dayAndHour(hour.startTicks, clock)
    const hours = days.get(day) ?? new Map<number, CalendarHour>()
    days.set(day, hours)
    const known = hours.get(at)
    hours.set(at, known === undefined ? hour : together(known, hour))
  }
  return [...days].map(([day, hours]) => ({ day, hours })).toSorted((a, b) => (a.day < b.day ? 1 : -1))
}

/** Hours with data, ascending by time. */
export function calendarHours(manifest: Pick<Manifest, 'files' | 'hours'>): CalendarHour[] {
  const byStart = new Map<number, CalendarHour>()
  for (const { startTicks, endTicks, rows } of hoursOf(manifest))
    byStart.set(startTicks, { startTicks, endTicks, rows, sums: null })
  for (const { node: _, startTicks, ...sums } of manifest.hours ?? []) {
    const range = { startTicks: startTicks as Ticks, endTicks: (startTicks + HOUR_TICKS) as Ticks }
    const known = byStart.get(startTicks)
    const own = { ...range, rows: known?.rows ?? sums.events, sums: addSums(known?.sums ?? null, sums) }
    byStart.set(startTicks, own)
  }
  return [...byStart.values()].toSorted((a, b) => a.startTicks - b.startTicks)
}

const together = (a: CalendarHour, b: CalendarHour): CalendarHour => ({
  startTicks: a.startTicks,
  endTicks: b.endTicks,
  rows: a.rows + b.rows,
  sums: b.sums === null ? a.sums : addSums(a.sums, b.sums),
})

const addSums = (a: HourSums | null, b: HourSums): HourSums =>
  a === null
    ? b
    : {
        events: a.events + b.events,
        writes: a.writes + b.writes,
        slow: a.slow + b.slow,
        slowTicks: a.slowTicks + b.slowTicks,
        slowestTicks: Math.max(a.slowestTicks, b.slowestTicks),
        critical: a.critical + b.critical,
        warning: a.warning + b.warning,
        gapTicks: Math.max(a.gapTicks, b.gapTicks),
      }

const pad = (value: number): string => String(value).padStart(2, '0')

function dayAndHour(startTicks: Ticks, clock: Clock): { readonly day: string; readonly hour: number } {
  const date = new Date(msFromTicks(startTicks))
  const text = date.toISOString()
  return clock === 'utc'
    ? { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) }
    : {
        day: `${String(date.getFullYear())}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`,
        hour: date.getHours(),
      }
}

/** Number of shades besides the empty one. */
const LEVELS = 4

/** Share of an hour without data from which on nothing is claimed to be absent in it. */
const MOST_UNKNOWN = 0.01

/**
 * Shade of an hour, 0 to 4; null: not known, since there are no sums, too little of the hour is known, or no journal
 * write was recorded. `most`: rows of the hour with the most rows.
 */
export function levelOf(
  figure: CalendarFigure,
  { rows, sums, startTicks, endTicks }: CalendarHour,
  most: number,
): number | null {
  if (figure === 'rows') return Math.ceil((LEVELS * Math.log(1 + rows)) / Math.log(1 + Math.max(1, most)))
  if (sums === null) return null
  const lengthTicks = endTicks - startTicks
  if (figure === 'coverage') return Math.ceil((LEVELS * sums.gapTicks) / lengthTicks)
  const isKnown = sums.gapTicks <= MOST_UNKNOWN * lengthTicks
  if (figure === 'findings') return sums.critical > 0 ? 4 : sums.warning > 0 ? 2 : isKnown ? 0 : null
  return slowLevel(sums.slowTicks / lengthTicks) || (isKnown && sums.writes > 0 ? 0 : null)
}

/** Minimum share of an hour spent in slow writes, for each shade above the first: each ten times the previous one. */
const SLOW_SHARES = [0.0003, 0.003, 0.03]
const slowLevel = (share: number): number => (share <= 0 ? 0 : 1 + SLOW_SHARES.filter((least) => share >= least).length)

/** All figures of an hour as text: `12 journal writes of 10 ms or more, 3.2 s together, …`. */
export function wordsOf({ rows, sums }: CalendarHour): readonly string[] {
  if (sums === null) return [formatPlural(rows, 'row'), 'its sums were not recorded']
  const { slow, slowTicks, slowestTicks, writes, critical, warning, gapTicks, events } = sums
  return [
    `${formatCount(events)} I/O events`,
    ...(writes === 0
      ? ['no journal write was recorded']
      : slow === 0
        ? [`no journal write of ${String(SLOW_MS)} ms or more`]
        : [
            `${formatPlural(slow, 'journal write')} of ${String(SLOW_MS)} ms or more, ${formatDuration(slowTicks)} together, the longest ${formatDuration(slowestTicks)}`,
          ]),
    ...(critical + warning === 0 ? [] : [`${String(critical)} critical findings, ${formatPlural(warning, 'warning')}`]),
    ...(gapTicks === 0 ? [] : [`a source not known for ${formatDuration(gapTicks)}`]),
  ]
}

/** Maximum number of previous days offered: yesterday up to a week ago. */
const MOST_DAYS_BEFORE = 7

/**
 * The same time on previous days, as far as recorded, with the number of days before. By a local clock that was changed
 * in between, those are not whole days of 24 hours.
 */
export function daysBefore(
  manifest: Manifest,
  range: TimeRange,
  clock: Clock,
): { readonly days: number; readonly range: TimeRange }[] {
  const hours = calendarHours(manifest)
  return Array.from({ length: MOST_DAYS_BEFORE }, (_, at) => at + 1).flatMap((days) => {
    const startTicks = before(range.startTicks, days, clock)
    const endTicks = (startTicks + (range.endTicks - range.startTicks)) as Ticks
    const isRecorded = hours.some((hour) => hour.startTicks < endTicks && hour.endTicks > startTicks)
    return isRecorded ? [{ days, range: { startTicks, endTicks } }] : []
  })
}

/** The same time of day, that many days before. */
function before(at: Ticks, days: number, clock: Clock): Ticks {
  const date = new Date(msFromTicks(at))
  const fromMs = date.getTime()
  if (clock === 'utc') date.setUTCDate(date.getUTCDate() - days)
  else date.setDate(date.getDate() - days)
  return (at + (date.getTime() - fromMs) * TICKS_PER_MS) as Ticks
}
