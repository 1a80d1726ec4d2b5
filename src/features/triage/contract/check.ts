import type { Ticks } from '../../../base/ticks.ts'

/** Result of a check that the user started. */
export interface ServerCheck {
  readonly atTicks: Ticks
  /** Number of responses received. */
  readonly responses: number
  /** Number of loaded databases that got requests, at most 50. */
  readonly databases: number
  /** Number of loaded databases without requests, because they exceed that limit. */
  readonly unchecked: number
  /** Number of databases without requests, because they are not loaded. */
  readonly unloaded: number
  /** Number of databases whose record (disabled, nodes) was in the list of the server. */
  readonly listed: number
  /** Number of databases of the server, as its dashboard counts them. */
  readonly total: number
  readonly failed: readonly { readonly entry: string; readonly message: string }[]
}

/** Checks of the server, in whichever panel they were started. */
export interface ServerChecks {
  readonly isRunning: boolean
  /** Result of the last one, by which Triage judges until the next; null: there was none. */
  readonly last: ServerCheck | null
}
