declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends DocumentsRequests {}
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends DocumentExports {}
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    documents: DocumentsLinkParams
  }
}

export type DocumentPart = 'tree' | 'references' | 'revisions' | 'attachments' | 'counters' | 'series'

export interface DocumentsLinkParams {
  /** Collection to list; left out for all documents, newest change first. */
  readonly collection: string
  /** Prefix of the listed ids. */
  readonly prefix: string
  /** Id of the document that is open. */
  readonly id: string
  /** Set while a new document is edited. */
  readonly new: 'on'
  readonly part: DocumentPart
}

export interface Collection {
  readonly name: string
  readonly documents: number
}

export interface Collections {
  /** Collections, sorted by name. */
  readonly collections: readonly Collection[]
  readonly documents: number
  /** Wall clock at which the server counted, ms: a database without other activity is not requested again. */
  readonly atMs: number
}

/** A document in a list. Cells contain the text that the server sent, digit for digit. */
export interface DocumentRow {
  readonly id: string
  readonly collection: string
  readonly changeVector: string
  readonly modified: string
  /** Cells by field name. */
  readonly cells: Readonly<Record<string, DocumentCell>>
}

export interface DocumentCell {
  /** A string without its quotes; for an object or array, the number of its members. */
  readonly text: string
  readonly kind: 'string' | 'number' | 'word' | 'nested'
}

export interface DocumentPage {
  readonly total: number
  /** Fields of the documents on this page. */
  readonly fields: readonly string[]
  readonly rows: readonly DocumentRow[]
}

export interface AttachmentInfo {
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  readonly hash: string
}

/** A document as read at one moment. */
export interface OpenedDocument {
  readonly id: string
  readonly changeVector: string
  readonly modified: string
  readonly collection: string
  /**
   * Editable text, indented: the bytes that the server sent, apart from white space and the metadata that the server
   * writes itself.
   */
  readonly text: string
  /** Size of the document as received, bytes. */
  readonly bytes: number
  readonly flags: readonly string[]
  readonly attachments: readonly AttachmentInfo[]
  readonly counters: readonly string[]
  readonly series: readonly string[]
}

export interface RevisionInfo {
  readonly changeVector: string
  readonly modified: string
  readonly flags: readonly string[]
}

export interface Revisions {
  readonly total: number
  readonly revisions: readonly RevisionInfo[]
}

export interface CounterInfo {
  readonly name: string
  /** Value as the server wrote it: a 64-bit integer. */
  readonly value: string
}

export interface SeriesInfo {
  readonly name: string
  readonly entries: number
  readonly from: string
  readonly to: string
}

export interface SeriesEntry {
  readonly at: string
  readonly tag: string | null
  /** Values as the server wrote them. */
  readonly values: readonly string[]
}

/** Entries of a time series within a span: the smallest and largest of each of their values. */
export interface SeriesGroup {
  /** Begin of the span. */
  readonly at: string
  readonly lowest: readonly string[]
  readonly highest: readonly string[]
}

export interface SeriesPage {
  readonly total: number
  readonly entries: readonly SeriesEntry[]
}

/** A document with a field that contains the id of another document. */
export interface Reference {
  readonly id: string
  readonly collection: string
  /** Paths of the fields, without the numbers of array items: `Lines[].Product`. */
  readonly fields: readonly string[]
}

/** Progress of a search for references. */
export interface ReferenceSearch {
  /** Number of documents read so far. */
  readonly read: number
  readonly bytes: number
  /** Number of documents that may have the id and were not searched: they have too many levels. */
  readonly unsearched: number
  /** The references found. The search stops when there are `MOST_REFERENCES`. */
  readonly found: readonly Reference[]
}

/** An attachment with its own change vector, which is not that of its document. */
export interface AttachmentVersion extends AttachmentInfo {
  readonly changeVector: string
}

export interface AttachmentExport extends OfDocument {
  readonly name: string
  /** Size of the attachment according to the document, bytes. */
  readonly bytes: number
}

export interface DocumentExports {
  'documents.attachment': AttachmentExport
}

interface OfDocument {
  readonly database: string
  readonly id: string
}

/**
 * Requests about documents. Errors: `RavenError`, with kind `database-unloaded` if the database is not loaded; no
 * request loads it.
 */
export interface DocumentsRequests {
  /** Reads the collections. `mayLoad`: the user was warned that it loads the database. */
  'documents.collections': {
    params: { readonly database: string; readonly mayLoad?: boolean }
    response: Collections
  }
  /** Reads a page of a list. `collection` null: all documents. `fields` null: the fields of the first documents. */
  'documents.page': {
    params: {
      readonly database: string
      readonly collection: string | null
      readonly start: number
      readonly pageSize: number
      readonly fields: readonly string[] | null
      readonly isFresh?: boolean
    }
    response: DocumentPage
  }
  /** Lists documents sorted by id. The server reports no total, so `total` is the number known so far. */
  'documents.byPrefix': {
    params: {
      readonly database: string
      readonly prefix: string
      readonly start: number
      readonly pageSize: number
      readonly isFresh?: boolean
    }
    response: DocumentPage
  }
  /** Reads a document; null: there is no document with that id. */
  'documents.open': { params: OfDocument & { readonly isFresh?: boolean }; response: OpenedDocument | null }
  /** Change vector and time of the last change; null: there is no document with that id. */
  'documents.version': {
    params: OfDocument
    response: Pick<OpenedDocument, 'changeVector' | 'modified'> | null
  }
  /**
   * Reads every document of the collections and finds those that refer to `id`; an abort ends the search. `search` is a
   * unique name of the search. Other errors: `Error` if a response was truncated.
   */
  'documents.references': {
    params: OfDocument & { readonly search: string; readonly collections: readonly string[] }
    response: ReferenceSearch
  }
  /** Progress of a search; null: no search of that name is running. */
  'documents.referencesSoFar': { params: { readonly search: string }; response: ReferenceSearch | null }
  'documents.size': { params: OfDocument; response: { readonly actual: number; readonly allocated: number } }
  'documents.revisions': {
    params: OfDocument & { readonly start: number; readonly pageSize: number }
    response: Revisions
  }
  /** Reads a revision; null: the server no longer has it. */
  'documents.revision': {
    params: { readonly database: string; readonly changeVector: string }
    response: OpenedDocument | null
  }
  'documents.attachment': {
    params: OfDocument & { readonly name: string }
    response: Uint8Array<ArrayBuffer>
  }
  /** Current version of an attachment; null: the document or the attachment does not exist. */
  'documents.attachmentVersion': {
    params: OfDocument & { readonly name: string }
    response: AttachmentVersion | null
  }
  'documents.counters': { params: OfDocument; response: readonly CounterInfo[] }
  'documents.series': { params: OfDocument; response: readonly SeriesInfo[] }
  /**
   * Groups over the whole of a time series, for a chart. Errors: `Error` if the server cannot group it, as over nearly
   * ten thousand years.
   */
  'documents.seriesGroups': {
    params: OfDocument & Pick<SeriesInfo, 'name' | 'from' | 'to'>
    response: { readonly spanMs: number; readonly groups: readonly SeriesGroup[] }
  }
  'documents.seriesPage': {
    params: OfDocument & { readonly name: string; readonly start: number; readonly pageSize: number }
    response: SeriesPage
  }
}
