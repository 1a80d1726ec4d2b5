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

/** Time without data; `lane` and `kind` are null for the whole source. */
export interface UnknownSpan extends TimeRange {
  readonly source: SourceId
  readonly lane: string | null
  readonly kind: string | null
}

/** Minimum duration of journal writes that are kept one by one, ms, from which stalls are counted. */
export const SLOW_MS = 50
/** Maximum number of slow writes kept of a line: its longest. */
export const MOST_SLOW = 1000

export interface SlowWrites {
  /** Number of all slow writes. */
  readonly count: number
  /** Starts since the start of the range, in the order of `durationTicks`. */
  readonly sinceTicks: readonly number[]
  /** The longest `MOST_SLOW`, descending. */
  readonly durationTicks: readonly number[]
}

/** Maximum number of lines of one side; those with fewer events are left out. */
export const LINE_LIMIT = 300

export interface CompareSideParams extends TimeRange {
  readonly feed: ComparedFeed
  readonly sources: readonly SourceId[]
  /**
   * Lane of the line: for I/O the id of an environment, for indexing the key of an index, for the server the key of a
   * series; null for all lines together.
   */
  readonly lane: string | null
  readonly unknown: readonly UnknownSpan[]
}

/** Meaning of a line's values: `duration` of work, amount of `load`, or `use` of a resource. */
export const LINE_ROLES = ['duration', 'load', 'use'] as const
export type LineRole = (typeof LINE_ROLES)[number]

interface ComparedLineOf {
  readonly source: SourceId
  readonly lane: string
  /** Path by which the line is found in another capture: for I/O the one below the data directory. */
  readonly path: string
  readonly name: string
  readonly kind: string
}

/** Events of one kind and lane that start in the range, from one or more tables. Values are their durations. */
export interface LineEvents extends ComparedLineOf {
  readonly parts: readonly { readonly events: EventTable; readonly from: number; readonly to: number }[]
  /**
   * Column by which durations are divided, and whose sum is the rate; rows where it is not above 0 are left out. Null:
   * none.
   */
  readonly per: number | null
  /** Number of roll-ups that start in the range; their events were not seen one by one and are in no figure. */
  readonly rollUps: number
}

/** Samples of a figure of the server, ascending. */
export interface LineSamples extends ComparedLineOf {
  readonly unit: FigureUnit
  readonly role: LineRole
  readonly startTicks: Float64Array
  /** Means of `counts` samples each; never negative. */
  readonly values: Float64Array
  readonly counts: Float64Array
  readonly max: number
  /** Length of time that each value averages. Values with different lengths cannot form a quantile. */
  readonly sampleTicks: TickSpan
}

/** Lines of a feed, and the range of data of each source. */
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
  /** Length of the covered parts of the range. */
  readonly knownTicks: TickSpan
  readonly unit: FigureUnit
  readonly role: LineRole
  /** Events (or what durations are divided by) per second of covered time; null: no covered time, or samples. */
  readonly rate: Estimate | null
  /** Mean of all samples; null for events. */
  readonly mean: Estimate | null
  /** Values at `SHARES`; null: none. */
  readonly quantiles: readonly Estimate[] | null
  /** Figures at equal load; null: not estimated, as for samples and for indexing, where a batch grows with its work. */
  readonly atLoad: AtLoad | null
  /** Largest value; NaN: none. */
  readonly max: number
  /** Length of time that each sample averages; 0 for events. */
  readonly sampleTicks: TickSpan
  readonly rollUps: number
  /** Slow writes; left out for other lines than journal writes, and for runs of an older version. */
  readonly slow?: SlowWrites
}

/** Figures of one side; small enough to store. */
export interface SideFigures extends TimeRange {
  readonly feed: ComparedFeed
  /** Lines with most events first. */
  readonly lines: readonly LineFigures[]
  /** Number of lines with fewer events that are not listed. */
  readonly left: number
}

export interface CompareRequests {
  /**
   * Counts, rates and quantiles with intervals for each line in the range. O(events), in slices; stops when aborted. No
   * lines if the sources have no data.
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
