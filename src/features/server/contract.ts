import type { TimeRange } from '../../base/ticks.ts'
import type { ServerDatabasesParams, ServerDatabasesResponse } from './contract/databases.ts'
import type { ServerActivity } from './contract/activity.ts'
import type { ServerAlert } from './contract/alerts.ts'
import type { BottlenecksParams, BottlenecksResponse } from './contract/bottleneck.ts'
import type { ClusterResponse } from './contract/cluster.ts'
import type { LatencyResponse } from './contract/latency.ts'
import type { ServerLinkParams } from './contract/link-params.ts'
import type { ServerNow } from './contract/now.ts'
import type { OperationsOverTime } from './contract/operations.ts'
import type { RunningQueriesResponse } from './contract/queries.ts'
import type { ServerSeriesParams, ServerSeriesResponse } from './contract/series.ts'
import type { ServerCheck } from './contract/check.ts'
import type { Triage } from './contract/triage.ts'
import type { ServerWatch } from './contract/watch.ts'

// Types that other features import.
export type { Bottleneck } from './contract/bottleneck.ts'
export type { ServerDatabaseRow, ServerDatabasesResponse } from './contract/databases.ts'
export type { EndedQuery, RunningQuery } from './contract/queries.ts'
export type { SeriesInfo, SeriesRows, ServerSeriesParams, ServerSeriesResponse } from './contract/series.ts'
export type { ServerAlert } from './contract/alerts.ts'
export type { TriageItem } from './contract/triage.ts'

declare module '../../capture/client/panels.ts' {
  interface Panels {
    triage: NoLinkParams
    server: ServerLinkParams
    cluster: NoLinkParams
  }
}

/**
 * Requests of the triage and server panels (and of the databases panel, for what the list does not know).
 *
 * Everything here is collected at the server's level: nothing of it loads a database or keeps one loaded.
 * Collecting continues for 30 s after a `server.want`, so a panel that is shown sends one every 10 s, and requests
 * `server.now` and `server.triage` about once a second (both are small). `version` grows with each change.
 *
 * Units are in the names; `Share` is 0–1 unless the name says `Percent`. Null: not known. NaN in arrays: not known.
 * Moments are the server's clock (`Ticks`).
 */
export interface ServerRequests extends ServerLaterRequests {
  'server.want': { params: null; response: ServerWatch }
  /** Keeps collecting on, whether a panel is shown or not, until it is switched off. */
  'server.record': { params: { readonly on: boolean }; response: ServerWatch }
  'server.now': { params: null; response: ServerNow }
  'server.series': { params: ServerSeriesParams; response: ServerSeriesResponse }
  'server.alerts': { params: null; response: { readonly version: number; readonly alerts: readonly ServerAlert[] } }
  'server.databases': { params: ServerDatabasesParams; response: ServerDatabasesResponse }
  'server.cluster': { params: null; response: ClusterResponse }
}

/** Requests that the first picture does not need: their handlers are loaded later. */
export interface ServerLaterRequests {
  /**
   * Collects costlier figures of memory, for an open card only, which are then part of `server.now`: the low-memory
   * limit that is set, at most once an hour, and with `files` which pages of the process are clean, at most once a
   * minute. `canFiles`: these pages can be read.
   */
  'server.memory': { params: { readonly files: boolean }; response: { readonly canFiles: boolean } }
  'server.triage': { params: null; response: Triage }
  /**
   * Requests once what no feed brings: the log of the cluster, connections, open transactions, and of each loaded database
   * backups, deletions, indexes and storage. Triage is judged by it until the next check. Only for a click.
   */
  'server.check': { params: null; response: ServerCheck }
  /** Limits of the server over time, by what was measured. */
  'server.bottlenecks': { params: BottlenecksParams; response: BottlenecksResponse }
  /** Operations of databases in which others write, with their pace, as far as they were collected. */
  'server.operations': { params: TimeRange; response: OperationsOverTime }
  /** How many findings there are, and the title of the worst; for every panel. */
  'server.badge': {
    params: null
    response: { readonly critical: number; readonly warning: number; readonly worst: string | null }
  }
  /** Present work and recent events of the server, from what arrived anyway: no request is sent for it. */
  'server.activity': { params: null; response: ServerActivity }
  /** Queries that run now, of all loaded databases, and long ones that are over. */
  'server.queries': { params: null; response: RunningQueriesResponse }
  /** `start`: listens to every request for ten seconds, if it does not already. Only for a click. */
  'server.latency': { params: { readonly start: boolean }; response: LatencyResponse }
}

export interface ServerExports {
  /** Newest responses of the server, in the layout of a debug package, without secrets. No request is sent. */
  'server.package': null
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends ServerExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ServerRequests {}
}
