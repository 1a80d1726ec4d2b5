import type { TimeRange } from '../../base/ticks.ts'
import type { Gap } from '../../capture/client/state.ts'
import type { ServerDatabasesParams, ServerDatabasesResponse } from './contract/databases.ts'
import type { ServerAlert } from './contract/alerts.ts'
import type { BottlenecksParams, BottlenecksResponse } from './contract/bottleneck.ts'
import type { ClusterResponse } from './contract/cluster.ts'
import type { LatencyResponse } from './contract/latency.ts'
import type { ServerNow } from './contract/now.ts'
import type { OperationsOverTime } from './contract/operations.ts'
import type { RunningQueriesResponse } from './contract/queries.ts'
import type { ServerSeriesParams, ServerSeriesResponse } from './contract/series.ts'
import type { ServerWatch } from './contract/watch.ts'

// Types that other features import; those of `data/` are what findings are judged by.
export type { Bottleneck } from './contract/bottleneck.ts'
export type { ClusterResponse } from './contract/cluster.ts'
export type { BusyDatabase, DatabaseChange, ServerDatabaseRow, ServerDatabasesResponse } from './contract/databases.ts'
export type { FindingLink, NotedFinding } from './contract/finding.ts'
export type { VolumeGrowth } from './contract/machine.ts'
export type { LowMemoryEvent, ServerNow } from './contract/now.ts'
export type { EndedQuery, RunningQuery } from './contract/queries.ts'
export type {
  SeriesInfo,
  ServerGap,
  SeriesKey,
  SeriesRows,
  ServerSeriesParams,
  ServerSeriesResponse,
  VolumeSeriesKey,
} from './contract/series.ts'
export type { ServerAlert } from './contract/alerts.ts'
export type { Lacking, ServerWatch } from './contract/watch.ts'
export type { SeenSpan } from './data/coverage.ts'
export type { DatabasesStore, KnownFailing, ListedState } from './data/figures/databases/database-store.ts'
export type { DatabaseFailure } from './data/figures/databases/failures.ts'
export type { KnownWork, UnaskedDatabases } from './data/figures/databases/work-store.ts'
export type { LoggedFinding } from './data/history/finding-log.ts'
export type { ServerModel } from './data/model.ts'
export type { RecentFigures } from './data/series.ts'
export type { ClockJump } from './data/server-time.ts'
export type { IndexState, IndexWork } from './data/wire/work-wire.ts'

/**
 * Requests of the panels of the server (and of the databases panel, for what the list does not know).
 *
 * Everything here is collected at the server's level: nothing of it loads a database or keeps one loaded.
 * Collecting continues for 30 s after a `server.want`, so a panel that is shown sends one every 10 s, and requests
 * `server.now` about once a second (it is small). `version` grows with each change.
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

/** Setting of a server, without what looks like a secret. */
export interface ServerSetting {
  readonly key: string
  readonly value: string
}

export interface DatabaseSettings {
  readonly database: string
  readonly settings: readonly ServerSetting[]
}

/** Requests that the first picture does not need: their handlers are loaded later. */
export interface ServerLaterRequests {
  /** Settings of the server that are not at their default. Errors: without ClusterAdmin. */
  'server.settings': { params: null; response: readonly ServerSetting[] }
  /** Zip of the server's log files, those of before `from` (ISO 8601) left out; for a recorder. Errors: without Operator. */
  'server.storedLogs': { params: { readonly from: string }; response: Uint8Array<ArrayBuffer> }
  /**
   * Own settings of these databases, none of which is loaded by it; those that cannot be read are left out. Errors: if the
   * server does not respond.
   */
  'server.databaseSettings': {
    params: { readonly databases: readonly string[] }
    response: readonly DatabaseSettings[]
  }
  /**
   * Collects costlier figures of memory, for an open card only, which are then part of `server.now`: the low-memory
   * limit that is set, at most once an hour, and with `files` which pages of the process are clean, at most once a
   * minute. `canFiles`: these pages can be read.
   */
  'server.memory': { params: { readonly files: boolean }; response: { readonly canFiles: boolean } }
  /** Limits of the server over time, by what was measured. */
  'server.bottlenecks': { params: BottlenecksParams; response: BottlenecksResponse }
  /** Operations of databases in which others write, with their pace, as far as they were collected. */
  'server.operations': { params: TimeRange; response: OperationsOverTime }
  /** Queries that run now, of all loaded databases, and long ones that are over. */
  'server.queries': { params: null; response: RunningQueriesResponse }
  /** `start`: listens to every request for ten seconds, if it does not already. Only for a click. */
  'server.latency': { params: { readonly start: boolean }; response: LatencyResponse }
}

export interface ServerExports {
  /**
   * Newest responses of the server and what was collected of its I/O and index batches, in the layout of a debug package,
   * without secrets. No request is sent. `gaps`: of what was collected.
   */
  'server.package': { readonly gaps: readonly Gap[] }
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends ServerExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ServerRequests {}
}
