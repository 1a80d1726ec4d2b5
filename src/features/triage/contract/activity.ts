import type { Ticks } from '../../../base/ticks.ts'
import type { BusyDatabase, FindingLink, NotedFinding } from '../../../feeds/server/contract.ts'

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

export interface Happening {
  readonly id: string
  /** Level at which it needed a user; null: ordinary. */
  readonly level: NotedFinding['level'] | null
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
  readonly link: FindingLink | null
}
