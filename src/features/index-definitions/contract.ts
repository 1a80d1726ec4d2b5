import type { Detail } from '../../ravendb/databases/database-details.ts'

export interface DefinitionLinkParams {
  /** Name of the index shown; `+`: a new one. */
  readonly index: string
  /** View shown instead of an index. */
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

/** An index definition, in the parts that are edited. */
export interface DefinitionText {
  readonly maps: readonly string[]
  /** Reduce function; empty: none. */
  readonly reduce: string
  readonly sources: readonly NamedSource[]
  /** All other settings, as JSON: `Fields`, `Configuration`, … */
  readonly options: string
}

export interface SavedDefinition extends DefinitionText {
  /** The complete definition, as the server sent it. */
  readonly json: string
  /** Whether the index is stale; null: not reported. */
  readonly isStale: boolean | null
  readonly reasons: readonly string[]
  /** Definition of the replacement that is being built beside the index; null: none. */
  readonly replacement: DefinitionText | null
}

/** An earlier definition of an index, from the history that the server keeps. */
export interface PastDefinition {
  /** Time at which the server saved it, UTC, as reported. Together with `node` it identifies the entry. */
  readonly at: string
  /** Host name of the server that saved it; empty: not reported. */
  readonly node: string
  readonly definition: DefinitionText
}

/** A node of the tree in which a map-reduce index aggregates a key; values as the server wrote them. */
export interface ReduceNode {
  readonly page: string
  /** JSON text; null: no result yet. */
  readonly result: string | null
  readonly children: readonly ReduceNode[]
  /** Map results in a leaf. `source` null: they come from another document than the requested one. */
  readonly entries: readonly { readonly data: string; readonly source: string | null }[]
}

export interface ReduceTree {
  /** Reduce key, as JSON text. */
  readonly key: string
  readonly depth: string
  readonly pages: string
  readonly entries: string
  /** Root of the tree; null: the server sent none. */
  readonly root: ReduceNode | null
}

/** Maximum number of entries read of one document, which may fan out into any number of them. */
export const MOST_ENTRIES = 500

/** Result of indexing a document: its entries, or the trees of the reduce keys to which it contributes. */
export type DocumentInIndex =
  /** Entries, each as JSON text. */
  | { readonly kind: 'entries'; readonly entries: readonly string[] }
  | { readonly kind: 'trees'; readonly trees: readonly ReduceTree[] }

/** A field of a map, computed on its own for one document. */
export interface ProbedField {
  readonly name: string
  /** Value of the field, or the error message. */
  readonly text: string
  readonly fails: boolean
}

export type ProbeOutcome =
  | { readonly outcome: 'probed'; readonly fields: readonly ProbedField[] }
  /** The map fails for the document before it computes the fields, in a `let`, a `where` or the like. */
  | { readonly outcome: 'before' }
  /** The server's sample does not include the document. */
  | { readonly outcome: 'not-reached' }
  | { readonly outcome: 'faults'; readonly faults: readonly DefinitionFault[] }

/** An error in a part of the definition that does not compile; `part` null: the part is unknown. */
/** A map or an additional source by its number from 0, or the reduce. */
export type DefinitionPart = number | 'reduce' | `source ${number}`

export interface DefinitionFault {
  /** Part with the error; null: not reported. */
  readonly part: DefinitionPart | null
  readonly message: string
  /** Position in that part, UTF-16 units; null: unknown. */
  readonly place: { readonly from: number; readonly to: number } | null
}

export type TestOutcome =
  /** Objects as JSON text, as the server sent them. */
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
  /** Indexes sample documents and saves nothing. Since 6.2. Errors: `RavenError`, but for compile errors. */
  'definitions.test': {
    params: { readonly database: string; readonly definition: DefinitionText; readonly documents: number }
    response: TestOutcome
  }
  /** Reads the earlier definitions of an index, newest first. */
  'definitions.history': {
    params: { readonly database: string; readonly index: string }
    response: Detail<{ readonly past: readonly PastDefinition[] }>
  }
  /** Converts an automatic index to a static one, without saving it. Since 6.2. */
  'definitions.convert': {
    params: { readonly database: string; readonly index: string }
    response: { readonly name: string; readonly definition: DefinitionText }
  }
  /** Reads the index entries of a document; with `isReduce`, the trees of its reduce keys. */
  'definitions.ofDocument': {
    params: { readonly database: string; readonly index: string; readonly id: string; readonly isReduce: boolean }
    response: DocumentInIndex
  }
  /** Computes each field of a map for one document, without saving anything. Since 6.2. */
  'definitions.probe': {
    params: {
      readonly database: string
      readonly definition: DefinitionText
      /** Number of the map, from 0. */
      readonly map: number
      readonly id: string
    }
    response: ProbeOutcome
  }
}
