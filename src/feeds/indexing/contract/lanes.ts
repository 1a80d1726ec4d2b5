import type { CssPx } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, IndexKey } from './batches.ts'
import type { OperationName } from './operations.ts'

/** A piece of the time axis that is linear; folded idle stretches lie between pieces. */
export interface AxisPiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

export interface IndexingMarksParams {
  readonly indexes: readonly IndexKey[]
  /** Pieces of the time axis: ascending, disjoint. Request wider ones than the view, so that a pan has what it needs. */
  readonly pieces: readonly AxisPiece[]
  readonly filter: BatchFilter
}

/** Marks of one index, ascending by start: at most one a pixel, with the longest batch that starts in it as itself. */
export interface IndexMarks {
  readonly length: number
  readonly startTicks: Float64Array
  /** Length of the longest batch; of a running one, up to when it was last reported. */
  readonly durationTicks: Float64Array
  /** Id of the longest batch: with index and start its `BatchRef`. */
  readonly id: Float64Array
  /** State of the longest batch: index into `BATCH_STATES`. */
  readonly state: Uint8Array
  /** All states met in the pixel, one bit each: a failed one is never hidden by a longer one. */
  readonly states: Uint8Array
  /** Batches that start in the pixel. */
  readonly count: Uint32Array
  /** Documents in, of the longest. */
  readonly documents: Float64Array
  /** Bytes of documents of the largest batch of the pixel: decides the lightness. */
  readonly largestBytes: Float64Array
  /** Index into `REASON_CODES`, of the longest. */
  readonly reason: Uint8Array
  /** Wait of the longest batch for the concurrency limit; 0 without one. */
  readonly waitTicks: Float64Array
}

export interface IndexingMarksResponse {
  /** Marks of each index, in the order of the request. */
  readonly rows: readonly IndexMarks[]
}

/** The operation trees of the batches of one index that are at least `minPx` wide, as rectangles (an icicle). */
export interface IndexingIcicleParams {
  readonly index: IndexKey
  readonly pieces: readonly AxisPiece[]
  readonly minPx: CssPx
  readonly filter: BatchFilter
}

/**
 * Columns, batch by batch, each tree in pre-order. The server gives no start offsets: children are laid end to end from the
 * start of their parent, in their order; what they leave of the parent is a row behind the last of them, with `nameId` −1
 * ("other"). Where children exceed the parent (they are rounded, and may overlap), they are shortened in proportion to fit.
 */
export interface IndexingIcicleResponse {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** Length as the server reported it; differs from the width where children had to be shortened. */
  readonly reportedTicks: Float64Array
  /** Depth of each row; 0 for the root, which is the batch itself. */
  readonly depth: Uint8Array
  /** Key of `names`; −1: other. */
  readonly nameId: Int32Array
  /** Id of the batch. */
  readonly id: Float64Array
  /** Start of the batch. */
  readonly batchTicks: Float64Array
  readonly names: readonly OperationName[]
  /** Batches in view that are too narrow to be expanded. */
  readonly narrow: number
}

export interface IndexingOverviewParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly widthPx: CssPx
}

/**
 * Figures by pixel over all requested indexes: share of time that they were busy (may exceed 1), the longest batch, and
 * failures.
 */
export interface IndexingOverviewResponse {
  readonly busyShare: Float32Array
  readonly slowestTicks: Float32Array
  /** Batches with failed documents that start in the pixel. */
  readonly failed: Uint16Array
}
