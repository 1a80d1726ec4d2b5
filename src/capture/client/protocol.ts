import type { Ticks } from '../../base/ticks.ts'
import type { ExpectedView, PushedResponse } from './requests/first-picture.ts'
import type { ParamsOf, RequestName } from './requests/requests.ts'
import type { CaptureState, ErrorInfo, FileEntry, Gap, SourceId, SourceRef } from './state.ts'

/** Address and credentials of the server for the worker, and what it may request of it. */
export interface Reached {
  /** Its origin. */
  readonly baseUrl: string
  /** Key of the stand-alone server, which lends its certificate to holders of the key; null: none. */
  readonly key: string | null
  /** Whether code may be loaded before it is needed. */
  readonly fetchesAhead: boolean
}

/** Main thread → worker. */
export type Command =
  | (Reached & {
      readonly type: 'start'
      /** Held as long as the worker lives, so that the page notices its end. */
      readonly lock: string
      /** Recordings of the previous worker; {@link NOTHING_LOST}: this is the first. */
      readonly lost: LostRecordings
    })
  | { readonly type: 'ping' }
  /** The page warms up: it requests a first picture of the worker's own sample over this port, as `SampleRequest`. */
  | { readonly type: 'sample'; readonly port: MessagePort }
  | { readonly type: 'watch'; readonly sources: readonly SourceRef[] }
  | { readonly type: 'retry' }
  | { readonly type: 'hidden'; readonly hidden: boolean }
  | { readonly type: 'front'; readonly feeds: readonly string[] | null }
  /** `expected` null: the view is not fitted to these files alone. */
  | { readonly type: 'files'; readonly files: readonly File[]; readonly expected: ExpectedView | null }
  | { readonly type: 'cancelFile'; readonly id: number }
  | RequestCommand
  | { readonly type: 'abort'; readonly id: number }

type RequestCommand = {
  [Name in RequestName]: {
    readonly type: 'request'
    readonly id: number
    readonly name: Name
    readonly params: ParamsOf<Name>
  }
}[RequestName]

/** New or changed entries of a package, from index `at` on. A package may have 100,000. */
export interface EntryChange {
  /** Id of the file. */
  readonly file: number
  readonly at: number
  readonly entries: readonly FileEntry[]
}

/** Start times of the recordings that were lost with a worker. */
export interface LostRecordings {
  /** Server time, by live source. */
  readonly sources: ReadonlyMap<SourceId, Ticks>
  /** Gaps that were open then, each with its reason. */
  readonly openGaps?: readonly Gap[]
  /** Why sources without an open gap were not watched; left out: no recorder ran. */
  readonly why?: Pick<Gap, 'reason' | 'detail'>
  /** Start of the server's figures, wall clock of this browser, ms; null: none. */
  readonly serverSinceMs: number | null
}

export const NOTHING_LOST: LostRecordings = { sources: new Map(), serverSinceMs: null }

/** Small parts of the state, sent as a whole; `files` have no entries. */
export type StateReport = Omit<CaptureState, 'gaps' | 'worker'>

/** Worker → main thread. `gaps` is sent only when it changed; of entries, only the changes are sent. */
export type Report =
  | {
      readonly type: 'state'
      readonly state: StateReport
      readonly gaps: readonly Gap[] | null
      readonly entries: readonly EntryChange[]
      /** Responses that panels would request for this state. */
      readonly pushed: readonly PushedResponse[]
    }
  /** The worker has started. `holdsLock` false: the browser has no locks. */
  | { readonly type: 'alive'; readonly holdsLock: boolean }
  | { readonly type: 'pong' }
  | { readonly type: 'response'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly info: ErrorInfo }

/** Buffers of typed arrays in a response, three levels deep, which are transferred instead of copied. */
export function transferables(value: unknown, depth = 4, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else if (Array.isArray(value) && depth > 0) {
    // A list of plain rows has no arrays: the first item decides.
    if (typeof value[0] === 'object') for (const item of value) transferables(item, depth - 1, found)
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const item of Object.values(value)) if (typeof item === 'object') transferables(item, depth - 1, found)
  }
  return [...found]
}
