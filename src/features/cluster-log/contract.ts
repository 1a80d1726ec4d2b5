import type { Ticks } from '../../base/ticks.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ClusterLogRequests {}
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    'cluster-log': { readonly table: 'on' }
  }
}

/** Commands of the cluster log as columns, oldest first. */
export interface ClusterCommands {
  readonly length: number
  /** Log index, ascending without duplicates. */
  readonly index: Float64Array
  readonly term: Float64Array
  readonly atTicks: Float64Array
  /** Index in `kinds`. */
  readonly kind: Uint16Array
  /** Names as reported, without `Command` at the end. */
  readonly kinds: readonly string[]
}

/** Log as the server keeps it, with earlier commands that this page has seen. */
export interface ClusterLog {
  readonly commands: ClusterCommands
  readonly node: string
  /** `Leader`, `Follower` …; `Passive`: the server is not in a cluster yet. */
  readonly role: string
  readonly term: number
  /** Time since which the node has its role; null: unknown. */
  readonly sinceTicks: Ticks | null
  /** Commands above it are not committed. */
  readonly commitIndex: number
  /** Server time of the response. */
  readonly nowTicks: Ticks
  /** Why the log stopped, in the server's words; null: it did not. */
  readonly criticalError: string | null
  /** Why the newest reading failed; null: it succeeded. */
  readonly failure: ErrorInfo | null
}

export interface ClusterLogRequests {
  /** Reads the log from the server; if that fails, returns the last reading. Fails only if there is none. */
  'clusterLog.read': { params: null; response: ClusterLog }
}
