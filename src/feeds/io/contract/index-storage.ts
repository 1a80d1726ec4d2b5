import type { Bytes, CssPx } from '../../../base/brand.ts'
import type { TickSpan, Ticks, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** Time range and index whose storage activity is summed up; shown on the card of an index batch. */
export interface IndexStorageParams extends TimeRange {
  readonly source: SourceId
  /** Index name as the server uses it; the storage has only the folder name. */
  readonly indexName: string
  /** Width of the picture; the response has at most one event per pixel and kind. */
  readonly widthPx: CssPx
}

/** Events of one kind that start in the range. */
export interface IndexStorageKind {
  /** `JournalWrite`, `DataFlush`, `DataSync`, `Compression`, or another name that the server reported. */
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
  readonly busyTicks: TickSpan
  /** Duration of the slowest event; NaN: there are no events. */
  readonly slowestTicks: number
  /** Number of roll-ups that overlap the range and were not seen event by event; their events are not counted here. */
  readonly rollUps: number
  /** Slowest event of each pixel, ascending. */
  readonly marks: {
    readonly length: number
    readonly startTicks: Float64Array
    readonly durationTicks: Float64Array
  }
}

export interface IndexStorageResponse {
  /** Kinds that have events, without those that never occurred; null: no data about the storage of this index. */
  readonly kinds: readonly IndexStorageKind[] | null
  /** Start of the first data about the storage; activity before it is not known. Null: no data. */
  readonly sinceTicks: Ticks | null
}
