import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './rows.ts'

export interface IoSummaryParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** Maximum number of slowest events; 0: no single events at all. */
  readonly slowestLimit: number
}

/**
 * Request for the event that a percentile of the summary refers to: the first of its kind in the range with exactly
 * that duration.
 */
export interface IoOfDurationParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  readonly kind: string
  readonly durationTicks: number
}

/** Sum of events and roll-ups. */
export interface IoAmount {
  /** Number of events; NaN: not known, as for roll-ups that are not a full fold. */
  readonly events: number
  /** NaN: not known, as one of the roll-ups has no valid size; likewise the busy time. */
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  /** Whether roll-ups reach beyond the range; each then counts by the share of its time in the range. */
  readonly isShare: boolean
}

/** Figures of the events that start in the range. Percentiles are exact (nearest rank); NaN if there are no events. */
export interface IoKindSummary {
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
  /** Number of events whose size is not known; `bytes` does not include them. */
  readonly unsized: number
  readonly busyTicks: TickSpan
  readonly p50Ticks: number
  readonly p90Ticks: number
  readonly p99Ticks: number
  readonly p999Ticks: number
  readonly maxTicks: number
  readonly rollUps: number
  readonly rollUpBytes: Bytes
  /** Number of roll-ups whose size is not known; `rollUpBytes` does not include them. */
  readonly rollUpsUnsized: number
  readonly rollUpBusyTicks: TickSpan
  /** Duration of the slowest single event inside the roll-ups; NaN: not known. */
  readonly rollUpMaxTicks: number
  /**
   * Totals of events and roll-ups in the range, for computing rates. With a filter by duration or size: events only.
   */
  readonly whole: IoAmount
  /** Slowest event seen in the range, even if it began earlier; null: there is none, or it was not requested. */
  readonly slowest: IoEventRow | null
}

export interface IoSummaryResponse extends TimeRange {
  readonly version: number
  readonly kinds: readonly IoKindSummary[]
  /**
   * Slowest events seen in the range, slowest first; an event that began before the range and reaches into it counts.
   */
  readonly slowest: readonly IoEventRow[]
}
