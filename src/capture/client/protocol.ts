import type { Ticks } from '../../base/ticks.ts'
import type { ExpectedView, PushedResponse } from './requests/first-picture.ts'
import type { ParamsOf, RequestName } from './requests/requests.ts'
import type { CaptureState, ErrorInfo, FileEntry, Gap, SourceId, SourceRef } from './state.ts'

/** How the worker reaches the server. */
export interface Reached {
  /** Its origin. */
  readonly baseUrl: string
  /** Key of the stand-alone server, which lends a certificate to those who have it; null: there is none. */
  readonly key: string | null
}

/** Main thread → worker. */
export type Command =
  | (Reached & {
      readonly type: 'start'
      /** Held as long as the worker lives, so that the page knows when it is gone. */
      readonly lock: string
      /** Recordings of the worker before this one; {@link NOTHING_LOST}: this is the first. */
      readonly lost: LostRecordings
    })
  | { readonly type: 'ping' }
  /** The page warms up: it requests a first picture of the worker's own sample on this port, as `SampleRequest`. */
  | { readonly type: 'sample'; readonly port: MessagePort }
  | { readonly type: 'watch'; readonly sources: readonly SourceRef[] }
  | { readonly type: 'retry' }
  | { readonly type: 'hidden'; readonly hidden: boolean }
  | { readonly type: 'front'; readonly feeds: readonly string[] | null }
  /** `expected` null: the view is not fitted to them alone. */
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

/** Entries of a package that are new or changed: those from place `at` on. A package may hold 100,000. */
export interface EntryChange {
  /** Id of the file. */
  readonly file: number
  readonly at: number
  readonly entries: readonly FileEntry[]
}

/** Since when a worker that is gone had recorded; those recordings are lost. */
export interface LostRecordings {
  /** By live source, server time. */
  readonly sources: ReadonlyMap<SourceId, Ticks>
  /** The figures of the server, wall clock of this browser, ms; null: it had none. */
  readonly serverSinceMs: number | null
}

export const NOTHING_LOST: LostRecordings = { sources: new Map(), serverSinceMs: null }

/** Small parts of the state, sent as a whole; `files` hold no entries. */
export type StateReport = Omit<CaptureState, 'gaps' | 'worker'>

/** Worker → main thread. `gaps` comes only when it changed, and of entries only what changed. */
export type Report =
  | {
      readonly type: 'state'
      readonly state: StateReport
      readonly gaps: readonly Gap[] | null
      readonly entries: readonly EntryChange[]
      /** About this state: what panels would request for it. */
      readonly pushed: readonly PushedResponse[]
    }
  /** The worker has begun. `holdsLock` false: the browser has no locks. */
  | { readonly type: 'alive'; readonly holdsLock: boolean }
  | { readonly type: 'pong' }
  | { readonly type: 'response'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly info: ErrorInfo }

/** Buffers of the typed arrays in a response, three levels deep: what can be handed over instead of copied. */
export function transferables(value: unknown, depth = 4, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else if (Array.isArray(value) && depth > 0) {
    // A list of plain rows holds no arrays: its first item decides.
    if (typeof value[0] === 'object') for (const item of value) transferables(item, depth - 1, found)
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const item of Object.values(value)) if (typeof item === 'object') transferables(item, depth - 1, found)
  }
  return [...found]
}
