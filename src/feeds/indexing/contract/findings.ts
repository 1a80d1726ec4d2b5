import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { BatchRef, IndexKey } from './batches.ts'

/**
 * Kinds of findings:
 * - `budget-held`: a budget far above its use, between batches or over successive ones: memory was released, and the
 *   budget was not lowered
 * - `grew-unasked`: an index outgrew the initial budget of a batch and requested none: it lives on an older budget
 * - `over-promised`: budgets exceed the memory that there is for them
 */
export const FINDING_KINDS = ['budget-held', 'grew-unasked', 'over-promised'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface BudgetFinding {
  /** Stable within a capture. */
  readonly id: string
  readonly kind: FindingKind
  readonly source: SourceId
  /** The first event that showed it. */
  readonly atTicks: Ticks
  /** The last event that showed it; the same as the first while there was one only. */
  readonly lastTicks: Ticks
  readonly times: number
  /** Indexes that hold or live on a budget they should not have; of `over-promised` those with the largest first. */
  readonly indexes: readonly IndexKey[]
  /** Indexes that grew meanwhile into the released memory; largest first. */
  readonly grewInto: readonly { readonly index: IndexKey; readonly grewBytes: Bytes }[]
  /** Bytes granted or held beyond the rule. */
  readonly excessBytes: Bytes
  /** Description in a sentence, with names and figures. */
  readonly words: string
  /** Evidence in order of time: each a sentence, with the figure and the batch where there is one. */
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
  /** Measured budgets that were checked; with none, no finding says nothing. */
  readonly checked: number
  /** Finished batches and indexes that could be judged. */
  readonly finished: {
    readonly batches: number
    readonly indexes: number
    /** Indexes with enough batches with a budget for a verdict on a kept one. */
    readonly judgedIndexes: number
    /** Indexes that keep one budget and use a part of it, without a batch that used more: not judged. */
    readonly unclear: readonly IndexKey[]
    /** Largest sum of budgets of batches that ran at once; 0: none was reported. */
    readonly peakBytes: number
    /** Memory of the machine; null: unknown, so that overcommit is not checked. */
    readonly physicalBytes: number | null
  }
}
