import type { Bytes, CssPx } from '../../../base/brand.ts'
import type { TickSpan, Ticks, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

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
