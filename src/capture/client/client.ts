import type { PanelSizes } from './requests/first-picture.ts'
import type { PanelId, ViewParams } from './panels.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests/requests.ts'
import type { CaptureState, ErrorInfo, SourceRef } from './state.ts'

/** A request that failed, on the main thread. `info` says what, where and what to do. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError'
  readonly info: ErrorInfo

  constructor(info: ErrorInfo) {
    super(info.message)
    this.info = info
  }
}

/** The main thread's only way to data: everything behind it (requests, sockets, decoding, tables) runs in the worker. */
export interface CaptureClient {
  /** The newest state; the same object until something changed (for `useSyncExternalStore`). */
  readonly getState: () => CaptureState
  readonly subscribe: (changed: () => void) => () => void
  /** Watches exactly these; those that are no longer named stop, their data stays. */
  readonly watch: (sources: readonly SourceRef[]) => void
  /** Tries every waiting source now. */
  readonly retryNow: () => void
  /** Requests something of the worker. Aborting drops the response and, where it has not begun, the work. Throws `CaptureError`. */
  readonly request: <Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal?: AbortSignal,
  ) => Promise<ResponseOf<Name>>
  /** `params`: of the view, where it will be fitted to these files since nothing else is open; else null. */
  readonly openFiles: (files: readonly File[], params: ViewParams | null) => void
  /** How large a panel is; a first picture of it is made for this. */
  readonly laidOut: (panel: PanelId, sizes: PanelSizes) => void
  /** As it was laid out last; null: it never was. */
  readonly sizesOf: (panel: PanelId) => PanelSizes | null
  /** Stops reading a file (by the id of its `FileState`); what was read stays. */
  readonly cancelFile: (id: number) => void
  readonly setHidden: (hidden: boolean) => void
  /** Feeds that the panel in front of an attentive user shows; null: there is none. */
  readonly setFront: (feeds: readonly string[] | null) => void
  /** Resolves when all bytes handed over are in tables. */
  readonly idle: () => Promise<void>
}
