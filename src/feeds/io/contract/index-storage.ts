import type { Bytes, CssPx } from '../../../base/brand.ts'
import type { TickSpan, Ticks, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** Range of time and index whose storage is summed up; the card of an index batch shows it. */
export interface IndexStorageParams extends TimeRange {
  readonly source: SourceId
  /** Name that the server uses; the storage knows only the name of its folder. */
  readonly indexName: string
  /** Width of the picture: the response has at most one event a pixel and kind. */
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
  /** Slowest event of each pixel, ascending. */
  readonly marks: {
    readonly length: number
    readonly startTicks: Float64Array
    readonly durationTicks: Float64Array
  }
}

export interface IndexStorageResponse {
  /** Kinds that occurred, without those that never did; null: nothing is known of the storage of such an index. */
  readonly kinds: readonly IndexStorageKind[] | null
  /** First thing known of it: what was before is not known, and not none. Null: nothing is known. */
  readonly sinceTicks: Ticks | null
}
