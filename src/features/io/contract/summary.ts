import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './rows.ts'

export interface IoSummaryParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** 0: no single events at all. */
  readonly slowestLimit: number
}

/** Which event a percentile of the summary is: the first of its kind in the range that took exactly so long. */
export interface IoOfDurationParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  readonly kind: string
  readonly durationTicks: number
}

/** Of events and roll-ups together. */
export interface IoAmount {
  /** NaN: not known, as of roll-ups that are no full fold. */
  readonly events: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  /** Roll-ups reach beyond the range: of each its share of the time is counted. */
  readonly isShare: boolean
}

/** Of the events that start in the range. Percentiles are exact (nearest rank); NaN while there is no event. */
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
  /** What the range holds, however it is known: what rates are of. With a filter by duration or size events alone. */
  readonly whole: IoAmount
  /** Of all that are seen in the range, so also of those that began before it; null: none, or not asked for. */
  readonly slowest: IoEventRow | null
}

export interface IoSummaryResponse extends TimeRange {
  readonly version: number
  readonly kinds: readonly IoKindSummary[]
  /** Slowest first, of all events that are seen in the range: one that began before it and reaches into it counts. */
  readonly slowest: readonly IoEventRow[]
}
