import { TICKS_PER_MS } from '../base/ticks.ts'
import { type ArchiveFile, type ArchiveHour, HOUR_TICKS, hourOf, SLOW_MS } from '../capture/archive/manifest.ts'
import type { Gap } from '../capture/client/state.ts'

const SLOW_TICKS = SLOW_MS * TICKS_PER_MS
/** Maximum length of a gap, hours: a year. A longer one comes from a wrong clock. */
const MOST_GAP_HOURS = 24 * 366

type Sums = { -readonly [Name in keyof ArchiveHour]: ArchiveHour[Name] }

/** Sums by hour of a server's rows, which may come in any order. */
export class HourSums {
  readonly #node: string
  readonly #byHour = new Map<number, Sums>()
  #last: Sums | null = null

  constructor(node: string) {
    this.#node = node
  }

  event(kind: string, startTicks: number, durationTicks: number): void {
    const sums = this.#at(startTicks)
    sums.events++
    if (kind !== 'JournalWrite') return
    sums.writes++
    sums.slowestTicks = Math.max(sums.slowestTicks, durationTicks)
    if (durationTicks < SLOW_TICKS) return
    sums.slow++
    sums.slowTicks += durationTicks
  }

  finding(level: string, startTicks: number): void {
    const sums = this.#at(startTicks)
    if (level === 'critical') sums.critical++
    else if (level === 'warning') sums.warning++
  }

  /** Adds a gap of a whole source. Gaps of a single lane do not count: the rest of the source is known. */
  gap({ lane, startTicks, endTicks }: Pick<Gap, 'lane' | 'startTicks' | 'endTicks'>): void {
    if (lane !== null || endTicks - startTicks > MOST_GAP_HOURS * HOUR_TICKS) return
    for (let from: number = startTicks; from < endTicks;) {
      const sums = this.#at(from)
      const to = Math.min(endTicks, sums.startTicks + HOUR_TICKS)
      sums.gapTicks = Math.max(sums.gapTicks, to - from)
      from = to
    }
  }

  get hours(): ArchiveHour[] {
    return [...this.#byHour.values()]
  }

  /** Sums of the hour of a time; tries the hour of the previous row first, since most rows follow in time. */
  #at(ticks: number): Sums {
    const startTicks = hourOf(ticks)
    if (this.#last?.startTicks === startTicks) return this.#last
    const sums = this.#byHour.get(startTicks) ?? emptyHour(this.#node, startTicks)
    this.#byHour.set(startTicks, sums)
    this.#last = sums
    return sums
  }
}

const emptyHour = (node: string, startTicks: number): Sums => ({
  node,
  startTicks,
  events: 0,
  writes: 0,
  slow: 0,
  slowTicks: 0,
  slowestTicks: 0,
  critical: 0,
  warning: 0,
  gapTicks: 0,
})

/** Joins entries by hour and server, as of an hour that two folds share. Sorted by time, then server. */
export function joinHours(hours: readonly ArchiveHour[]): ArchiveHour[] {
  const byKey = new Map<string, ArchiveHour>()
  for (const hour of hours) {
    const key = `${String(hour.startTicks)} ${hour.node}`
    const known = byKey.get(key)
    byKey.set(key, known === undefined ? hour : joined(known, hour))
  }
  return [...byKey.values()].toSorted((a, b) => a.startTicks - b.startTicks || (a.node < b.node ? -1 : 1))
}

const joined = (a: ArchiveHour, b: ArchiveHour): ArchiveHour => ({
  node: a.node,
  startTicks: a.startTicks,
  events: a.events + b.events,
  writes: a.writes + b.writes,
  slow: a.slow + b.slow,
  slowTicks: a.slowTicks + b.slowTicks,
  slowestTicks: Math.max(a.slowestTicks, b.slowestTicks),
  critical: a.critical + b.critical,
  warning: a.warning + b.warning,
  gapTicks: Math.max(a.gapTicks, b.gapTicks),
})

/** Hours for which at least one file is left. */
export const hoursWithFiles = (hours: readonly ArchiveHour[], files: readonly ArchiveFile[]): ArchiveHour[] =>
  hours.filter(({ node, startTicks }) =>
    files.some((file) => file.node === node && file.minTicks < startTicks + HOUR_TICKS && file.maxTicks >= startTicks),
  )
