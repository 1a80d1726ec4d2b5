import type { Still } from '../budget/stillness.ts'
import type { Probe } from '../databases/probe.ts'
import type { RavenErrorInfo } from '../http/errors.ts'

export interface SocketPhase {
  readonly phase:
    | 'checking'
    | 'unloaded'
    | 'loading'
    | 'compacting'
    | 'connecting'
    | 'open'
    | 'waiting'
    | 'refused'
    | 'disabled'
    | 'faulted'
    | 'gone'
    | 'paused' // while the page is hidden
    | 'paused-by-rookery' // by the overhead limit, until `retryAtMs`
  /** Sentence for the user; empty when there is nothing to say. */
  readonly message: string
  /** Wall clock, ms: when it is tried (waiting) or looked at (the others) again. */
  readonly retryAtMs: number | null
  readonly error: RavenErrorInfo | null
}

export type CloseReason =
  | 'socket-closed'
  | 'server-stopped'
  | 'tab-hidden'
  | 'database-unloaded'
  | 'database-disabled'
  | 'database-deleted'
  | 'silent'
  | 'paused-by-rookery'

export interface SocketHandlers {
  readonly onPhase: (phase: SocketPhase) => void
  /** A frame with content. `atMs`: wall clock of this page. */
  readonly onFrame: (text: string, atMs: number) => void
  /** Anything that arrived, heartbeats and frames; before `onFrame`. */
  readonly onReceived?: (atMs: number) => void
  /**
   * Called once after each 'open' that ended other than by `close()`, when the reason is known (the server gives none:
   * a request finds it). `atMs`: from when on nothing was received.
   */
  readonly onClosed?: (atMs: number, reason: CloseReason) => void
  /** The server sent nothing in this time, not even heartbeats, and answers again. Before what it says then. */
  readonly onStill?: (still: Still) => void
}

/** By a probe right after a socket closed without a reason. */
export function reasonOf(probe: Probe): CloseReason {
  switch (probe.state) {
    case 'unreachable':
      // Where something answered, or accepted the request, it is not known to have stopped.
      return probe.error.kind === 'network' ? 'server-stopped' : 'socket-closed'
    case 'unloaded':
    case 'loading':
    case 'compacting':
    case 'faulted':
      return 'database-unloaded'
    case 'disabled':
      return 'database-disabled'
    case 'gone':
      return 'database-deleted'
    default:
      return 'socket-closed'
  }
}
