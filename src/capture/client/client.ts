import type { PanelSizes } from './requests/first-picture.ts'
import type { PanelId, ViewParams } from './panels.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests/requests.ts'
import type { CaptureState, ErrorInfo, SourceRef } from './state.ts'

/** A failed request, on the main thread. `info` says what failed, where, and what to do. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError'
  readonly info: ErrorInfo

  constructor(info: ErrorInfo) {
    super(info.message)
    this.info = info
  }
}

/** The main thread's only access to data: requests, sockets, decoding and tables are in the worker. */
export interface CaptureClient {
  /** The newest state; the same object until it changes (for `useSyncExternalStore`). */
  readonly getState: () => CaptureState
  readonly subscribe: (changed: () => void) => () => void
  /** Watches exactly these sources. Others stop, but their data stays. */
  readonly watch: (sources: readonly SourceRef[]) => void
  /** Makes every waiting source try now. */
  readonly retryNow: () => void
  /** Sends a request to the worker. An abort drops response and unbegun work. Throws `CaptureError`. */
  readonly request: <Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal?: AbortSignal,
  ) => Promise<ResponseOf<Name>>
  /** `params`: of the view, if it will be fitted to these files because nothing else is open; otherwise null. */
  readonly openFiles: (files: readonly File[], params: ViewParams | null) => void
  /** Reports the size of a panel, for which a first picture is prepared. */
  readonly laidOut: (panel: PanelId, sizes: PanelSizes) => void
  /** Size of a panel when it was last laid out; null: never. */
  readonly sizesOf: (panel: PanelId) => PanelSizes | null
  /** Stops reading a file (by the id of its `FileState`); rows read so far stay. */
  readonly cancelFile: (id: number) => void
  readonly setHidden: (hidden: boolean) => void
  /** Sets the feeds of the panel in front of an attentive user; null: there is none. */
  readonly setFront: (feeds: readonly string[] | null) => void
  /** Resolves when all received bytes are in tables. */
  readonly idle: () => Promise<void>
}
