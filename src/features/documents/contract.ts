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
  /** Begin of the ids that are listed. */
  readonly prefix: string
  /** Id of the document that is shown. */
  readonly id: string
  /** A document that does not exist yet. */
  readonly new: 'on'
  readonly part: DocumentPart
}

export interface Collection {
  readonly name: string
  readonly documents: number
}

export interface Collections {
  /** Collections in the order of their names. */
  readonly collections: readonly Collection[]
  readonly documents: number
  /** Wall clock of the server's count, ms: a database without other work is not requested again. */
  readonly atMs: number
}

/** A document in a list. Texts of cells are those of the server, digit for digit. */
export interface DocumentRow {
  readonly id: string
  readonly collection: string
  readonly changeVector: string
  readonly modified: string
  /** Cells by the name of the field. */
  readonly cells: Readonly<Record<string, DocumentCell>>
}

export interface DocumentCell {
  /** A string without its quotes; of an object or array how much it holds. */
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

/** A document as it was read at one moment. */
export interface OpenedDocument {
  readonly id: string
  readonly changeVector: string
  readonly modified: string
  readonly collection: string
  /** Editable text, indented: the server's bytes but for white space, without the metadata that the server keeps itself. */
  readonly text: string
  /** Size of the document that the server sent. */
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
  /** Value as the server wrote it: 64 bits. */
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

export interface SeriesPage {
  readonly total: number
  readonly entries: readonly SeriesEntry[]
}

/** A document that has the id of another one in a field. */
export interface Reference {
  readonly id: string
  readonly collection: string
  /** Paths of the fields, items without their numbers: `Lines[].Product`. */
  readonly fields: readonly string[]
}

/** How far a search for references has come. */
export interface ReferenceSearch {
  /** Documents that were read. */
  readonly read: number
  readonly bytes: number
  /** As many as there may be (`MOST_REFERENCES`): the search has stopped there. */
  readonly found: readonly Reference[]
}

export interface AttachmentExport extends OfDocument {
  readonly name: string
  /** Size of it, as the document has it. */
  readonly bytes: number
}

export interface DocumentExports {
  'documents.attachment': AttachmentExport
}

interface OfDocument {
  readonly database: string
  readonly id: string
}

/** Requests about documents. Errors: `RavenError`; kind `database-unloaded` where it is not loaded, and nothing is loaded. */
export interface DocumentsRequests {
  /** Reads the collections. `mayLoad`: the user was warned that it loads the database. */
  'documents.collections': {
    params: { readonly database: string; readonly mayLoad?: boolean }
    response: Collections
  }
  /** `collection` null: all documents. `fields` null: those of the first documents. */
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
  /** Lists documents in the order of their ids; the server gives no total, so `total` is the number known so far. */
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
  /** Reads a document; null: no document has that id. */
  'documents.open': { params: OfDocument & { readonly isFresh?: boolean }; response: OpenedDocument | null }
  /** Change vector and time of the last change; null: no document has that id. */
  'documents.version': {
    params: OfDocument
    response: Pick<OpenedDocument, 'changeVector' | 'modified'> | null
  }
  /**
   * Reads every document of the collections and finds those that refer to `id`; an abort ends it. `search`: its name, unique.
   * Other errors: `Error` where a response was cut off.
   */
  'documents.references': {
    params: OfDocument & { readonly search: string; readonly collections: readonly string[] }
    response: ReferenceSearch
  }
  /** Progress of a search; null: none of that name goes on. */
  'documents.referencesSoFar': { params: { readonly search: string }; response: ReferenceSearch | null }
  'documents.size': { params: OfDocument; response: { readonly actual: number; readonly allocated: number } }
  'documents.revisions': {
    params: OfDocument & { readonly start: number; readonly pageSize: number }
    response: Revisions
  }
  /** Reads a revision; null: the server does not keep it any more. */
  'documents.revision': {
    params: { readonly database: string; readonly changeVector: string }
    response: OpenedDocument | null
  }
  'documents.attachment': {
    params: OfDocument & { readonly name: string }
    response: Uint8Array<ArrayBuffer>
  }
  'documents.counters': { params: OfDocument; response: readonly CounterInfo[] }
  'documents.series': { params: OfDocument; response: readonly SeriesInfo[] }
  'documents.seriesPage': {
    params: OfDocument & { readonly name: string; readonly start: number; readonly pageSize: number }
    response: SeriesPage
  }
}
