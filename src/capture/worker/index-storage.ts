import type { Bytes, CssPx, Ticks, TickSpan } from '../../base/brand.ts'
import type { TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../client/state.ts'

/*
 * A question of one panel that the feed of another answers: what the storage of an index did during a range of time. Both
 * sides import this file and neither imports the other.
 */

/** Name of the question, for `CaptureClient.ask` and for the feed that answers it. */
export const INDEX_STORAGE = 'io.ofIndex'

/** Parameter of the view with which the I/O panel shows only lanes of that name. */
export const FIND_STORAGE = 'io.find'

export interface IndexStorageAsk extends TimeRange {
  readonly source: SourceId
  /** As the server calls it; the storage knows only the name of its folder. */
  readonly indexName: string
  /** In how much detail the events are wanted: at most one a pixel and kind. */
  readonly widthPx: CssPx
}

/** Events of one kind that start in the range. */
export interface IndexStorageKind {
  /** `JournalWrite`, `DataFlush`, `DataSync`, `Compression`, or what else the server said. */
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

export interface IndexStorageAnswer {
  /** Null: nothing is known of the storage of such an index. A kind that never occurred is not listed. */
  readonly kinds: readonly IndexStorageKind[] | null
  /** First thing known of it: what was before is not known, and not none. Null: nothing is known. */
  readonly sinceTicks: Ticks | null
}
