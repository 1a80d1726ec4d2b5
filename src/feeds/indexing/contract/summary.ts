import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, BatchRow, IndexKey, ReasonCode, ReasonWeight } from './batches.ts'
import type { IndexCounts } from './indexes.ts'
import type { OperationFamily } from './operations.ts'

export interface IndexSummary {
  /** Index that the figures are of; null for all requested indexes together. */
  readonly index: IndexKey | null
  readonly counts: IndexCounts
  /** Batches that are still running in the range. */
  readonly running: number
  readonly busyTicks: TickSpan
  /** Busy time within the range over the length of the range; of several indexes together it may exceed 1. */
  readonly busyShare: number
  readonly documentsIn: number
  readonly documentsOut: number
  readonly documentsFailed: number
  readonly bytes: Bytes
  /** Passes that only trained the dictionary of a new Corax index: in none of the other figures. */
  readonly training: { readonly batches: number; readonly documents: number; readonly busyTicks: TickSpan }
  /** Documents over busy time; NaN without any. */
  readonly documentsPerBusySecond: number
  /** Documents over the range as a whole. */
  readonly documentsPerSecond: number
  /** Durations of batches that worked or failed (empty ones would lower them); exact, nearest rank; NaN without any. */
  readonly p50Ticks: number
  readonly p99Ticks: number
  readonly maxTicks: number
  readonly waitTicks: TickSpan
  /** Stop reasons, most common first. Empty batches count as well. */
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
  /** Batches longest first. */
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
  /** Joined by path (of collections and fields by what they are, where the two indexes differ); NaN: that side has none. */
  readonly operations: readonly {
    readonly path: string
    readonly depth: number
    readonly family: OperationFamily
    readonly aTicks: number
    readonly bTicks: number
    /** Ticks per document in. */
    readonly aPerDocument: number
    readonly bPerDocument: number
  }[]
  /** Smaller operations that are not listed. */
  readonly unlisted: number
}
