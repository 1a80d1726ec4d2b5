import type { ErrorInfo } from '../../../capture/client/state.ts'

/** How the collecting goes. */
export interface ServerWatch {
  /** `off`: not requested lately. `follower`: another tab of this browser collects and passes data on. */
  readonly role: 'off' | 'leader' | 'follower'
  readonly recording: boolean
  /** State of the dashboard's socket; null while off and for a follower. One sentence; empty: there is no message. */
  readonly phase: string | null
  readonly message: string
  readonly retryAtMs: number | null
  /** Wall clock of this browser, ms, of the newest sample, of either role. */
  readonly lastReceivedMs: number | null
  /** The server does not answer now, by evidence (`ravendb/health/witness.ts`). Wall clock of this browser, ms. */
  readonly unresponsive: { readonly fromMs: number; readonly askedMs: number; readonly isRefused: boolean } | null
  /** Figures that could not be had, each once: missing rights, what this version does not offer, licence limits. */
  readonly lacking: readonly Lacking[]
  /** Whether what is seen is kept for the next visit (IndexedDB), and why not. */
  readonly kept: { readonly works: boolean; readonly message: string; readonly savedMs: number | null }
}

export interface Lacking {
  readonly kind: 'right' | 'version' | 'licence' | 'error'
  /** Figures that are not there, in words: `alerts of the server`, `low-memory events`. */
  readonly what: string
  readonly endpoint: string
  /** Sentence with what would be needed. */
  readonly message: string
  readonly error: ErrorInfo | null
}
