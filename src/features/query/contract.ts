import type { ErrorInfo } from '../../capture/client/state.ts'
import type { Detail } from '../../ravendb/databases/database-details.ts'

export interface QueryLinkParams {
  /** Text of a query. A link carries it and never runs it. */
  readonly text: string
  /** Values of its parameters: an object, as JSON. */
  readonly with: string
  /** Results as text. */
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

/** Parts of a query that are sent. */
export interface QueryText {
  readonly database: string
  readonly text: string
  /** Values of the parameters: an object, as JSON text, sent as it was typed. Empty: there are none. */
  readonly parameters: string
}

export interface QueryParams extends QueryText {
  readonly start: number
  readonly pageSize: number
  /** The user was warned that it loads the database. */
  readonly load?: boolean
}

/** A step of a query, the time that it took, and its parts. */
export interface TimingNode {
  readonly name: string
  /** Whole ms, as the server reports it. */
  readonly ms: number
  readonly parts: readonly TimingNode[]
}

/** A page of results. Every value is the text that the server sent. */
export interface QueryPage {
  /** Position of the first row among all results. */
  readonly start: number
  /** Objects as JSON text. */
  readonly rows: readonly string[]
  /** Results that the server has in all; null where it does not report them. */
  readonly total: number | null
  /** Results that the server left out of this page, since they were there before; they have a position. */
  readonly skipped: number
  /** Documents that a `filter` read for this page; then `total` is not the number of results. */
  readonly scanned: number
  readonly included: readonly { readonly id: string; readonly text: string }[]
  /** Index by the server's name: `Orders/ByN`, `collection/Orders`, … */
  readonly index: string
  readonly isStale: boolean
  /** Time up to which the index is current, in the server's words; null where it is no index. */
  readonly indexedAt: string | null
  readonly serverMs: number | null
  /** Time from the request to the last byte of the response, ms. */
  readonly tookMs: number
  readonly bytes: number
  /** Another one means other results; null: none came. */
  readonly etag: string | null
  readonly node: string | null
  readonly timings: TimingNode | null
  /** Anything else that the server sent beside the results, such as a query plan, highlightings and explanations. */
  readonly more: readonly { readonly name: string; readonly text: string }[]
}

/** An index that was considered for a query, and why it is not used. */
export interface Considered {
  readonly index: string
  readonly reason: string
}

export type QueryOutcome =
  | { readonly outcome: 'results'; readonly page: QueryPage }
  /** The server has no index for it, and was not allowed to make one. */
  | {
      readonly outcome: 'needs-index'
      /** Collection to index; null: not known. */
      readonly collection: string | null
      readonly fields: readonly string[]
      /** Documents that the new index would have to read; null: not known. */
      readonly documents: number | null
      readonly considered: readonly Considered[]
    }
  /** The server refused it. `place`: UTF-16 units of the text; null: it does not say where. */
  | {
      readonly outcome: 'refused'
      readonly message: string
      readonly place: { readonly from: number; readonly to: number } | null
      readonly error: ErrorInfo
    }
  /** The database is not loaded: nothing was sent. */
  | { readonly outcome: 'unloaded' }

/** A document as it is, and as a patch would leave it; as JSON text. */
export interface DryRun {
  readonly id: string
  readonly before: string
  readonly after: string
  /** Error of the script on it; null without one. */
  readonly error: string | null
}

export type PatchPreview =
  | {
      readonly outcome: 'preview'
      /** Documents that the query of the patch finds. */
      readonly total: number
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

/** A query of this text that still runs on the server. */
export interface StillRunning {
  readonly id: number
  readonly index: string
  readonly runningMs: number | null
}

export interface QueryRequests {
  /** Runs it, and creates no index. An abort ends it on the server. Errors: `RavenError`, but for what the outcome says. */
  'query.run': { params: QueryParams; response: QueryOutcome }
  /** Previews a patch by query; changes nothing. Errors: `RavenError`, except for what the outcome reports. */
  'query.preview': { params: QueryText & Pick<QueryParams, 'load'>; response: PatchPreview }
  'query.names': { params: { readonly database: string }; response: Detail<QueryNames> }
  /** Names of the fields of a collection or an index. */
  'query.fields': {
    params: { readonly database: string; readonly kind: 'collection' | 'index'; readonly name: string }
    response: Detail<{ readonly fields: readonly string[] }>
  }
  /** Queries of that very text that run now. */
  'query.running': {
    params: { readonly database: string; readonly text: string }
    response: readonly StillRunning[]
  }
}

export interface QueryExportParams extends QueryText {
  /** Fields as columns of CSV, in their order: those of the results on screen. */
  readonly columns: readonly string[]
}

export interface QueryExports {
  'query.csv': QueryExportParams
  'query.ndjson': QueryExportParams
  'query.json': QueryExportParams
  'query.parquet': QueryExportParams
}
