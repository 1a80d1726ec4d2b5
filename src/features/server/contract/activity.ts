import type { Ticks } from '../../../base/ticks.ts'
import type { TriageItem, TriageLink } from './triage.ts'

/** Activity by the dashboard, and by what was seen of the server in this visit and those before. */
export interface ServerActivity {
  /** Loaded databases with any activity, busiest first, at most 5. Null: not reported yet. */
  readonly busiest: readonly BusyDatabase[] | null
  /** How many more there are. */
  readonly moreBusy: number
  /** Frames of databases come only this often, ms; null: every few seconds. */
  readonly slowedToMs: number | null
  /** Events that are over by now, of the last day, newest first, at most 50. */
  readonly happened: readonly Happening[]
  /** Watched from then on, without a noteworthy break; null: nothing was received. */
  readonly watchedSinceTicks: Ticks | null
}

/** Rates of a database with activity. Null: not reported. */
export interface BusyDatabase {
  readonly name: string
  /** Requests as the server counts them: ours are among them. */
  readonly requestsPerSecond: number | null
  /** Requests of the pages of this browser among those. */
  readonly oursPerSecond: number
  readonly writesPerSecond: number | null
  /** Entries that maps put out. */
  readonly mapsPerSecond: number | null
  readonly reducesPerSecond: number | null
  /** Time of the count, as in `DatabaseRates`. */
  readonly countedOverMs: number | null
}

export interface Happening {
  readonly id: string
  /** Level at which it needed a user; null: ordinary. */
  readonly level: TriageItem['level'] | null
  /** The last time: from its begin to when it was seen last; equal for what takes no time. */
  readonly startTicks: Ticks
  readonly endTicks: Ticks
  /** Latest possible end, where it was last requested at `endTicks` and not again before; left out: it ended at `endTicks`. */
  readonly endsByTicks?: Ticks | undefined
  /** Whether the state began before the watch did, so that the start is only a bound. */
  readonly startIsBound: boolean
  /** How often, of which the first began at `firstTicks`. */
  readonly times: number
  readonly firstTicks: Ticks
  /** Text in one plain sentence. */
  readonly text: string
  readonly link: TriageLink | null
}
