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
  /** Place in the log, ascending without duplicates. */
  readonly index: Float64Array
  readonly term: Float64Array
  readonly atTicks: Float64Array
  /** Row of `kinds`. */
  readonly kind: Uint16Array
  /** Names as reported, without `Command` at the end. */
  readonly kinds: readonly string[]
}

/** Log as the server keeps it, with what this page has seen of it before. */
export interface ClusterLog {
  readonly commands: ClusterCommands
  readonly node: string
  /** `Leader`, `Follower` …; `Passive`: the server is of no cluster yet. */
  readonly role: string
  readonly term: number
  /** Since when the node has its role; null: unknown. */
  readonly sinceTicks: Ticks | null
  /** Commands above it are not committed. */
  readonly commitIndex: number
  /** When the server wrote this, by its clock. */
  readonly nowTicks: Ticks
  /** The server's own words why the log stopped; null: it did not. */
  readonly criticalError: string | null
  /** Why it could not be read again; null: it was read now. */
  readonly failure: ErrorInfo | null
}

export interface ClusterLogRequests {
  /** Reads the log from the server now; where that fails, what was read last. Fails only without any. */
  'clusterLog.read': { params: null; response: ClusterLog }
}
