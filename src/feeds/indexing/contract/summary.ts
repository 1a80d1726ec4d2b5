import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, BatchRow, IndexKey, ReasonCode, ReasonWeight } from './batches.ts'
import type { IndexCounts } from './indexes.ts'
import type { OperationFamily } from './operations.ts'

export interface IndexSummary {
  /** Index that the figures belong to; null: all requested indexes together. */
  readonly index: IndexKey | null
  readonly counts: IndexCounts
  /** Batches that are still running in the range. */
  readonly running: number
  readonly busyTicks: TickSpan
  /**
   * Part of the range of which the batches are known: the server had dropped older ones when it was first read. All of it
   * for several indexes together.
   */
  readonly knownTicks: TickSpan
  /**
   * Busy time within the range divided by the known part; of several indexes together the sum, which may exceed 1.
   */
  readonly busyShare: number
  readonly documentsIn: number
  readonly documentsOut: number
  readonly documentsFailed: number
  readonly bytes: Bytes
  /** Passes that only trained the dictionary of a new Corax index. The other figures do not include them. */
  readonly training: { readonly batches: number; readonly documents: number; readonly busyTicks: TickSpan }
  /** Documents per second of busy time; NaN: no busy time. */
  readonly documentsPerBusySecond: number
  /** Documents per second of the known part of the range; of several indexes together the sum. */
  readonly documentsPerSecond: number
  /**
   * Duration percentiles of batches that worked or failed, without empty ones, which would lower them. Exact, nearest
   * rank; NaN: no batch.
   */
  readonly p50Ticks: number
  readonly p99Ticks: number
  readonly maxTicks: number
  readonly waitTicks: TickSpan
  /** Stop reasons, most common first. Empty batches are included. */
  readonly reasons: readonly {
    readonly code: ReasonCode
    readonly weight: ReasonWeight
    readonly count: number
    readonly words: string
  }[]
}

export interface IndexingSummaryParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
  readonly largestLimit: number
}

/** Summary of the completed batches that start in the range. */
export interface IndexingSummaryResponse {
  readonly total: IndexSummary
  readonly indexes: readonly IndexSummary[]
  /** The longest batches, longest first. */
  readonly largest: readonly BatchRow[]
}

export interface IndexingCompareSide extends TimeRange {
  readonly index: IndexKey
}

export interface IndexingCompareParams {
  readonly a: IndexingCompareSide
  readonly b: IndexingCompareSide
  readonly filter: BatchFilter
}

export interface IndexingCompareResponse {
  readonly a: IndexSummary
  readonly b: IndexSummary
  /**
   * Operations of both sides, joined by path. If the two indexes differ, all collections count as equal, and so do all
   * fields. NaN: that side does not have the operation.
   */
  readonly operations: readonly {
    readonly path: string
    readonly depth: number
    readonly family: OperationFamily
    readonly aTicks: number
    readonly bTicks: number
    /** Ticks per document in, side A. */
    readonly aPerDocument: number
    readonly bPerDocument: number
  }[]
  /** Number of smaller operations that are not listed. */
  readonly unlisted: number
}
