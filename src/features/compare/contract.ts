import type { Bytes } from '../../base/brand.ts'
import type { EventTable } from '../../base/columns/event-table.ts'
import type { AtLoad } from '../../base/statistics/at-load.ts'
import type { Estimate } from '../../base/statistics/estimate.ts'
import type { FigureUnit } from '../../base/text/format-unit.ts'
import type { TickSpan, TimeRange } from '../../base/ticks.ts'
import type { RangeText } from '../../capture/client/param-text.ts'
import type { SourceId } from '../../capture/client/state.ts'

/** Feeds that can be compared. */
export const COMPARED_FEEDS = ['io', 'indexing', 'server'] as const
export type ComparedFeed = (typeof COMPARED_FEEDS)[number]

/** Quantiles that are estimated and tested. */
export const SHARES = [0.5, 0.9, 0.99] as const

/** Time in which nothing is known; `lane` and `kind` are null for all of the source. */
export interface UnknownSpan extends TimeRange {
  readonly source: SourceId
  readonly lane: string | null
  readonly kind: string | null
}

/** Least duration of journal writes that are kept one by one, ms; stalls are counted from them. */
export const SLOW_MS = 50
/** Limit of the slow writes that are kept of a line: its longest. */
export const MOST_SLOW = 1000

export interface SlowWrites {
  /** Number of all slow writes. */
  readonly count: number
  /** Starts since the start of the range, in the order of `durationTicks`. */
  readonly sinceTicks: readonly number[]
  /** The longest `MOST_SLOW`, descending. */
  readonly durationTicks: readonly number[]
}

/** Lines of one side that are estimated; those with fewer events are left out. */
export const LINE_LIMIT = 300

export interface CompareSideParams extends TimeRange {
  readonly feed: ComparedFeed
  readonly sources: readonly SourceId[]
  /**
   * Lane of the line: for I/O the id of an environment, for indexing the key of an index, for the server the key of a
   * series; null for all lines.
   */
  readonly lane: string | null
  readonly unknown: readonly UnknownSpan[]
}

/** Meaning of a higher value: work took longer, there was more of it, or more was used for it. */
export const LINE_ROLES = ['duration', 'load', 'use'] as const
export type LineRole = (typeof LINE_ROLES)[number]

interface ComparedLineOf {
  readonly source: SourceId
  readonly lane: string
  /** Path by which the line is recognised in another capture: for I/O the one below the data directory. */
  readonly path: string
  readonly name: string
  readonly kind: string
}

/** Events of one kind of one lane that start in the range, in one or more tables. Values are their durations. */
export interface LineEvents extends ComparedLineOf {
  readonly parts: readonly { readonly events: EventTable; readonly from: number; readonly to: number }[]
  /** Values are durations by this column, and rates are of its sum; rows where it is not above 0 are left out. Null: by none. */
  readonly per: number | null
  /** Sums that start in the range and hold events that were not seen one by one: they are in no figure. */
  readonly rollUps: number
}

/** Samples of a figure of the server, ascending. */
export interface LineSamples extends ComparedLineOf {
  readonly unit: FigureUnit
  readonly role: LineRole
  readonly startTicks: Float64Array
  /** Means of `counts` samples each; not negative. */
  readonly values: Float64Array
  readonly counts: Float64Array
  readonly max: number
  /** Length of the time that each value is the mean of. Values of other lengths are no quantiles of the same thing. */
  readonly sampleTicks: TickSpan
}

/** Lines of a feed, and from when to when each source is known at all. */
export interface FeedLines {
  readonly version: number
  readonly lines: readonly (LineEvents | LineSamples)[]
  readonly spans: ReadonlyMap<SourceId, TimeRange>
}

/** Figures of one line. */
export interface LineFigures {
  readonly path: string
  readonly name: string
  readonly kind: string
  readonly count: number
  readonly bytes: Bytes
  /** Length of the parts of the range in which events would be known. */
  readonly knownTicks: TickSpan
  readonly unit: FigureUnit
  readonly role: LineRole
  /** Events (or what durations are divided by) per second of known time; null: no time is known, or samples. */
  readonly rate: Estimate | null
  /** Mean of all samples; null for events. */
  readonly mean: Estimate | null
  /** Values at `SHARES`; null: there is none. */
  readonly quantiles: readonly Estimate[] | null
  /**
   * Figures at one load; null where it is not estimated, as for samples and for indexing, where a batch grows with its
   * work.
   */
  readonly atLoad: AtLoad | null
  /** Largest value; NaN without any. */
  readonly max: number
  /** Length of the time that each sample is the mean of; 0 for events. */
  readonly sampleTicks: TickSpan
  readonly rollUps: number
  /** Slow writes; left out where it is no line of journal writes, or an older version kept it. */
  readonly slow?: SlowWrites
}

/** Figures of a side of a comparison; small enough to keep. */
export interface SideFigures extends TimeRange {
  readonly feed: ComparedFeed
  /** Lines with most events first. */
  readonly lines: readonly LineFigures[]
  /** Lines with fewer events that are not listed. */
  readonly left: number
}

export interface CompareRequests {
  /**
   * Counts, rates and quantiles with intervals of each line in the range. O(events), in slices; stops when aborted. Nothing of
   * the sources: no lines.
   */
  'compare.side': { params: CompareSideParams; response: SideFigures & { readonly version: number } }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends CompareRequests {}
}
export interface CompareLinkParams {
  readonly of: Exclude<ComparedFeed, 'io'>
  /** Sources and range of a side: `formatSides`. */
  readonly before: RangeText
  readonly after: RangeText
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    compare: CompareLinkParams
  }
}
