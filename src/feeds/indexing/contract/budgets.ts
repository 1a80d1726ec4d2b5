import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { BatchRef, IndexKey } from './batches.ts'
import type { AxisPiece } from './lanes.ts'

/** A step in the negotiation of an index for memory, as observed. */
export interface BudgetStep {
  readonly index: IndexKey
  readonly batch: BatchRef
  /** Time of the frame that reported the step, or of the end of the batch. The server reports no time for steps. */
  readonly atTicks: Ticks
  /**
   * - `grant`: the budget was reported for the first time or grew
   * - `refusal`: the batch stopped because no more was granted
   * - `low-memory`: the batch was stopped because of low memory
   * - `end`: the batch ended for another reason and returned its budget
   */
  readonly kind: 'grant' | 'refusal' | 'low-memory' | 'end'
  readonly allocatedBytes: Bytes | null
  readonly fromBytes: Bytes | null
  readonly toBytes: Bytes | null
}

export interface IndexingBudgetsParams {
  readonly indexes: readonly IndexKey[]
  readonly pieces: readonly AxisPiece[]
}

/** Columns by pixel, as long as `xPx` of the response. NaN: not measured, and to be drawn as such. */
export interface IndexBudget {
  readonly index: IndexKey
  /**
   * Unmanaged allocations of the index's thread: maximum in the pixel. From the list of threads; a sample is valid for
   * 3 s, after that NaN.
   */
  readonly nowBytes: Float64Array
  /** `CurrentlyAllocated` of the batch that ran in the pixel: the value at its last check. */
  readonly checkedBytes: Float64Array
  /** `AllocationBudget` of the batch that ran in the pixel. 5.4 also reports it between batches. */
  readonly grantedBytes: Float64Array
  /** 1: a batch ran in the pixel, so that NaN in `grantedBytes` means "requested no budget", not "unknown". */
  readonly ran: Uint8Array
  /** `known`: a thread has the name of this index and of no other. */
  readonly thread: 'known' | 'ambiguous' | 'unknown'
}

export interface IndexingBudgetsResponse {
  /** Left edges of the pixels, ascending over all pieces. */
  readonly xPx: Float64Array
  readonly rows: readonly IndexBudget[]
  /** Steps in ascending order: for each index and kind, the last one in a pixel. */
  readonly steps: readonly BudgetStep[]
  /** Number of steps that were merged into the listed ones. */
  readonly stepsLeft: number
}
