import type { TimeRange } from '../../../base/ticks.ts'
import type { IoRollUps } from './marks.ts'
import type { IoFilter, IoRowRef, IoRows } from './rows.ts'

export interface IoDistributionParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
}

/** Number of steps of a distribution for each factor of ten of the duration. */
export const STEPS_PER_DECADE = 24

/**
 * Durations of the events that start in the range, by kind. Step `i` counts durations from 10^((first + i) /
 * `STEPS_PER_DECADE`) ticks to the lower bound of the next step; durations below one tick are in the step of one tick.
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
  /** Length of a column, whole ticks; columns begin at multiples of it. */
  readonly columnTicks: number
  readonly filter: IoFilter
}

/**
 * Events of one row that start in the pieces, by start and duration. A column without events has no entry. Events that
 * began before a piece are not included.
 */
export interface IoRowHeat {
  /** Number of columns. */
  readonly length: number
  /** Start of each column, ascending. */
  readonly columnTicks: Float64Array
  /** Number of events by column and duration (`stepOf`): `DURATION_STEPS` numbers per column. */
  readonly steps: Uint32Array
  /** Number of events in each column. */
  readonly count: Uint32Array
  /** Slowest event of each column. */
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  readonly sizeBytes: Float64Array
  /** Roll-ups, which are in no column because the durations of their events are not known. */
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

/** Throughput of a kind by column, without the events of roll-ups. */
export interface IoKindThroughput {
  readonly kind: string
  /** Number of events that start in the column, their bytes, and the slowest duration. */
  readonly count: Float64Array
  readonly bytes: Float64Array
  readonly slowestTicks: Float64Array
  /**
   * Time that events ran in the column; divided by `columnTicks` it is the mean number of concurrent events. An event
   * shorter than a column counts in the column in which it starts.
   */
  readonly busyTicks: Float64Array
  /** Maximum number of concurrent events. */
  readonly deepest: Float64Array
  /** 1: part of the column is known only from a roll-up, so the other figures may be too low; else 0. */
  readonly summedUp: Uint8Array
}

export interface IoThroughputResponse {
  readonly version: number
  /** Length of a column, ticks. */
  readonly columnTicks: number
  /** Kinds that have events or roll-ups in the range. */
  readonly kinds: readonly IoKindThroughput[]
}
