import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { DatabaseAtWork } from './now.ts'

export interface ServerDatabasesParams {
  readonly offset: number
  /** Maximum number of rows, 1–500. */
  readonly limit: number
}

export interface ServerDatabasesResponse {
  readonly total: number
  /** Rows, sorted by database name. */
  readonly rows: readonly ServerDatabaseRow[]
  /** Age of the states in `rows` (`online`, `disabled`), ms; null: not reported. */
  readonly statesAgeMs: number | null
  /** Idle time, from the server's settings, after which its sweep unloads a database; null: needs Operator. */
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
}

/** Rates of a database as the server's own feeds report them, without a request to the database. Null: not reported. */
export interface DatabaseRates {
  readonly requestsPerSecond: number | null
  readonly writesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
  readonly indexedPerSecond: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  /**
   * Time over which these rates were counted, ms; known for databases at work, which are polled. Null: the rates are
   * three quarters of what the widgets report, over the last four seconds, and up to 0.75 too high because the widgets
   * round up.
   */
  readonly countedOverMs: number | null
}

export interface ServerDatabaseRow extends DatabaseRates {
  readonly name: string
  readonly online: boolean
  readonly disabled: boolean
  readonly irrelevant: boolean
  readonly documents: number | null
  readonly indexes: number | null
  readonly erroredIndexes: number | null
  readonly indexingErrors: number | null
  readonly alerts: number | null
  /** Number of performance hints. */
  readonly hints: number | null
  readonly sizeBytes: Bytes | null
  readonly tempBytes: Bytes | null
  /** Free space of the fullest volume that the database uses; null: not reported. */
  readonly volumeFreeBytes: Bytes | null
  /** Mean duration of requests, smoothed by the server; keeps its value while there are no requests. */
  readonly averageMs: number | null
  readonly idle: DatabaseIdle | null
  /**
   * Newest report of the database at work. Null: the database is not polled because nothing is written or indexed in
   * it, or its turn has not come yet.
   */
  readonly work: DatabaseAtWork | null
  /** The server's alert that the database is damaged, if it has not been loaded since; null: no such alert. */
  readonly failure: { readonly atTicks: Ticks; readonly message: string } | null
  /** Observed changes of its state, newest first, at most 20: loaded, unloaded, disabled, enabled, deleted, created. */
  readonly changes: readonly { readonly atTicks: Ticks; readonly change: DatabaseChange }[]
}

export type DatabaseChange = 'loaded' | 'unloaded' | 'disabled' | 'enabled' | 'created' | 'deleted'

/** When the server will unload the database, and what prevents that. Needs Operator. */
export interface DatabaseIdle {
  readonly isLoaded: boolean
  /** Whether the next sweep unloads it. */
  readonly unloadsAtNextSweep: boolean
  /** Time at which it was loaded or first used. */
  readonly loadedTicks: Ticks | null
  /** Time since `lastWorkTicks`, ms; negative while that time lies in the future. */
  readonly idleForMs: number | null
  /** Time, ms, until it may be unloaded if it does no work until then; null: something prevents that, or not known. */
  readonly unloadsInMs: number | null
  /** Reasons other than the idle time that prevent unloading, in words; empty: there are none. */
  readonly blockers: readonly string[]
}

/** Rates of a database with activity. Null: not reported. */
export interface BusyDatabase {
  readonly name: string
  /** Requests as the server counts them, Rookery's own included. */
  readonly requestsPerSecond: number | null
  /** The part of these requests that the pages of this browser sent. Null: not known yet, on a page that was just opened. */
  readonly oursPerSecond: number | null
  readonly writesPerSecond: number | null
  /** Entries that maps produced, per second. */
  readonly mapsPerSecond: number | null
  readonly reducesPerSecond: number | null
  /** Time over which the rates were counted, ms, as in `DatabaseRates`. */
  readonly countedOverMs: number | null
}
