import type { Detail } from '../../ravendb/databases/database-details.ts'

export interface DefinitionLinkParams {
  /** Name of the index that is shown; `+`: a new one. */
  readonly index: string
  /** View shown in place of an index. */
  readonly show: 'merges'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    'index-definitions': DefinitionLinkParams
  }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends DefinitionRequests {}
}

export interface NamedSource {
  readonly name: string
  readonly text: string
}

/** A definition as it is edited. */
export interface DefinitionText {
  readonly maps: readonly string[]
  /** Reduce function; empty without one. */
  readonly reduce: string
  readonly sources: readonly NamedSource[]
  /** Everything else that can be set, as JSON: `Fields`, `Configuration`, … */
  readonly options: string
}

export interface SavedDefinition extends DefinitionText {
  /** Definition as the server has it, whole. */
  readonly json: string
  /** Whether the index is stale; null: the server did not report it. */
  readonly isStale: boolean | null
  readonly reasons: readonly string[]
  /** Definition that is being built beside it and will take its place; null: there is none. */
  readonly replacement: DefinitionText | null
}

/** A definition that an index had, as the server keeps it in its history. */
export interface PastDefinition {
  /** Time at which the server took it, UTC, in its words; with `node` it names the entry. */
  readonly at: string
  /** Host name of the server that took it; empty: not reported. */
  readonly node: string
  readonly definition: DefinitionText
}

/** A node of the tree in which a map-reduce index aggregates the map results of a key. Values are as the server wrote them. */
export interface ReduceNode {
  readonly page: string
  /** JSON text; null: it has no result yet. */
  readonly result: string | null
  readonly children: readonly ReduceNode[]
  /** Map results in a leaf. `source` null: they came of another document than the one that was named. */
  readonly entries: readonly { readonly data: string; readonly source: string | null }[]
}

export interface ReduceTree {
  /** Key of the reduce, as JSON text. */
  readonly key: string
  readonly depth: string
  readonly pages: string
  readonly entries: string
  /** Root of the tree; null where the server sent none. */
  readonly root: ReduceNode | null
}

/** Result of indexing a document: its entries, or the trees of the keys to which it adds. */
export type DocumentInIndex =
  /** Entries as JSON text. */
  | { readonly kind: 'entries'; readonly entries: readonly string[] }
  | { readonly kind: 'trees'; readonly trees: readonly ReduceTree[] }

/** A field of a map, computed alone on one document. */
export interface ProbedField {
  readonly name: string
  /** Value of the field, or its error. */
  readonly text: string
  readonly fails: boolean
}

export type ProbeOutcome =
  | { readonly outcome: 'probed'; readonly fields: readonly ProbedField[] }
  /** The document did not reach the fields: `before`: it fails before them, in a `let`, a `where` or the like. */
  | { readonly outcome: 'before' }
  /** The sample of the server does not have the document. */
  | { readonly outcome: 'not-reached' }
  | { readonly outcome: 'faults'; readonly faults: readonly DefinitionFault[] }

/** Something that does not compile, in a part of the definition; `part` null: it is not known in which. */
export interface DefinitionFault {
  readonly part: 'reduce' | number | null
  readonly message: string
  /** UTF-16 units of that part; null: not known. */
  readonly place: { readonly from: number; readonly to: number } | null
}

export type TestOutcome =
  /** Lists of objects as JSON text, as the server sent them. */
  | {
      readonly outcome: 'tested'
      readonly entries: readonly string[]
      readonly mapped: readonly string[]
      readonly reduced: readonly string[]
      readonly isStale: boolean
    }
  | { readonly outcome: 'faults'; readonly faults: readonly DefinitionFault[] }

export interface DefinitionRequests {
  'definitions.read': {
    params: { readonly database: string; readonly index: string }
    response: Detail<{ readonly definition: SavedDefinition | null }>
  }
  /** Indexes a sample without saving anything; since 6.2. Errors: `RavenError`, but for what does not compile. */
  'definitions.test': {
    params: { readonly database: string; readonly definition: DefinitionText; readonly documents: number }
    response: TestOutcome
  }
  /** Definitions that the index had, newest first. */
  'definitions.history': {
    params: { readonly database: string; readonly index: string }
    response: Detail<{ readonly past: readonly PastDefinition[] }>
  }
  /** Converts an automatic index to a static one; saves nothing. Since 6.2. */
  'definitions.convert': {
    params: { readonly database: string; readonly index: string }
    response: { readonly name: string; readonly definition: DefinitionText }
  }
  /** Reads the entries of an index for a document; with `isReduce`, the trees of its keys. */
  'definitions.ofDocument': {
    params: { readonly database: string; readonly index: string; readonly id: string; readonly isReduce: boolean }
    response: DocumentInIndex
  }
  /** Tries each field of a map on one document; saves nothing. Since 6.2. */
  'definitions.probe': {
    params: {
      readonly database: string
      readonly definition: DefinitionText
      /** Number of the map from 0. */
      readonly map: number
      readonly id: string
    }
    response: ProbeOutcome
  }
}
