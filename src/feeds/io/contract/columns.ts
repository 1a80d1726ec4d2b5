import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { LaneId } from './lanes.ts'

/** Single events of one kind as columns of equal length, ordered by start. */
export interface IoColumns {
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  readonly bytes: Float64Array
}

/**
 * Time range in which only a sum of a lane's journal writes is known, with the duration of the longest; ordered by
 * start.
 */
export interface IoSums {
  readonly startTicks: Ticks
  readonly endTicks: Ticks
  readonly maxTicks: TickSpan
}

/** An event of another kind that is slow for its lane and kind. */
export interface IoSlowEvent {
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly bytes: number
}

/** Newest journal writes, data syncs and data flushes of a lane, for comparing it with other lanes. */
export interface IoLaneColumns {
  readonly lane: LaneId
  readonly source: SourceId
  readonly path: string
  /** As `IoLane.label`. */
  readonly label: string
  readonly writes: IoColumns
  readonly syncs: IoColumns
  readonly flushes: IoColumns
  /** Whether older writes are left out. */
  readonly isCut: boolean
  readonly sums: readonly IoSums[]
  /** Number of journal writes in `sums`; null: not known. */
  readonly summedWrites: number | null
  readonly slowOthers: readonly IoSlowEvent[]
}

/**
 * `leastTicks`, `timesMedian`: duration, and multiple of the median, from which an event of another kind is slow.
 * `most`: approximate maximum number of journal writes, syncs and flushes over all lanes.
 */
export interface IoColumnsParams {
  readonly sources: readonly SourceId[]
  readonly most: number
  readonly leastTicks: number
  readonly timesMedian: number
}
