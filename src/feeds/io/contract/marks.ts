import type { SourceId } from '../../../capture/client/state.ts'
import type { CssPx } from '../../../base/brand.ts'
import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { IoFilter, IoRowRef, IoRows } from './rows.ts'

/** A linear piece of the time axis; folded idle stretches lie between pieces. */
export interface AxisPiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

export interface IoMarksParams {
  readonly rows: readonly IoRowRef[]
  /** Ascending, disjoint. A request should be wider than the view, so that a pan already has its data. */
  readonly pieces: readonly AxisPiece[]
  readonly filter: IoFilter
}

/**
 * Marks of one row, ascending by pixel: at most one per pixel, with the slowest event that starts in that pixel (so no
 * outlier disappears), the number of events that it represents, and their bytes.
 */
export interface IoRowMarks {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** Size of the slowest event. */
  readonly sizeBytes: Float64Array
  readonly count: Uint32Array
  /** Size of the largest event in the pixel; determines the lightness. */
  readonly largestBytes: Float64Array
  readonly rollUps: IoRollUps
}

/** Roll-ups of the row that overlap the requested range; columns, sorted by start. */
export interface IoRollUps {
  readonly length: number
  /** Span, bytes and busy time of the part that was not seen event by event. */
  readonly startTicks: Float64Array
  readonly endTicks: Float64Array
  readonly sizeBytes: Float64Array
  readonly busyTicks: Float64Array
  /** Shortest and longest event, each over the whole roll-up. */
  readonly minTicks: Float64Array
  readonly maxTicks: Float64Array
  /** Number of roll-ups that begin in the same pixel and end in the same pixel, drawn as one band. */
  readonly count: Uint32Array
}

export interface IoMarksResponse {
  readonly version: number
  readonly rows: readonly IoRowMarks[]
}

export interface IoOverviewParams extends TimeRange {
  readonly rows: IoRows
  readonly widthPx: CssPx
}

/** Busy share (0…1, above 1 if environments work in parallel) and slowest duration, per kind and pixel. */
export interface IoOverviewResponse {
  readonly version: number
  readonly kinds: readonly {
    readonly kind: string
    readonly busyShare: Float32Array
    readonly slowestTicks: Float32Array
  }[]
}

export interface IoIdleParams {
  readonly sources: readonly SourceId[]
  /** Minimum length of an idle stretch. */
  readonly minTicks: TickSpan
}

/** Stretches without events in any lane of the sources: start and end alternate, ascending. */
export interface IoIdleResponse {
  readonly version: number
  readonly spans: Float64Array
}
