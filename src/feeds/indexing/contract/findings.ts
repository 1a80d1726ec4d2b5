import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { BatchRef, IndexKey } from './batches.ts'

/**
 * Kinds of findings:
 * - `budget-held`: a budget stays far above its use, between batches or over successive ones: memory was released, but
 *   the budget was not lowered
 * - `grew-unasked`: an index exceeded the initial budget of a batch without a request: it uses an older budget
 * - `over-promised`: budgets exceed the memory that is available for them
 */
export const FINDING_KINDS = ['budget-held', 'grew-unasked', 'over-promised'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface BudgetFinding {
  /** Stable within a capture. */
  readonly id: string
  readonly kind: FindingKind
  readonly source: SourceId
  /** Time of the first event that shows the problem. */
  readonly atTicks: Ticks
  /** Time of the last event that shows the problem; equal to `atTicks` if there was only one. */
  readonly lastTicks: Ticks
  readonly times: number
  /**
   * Indexes that hold or use a budget that they should not have; for `over-promised`, those with the largest budgets
   * first.
   */
  readonly indexes: readonly IndexKey[]
  /** Indexes that grew into the released memory meanwhile, largest first. */
  readonly grewInto: readonly { readonly index: IndexKey; readonly grewBytes: Bytes }[]
  /** Bytes granted or held beyond what the budget rule allows. */
  readonly excessBytes: Bytes
  /** Description in a sentence, with names and figures. */
  readonly words: string
  /** Evidence in order of time: a sentence each, with the figure and, if there is one, the batch. */
  readonly evidence: readonly {
    readonly atTicks: Ticks
    readonly index: IndexKey | null
    readonly batch: BatchRef | null
    readonly words: string
    readonly bytes: Bytes | null
  }[]
}

export interface IndexingFindingsResponse {
  /** Findings in the order of their first event. */
  readonly findings: readonly BudgetFinding[]
  /** Number of measured budgets that were checked. If it is 0, a list without findings proves nothing. */
  readonly checked: number
  /** Finished batches and indexes that could be judged. */
  readonly finished: {
    readonly batches: number
    readonly indexes: number
    /** Number of indexes with enough batches with a budget to decide whether a budget was kept. */
    readonly judgedIndexes: number
    /** Indexes that keep one budget and use a part of it, but without a batch that used more: not judged. */
    readonly unclear: readonly IndexKey[]
    /** Maximum sum of the budgets of batches that ran at the same time; 0: no budget was reported. */
    readonly peakBytes: number
    /** Memory of the machine; null: unknown, so that overcommitment is not checked. */
    readonly physicalBytes: number | null
  }
}
