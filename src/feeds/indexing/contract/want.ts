import type { TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/**
 * Parameters of the request to collect data. No request goes to a server unless a panel wants it, so a panel repeats
 * this one every 10 s while it is shown.
 */
export interface IndexingWantParams {
  readonly sources: readonly SourceId[]
  /**
   * Whether to read thread allocations, machine memory and low-memory events as well (sockets of the server, shared by
   * all sources).
   */
  readonly budgets: boolean
  /** Whether collecting continues without repetition until a request with `false`, because data are being recorded. */
  readonly record?: boolean
}

export interface IndexingWay {
  readonly source: SourceId
  /** `off`: the source does not provide this kind of data, or it is not wanted. */
  readonly way: 'poll' | 'socket' | 'off'
  /** Sentence on why this way was chosen. */
  readonly why: string
  /** Bytes over the last minute, as transferred if that is known; null before the first measurement. */
  readonly bytesPerMinute: number | null
  /** Planned interval between two polls, or between frames; null: off. */
  readonly everyTicks: TickSpan | null
  /** The last problem in one sentence; null: no problem. */
  readonly problem: string | null
}

export interface IndexingWantResponse {
  /**
   * Approximate end of the wanted time by this browser's clock, ms since 1970; Infinity while data are being recorded.
   */
  readonly untilMs: number
  readonly ways: readonly IndexingWay[]
}
