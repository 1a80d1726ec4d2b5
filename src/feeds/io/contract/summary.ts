import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './rows.ts'

export interface IoSummaryParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** 0: no single events at all. */
  readonly slowestLimit: number
}

/** Event that a percentile of the summary is: the first of its kind in the range that took exactly so long. */
export interface IoOfDurationParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  readonly kind: string
  readonly durationTicks: number
}

/** Sum of events and roll-ups. */
export interface IoAmount {
  /** Number of events; NaN: not known, as for roll-ups that are no full fold. */
  readonly events: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  /** Roll-ups reach beyond the range: of each its share of the time is counted. */
  readonly isShare: boolean
}

/** Figures of the events that start in the range. Percentiles are exact (nearest rank); NaN while there is no event. */
export interface IoKindSummary {
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
  /** Events whose size is not known, and so not in `bytes`. */
  readonly unsized: number
  readonly busyTicks: TickSpan
  readonly p50Ticks: number
  readonly p90Ticks: number
  readonly p99Ticks: number
  readonly p999Ticks: number
  readonly maxTicks: number
  readonly rollUps: number
  readonly rollUpBytes: Bytes
  readonly rollUpBusyTicks: TickSpan
  /** Slowest single event inside the roll-ups; NaN: no roll-up. */
  readonly rollUpMaxTicks: number
  /** Amount of the range from events and roll-ups, by which rates are computed. With a filter by duration or size: events alone. */
  readonly whole: IoAmount
  /** Slowest event seen in the range, even if it began earlier; null: there is none, or it was not requested. */
  readonly slowest: IoEventRow | null
}

export interface IoSummaryResponse extends TimeRange {
  readonly version: number
  readonly kinds: readonly IoKindSummary[]
  /** Slowest first, of all events that are seen in the range: one that began before it and reaches into it counts. */
  readonly slowest: readonly IoEventRow[]
}
