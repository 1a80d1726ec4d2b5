import type { ErrorInfo } from '../capture/client/state.ts'
import type { Ticks } from '../base/ticks.ts'
import type { Detail } from '../ravendb/databases/database-details.ts'
import type { Access } from './access.ts'
import type { Figure } from './figures.ts'
import type { ActionFacts, ActionCall, CheckResult, OperationMark, TransferState } from './model.ts'

declare module '../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ActionRequests {}
}

/** Whether this browser may send changes. */
export interface ViewOnly {
  readonly isOn: boolean
  /** Whether the stand-alone server refuses changes, whatever the page wants. */
  readonly isForced: boolean
}

export type SendOutcome =
  /** The server accepted. `response` is `true` for an empty body, or one that is too large to keep. */
  | { readonly outcome: 'accepted'; readonly response: unknown }
  /** The server did not change anything. */
  | { readonly outcome: 'refused'; readonly error: ErrorInfo }
  /** The response was lost: the change may have happened. */
  | { readonly outcome: 'unknown'; readonly error: ErrorInfo }

/** Facts about an index that matter for actions. Null: not reported. */
export interface ActionIndex {
  readonly name: string
  readonly facts: ActionFacts
  readonly type: string | null
  readonly engine: string | null
  readonly isStale: boolean
  /** Number of documents and tombstones that it has not processed. */
  readonly lag: number | null
  readonly lastIndexingTicks: Ticks | null
  readonly lastQueryingTicks: Ticks | null
  /** Memory of its thread; only on 5.4. */
  readonly memoryBytes: number | null
}

export interface ActionIndexes {
  /** Sorted by name; a replacement follows the index that it replaces. */
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
  /** Whether the index is stale; null: not reported. */
  readonly isStale: boolean | null
  readonly stalenessReasons: readonly string[]
}

/** A backup that can be restored. */
export interface FoundBackup {
  /** Full path on the server. */
  readonly file: string
  readonly database: string
  /** Local time of the server, as reported: `2026-11-22T00:39:54.0000000`. */
  readonly takenAt: string
  readonly kind: 'full' | 'incremental' | 'snapshot'
  readonly isEncrypted: boolean
}

export interface ActionRequests {
  /**
   * Reads all indexes of a loaded database; loads nothing. `onlyKnown`: sends nothing to a database that no other
   * client has used since the last reading. `isFresh`: reads its statistics in any case.
   */
  'actions.indexes': {
    params: { readonly database: string; readonly onlyKnown?: boolean; readonly isFresh?: boolean }
    response: Detail<ActionIndexes>
  }
  'actions.indexDefinition': {
    params: { readonly database: string; readonly index: string }
    response: Detail<IndexDefinitionText>
  }
  /** Sets the user's choice; the response is what applies. */
  'actions.viewOnly': { params: { readonly isOn: boolean }; response: ViewOnly }
  'actions.access': { params: null; response: Access }
  /** Reads only the rights, with one request. Errors: `RavenError`. */
  'actions.certificate': { params: null; response: Access['certificate'] }
  /** Sends a call once. `requestId`: id of the click; equal for a retry by the user. */
  'actions.send': {
    params: { readonly call: ActionCall; readonly requestId: string; readonly file?: File; readonly payload?: Blob }
    response: SendOutcome
  }
  /** How much of its file a call has sent that has no response yet; null: nothing is being sent. */
  'actions.sentBytes': { params: { readonly requestId: string }; response: TransferState | null }
  /** Why the calls must not be sent now, from the server's state; null: no reason is known. Errors: `RavenError`. */
  'actions.refusal': { params: { readonly calls: readonly ActionCall[] }; response: string | null }
  /** Next bytes of a file that a call receives; `requestId` is that of the call. */
  'actions.nextBytes': {
    params: { readonly requestId: string }
    response: { readonly bytes: Uint8Array<ArrayBuffer>; readonly last: boolean }
  }
  /** The page has saved the file (`error` null) or has failed to. `isDownload`: the browser's downloads have it. */
  'actions.saved': {
    params: { readonly requestId: string; readonly error: string | null; readonly isDownload?: boolean }
    response: null
  }
  /**
   * Full paths of the folders in a folder of this node. Loads nothing: a user who is only administrator of a database
   * can use it only while that is loaded. Errors: `RavenError`.
   */
  'actions.folders': {
    params: { readonly database: string | null; readonly folder: string }
    response: readonly string[]
  }
  /** Backups in a folder of the server, newest first, at most 200. */
  'actions.backups': { params: { readonly folder: string }; response: readonly FoundBackup[] }
  /** Reads the figures that the call is to change. `tookMs`: null before the call. Null: not readable. */
  'actions.measure': {
    params: { readonly call: ActionCall; readonly tookMs: number | null }
    response: readonly Figure[] | null
  }
  /** Marks the operations of the server before a call begins one. Null: it begins none. Errors: `RavenError`. */
  'actions.markOperations': { params: { readonly call: ActionCall }; response: OperationMark | null }
  /** Reads the state that the call is to bring about. `accepted`: the response. Others: as in `CheckContext`. */
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
