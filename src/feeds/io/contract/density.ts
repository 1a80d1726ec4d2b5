import type { TimeRange } from '../../../base/ticks.ts'
import type { IoRollUps } from './marks.ts'
import type { IoFilter, IoRowRef, IoRows } from './rows.ts'

export interface IoDistributionParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
}

/** Steps of a distribution for each factor of ten of the duration. */
export const STEPS_PER_DECADE = 24

/**
 * Durations of the events that start in the range, by kind. Step `i` counts those from 10^((first + i) / `STEPS_PER_DECADE`)
 * ticks to the next one; what takes less than a tick is in the step of one tick.
 */
export interface IoDistributionResponse {
  readonly version: number
  readonly first: number
  readonly kinds: readonly { readonly kind: string; readonly counts: Uint32Array }[]
}

export interface IoHeatParams {
  readonly rows: readonly IoRowRef[]
  /** Ascending, disjoint. */
  readonly pieces: readonly TimeRange[]
  /** Length of a column; columns begin at its multiples. Whole ticks. */
  readonly columnTicks: number
  readonly filter: IoFilter
}

/**
 * Events of one row that start in the pieces, by when they start and how long they take. A column without events has no
 * entry. Those that began before a piece are not in it.
 */
export interface IoRowHeat {
  /** Columns. */
  readonly length: number
  /** When each begins, ascending. */
  readonly columnTicks: Float64Array
  /** Events of each column, by `stepOf` their duration: `DURATION_STEPS` numbers a column. */
  readonly steps: Uint32Array
  /** Events of each column. */
  readonly count: Uint32Array
  /** The slowest event of each column. */
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  readonly sizeBytes: Float64Array
  /** Roll-ups, whose steps are not known; they are in no column. */
  readonly rollUps: IoRollUps
}

export interface IoHeatResponse {
  readonly version: number
  readonly rows: readonly IoRowHeat[]
}

export interface IoThroughputParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** Number of equal parts of the range, at least 1. */
  readonly columns: number
}

/** Throughput of a kind by column; events without a roll-up's. */
export interface IoKindThroughput {
  readonly kind: string
  /** Events that start in the column, their bytes, and the slowest of them. */
  readonly count: Float64Array
  readonly bytes: Float64Array
  readonly slowestTicks: Float64Array
  /** Time that events ran in the column, over `columnTicks` the mean number of them at once. One that is shorter than a column counts where it starts. */
  readonly busyTicks: Float64Array
  /** Most events at once. */
  readonly deepest: Float64Array
  /** 1: part of the column is known only from a roll-up, so that there may be more of everything; else 0. */
  readonly summedUp: Uint8Array
}

export interface IoThroughputResponse {
  readonly version: number
  /** Length of a column. */
  readonly columnTicks: number
  /** Kinds that have events or roll-ups in the range. */
  readonly kinds: readonly IoKindThroughput[]
}
