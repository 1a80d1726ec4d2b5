import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { LaneId } from './lanes.ts'

/** Single events of one kind as columns of equal length, by start. */
export interface IoColumns {
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  readonly bytes: Float64Array
}

/** Times of which a lane's journal writes are known only as a sum, by start; each with its longest one. */
export interface IoSums {
  readonly startTicks: Ticks
  readonly endTicks: Ticks
  readonly maxTicks: TickSpan
}

/** Events of other kinds that are slow for their lane and kind. */
export interface IoSlowEvent {
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly bytes: number
}

/** Newest journal writes, data syncs and data flushes of a lane, by which it is compared with other lanes. */
export interface IoLaneColumns {
  readonly lane: LaneId
  readonly source: SourceId
  readonly path: string
  /** As `IoLane.label`. */
  readonly label: string
  readonly writes: IoColumns
  readonly syncs: IoColumns
  readonly flushes: IoColumns
  /** Older writes are left out. */
  readonly isCut: boolean
  readonly sums: readonly IoSums[]
  /** Journal writes in `sums`; null: how many is not known. */
  readonly summedWrites: number | null
  readonly slowOthers: readonly IoSlowEvent[]
}

/** `leastTicks` and `timesMedian`: from when on an event of another kind is slow. `most`: about so many journal writes, syncs and flushes of all lanes together. */
export interface IoColumnsParams {
  readonly sources: readonly SourceId[]
  readonly most: number
  readonly leastTicks: number
  readonly timesMedian: number
}
