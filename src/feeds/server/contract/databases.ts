import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { DatabaseAtWork } from './now.ts'

export interface ServerDatabasesParams {
  readonly offset: number
  /** 1–500. */
  readonly limit: number
}

export interface ServerDatabasesResponse {
  readonly total: number
  /** Databases by name. */
  readonly rows: readonly ServerDatabaseRow[]
  /** How old the states in `rows` are (`online`, `disabled`), ms; null: not reported. */
  readonly statesAgeMs: number | null
  /** Settings of the server's idle sweep; null: needs Operator. */
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
}

/** A database by what the server's own feeds report, without a request to it. Null: not reported. */
export interface DatabaseRates {
  readonly requestsPerSecond: number | null
  readonly writesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
  readonly indexedPerSecond: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  /**
   * Time over which these were counted, ms: of databases at work, which are polled. Null: three quarters of what the
   * widgets report, of the last four seconds; up to 0.75 too high, for they are rounded up.
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
  /** Performance hints. */
  readonly hints: number | null
  readonly sizeBytes: Bytes | null
  readonly tempBytes: Bytes | null
  /** Free on the fullest volume that it lies on; null: not reported. */
  readonly volumeFreeBytes: Bytes | null
  /** The server's smoothed mean, which keeps its value while there are no requests. */
  readonly averageMs: number | null
  readonly idle: DatabaseIdle | null
  /**
   * Last report of the database at work; null: nothing is written or indexed in it, so that it is not polled; or its
   * turn did not come yet.
   */
  readonly work: DatabaseAtWork | null
  /** The server raised that it is damaged, and it is not loaded since; null: no such report. */
  readonly failure: { readonly atTicks: Ticks; readonly message: string } | null
  /**
   * Changes of its state that were seen, newest first, at most 20: loaded, unloaded, disabled, enabled, deleted,
   * created.
   */
  readonly changes: readonly { readonly atTicks: Ticks; readonly change: DatabaseChange }[]
}

export type DatabaseChange = 'loaded' | 'unloaded' | 'disabled' | 'enabled' | 'created' | 'deleted'

/** When the server will unload it, and what prevents it. Needs Operator. */
export interface DatabaseIdle {
  readonly isLoaded: boolean
  /** The next sweep unloads it. */
  readonly unloadsAtNextSweep: boolean
  /** When it was loaded or first used. */
  readonly loadedTicks: Ticks | null
  /** Since `lastWorkTicks`; negative while that lies in the future. */
  readonly idleForMs: number | null
  /** Ms from now until it may be unloaded, if nothing works in it meanwhile; null: something prevents it, or not known. */
  readonly unloadsInMs: number | null
  /** Reasons that prevent it, in words, other than that the time is not over; empty: there are none. */
  readonly blockers: readonly string[]
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
