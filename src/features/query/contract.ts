import type { ErrorInfo } from '../../capture/client/state.ts'
import type { Detail } from '../../ravendb/databases/database-details.ts'

export interface QueryLinkParams {
  /** Text of a query. A link contains it but never runs it. */
  readonly text: string
  /** Values of its parameters: a JSON object. */
  readonly with: string
  /** Set if results are shown as text. */
  readonly json: 'on'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    query: QueryLinkParams
  }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends QueryRequests {}
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends QueryExports {}
}

/** The parts of a query that are sent. */
export interface QueryText {
  readonly database: string
  readonly text: string
  /** Values of the parameters: a JSON object as text, sent as typed. Empty: none. */
  readonly parameters: string
}

export interface QueryParams extends QueryText {
  readonly start: number
  readonly pageSize: number
  /** Whether the user was warned that the query loads the database. */
  readonly load?: boolean
}

/** A step of a query, its duration, and its parts. */
export interface TimingNode {
  readonly name: string
  /** Duration in whole ms, as the server reports it. */
  readonly ms: number
  readonly parts: readonly TimingNode[]
}

/** A page of results. Every value is the text that the server sent. */
export interface QueryPage {
  /** Position of the first row among all results. */
  readonly start: number
  /** Results, each a JSON object as text. */
  readonly rows: readonly string[]
  /** Total number of results; null: not reported. At most as many if `leavesOut`. */
  readonly total: number | null
  /**
   * Whether `total` also counts what the server leaves out: duplicates under `distinct`, and further entries of a
   * document in an index. A page then begins where the previous one ended, `rows.length + skipped` further.
   */
  readonly leavesOut: boolean
  /**
   * Whether a function of the query returns lists. `total` is then not the number of results, and the position at which
   * the next page begins is not known.
   */
  readonly hasLists: boolean
  /** Results that the server left out of this page because an earlier one has them; they are positions. */
  readonly skipped: number
  /** Number of documents that a `filter` read for this page. If not 0, `total` is not the number of results. */
  readonly scanned: number
  readonly included: readonly { readonly id: string; readonly text: string }[]
  /** Name of the index, as the server reports it: `Orders/ByN`, `collection/Orders`, … */
  readonly index: string
  readonly isStale: boolean
  /** Time up to which the index is current, as reported by the server; null: no index was used. */
  readonly indexedAt: string | null
  readonly serverMs: number | null
  /** Time from the request to the last byte of the response, ms. */
  readonly tookMs: number
  readonly bytes: number
  /** A different ETag means different results; null: not reported. */
  readonly etag: string | null
  readonly node: string | null
  readonly timings: TimingNode | null
  /** Everything else in the response, such as the query plan, highlightings and explanations. */
  readonly more: readonly { readonly name: string; readonly text: string }[]
}

/** An index that was considered for a query, and why it is not used. */
export interface Considered {
  readonly index: string
  readonly reason: string
}

export type QueryOutcome =
  | { readonly outcome: 'results'; readonly page: QueryPage }
  /** The server has no index for the query and was not allowed to create one. */
  | {
      readonly outcome: 'needs-index'
      /** Collection to index; null: unknown. */
      readonly collection: string | null
      readonly fields: readonly string[]
      /** Number of documents that the new index would read; null: unknown. */
      readonly documents: number | null
      readonly considered: readonly Considered[]
    }
  /** The server refused the query. `place`: position in the text, UTF-16 units; null: not reported. */
  | {
      readonly outcome: 'refused'
      readonly message: string
      readonly place: { readonly from: number; readonly to: number } | null
      readonly error: ErrorInfo
    }
  /** The database is not loaded. No query was sent. */
  | { readonly outcome: 'unloaded' }

/** A document before and after a patch, as JSON text. */
export interface DryRun {
  readonly id: string
  readonly before: string
  readonly after: string
  /** Error of the script for this document; null: none. */
  readonly error: string | null
  /** Changes that the script makes besides, in words: `deletes orders/1`. */
  readonly others: readonly string[]
  /** Whether another client has deleted the document since the query. */
  readonly isGone: boolean
}

export type PatchPreview =
  | {
      readonly outcome: 'preview'
      /** Number of documents that the query of the patch finds; at most as many if `isMost`. */
      readonly total: number
      readonly isMost: boolean
      readonly index: string
      readonly isStale: boolean
      /** Effect on the first documents. */
      readonly changes: readonly DryRun[]
    }
  | Exclude<QueryOutcome, { readonly outcome: 'results' }>

/** Names that an editor offers while the user types. */
export interface QueryNames {
  readonly collections: readonly { readonly name: string; readonly documents: number }[]
  readonly indexes: readonly string[]
}

/** A query with the same text that is still running on the server. */
export interface StillRunning {
  readonly id: number
  readonly index: string
  readonly runningMs: number | null
}

export interface QueryRequests {
  /** Runs a query and creates no index. An abort ends it on the server. Errors: `RavenError`. */
  'query.run': { params: QueryParams; response: QueryOutcome }
  /** Previews a patch by query; changes nothing. Errors: `RavenError`, except for what the outcome reports. */
  'query.preview': { params: QueryText & Pick<QueryParams, 'load'>; response: PatchPreview }
  'query.names': { params: { readonly database: string }; response: Detail<QueryNames> }
  /** Reads the field names of a collection or an index. */
  'query.fields': {
    params: { readonly database: string; readonly kind: 'collection' | 'index'; readonly name: string }
    response: Detail<{ readonly fields: readonly string[] }>
  }
  /** Reads the running queries with exactly that text. */
  'query.running': {
    params: { readonly database: string; readonly text: string }
    response: readonly StillRunning[]
  }
}

export interface QueryExportParams extends QueryText {
  /** Fields that become columns of the CSV file, in order: those of the results on screen. */
  readonly columns: readonly string[]
}

export interface QueryExports {
  'query.csv': QueryExportParams
  'query.ndjson': QueryExportParams
  'query.json': QueryExportParams
  'query.parquet': QueryExportParams
}
