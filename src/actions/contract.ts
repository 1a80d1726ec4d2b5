import type { ErrorInfo } from '../capture/client/state.ts'
import type { Ticks } from '../base/ticks.ts'
import type { Detail } from '../ravendb/databases/database-details.ts'
import type { Access } from './access.ts'
import type { Figure } from './figures.ts'
import type { ActionFacts, ActionCall, CheckResult, OperationMark } from './model.ts'

declare module '../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ActionRequests {}
}

/** Whether changes leave this browser. */
export interface ViewOnly {
  readonly isOn: boolean
  /** The stand-alone server refuses changes, whatever the page wants. */
  readonly isForced: boolean
}

export type SendOutcome =
  /** The server accepted. What it answered: `true` for an empty body, or one that is too large to keep. */
  | { readonly outcome: 'accepted'; readonly response: unknown }
  /** Nothing was changed. */
  | { readonly outcome: 'refused'; readonly error: ErrorInfo }
  /** The response is missing: it may have been done. */
  | { readonly outcome: 'unknown'; readonly error: ErrorInfo }

/** An index as far as it matters for what can be done to it. Null: not reported. */
export interface ActionIndex {
  readonly name: string
  readonly facts: ActionFacts
  readonly type: string | null
  readonly engine: string | null
  readonly isStale: boolean
  /** Documents and tombstones that it has not processed; 0: up to date. */
  readonly lag: number | null
  readonly lastIndexingTicks: Ticks | null
  readonly lastQueryingTicks: Ticks | null
  /** Memory of its thread; 5.4 only. */
  readonly memoryBytes: number | null
}

export interface ActionIndexes {
  /** In order of their names; replacements follow what they replace. */
  readonly indexes: readonly ActionIndex[]
}

export interface NamedText {
  readonly name: string
  readonly value: string
}

export interface IndexDefinitionText {
  /** Maps and reduce as written, and the whole definition as indented JSON. */
  readonly maps: readonly string[]
  readonly reduce: string | null
  /** Options of fields, configuration, and additional sources, each by name; empty: none. */
  readonly fields: readonly NamedText[]
  readonly settings: readonly NamedText[]
  readonly sources: readonly NamedText[]
  readonly json: string
  /** Whether the index is stale; null: the server did not say. */
  readonly isStale: boolean | null
  readonly stalenessReasons: readonly string[]
}

/** A backup from which a database can be restored. */
export interface FoundBackup {
  /** Full path on the server. */
  readonly file: string
  readonly database: string
  /** As the server reports it, local to it: `2026-11-22T00:39:54.0000000`. */
  readonly takenAt: string
  readonly kind: 'full' | 'incremental' | 'snapshot'
  readonly isEncrypted: boolean
}

export interface ActionRequests {
  /**
   * Reads all indexes of a database that is loaded; loads nothing. `onlyKnown`: a database that no other client has
   * used since it was read last gets no request. `isFresh`: its statistics are, in any case.
   */
  'actions.indexes': {
    params: { readonly database: string; readonly onlyKnown?: boolean; readonly isFresh?: boolean }
    response: Detail<ActionIndexes>
  }
  'actions.indexDefinition': {
    params: { readonly database: string; readonly index: string }
    response: Detail<IndexDefinitionText>
  }
  /** Sets what the user wants; responds with what holds. */
  'actions.viewOnly': { params: { readonly isOn: boolean }; response: ViewOnly }
  'actions.access': { params: null; response: Access }
  /** The rights alone, by one request. Errors: `RavenError`. */
  'actions.certificate': { params: null; response: Access['certificate'] }
  /** Sends it once. `requestId`: of the click; the same for a retry by the user. */
  'actions.send': {
    params: { readonly call: ActionCall; readonly requestId: string; readonly file?: File; readonly payload?: Blob }
    response: SendOutcome
  }
  /** Why they must not be sent now, by what the server has; null: nothing is known that forbids it. Errors: `RavenError`. */
  'actions.refusal': { params: { readonly calls: readonly ActionCall[] }; response: string | null }
  /** The next bytes of the file that a call brings; `requestId` is that of the call. */
  'actions.nextBytes': {
    params: { readonly requestId: string }
    response: { readonly bytes: Uint8Array<ArrayBuffer>; readonly last: boolean }
  }
  /** The page has saved the file (null), or could not, and why. `isDownload`: it gave it to the browser's downloads. */
  'actions.saved': {
    params: { readonly requestId: string; readonly error: string | null; readonly isDownload?: boolean }
    response: null
  }
  /**
   * Full paths of the folders in a folder of this node. Loads nothing: where only an administrator of a database requests it,
   * the database must be loaded. Errors: `RavenError`.
   */
  'actions.folders': {
    params: { readonly database: string | null; readonly folder: string }
    response: readonly string[]
  }
  /** Backups in a folder of the server, newest first, at most 200. */
  'actions.backups': { params: { readonly folder: string }; response: readonly FoundBackup[] }
  /**
   * Reads what the call is to change. `tookMs`: null before it. Null: it could not be read. Requested only of actions that
   * read it.
   */
  'actions.measure': {
    params: { readonly call: ActionCall; readonly tookMs: number | null }
    response: readonly Figure[] | null
  }
  /** Marks the operations of the server before a call begins one. Null: it begins none. Errors: `RavenError`. */
  'actions.markOperations': { params: { readonly call: ActionCall }; response: OperationMark | null }
  /** Reads the state that the call is to bring about. `accepted`: what the server answered. Others: see `CheckContext`. */
  'actions.check': {
    params: {
      readonly call: ActionCall
      readonly accepted: unknown
      readonly startedMs: number
      readonly before?: readonly Figure[] | null
      readonly mark?: OperationMark
      readonly made?: string
    }
    response: CheckResult
  }
}
