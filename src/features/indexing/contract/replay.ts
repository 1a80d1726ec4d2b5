import type { Bytes } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { IndexKey } from './batches.ts'
import type { BudgetStep } from './budgets.ts'

/** The rule that the server follows, with its constants as parameters. */
export interface BudgetModel {
  /** Initial budget of a batch. */
  readonly initialBytes: Bytes
  /** Memory that is granted on top of current use. */
  readonly stepBytes: Bytes
  /** Limit of the budget of an index; null for no limit. */
  readonly ceilingBytes: Bytes | null
  /** Memory that must remain available after a grant. */
  readonly reserveBytes: Bytes
}

const MIB = 1024 * 1024
export const SERVER_MODEL: BudgetModel = {
  initialBytes: (32 * MIB) as Bytes,
  stepBytes: (16 * MIB) as Bytes,
  ceilingBytes: null,
  reserveBytes: 0 as Bytes,
}

export interface IndexingReplayParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly model: BudgetModel
  /** Number of the first step that is given whole; all are replayed. */
  readonly from: number
}

/** Steps that a response gives whole. */
export const REPLAY_WINDOW = 400

export interface ReplayStep {
  readonly recorded: BudgetStep
  /** Memory available for processing at that moment; null without a sample near it. */
  readonly availableBytes: Bytes | null
  /** Sum of the budgets that were held then, as recorded. */
  readonly budgetSumBytes: Bytes
  /** Decision of the model. `unknown`: it would need a figure that was not recorded. */
  readonly model: 'grant' | 'refuse' | 'end' | 'unknown'
  readonly modelBudgetBytes: Bytes | null
  readonly modelSumBytes: Bytes
  /** Sentence with the rule and its figures. */
  readonly words: string
}

export interface IndexingReplayResponse {
  /** Steps replayed; counts, peaks and curves are of all of them. */
  readonly total: number
  /** Later steps that were not replayed, for there were more than a quarter of a million. */
  readonly stepsLeft: number
  /** Place of the first of `steps`, which are ascending; at most `REPLAY_WINDOW`. */
  readonly from: number
  readonly steps: readonly ReplayStep[]
  /** Highest sums by part of all steps, in order; at most 300 parts. */
  readonly recordedSums: Float64Array
  readonly modelSums: Float64Array
  /** Highest sums over the stretch. */
  readonly recordedPeakBytes: Bytes
  readonly modelPeakBytes: Bytes
  readonly recordedRefusals: number
  readonly modelRefusals: number
  /** Label that is always shown with the replay: it is a model. */
  readonly label: string
}
