import type { Detail } from '../../ravendb/databases/database-details.ts'

export interface DefinitionLinkParams {
  /** Name of the index that is shown; `+`: a new one. */
  readonly index: string
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
  /** Empty: there is none. */
  readonly reduce: string
  readonly sources: readonly NamedSource[]
  /** Everything else that can be set, as JSON: `Fields`, `Configuration`, … */
  readonly options: string
}

export interface SavedDefinition extends DefinitionText {
  /** As the server has it, whole. */
  readonly json: string
  /** Whether the index is stale; null: the server did not report it. */
  readonly isStale: boolean | null
  readonly reasons: readonly string[]
}

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
}
