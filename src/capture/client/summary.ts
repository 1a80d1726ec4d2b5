import type { Gap, SourceId } from './state.ts'

/** Row of `rookery.summary()` for a source, environment and kind: ms since 1970, ms, bytes. */
export interface FeedSummaryRow {
  readonly feed: string
  readonly source: SourceId
  readonly environment: string
  readonly environmentPath: string
  readonly kind: string
  readonly count: number
  readonly bytes: number
  readonly busyMs: number
  readonly slowestMs: number | null
  readonly firstMs: number | null
  readonly lastMs: number | null
  /** Sums that the server reported in place of single events. `events`: their number; null: not known. */
  readonly rollUps: {
    readonly count: number
    readonly events: number | null
    readonly bytes: number
    readonly busyMs: number
  }
}

/** Response to `host.summary`. */
export interface CaptureSummary {
  readonly rows: readonly FeedSummaryRow[]
  readonly gaps: readonly Gap[]
}

/** Response to `host.memory`. */
export interface CaptureMemory {
  /** Bytes of tables and pyramids. */
  readonly tables: number
  /** Bytes of roll-ups, activity bits and the like. */
  readonly other: number
  /** Rows (events) in the tables. */
  readonly rows: number
}
