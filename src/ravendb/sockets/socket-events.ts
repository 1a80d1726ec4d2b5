import type { Still } from '../health/stillness.ts'
import type { Probe } from '../loading/probe.ts'
import type { RavenErrorInfo } from '../errors/errors.ts'

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
  /** Sentence for the user; empty: nothing to report. */
  readonly message: string
  /** Wall clock, ms, of the next attempt (waiting) or probe (other phases). */
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
  /** Called for a frame with content. `atMs`: wall clock of this page. */
  readonly onFrame: (text: string, atMs: number) => void
  /** Called for anything that arrives, heartbeats included, before `onFrame`. */
  readonly onReceived?: (atMs: number) => void
  /**
   * Called once after each 'open' that did not end by `close()`, as soon as the reason is known (the server gives none:
   * a request finds it). `atMs`: time since which nothing arrived.
   */
  readonly onClosed?: (atMs: number, reason: CloseReason) => void
  /** The server, silent without heartbeats meanwhile, answers again. Called before its data is handed on. */
  readonly onStill?: (still: Still) => void
}

/** Reason of a close, from a probe right after it. */
export function reasonOf(probe: Probe): CloseReason {
  switch (probe.state) {
    case 'unreachable':
      // If something answered, or accepted the request, the server is not known to have stopped.
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
