import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan, Ticks, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { LaneId } from './lanes.ts'

/** Identity of an event. Independent of its row number, which changes when older rows arrive. */
export interface IoEventRef {
  readonly lane: LaneId
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly sizeBytes: Bytes
}

/** Inclusive bounds; null: none. Kinds and lanes are filtered by the choice of rows instead. */
export interface IoFilter {
  readonly minTicks: TickSpan | null
  readonly maxTicks: TickSpan | null
  readonly minBytes: Bytes | null
  readonly maxBytes: Bytes | null
}

export const NO_FILTER: IoFilter = { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null }

/** Reference to the events of one kind of one lane, or of one of its files. */
export interface IoRowRef {
  readonly lane: LaneId
  readonly kind: string
  readonly file: number | null
}

/**
 * All rows of the lanes of these sources whose label contains `find` (case-insensitive), without hidden kinds.
 * Expressed as a rule because there may be tens of thousands of rows.
 */
export interface IoScope {
  readonly sources: readonly SourceId[]
  readonly find: string
  readonly hiddenKinds: readonly string[]
}

export type IoRows = readonly IoRowRef[] | IoScope

export interface IoEventRow extends IoEventRef {
  /** Present if the reported size was invalid and so is not known; `sizeBytes` is then 0. */
  readonly hasNoSize?: true
  readonly file: string
  readonly laneLabel: string
  readonly source: SourceId
}

export interface IoCardParams {
  readonly ref: IoEventRef
  /** Sources in whose lanes rank and overlaps are computed. */
  readonly sources: readonly SourceId[]
}

export interface IoCard extends IoEventRow {
  readonly laneType: string
  /** As `IoLane.labelIsReal`. */
  readonly laneLabelIsReal: boolean
  readonly path: string
  readonly fileSizeBytes: Bytes | null
  /** Reported for compressions only; null for other events, and if the live feed did not report it. */
  readonly compressedBytes: Bytes | null
  readonly acceleration: number | null
  /** 1 = slowest of `rankOf` events of its kind. */
  readonly rank: number
  readonly rankOf: number
  /** Events that ran at the same time, in any environment; longest first, at most 200. */
  readonly overlaps: readonly IoEventRow[]
  readonly overlapCount: number
  /** The event in the format of the server's document. */
  readonly json: string
}

export type IoSort = 'start' | 'duration' | 'size' | 'kind' | 'lane' | 'file' | 'speed'

export interface IoRowsParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  readonly sort: IoSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface IoRowsResponse {
  readonly version: number
  readonly total: number
  readonly rows: readonly (IoEventRow & { readonly fileSizeBytes: Bytes | null })[]
}
