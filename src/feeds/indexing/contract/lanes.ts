import type { CssPx } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, IndexKey } from './batches.ts'
import type { OperationName } from './operations.ts'

/** A linear piece of the time axis. Idle stretches that are folded lie between pieces. */
export interface AxisPiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

export interface IndexingMarksParams {
  readonly indexes: readonly IndexKey[]
  /**
   * Pieces of the time axis: ascending, disjoint. Request more than the view shows, so that data are loaded when the
   * user pans.
   */
  readonly pieces: readonly AxisPiece[]
  readonly filter: BatchFilter
}

/**
 * Marks of one index, ascending by start: at most one per pixel. A mark shows the longest batch that starts in its
 * pixel.
 */
export interface IndexMarks {
  readonly length: number
  readonly startTicks: Float64Array
  /** Duration of the longest batch; for a running batch, until its last report. */
  readonly durationTicks: Float64Array
  /** Id of the longest batch. With the index and the start it forms the `BatchRef`. */
  readonly id: Float64Array
  /** State of the longest batch: index into `BATCH_STATES`. */
  readonly state: Uint8Array
  /** States of all batches in the pixel, one bit each, so that a longer batch never hides a failed one. */
  readonly states: Uint8Array
  /** Number of batches that start in the pixel. */
  readonly count: Uint32Array
  /** Documents in, of the longest batch. */
  readonly documents: Float64Array
  /** Bytes of documents of the largest batch in the pixel; determines the lightness. */
  readonly largestBytes: Float64Array
  /** Stop reason of the longest batch: index into `REASON_CODES`. */
  readonly reason: Uint8Array
  /** Time that the longest batch waited for the limit of concurrently running indexes; 0: it did not wait. */
  readonly waitTicks: Float64Array
}

export interface IndexingMarksResponse {
  /** Marks of each index, in the order of the request. */
  readonly rows: readonly IndexMarks[]
}

/** Requests the operation trees of one index as rectangles (an icicle), for batches that are at least `minPx` wide. */
export interface IndexingIcicleParams {
  readonly index: IndexKey
  readonly pieces: readonly AxisPiece[]
  readonly minPx: CssPx
  readonly filter: BatchFilter
}

/**
 * Columns, batch by batch, each tree in pre-order. The server reports no start offsets, so children are laid end to end
 * from the start of their parent, in their order. The remaining time of the parent is a row after its last child, with
 * `nameId` −1 ("other"). Children that together exceed the parent (they are rounded, and may overlap) are shortened in
 * proportion to fit.
 */
export interface IndexingIcicleResponse {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** Duration as the server reported it; differs from the width if children had to be shortened. */
  readonly reportedTicks: Float64Array
  /** Depth of each row; 0: the root, which represents the batch. */
  readonly depth: Uint8Array
  /** Key of `names`; −1: other. */
  readonly nameId: Int32Array
  /** Id of the row's batch. */
  readonly id: Float64Array
  /** Start of the row's batch. */
  readonly batchTicks: Float64Array
  readonly names: readonly OperationName[]
  /** Number of batches in view that are too narrow to be expanded. */
  readonly narrow: number
}

export interface IndexingOverviewParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly widthPx: CssPx
}

/** Figures by pixel over all requested indexes: busy share of time (may exceed 1), longest batch, and failures. */
export interface IndexingOverviewResponse {
  readonly busyShare: Float32Array
  readonly slowestTicks: Float32Array
  /** Number of batches with failed documents that start in the pixel. */
  readonly failed: Uint16Array
}
