import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { BatchRef, IndexKey } from './batches.ts'
import type { AxisPiece } from './lanes.ts'

/** Step of the negotiation of an index for memory, as it was seen. */
export interface BudgetStep {
  readonly index: IndexKey
  readonly batch: BatchRef
  /** Time of the frame that reported it, or of the end of the batch. The server reports no time of its own. */
  readonly atTicks: Ticks
  /**
   * - `grant`: the budget was reported for the first time or grew
   * - `refusal`: the batch stopped because no more was granted
   * - `low-memory`: the batch was stopped because of low memory
   * - `end`: the batch ended otherwise, its budget is given back
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

/** Columns by pixel: as long as `xPx` of the response. NaN: not measured (draw it as such). */
export interface IndexBudget {
  readonly index: IndexKey
  /** Unmanaged allocations of its thread: most in the pixel. From the list of threads; held for 3 s, else NaN. */
  readonly nowBytes: Float64Array
  /** `CurrentlyAllocated` of the batch that ran in the pixel: the figure of the last check. */
  readonly checkedBytes: Float64Array
  /** `AllocationBudget` of the batch that ran in the pixel. 5.4 also reports it between batches. */
  readonly grantedBytes: Float64Array
  /** 1: a batch ran in the pixel, so that NaN in `grantedBytes` means "it asked for nothing", not "nothing is known". */
  readonly ran: Uint8Array
  /** Whether the thread of the index is known: its name is there and matches one index only. */
  readonly thread: 'known' | 'ambiguous' | 'unknown'
}

export interface IndexingBudgetsResponse {
  /** Left edges of the pixels, ascending over all pieces. */
  readonly xPx: Float64Array
  readonly rows: readonly IndexBudget[]
  /** Steps in ascending order; of each index and kind the last in a pixel. */
  readonly steps: readonly BudgetStep[]
  /** Merged into those. */
  readonly stepsLeft: number
}
