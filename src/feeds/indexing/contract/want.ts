import type { TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/**
 * Parameters of the request to collect data. No request goes to a server unless a panel wants it: repeat this every 10 s
 * while it is shown.
 */
export interface IndexingWantParams {
  readonly sources: readonly SourceId[]
  /**
   * Whether to read thread allocations, machine memory and low-memory events, too (sockets of the server, shared by all
   * sources).
   */
  readonly budgets: boolean
  /** Whether it stays on without being repeated, until a request with `false`: data are being recorded. */
  readonly record?: boolean
}

export interface IndexingWay {
  readonly source: SourceId
  /** `off`: nothing of this kind comes from such a source, or it is not wanted. */
  readonly way: 'poll' | 'socket' | 'off'
  /** Sentence on why this way was chosen. */
  readonly why: string
  /** Bytes over the last minute, as transferred where that is known; null before the first measurement. */
  readonly bytesPerMinute: number | null
  /** Length of time between two polls as planned, or of frames; null: off. */
  readonly everyTicks: TickSpan | null
  /** The last problem in one sentence; null: none. */
  readonly problem: string | null
}

export interface IndexingWantResponse {
  /** Approximate end of the wanted time on this browser's wall clock, ms since 1970; Infinity while it is being recorded. */
  readonly untilMs: number
  readonly ways: readonly IndexingWay[]
}
