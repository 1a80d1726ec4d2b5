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

// Types that other features import. Those from `data/` are inputs of the findings.
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
export type { FailingWrites } from './data/figures/writes.ts'
export type { KnownWork, UnpolledDatabases } from './data/figures/databases/work-store.ts'
export type { LoggedFinding } from './data/history/finding-log.ts'
export type { ReplacedServer, ServerModel } from './data/model.ts'
export type { RecentFigures } from './data/series.ts'
export type { ClockJump } from './data/server-time.ts'
export type { IndexState, IndexWork } from './data/wire/work-wire.ts'

/**
 * Requests of the server panels, and of the Databases panel for figures that the database list does not have.
 *
 * Everything here is collected at server level: no request loads a database or keeps one loaded. Collecting continues
 * for 30 s after a `server.want`. A visible panel therefore sends one every 10 s, and requests `server.now`, which is
 * small, about once a second. `version` grows with each change.
 *
 * Units are in the names; a `Share` is 0–1 unless the name says `Percent`. Null, and NaN in arrays: not known. Times are
 * the server's clock (`Ticks`).
 */
export interface ServerRequests extends ServerLaterRequests {
  'server.want': { params: null; response: ServerWatch }
  /** Keeps collecting, whether a panel is visible or not, until it is switched off. */
  'server.record': { params: { readonly on: boolean }; response: ServerWatch }
  'server.now': { params: null; response: ServerNow }
  'server.series': { params: ServerSeriesParams; response: ServerSeriesResponse }
  'server.alerts': { params: null; response: { readonly version: number; readonly alerts: readonly ServerAlert[] } }
  'server.databases': { params: ServerDatabasesParams; response: ServerDatabasesResponse }
  'server.cluster': { params: null; response: ClusterResponse }
}

/** Setting of a server. Values that look like secrets are left out. */
export interface ServerSetting {
  readonly key: string
  readonly value: string
}

export interface DatabaseSettings {
  readonly database: string
  readonly settings: readonly ServerSetting[]
}

/** Requests that are not needed for the first render. Their handlers are loaded later. */
export interface ServerLaterRequests {
  /** Settings of the server that differ from their defaults. Errors: without ClusterAdmin. */
  'server.settings': { params: null; response: readonly ServerSetting[] }
  /** Zip of the server's log files from `from` (ISO 8601) on, for a recorder. Errors: without Operator. */
  'server.storedLogs': { params: { readonly from: string }; response: Uint8Array<ArrayBuffer> }
  /**
   * Settings in the records of these databases. Loads no database. A database that cannot be read is left out. Errors:
   * if the server does not respond.
   */
  'server.databaseSettings': {
    params: { readonly databases: readonly string[] }
    response: readonly DatabaseSettings[]
  }
  /**
   * Collects memory figures that cost more, for an open card only, and adds them to `server.now`: the configured
   * low-memory limit, at most once an hour, and with `files` which pages of the process are clean, at most once a
   * minute. `canFiles`: whether these pages can be read.
   */
  'server.memory': { params: { readonly files: boolean }; response: { readonly canFiles: boolean } }
  /** Resources that limited the server over time, judged by the measured figures. */
  'server.bottlenecks': { params: BottlenecksParams; response: BottlenecksResponse }
  /** Operations of databases in which other clients write, with their pace, as far as they were collected. */
  'server.operations': { params: TimeRange; response: OperationsOverTime }
  /** Running queries of all loaded databases, and long queries that have ended. */
  'server.queries': { params: null; response: RunningQueriesResponse }
  /** `start`: records all requests for ten seconds, if no sample is running. Sent only after a click. */
  'server.latency': { params: { readonly start: boolean }; response: LatencyResponse }
}

export interface ServerExports {
  /**
   * Newest responses of the server, and its collected I/O and index batches, in the layout of a debug package and
   * without secrets. Sends no request. `gaps`: gaps in the collected data.
   */
  'server.package': { readonly gaps: readonly Gap[] }
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends ServerExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ServerRequests {}
}
