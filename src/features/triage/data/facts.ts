import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { DatabaseAnswers, OwnAnswers } from '../../../ravendb/answers/answers.ts'
import type { Settings } from '../../../ravendb/answers/configuration.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { TriageItem } from '../contract/findings.ts'
import type {
  ClockJump,
  ClusterResponse,
  DatabaseFailure,
  FindingLink,
  KnownFailing,
  KnownWork,
  ListedState,
  RecentFigures,
  RunningQuery,
  ServerAlert,
  ServerNow,
  UnaskedDatabases,
} from '../../../feeds/server/contract.ts'

/**
 * Facts that the rules judge by: the newest figures, what was lately, and what other feeds know where they are
 * recorded.
 */
export interface TriageFacts {
  readonly now: ServerNow
  readonly nowTicks: Ticks
  readonly nowMs: number
  readonly recent: (key: string, spanMs: number) => RecentFigures
  /** States by name, from the list of databases. */
  readonly states: ReadonlyMap<string, ListedState>
  /** When that list was read; null: it never was. */
  readonly statesTicks: Ticks | null
  readonly indexErrors: readonly {
    readonly database: string
    /** Indexes in error; null: it was not seen loaded. */
    readonly erroredIndexes: number | null
    readonly indexingErrors: number
    /** When the count grew last, if lately. */
    readonly grewTicks: Ticks | null
    /** Indexes that have errors, as the database itself reported; empty: not known. */
    readonly failing: readonly KnownFailing[]
  }[]
  readonly alerts: readonly ServerAlert[]
  /** Failures by database: those that failed lately, and were not seen loaded since. */
  readonly failures: ReadonlyMap<string, DatabaseFailure>
  readonly jumps: readonly ClockJump[]
  /** Ranges of the last ten minutes, ascending, in which the server was unresponsive, by evidence, and went on. */
  readonly silences: readonly TimeRange[]
  readonly cluster: ClusterResponse
  readonly others: OtherFacts
  /** Queries that have run for 5 s and more, longest first; null: not known. */
  readonly queries: readonly RunningQuery[] | null
  /** Time of `queries`. */
  readonly queriesTicks: Ticks | null
  /** Databases that other clients use; null: not known yet which these are. */
  readonly work: readonly KnownWork[] | null
  readonly unasked: UnaskedDatabases | null
  /** Responses of the server and its databases, requested once; null: not requested. */
  readonly answers: ServerAnswers | null
  /** Figures that only panels of the server need are collected now. */
  readonly isDetailed: boolean
  /** Since when a finding (by its item's id) holds as far as the log of earlier visits knows; null: it knows nothing of it. */
  readonly knownSince: (id: string) => { readonly ticks: Ticks; readonly isBound: boolean } | null
}

/** Responses of one moment: of a live server or in a debug package. */
export interface ServerAnswers {
  readonly own: OwnAnswers
  readonly databases: readonly { readonly name: string; readonly answers: DatabaseAnswers }[]
  /** Settings of the server that are not at their default; null: not known. */
  readonly settings: Settings['server'] | null
}

/** A write that held others up, as the I/O feed saw it. */
export interface SlowWrite {
  readonly source: SourceId
  readonly environment: string
  /** `JournalWrite`, `DataFlush`, `DataSync`. */
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  /** A journal write that started during a sync of its environment and ended with it. */
  readonly endsWithSync: boolean
  /** Selection as the I/O panel names it in its links. */
  readonly selection: string
}

/** Stalled journal writes of an environment in the last ten minutes, as the panel Stalls judges them. */
export interface HeldUpCommits {
  readonly source: SourceId
  /** Name of the environment in the I/O panel. */
  readonly environment: string
  readonly stalls: number
  /** Share of the time of which its writes are known, 0 to 1. */
  readonly stalledShare: number
  readonly longestTicks: TickSpan
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Cause with the most evidence: that of a fifth of them or more; `unexplained` where no cause has so many. */
  readonly cause: 'bytes' | 'sync' | 'flush' | 'neighbour' | 'standstill' | 'unexplained'
  readonly ofCause: number
}

/** An environment whose journal writes of the last ten minutes were slow as a whole, as the panel Stalls judges them. */
export interface SlowCommits {
  readonly source: SourceId
  /** Name of the environment in the I/O panel. */
  readonly environment: string
  readonly writes: number
  /** Writes that took `leastMs` or more and do not stand out. */
  readonly slow: number
  readonly leastMs: number
  readonly medianMs: number
  /** Longest of the quickest tenth of all that was seen. */
  readonly quickMs: number
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Most writes of its volume that ended within one second. */
  readonly mostPerSecond: number
}

/** An index that does not do what it should, as the indexing feed saw it. */
export interface IndexTrouble {
  readonly source: SourceId
  readonly index: string
  readonly trouble: 'stopped' | 'throttled' | 'behind'
  /** Fact with its unit. */
  readonly detail: string
  readonly sinceTicks: Ticks | null
  /** Time up to which it is known. */
  readonly atTicks: Ticks
}

/** Facts from feeds of other features, wired up in `app/`. Null: that feed records nothing now. */
export interface OtherFacts {
  /** Slow writes of the last ten minutes, slowest first. */
  readonly slowWrites: readonly SlowWrite[] | null
  readonly indexes: readonly IndexTrouble[] | null
  readonly heldUp: readonly HeldUpCommits[] | null
  readonly slowCommits: readonly SlowCommits[] | null
}

export const NO_OTHERS: OtherFacts = { slowWrites: null, indexes: null, heldUp: null, slowCommits: null }

/** Result of a rule. */
export interface Finding {
  /** Subject within the rule; absent: there can be only one. */
  readonly about?: string
  readonly level: TriageItem['level']
  /** Orders findings of a level: larger is worse. 0–1 by convention. */
  readonly weight: number
  readonly title: string
  /** The text when it is over, where the title shows progress; absent: the title. */
  readonly past?: string
  readonly evidence: readonly string[]
  /** Start by the facts; absent or null: since it was first found. */
  readonly sinceTicks?: Ticks | null
  readonly held?: TriageItem['held']
  readonly link: FindingLink
  /** Indexes whose errors say what is wrong. */
  readonly errorsOf?: TriageItem['errorsOf']
  readonly actsOn?: TriageItem['actsOn']
  /** Path of the entry that shows the finding, in a debug package. */
  readonly entry?: string
  /** The database that it is about, where `about` does not say it. */
  readonly database?: string
}

/** Why a rule cannot be judged yet: its figures arrive by themselves, some seconds after they are wanted. */
export interface Awaited {
  readonly awaited: string
}

/** A rule as data: what it looks for, why that matters, and the figures that decide. */
export interface TriageRule {
  readonly rule: string
  readonly title: string
  /** Why it is a problem, for a user who does not know this server; shown with each finding. */
  readonly reason: string
  /** Thresholds of the rule, where the reason does not name them; shown with the rule only. */
  readonly when?: string
  /**
   * Present where findings quote the server, which names the problem itself: the reason is shown with the rule only.
   */
  readonly quotes?: true
  /** Why it cannot be judged, for now or as things are; null: it can. */
  readonly unknown: (facts: TriageFacts) => Awaited | string | null
  /** History that the rule needs, and has; null: enough. Until then it finds only what needs none, and does not count as judged. */
  readonly history?: (facts: TriageFacts) => string | null
  /** Databases that the rule cannot be judged for although it is for the others; null: none. */
  readonly partly?: (facts: TriageFacts) => string | null
  /** How it samples, where it does not see all the time or everything; null: it does now. */
  readonly samples?: (facts: TriageFacts) => string | null
  readonly find: (facts: TriageFacts) => readonly Finding[]
}
