import type { BoundsText, ListText } from '../../capture/client/param-text.ts'
import type { Bytes, CssPx } from '../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../base/ticks.ts'
import type { Gap, SourceId } from '../../capture/client/state.ts'

export interface IoLinkParams {
  /** Lanes that show their kinds, kinds that show their files, kinds that are hidden. */
  readonly open: ListText
  readonly files: ListText
  readonly hide: ListText
  /** Part of the names of lanes. */
  readonly find: string
  /** From 1. */
  readonly page: string
  readonly duration: BoundsText
  readonly size: BoundsText
  readonly fold: 'off'
  readonly scale: 'linear'
  readonly sort: `${IoSort}-${'up' | 'down'}`
  readonly table: 'on'
  readonly lanes: 'heat'
  readonly stalls: 'on'
  readonly distribution: 'on'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    io: IoLinkParams
  }
}

/** The kinds that we know. Others are kept by the server's own name, drawn as unknown and counted. */
export const KNOWN_KINDS = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression'] as const

/** A storage environment: one lane. `<source>|<path as the server gives it>`. */
export type LaneId = string

/** One event, by what it is and not by where it lies: row numbers move when older rows arrive. */
export interface IoEventRef {
  readonly lane: LaneId
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly sizeBytes: Bytes
}

export interface IoKindTotals {
  readonly kind: string
  readonly known: boolean
  readonly count: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  readonly slowestTicks: TickSpan
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
  readonly rollUps: number
  /** Events that are known only from roll-ups; null: how many is not known. */
  readonly rollUpEvents: number | null
  readonly rollUpBytes: Bytes
  readonly rollUpBusyTicks: TickSpan
}

export interface IoFileInfo {
  readonly id: number
  readonly name: string
  /** As last reported by a whole document; null: only live deltas reported it, whose status is unreliable. */
  readonly status: string | null
  /** Of the newest event that reported it; null: none did. */
  readonly sizeBytes: Bytes | null
  readonly kinds: readonly string[]
  readonly firstTicks: Ticks
  readonly lastTicks: Ticks
}

export interface IoLane {
  readonly id: LaneId
  readonly source: SourceId
  readonly path: string
  /** `Documents`, `Index`, `Configuration`, `System`, or what the server reported. */
  readonly type: string
  /** Real name of the index where known, else made from the path. */
  readonly label: string
  /** False: an index whose real name is not known, `label` is its folder. */
  readonly labelIsReal: boolean
  readonly kinds: readonly IoKindTotals[]
  /** Of the kinds that are open: at most `FILES_OF_KIND` of each, newest first. */
  readonly files: readonly IoFileInfo[]
  /** Older files of those kinds that are left out; a kind of which none is has no entry. */
  readonly filesLeft: Readonly<Record<string, number>>
}

/** Lanes on one page of the timeline. */
export const LANES_OF_PAGE = 500
/** Files that are listed of one kind of one lane. */
export const FILES_OF_KIND = 300

export interface IoLanesParams {
  readonly sources: readonly SourceId[]
  /** As in `IoScope`. */
  readonly find: string
  /** From 0. */
  readonly page: number
  /** Kinds of lanes whose files are shown. */
  readonly openKinds: readonly { readonly lane: LaneId; readonly kind: string }[]
}

/** One page of the lanes of the sources, and what is to be said of all of them. */
export interface IoLanesResponse {
  readonly version: number
  /** Of the page, in the order of the timeline; the page is the last one where the asked one is beyond. */
  readonly lanes: readonly IoLane[]
  readonly page: number
  /** Lanes that `find` matches, and of them all. */
  readonly matching: number
  readonly all: number
  /** Over all lanes of the sources. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  /** Sources that have lanes, in the order asked. */
  readonly sources: readonly SourceId[]
  /** When the newest event or roll-up of any lane began; NaN: there is none. */
  readonly lastTicks: Ticks
  /** Matching lanes that another source has as well, by path; at most 1,000. */
  readonly doubled: readonly Pick<IoLane, 'source' | 'path' | 'kinds'>[]
  readonly folded: IoFolded
}

/** What is not kept apart, since there is too much of it; its events are in all figures. */
export interface IoFolded {
  readonly environments: number
  readonly kinds: number
  /** True: some files have no name. */
  readonly files: boolean
  /** Roll-ups that are drawn as one of their lane and kind. */
  readonly rollUps: number
}

/** Bounds are inclusive; null: none. Kinds and lanes are filtered by which rows are asked for. */
export interface IoFilter {
  readonly minTicks: TickSpan | null
  readonly maxTicks: TickSpan | null
  readonly minBytes: Bytes | null
  readonly maxBytes: Bytes | null
}

export const NO_FILTER: IoFilter = { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null }

/** Which events: one kind of one lane, or of one of its files. */
export interface IoRowRef {
  readonly lane: LaneId
  readonly kind: string
  readonly file: number | null
}

/**
 * All rows of the lanes of these sources whose label contains `find` (whatever the case), less hidden kinds: expressed as a rule,
 * since there may be tens of thousands of rows.
 */
export interface IoScope {
  readonly sources: readonly SourceId[]
  readonly find: string
  readonly hiddenKinds: readonly string[]
}

export type IoRows = readonly IoRowRef[] | IoScope

/** A piece of the time axis that is linear; folded idle stretches lie between pieces. */
export interface AxisPiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

export interface IoMarksParams {
  readonly rows: readonly IoRowRef[]
  /** Ascending, disjoint. Ask wider than the view, so that a pan has what it needs. */
  readonly pieces: readonly AxisPiece[]
  readonly filter: IoFilter
}

/**
 * Marks of one row, ascending by pixel: at most one a pixel, each with the slowest event that starts in that pixel
 * (so no outlier disappears), how many events it represents, and their bytes.
 */
export interface IoRowMarks {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** Of the slowest event. */
  readonly sizeBytes: Float64Array
  readonly count: Uint32Array
  /** The largest event of the pixel: decides the lightness. */
  readonly largestBytes: Float64Array
  readonly rollUps: IoRollUps
}

/** Roll-ups of the row that overlap the asked range; columns, sorted by start. */
export interface IoRollUps {
  readonly length: number
  /** Span, bytes and busy time of what was not seen event by event. */
  readonly startTicks: Float64Array
  readonly endTicks: Float64Array
  readonly sizeBytes: Float64Array
  readonly busyTicks: Float64Array
  /** Of the whole roll-ups. */
  readonly minTicks: Float64Array
  readonly maxTicks: Float64Array
  /** How many roll-ups begin and end in the same two pixels, drawn as one band. */
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

/** Per kind and pixel: busy share (0…1, may exceed 1 where environments work at once) and slowest duration. */
export interface IoOverviewResponse {
  readonly version: number
  readonly kinds: readonly {
    readonly kind: string
    readonly busyShare: Float32Array
    readonly slowestTicks: Float32Array
  }[]
}

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

/** Of the events that start in the range. Percentiles are exact (nearest rank); NaN while there is no event. */
export interface IoKindSummary {
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
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
  /** Of all that are seen in the range, so also of those that began before it; null: none, or not asked for. */
  readonly slowest: IoEventRow | null
}

export interface IoEventRow extends IoEventRef {
  readonly file: string
  readonly laneLabel: string
  readonly source: SourceId
}

export interface IoSummaryResponse extends TimeRange {
  readonly version: number
  readonly kinds: readonly IoKindSummary[]
  /** Slowest first, of all events that are seen in the range: one that began before it and reaches into it counts. */
  readonly slowest: readonly IoEventRow[]
}

export interface IoCardParams {
  readonly ref: IoEventRef
  /** Rank and overlaps are looked for in the lanes of these sources. */
  readonly sources: readonly SourceId[]
}

export interface IoCard extends IoEventRow {
  readonly laneType: string
  /** As `IoLane.labelIsReal`. */
  readonly laneLabelIsReal: boolean
  readonly path: string
  readonly fileSizeBytes: Bytes | null
  /** Null for what is not a compression, and where the live feed did not report it. */
  readonly compressedBytes: Bytes | null
  readonly acceleration: number | null
  /** 1 = slowest of `rankOf` events of its kind. */
  readonly rank: number
  readonly rankOf: number
  /** What ran at the same time, in any environment; longest first, at most 200. */
  readonly overlaps: readonly IoEventRow[]
  readonly overlapCount: number
  /** The event as the server's document would have it. */
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

export interface IoIdleParams {
  /** Only stretches at least this long. */
  readonly minTicks: TickSpan
}

/** Stretches in which nothing happened in any lane of the capture: start and end alternate, ascending. */
export interface IoIdleResponse {
  readonly version: number
  readonly spans: Float64Array
}

/** Which I/O is exported. */
export interface IoExportParams {
  readonly sources: readonly SourceId[]
  /** Null: every kind of every lane of the sources. */
  readonly rows: IoRows | null
  /** Events that start in it; null: of all times. */
  readonly range: TimeRange | null
  readonly filter: IoFilter
  /** What is not known of the sources; goes out where the format has a place for it. */
  readonly gaps: readonly Gap[]
}

export interface IoExportCount {
  readonly events: number
  /** Roll-ups that start in the range. */
  readonly rollUps: number
}

/** What the storage of an index did during a range of time; the card of an index batch shows it. */
export interface IndexStorageParams extends TimeRange {
  readonly source: SourceId
  /** As the server calls it; the storage knows only the name of its folder. */
  readonly indexName: string
  /** In how much detail the events are wanted: at most one a pixel and kind. */
  readonly widthPx: CssPx
}

/** Events of one kind that start in the range. */
export interface IndexStorageKind {
  /** `JournalWrite`, `DataFlush`, `DataSync`, `Compression`, or as reported by the server. */
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  /** NaN: there is no event. */
  readonly slowestTicks: number
  /** Roll-ups that overlap the range and were not seen event by event: there is more than is counted here. */
  readonly rollUps: number
  /** Of the slowest event of each pixel, ascending. */
  readonly marks: {
    readonly length: number
    readonly startTicks: Float64Array
    readonly durationTicks: Float64Array
  }
}

export interface IndexStorageResponse {
  /** Null: nothing is known of the storage of such an index. A kind that never occurred is not listed. */
  readonly kinds: readonly IndexStorageKind[] | null
  /** First thing known of it: what was before is not known, and not none. Null: nothing is known. */
  readonly sinceTicks: Ticks | null
}

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
  /** Of which the steps are not known; they are in no column. */
  readonly rollUps: IoRollUps
}

export interface IoHeatResponse {
  readonly version: number
  readonly rows: readonly IoRowHeat[]
}

export interface IoThroughputParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** In how many equal parts the range is divided, at least 1. */
  readonly columns: number
}

/** By column; events without a roll-up's. */
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
  /** Those that have events or roll-ups in the range. */
  readonly kinds: readonly IoKindThroughput[]
}

/** What the first picture does not need: its handlers are loaded later. */
export interface IoLaterRequests {
  'io.ofDuration': { params: IoOfDurationParams; response: IoEventRow | null }
  'io.heat': { params: IoHeatParams; response: IoHeatResponse }
  'io.throughput': { params: IoThroughputParams; response: IoThroughputResponse }
  'io.distribution': { params: IoDistributionParams; response: IoDistributionResponse }
  'io.exportCount': { params: IoExportParams; response: IoExportCount }
  'io.rows': { params: IoRowsParams; response: IoRowsResponse }
  'io.card': { params: IoCardParams; response: IoCard | null }
  'io.ofIndex': { params: IndexStorageParams; response: IndexStorageResponse }
}

/** Single events of one kind as columns of equal length, by start. */
export interface IoColumns {
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  readonly bytes: Float64Array
}

/** Times of which a lane's journal writes are known only as a sum, by start; each with its longest one. */
export interface IoSums {
  readonly startTicks: number
  readonly endTicks: number
  readonly maxTicks: number
}

/** Events of other kinds that are slow for their lane and kind. */
export interface IoSlowEvent {
  readonly kind: string
  readonly startTicks: number
  readonly durationTicks: number
  readonly bytes: number
}

/** What is judged of a lane beside other lanes: its newest journal writes and data syncs. */
export interface IoLaneColumns {
  readonly lane: LaneId
  readonly source: SourceId
  readonly path: string
  /** As `IoLane.label`. */
  readonly label: string
  readonly writes: IoColumns
  readonly syncs: IoColumns
  /** Older writes are left out. */
  readonly isCut: boolean
  readonly sums: readonly IoSums[]
  /** Journal writes in `sums`; null: how many is not known. */
  readonly summedWrites: number | null
  readonly slowOthers: readonly IoSlowEvent[]
}

/** `leastTicks` and `timesMedian`: from when on an event of another kind is slow. `most`: newest writes, and syncs, of a lane. */
export interface IoColumnsParams {
  readonly sources: readonly SourceId[]
  readonly most: number
  readonly leastTicks: number
  readonly timesMedian: number
}

/** What may be requested about I/O. */
export interface IoRequests extends IoLaterRequests {
  'io.lanes': { params: IoLanesParams; response: IoLanesResponse }
  /** On which page a lane is; null: on none. */
  'io.pageOf': { params: Pick<IoLanesParams, 'sources' | 'find'> & { readonly lane: LaneId }; response: number | null }
  'io.marks': { params: IoMarksParams; response: IoMarksResponse }
  'io.overview': { params: IoOverviewParams; response: IoOverviewResponse }
  'io.summary': { params: IoSummaryParams; response: IoSummaryResponse }
  'io.idle': { params: IoIdleParams; response: IoIdleResponse }
}

/** Formats of the export of events. */
export type IoExportId = 'io.json' | 'io.csv' | 'io.ndjson' | 'io.parquet' | 'io.trace'

type IoExports = Readonly<Record<IoExportId, IoExportParams>>

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends IoExports {}
}

declare module '../../capture/client/requests.ts' {
  interface WorkerRequests extends IoRequests {}
}
