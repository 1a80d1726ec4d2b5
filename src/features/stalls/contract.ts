import { TICKS_PER_SECOND, type Ticks, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import type { ComposedParams, ParamsToRead } from '../../capture/client/panels.ts'
import type { SourceId } from '../../capture/client/state.ts'

/**
 * Cause of a stall. `bytes`: the write takes as long as its bytes need, by itself or behind a limit of its volume.
 * `sync`, `flush` and `neighbour`: it waited for a sync, a flush, or a large write of another environment on its
 * volume. `standstill`: volumes that share nothing paused at the same time.
 */
export const STALL_CAUSES = ['bytes', 'sync', 'flush', 'neighbour', 'standstill', 'unexplained'] as const
export type StallCause = (typeof STALL_CAUSES)[number]

/**
 * Verdict on a cause. `explains`: at least half of the stalls. `contributes`: fewer. `no-evidence`: enough stalls were
 * compared. `too-few`: too few for a verdict.
 */
export type CauseVerdict = 'explains' | 'contributes' | 'no-evidence' | 'too-few'

/** Names of causes on screen. */
export const CAUSE_TITLES: Readonly<Record<StallCause, string>> = {
  bytes: 'Steady rate',
  sync: 'Data sync',
  flush: 'Data flush',
  neighbour: 'Large write of another storage',
  standstill: 'Standstill',
  unexplained: 'Unexplained',
}

/** Bytes per second of a single write, or of a volume in all of its slow periods. */
export interface SteadyRate {
  readonly bytesPerSecond: number
  readonly of: 'write' | 'volume'
}

/**
 * Rule for a stall: a journal write that takes at least `leastMs`, and at least `timesMedian` times its lane's median.
 */
export interface StallRule {
  readonly leastMs: number
  readonly timesMedian: number
}

export const DEFAULT_RULE: StallRule = { leastMs: 50, timesMedian: 4 }

/** Volume of the environments whose path contains the text. The first matching entry counts. */
export interface VolumeName {
  readonly pathContains: string
  readonly volume: string
}

/** Time in which nothing is known of a lane; `lane` is null for the whole source. */
export interface UnknownTime extends TimeRange {
  readonly source: SourceId
  readonly lane: string | null
}

/**
 * Circumstances that slow everything down without a mechanism that shows in single writes: only coincidence can be
 * reported.
 */
export const CIRCUMSTANCES = ['cpu', 'low-memory', 'gc', 'database-load'] as const
export type Circumstance = (typeof CIRCUMSTANCES)[number]

/** Maximum time from a pause to the server's report of its collection; the exact delay is not known. */
export const GC_LATE_TICKS = (18 * TICKS_PER_SECOND) as TickSpan
/**
 * Time before a database is seen as loaded in which it may have been loading: frames come every 3 s, and a load takes
 * some seconds.
 */
export const LOAD_TICKS = (10 * TICKS_PER_SECOND) as TickSpan

/**
 * Verdict on a circumstance. `may-contribute`: stalls without a cause coincided with it more often than writes did, by
 * more than chance. `always`: nearly all writes coincided with it, so there is nothing to compare with. `not-recorded`:
 * it is not known when it was present.
 */
export type CircumstanceVerdict = 'may-contribute' | 'always' | 'no-evidence' | 'too-few' | 'not-recorded'

/** Judgement of a circumstance, from the unexplained stalls within the time in which it was recorded. */
export interface CircumstanceJudgement {
  readonly circumstance: Circumstance
  readonly verdict: CircumstanceVerdict
  /** Number of episodes (stalls close to each other), and of those that began while the circumstance was present. */
  readonly episodes: number
  readonly episodesDuring: number
  /** Number of unexplained stalls that began while it was present. */
  readonly stalls: number
  /** Share of all writes that began while it was present, 0 to 1. NaN: there are no writes. */
  readonly writesShare: number
}

export interface StallsParams {
  readonly sources: readonly SourceId[]
  readonly rule: StallRule
  readonly volumes: readonly VolumeName[]
  readonly unknown: readonly UnknownTime[]
  /** Range whose stalls the response counts; all stalls are judged. Null: all are counted. */
  readonly range: TimeRange | null
  /** Approximate maximum number of journal writes, syncs and flushes that are judged; the newest are taken. */
  readonly most: number
}

/** Limits of `most` for a first response, and for a complete one. */
export const FEW_EVENTS = 200_000
export const MOST_EVENTS = 20_000_000

/** Storage environment with the names that the user sees. */
export interface EnvironmentName {
  readonly source: SourceId
  /** Name of the environment in the panel I/O. */
  readonly label: string
  /** Path as the server reports it. */
  readonly environment: string
}

/** Stalled event. Only journal writes that the server reported one by one have a cause. */
export interface StallRow extends EnvironmentName {
  readonly kind: string
  /** Start of the event; for a sum, the start of its period. */
  readonly startTicks: Ticks
  readonly durationMs: number
  /** Bytes written. NaN: not known. */
  readonly bytes: number
  readonly cause: StallCause
  /** Share of the evidence for this cause that neither chance nor usual writes explain, 0 to 1. */
  readonly confidence: number
  /** Environment that caused the stall. Null: the stalled one itself, or none. */
  readonly blamed: EnvironmentName | null
  /**
   * Kind of row. `sum`: the longest event of a sum, at an unknown time within it. `other`: not a journal write, so no
   * cause was looked for.
   */
  readonly of: 'write' | 'sum' | 'other'
  /** Text by which links to I/O select the event. Null: it is not a single event. */
  readonly selection: string | null
}

/** Judgement of a cause over all environments. Its counts refer to the range. */
export interface CauseJudgement {
  readonly cause: StallCause
  readonly verdict: CauseVerdict
  /** Number of stalls with this cause, and of all stalls. */
  readonly stalls: number
  readonly allStalls: number
  /** Number of stalls that chance alone would produce. Null: the cause was not compared with chance. */
  readonly expected: number | null
  /**
   * Number of writes that started while the cause was present, and of those that stalled. Null: the cause has no
   * duration.
   */
  readonly exposed: number | null
  readonly exposedStalls: number | null
  /** Steady rates that were found, one for each value of `of`; most stalls first. */
  readonly rates: readonly RateJudgement[]
  /** Some of the writes that started while the cause was present and did not stall. */
  readonly counterExamples: readonly WriteExample[]
}

/** Steady rate of stalls. `bytesPerSecond`: first quartile, median and third quartile over the stalls. */
export interface RateJudgement {
  readonly of: SteadyRate['of']
  readonly stalls: number
  readonly bytesPerSecond: readonly [low: number, median: number, high: number]
}

/** Journal write of the capture. */
export interface WriteExample extends EnvironmentName {
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly bytes: number
  readonly selection: string
}

export interface StallsResponse {
  readonly version: number
  /** Stalls longest first, at most `STALL_LIMIT`. */
  readonly stalls: readonly StallRow[]
  /**
   * Number of stalled events: journal writes that were reported one by one, sums whose longest write stalled, and slow
   * events of other kinds.
   */
  readonly total: number
  /** The same number for all time, not only the range. */
  readonly totalOfAll: number
  readonly sums: number
  readonly others: number
  readonly judgements: readonly CauseJudgement[]
  readonly circumstances: readonly CircumstanceJudgement[]
  /**
   * Number of single journal writes, and of those that the server reported only as sums. Null: the number is not known.
   */
  readonly writes: number
  readonly rolledUp: number | null
  /** Environments that are slow as a whole, so that few of their writes count as stalls; most slow writes first. */
  readonly slow: readonly SlowStorage[]
  /** Whether all writes were judged, not only the newest. */
  readonly isComplete: boolean
  /** Number of environments whose volume is not known. */
  readonly unknownVolumes: number
  /** Volumes that the server reported, each with the number of environments on it. */
  readonly reportedVolumes: readonly { readonly volume: string; readonly environments: number }[]
  /** Stall time of each environment as a share of the time for which its writes are known, 0 to 1; largest first. */
  readonly lanes: readonly StalledLane[]
}

/** Even pace at which a volume completes its writes, whatever their size, as behind a limit of operations. */
export interface WritePace {
  /** Time from one completed write to the next, ms. */
  readonly everyMs: number
  /** Duration that three of four writes after a rest do not exceed, ms. */
  readonly restedMs: number
  /** Sizes of small and large writes that have the pace, bytes. Null: all are about alike. */
  readonly sizes: readonly [small: number, large: number] | null
}

/** Environment with many writes that take `leastMs` but are not stalls, since most of its writes take about as long. */
export interface SlowStorage extends EnvironmentName {
  /**
   * Number of writes in the range, and of those that take `leastMs` but are not stalls; of shorter ones behind a pace,
   * those that waited for it. Behind a pace, both are of the newest part of the range, in which the pace was looked for
   * (up to 200,000 writes of the volume).
   */
  readonly writes: number
  readonly slow: number
  /** Pace of its volume. Null: none was found. */
  readonly pace: WritePace | null
  /** Median duration of these writes. */
  readonly medianMs: number
  /**
   * Longest duration among the quickest tenth of all its writes, in the range or not: what the environment is capable
   * of.
   */
  readonly quickMs: number
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Maximum number of writes of its volume that ended within one second of the range. */
  readonly mostPerSecond: number
}

export interface StalledLane extends EnvironmentName {
  readonly stalls: number
  readonly stalledShare: number
}

export const STALL_LIMIT = 100_000

/** Parameters for the marks of stalls in lanes of I/O. */
export interface StallMarksParams {
  readonly sources: readonly SourceId[]
  /** Parameters of the panel Stalls in the view: its rule and its volumes. */
  readonly settings: ParamsToRead<'stalls'>
  /** Which events are judged: the newest `FEW_EVENTS` (false), or the newest `MOST_EVENTS` (true). */
  readonly isWhole: boolean
}

/** Stalled journal write, for drawing in lanes of I/O. */
export interface StallMark {
  /** `LaneId` of the lane in I/O. */
  readonly lane: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly cause: StallCause
  /** Title of the cause, as in the panel Stalls. */
  readonly title: string
  /** Label in I/O of the environment that caused the stall. Null: the stalled one itself, or none. */
  readonly blamed: string | null
  /** Text by which links to I/O and to Stalls select the write. */
  readonly selection: string
}

export interface StallCauseCount {
  readonly cause: StallCause
  /** Title of the cause, as in the panel Stalls. */
  readonly title: string
  readonly stalls: number
}

export interface StallMarksResponse {
  readonly version: number
  /** The longest stalls, at most `MARK_LIMIT`; ascending by start. */
  readonly marks: readonly StallMark[]
  /** Causes with at least one stall, in the order of `STALL_CAUSES`. */
  readonly causes: readonly StallCauseCount[]
  /** Number of stalled journal writes that were reported one by one. */
  readonly total: number
  /** Whether all writes were judged, not only the newest. */
  readonly isComplete: boolean
}

/** Maximum number of marks. Drawing a frame visits all of them. */
export const MARK_LIMIT = 5000

/** Stalls of the watched server that began in the last ten minutes, by the newest judgement of Triage. */
export interface RecentStalls {
  /** Time of the judgement. */
  readonly atTicks: Ticks
  readonly byCause: Readonly<Record<StallCause, number>>
}

export interface StallsRequests {
  /** Reads the newest judgement of Triage, and makes none. Null: there is none. */
  'stalls.recent': { params: null; response: RecentStalls | null }
  /**
   * Finds the stalls among the sources' journal writes and judges their causes. Takes long on much data; can be
   * aborted.
   */
  'stalls.judge': { params: StallsParams; response: StallsResponse }
  /** Finds the stalls for drawing, at most `MARK_LIMIT`. */
  'stalls.marks': { params: StallMarksParams; response: StallMarksResponse }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends StallsRequests {}
}
export interface StallsLinkParams extends ComposedParams {
  /** Minimum duration of a stall, ms. */
  readonly least: string
  /** Minimum duration of a stall, as a multiple of its environment's median. */
  readonly times: string
  /** Volumes of environments: `part of a path = volume; …`. */
  readonly volumes: string
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    stalls: StallsLinkParams
  }
}
