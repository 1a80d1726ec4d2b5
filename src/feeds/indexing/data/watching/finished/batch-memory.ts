import { bisectNumbers } from '../../../../../base/columns/bisect.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import type { SourceId } from '../../../../../capture/client/state.ts'
import type { BatchRef, IndexKey } from '../../../contract/batches.ts'
import { BUDGET_STEP_BYTES } from '../../../contract/limits.ts'

/**
 * Minimum of unused bytes, beyond those that a grant leaves, that is reported. Less than one further step, or a fifth
 * of the budget, is not worth a finding.
 */
export const SLACK_BYTES = BUDGET_STEP_BYTES

/** Maximum number of evidence items of one finding. */
export const MOST_EVIDENCE = 24

/**
 * Finished batches of an index that reported memory, ascending by start. NaN: the figure was not measured, or no budget
 * was requested.
 */
export interface BatchMemory {
  readonly key: IndexKey
  readonly source: SourceId
  readonly name: string
  readonly length: number
  readonly startTicks: Float64Array
  readonly endTicks: Float64Array
  readonly id: Float64Array
  readonly usedBytes: Float64Array
  readonly budgetBytes: Float64Array
  /** 1: the batch ended because nothing was left to map. */
  readonly ranDry: Uint8Array
}

/** Memory of the machine over time, ascending; `length` 0: memory is unknown. */
export interface MachineMemory {
  readonly length: number
  readonly atTicks: Float64Array
  readonly physicalBytes: Float64Array
  readonly availableBytes: Float64Array
}

export const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value)

/** First row that starts at or after `ticks`. */
export const rowAt = ({ startTicks, length }: BatchMemory, ticks: number): number =>
  bisectNumbers(startTicks, ticks, length)

export const refOf = ({ key, startTicks, id }: BatchMemory, row: number): BatchRef => ({
  index: key,
  startTicks: startTicks[row] as Ticks,
  id: id[row] as number,
})
