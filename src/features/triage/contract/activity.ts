import type { Ticks } from '../../../base/ticks.ts'
import type { BusyDatabase, FindingLink, NotedFinding } from '../../../feeds/server/contract.ts'

/** Present work of the server as its dashboard reports it, and events seen in this and earlier visits. */
export interface ServerActivity {
  /** Loaded databases with any activity, busiest first, at most 5. Null: not reported yet. */
  readonly busiest: readonly BusyDatabase[] | null
  /** Number of further databases with activity. */
  readonly moreBusy: number
  /** Interval, ms, to which the frames of databases are slowed down. Null: they come every few seconds. */
  readonly slowedToMs: number | null
  /** Events of the last day that have ended, newest first, at most 50. */
  readonly happened: readonly Happening[]
  /** Start of monitoring without a significant break. Null: nothing was received. */
  readonly watchedSinceTicks: Ticks | null
}

export interface Happening {
  readonly id: string
  /** Level that the event had while it lasted. Null: it is not a problem. */
  readonly level: NotedFinding['level'] | null
  /**
   * Last occurrence: `startTicks` to the time at which it was last seen. The two are equal for an event without
   * duration.
   */
  readonly startTicks: Ticks
  readonly endTicks: Ticks
  /**
   * Latest possible end of a state that was last confirmed at `endTicks`: the time of the next request. Absent: it
   * ended at `endTicks`.
   */
  readonly endsByTicks?: Ticks | undefined
  /** Whether the state began before monitoring did, so that `startTicks` is only an upper bound of its start. */
  readonly startIsBound: boolean
  /** Number of occurrences, the first of which began at `firstTicks`. */
  readonly times: number
  readonly firstTicks: Ticks
  /** Text in one plain sentence. */
  readonly text: string
  readonly link: FindingLink | null
}
