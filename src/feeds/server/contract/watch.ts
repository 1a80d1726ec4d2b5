import type { ErrorInfo } from '../../../capture/client/state.ts'

/** State of the collection of figures. */
export interface ServerWatch {
  /** `off`: not requested recently. `follower`: another tab of this browser collects and passes the data on. */
  readonly role: 'off' | 'leader' | 'follower'
  readonly recording: boolean
  /** State of the dashboard's socket; null: off, or a follower. `message` is one sentence; empty: no message. */
  readonly phase: string | null
  readonly message: string
  readonly retryAtMs: number | null
  /** Time of the newest sample for either role, by this browser's wall clock, ms. */
  readonly lastReceivedMs: number | null
  /**
   * Present if there is evidence that the server does not respond now (`ravendb/health/witness.ts`). Times are this
   * browser's wall clock, ms.
   */
  readonly unresponsive: { readonly fromMs: number; readonly requestedMs: number; readonly isRefused: boolean } | null
  /**
   * Reason why no figure has arrived although the server answers, in sentences, 20 s after the first request and
   * later; null: figures have arrived, or are still expected.
   */
  readonly withheld: string | null
  /** Figures that are not available, each once: a missing right, not offered by this version, or a licence limit. */
  readonly lacking: readonly Lacking[]
  /** Whether figures are stored for the next visit (IndexedDB), and the reason if not. */
  readonly kept: { readonly works: boolean; readonly message: string; readonly savedMs: number | null }
}

export interface Lacking {
  readonly kind: 'right' | 'version' | 'licence' | 'error'
  /** Name of the missing figures, in words: `alerts of the server`, `low-memory events`. */
  readonly what: string
  readonly endpoint: string
  /** Sentence that names what is needed to get them. */
  readonly message: string
  readonly error: ErrorInfo | null
}
