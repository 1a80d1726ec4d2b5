import { TICKS_PER_SECOND, type Ticks, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import type { ComposedParams, ParamsToRead } from '../../capture/client/panels.ts'
import type { SourceId } from '../../capture/client/state.ts'

/**
 * Cause of a stall. `bytes`: the write is as long as its bytes take, by itself or behind a limit of its volume. `sync`,
 * `flush` and `neighbour`: it waited for a sync, a flush, or a large write of another environment, of its volume. `standstill`:
 * volumes that share nothing paused at once.
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

/** Bytes that a write alone, or a volume in all of its slow periods, has a second. */
export interface SteadyRate {
  readonly bytesPerSecond: number
  readonly of: 'write' | 'volume'
}

/** Rule for a stall: a journal write that takes at least `leastMs`, and `timesMedian` times its lane's median. */
export interface StallRule {
  readonly leastMs: number
  readonly timesMedian: number
}

export const DEFAULT_RULE: StallRule = { leastMs: 50, timesMedian: 4 }

/** Environments whose path contains the text are on the volume; the first that fits counts. */
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

/** Longest time from a pause to the server's report of its collection; the exact delay is not known. */
export const GC_LATE_TICKS = (18 * TICKS_PER_SECOND) as TickSpan
/** A database is seen loaded with a frame every 3 s, and loads for some seconds before. */
export const LOAD_TICKS = (10 * TICKS_PER_SECOND) as TickSpan

/**
 * `may-contribute`: stalls without a cause came with it more often than writes did, by more than chance. `always`: nearly
 * all writes came with it, so that there is nothing to compare with. `not-recorded`: it is not known when it was present.
 */
export type CircumstanceVerdict = 'may-contribute' | 'always' | 'no-evidence' | 'too-few' | 'not-recorded'

/** Judgement from the unexplained stalls within the time in which the circumstance was recorded. */
export interface CircumstanceJudgement {
  readonly circumstance: Circumstance
  readonly verdict: CircumstanceVerdict
  /** Episodes of stalls, close to each other, and those that began while it was present. */
  readonly episodes: number
  readonly episodesDuring: number
  /** Unexplained stalls that began while it was present. */
  readonly stalls: number
  /** Share of all writes that began while it was present, 0 to 1; NaN: there are none. */
  readonly writesShare: number
}

export interface StallsParams {
  readonly sources: readonly SourceId[]
  readonly rule: StallRule
  readonly volumes: readonly VolumeName[]
  readonly unknown: readonly UnknownTime[]
  /** Time of the stalls that the response counts, while all stalls are judged; null counts all. */
  readonly range: TimeRange | null
  /** Approximate limit of the journal writes, syncs and flushes that are judged; the newest are taken. */
  readonly most: number
}

/** Limits for a first response, and for a whole one. */
export const FEW_EVENTS = 200_000
export const MOST_EVENTS = 20_000_000

/** Storage environment by the names that the user sees. */
export interface EnvironmentName {
  readonly source: SourceId
  /** Name of the environment in I/O. */
  readonly label: string
  /** Path, as the server reports it. */
  readonly environment: string
}

/** Stalled event. Only journal writes that the server reported one by one have a cause. */
export interface StallRow extends EnvironmentName {
  readonly kind: string
  /** Start of the event; of a sum, the start of its period. */
  readonly startTicks: Ticks
  readonly durationMs: number
  /** Bytes written; NaN where they are not known. */
  readonly bytes: number
  readonly cause: StallCause
  /** Share of the signs of this cause that neither chance nor usual writes explain, 0 to 1. */
  readonly confidence: number
  /** Environment that caused the stall; null for the stalled one itself, or none. */
  readonly blamed: EnvironmentName | null
  /** `sum`: the longest of a sum, at a time that is not known. `other`: no journal write, so that no cause was looked for. */
  readonly of: 'write' | 'sum' | 'other'
  /** Text by which links to I/O select it; null where it is no single event. */
  readonly selection: string | null
}

/** Judgement of a cause over all environments; counts are of the range. */
export interface CauseJudgement {
  readonly cause: StallCause
  readonly verdict: CauseVerdict
  /** Stalls that it is the cause of, and all. */
  readonly stalls: number
  readonly allStalls: number
  /** Stalls that chance alone would give; null where the cause was not compared with chance. */
  readonly expected: number | null
  /** Writes that started while the cause was present, and those of them that stalled; null: it is not present for a time. */
  readonly exposed: number | null
  readonly exposedStalls: number | null
  /** Steady rates that were found, by whose bytes they count; most stalls first. */
  readonly rates: readonly RateJudgement[]
  /** Writes that started while it was present and did not stall; some of them. */
  readonly counterExamples: readonly WriteExample[]
}

/** Steady rate of stalls. `bytesPerSecond`: the median, and the middle half of the stalls. */
export interface RateJudgement {
  readonly of: SteadyRate['of']
  readonly stalls: number
  readonly bytesPerSecond: readonly [low: number, median: number, high: number]
}

/** A journal write of the capture. */
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
  /** Journal writes that stalled, reported one by one; sums whose longest one did; slow events of other kinds. */
  readonly total: number
  /** `total` without the range. */
  readonly totalOfAll: number
  readonly sums: number
  readonly others: number
  readonly judgements: readonly CauseJudgement[]
  readonly circumstances: readonly CircumstanceJudgement[]
  /** Single journal writes, and those that the server reported only as sums; null: how many is not known. */
  readonly writes: number
  readonly rolledUp: number | null
  /** Environments that are slow as a whole, so that few of their writes stall; most slow writes first. */
  readonly slow: readonly SlowStorage[]
  /** Whether all writes were judged, rather than only the newest. */
  readonly isComplete: boolean
  /** Environments of which no volume is known. */
  readonly unknownVolumes: number
  /** Volumes that the server reported, each with how many of the environments lie on it. */
  readonly reportedVolumes: readonly { readonly volume: string; readonly environments: number }[]
  /** Stall time of each environment, as a share of the time of which its writes are known, 0 to 1; largest first. */
  readonly lanes: readonly StalledLane[]
}

/** Environment of which many writes take `leastMs` and are no stalls, since most of the others take about as long. */
export interface SlowStorage extends EnvironmentName {
  /** Writes of the range, and those of them that take `leastMs` and are no stalls. */
  readonly writes: number
  readonly slow: number
  /** Median of the range. */
  readonly medianMs: number
  /** Longest of the quickest tenth of all its writes, in the range or not: what it can do. */
  readonly quickMs: number
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Most writes of its volume that ended within one second of the range. */
  readonly mostPerSecond: number
}

export interface StalledLane extends EnvironmentName {
  readonly stalls: number
  readonly stalledShare: number
}

export const STALL_LIMIT = 100_000

/** Parameters of the marks of stalls in lanes of I/O. */
export interface StallMarksParams {
  readonly sources: readonly SourceId[]
  /** Parameters of the panel Stalls in the view: its rule and its volumes. */
  readonly settings: ParamsToRead<'stalls'>
  /** Limit of the judged events: the newest `FEW_EVENTS` (false), or the newest `MOST_EVENTS` (true). */
  readonly isWhole: boolean
}

/** A journal write that stalled, where I/O draws it. */
export interface StallMark {
  /** `LaneId` of I/O. */
  readonly lane: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly cause: StallCause
  /** Name of the cause in Stalls. */
  readonly title: string
  /** Label in I/O of the environment that caused the stall; null for the stalled one itself, or none. */
  readonly blamed: string | null
  /** Text by which links to I/O and to Stalls select the write. */
  readonly selection: string
}

export interface StallCauseCount {
  readonly cause: StallCause
  /** Name of the cause in Stalls. */
  readonly title: string
  readonly stalls: number
}

export interface StallMarksResponse {
  readonly version: number
  /** The longest ones, at most `MARK_LIMIT`; ascending by start. */
  readonly marks: readonly StallMark[]
  /** Causes in the order of `STALL_CAUSES`, without those that no stall has. */
  readonly causes: readonly StallCauseCount[]
  /** Stalled journal writes that were reported one by one. */
  readonly total: number
  /** Whether all writes were judged, rather than only the newest. */
  readonly isComplete: boolean
}

/** Limit of the marks, all of which a drawn frame walks in its lanes. */
export const MARK_LIMIT = 5000

export interface StallsRequests {
  /** Finds the stalls of the sources' journal writes and judges what caused them. Long on much data; stops when aborted. */
  'stalls.judge': { params: StallsParams; response: StallsResponse }
  /** Finds the stalls for drawing: at most `MARK_LIMIT` of them. */
  'stalls.marks': { params: StallMarksParams; response: StallMarksResponse }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends StallsRequests {}
}
export interface StallsLinkParams extends ComposedParams {
  /** Least duration of a stall, ms. */
  readonly least: string
  /** Least duration in medians of the environment. */
  readonly times: string
  /** `part of a path = volume; …`. */
  readonly volumes: string
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    stalls: StallsLinkParams
  }
}
