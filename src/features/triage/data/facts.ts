import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { DatabaseAnswers, OwnAnswers } from '../../../ravendb/answers/answers.ts'
import type { Settings } from '../../../ravendb/answers/configuration.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { WritePace } from '../../stalls/contract.ts'
import type { TriageItem } from '../contract/findings.ts'
import type {
  ClockJump,
  ReplacedServer,
  ClusterResponse,
  DatabaseFailure,
  FailingWrites,
  FindingLink,
  KnownFailing,
  KnownWork,
  ListedState,
  RecentFigures,
  RunningQuery,
  ServerAlert,
  ServerNow,
  UnpolledDatabases,
} from '../../../feeds/server/contract.ts'

/**
 * Facts that the rules judge by: the newest figures, recent events, and facts from feeds of other features, if those
 * record.
 */
export interface TriageFacts {
  readonly now: ServerNow
  readonly nowTicks: Ticks
  readonly nowMs: number
  readonly recent: (key: string, spanMs: number) => RecentFigures
  /** States of databases by name, from the list of databases. */
  readonly states: ReadonlyMap<string, ListedState>
  /** Time at which that list was read. Null: never. */
  readonly statesTicks: Ticks | null
  readonly indexErrors: readonly {
    readonly database: string
    /** Number of indexes in error. Null: the database has not been seen loaded. */
    readonly erroredIndexes: number | null
    readonly indexingErrors: number
    /** Time of the last growth of the count. Null: it did not grow lately. */
    readonly grewTicks: Ticks | null
    /** Indexes with errors, as reported by the database itself. Empty: not known. */
    readonly failing: readonly KnownFailing[]
  }[]
  /** Number of indexes in error of a database. Null: not known. */
  readonly erroredIndexesOf: (database: string) => number | null
  readonly alerts: readonly ServerAlert[]
  /** Failures by database, of those that failed lately and have not been seen loaded since. */
  readonly failures: ReadonlyMap<string, DatabaseFailure>
  readonly jumps: readonly ClockJump[]
  /** Server that was at this address before, and the time of the first response of this one. Null: none was seen. */
  readonly replaced: (ReplacedServer & { readonly atTicks: Ticks }) | null
  /** Ranges of the last ten minutes in which the server was unresponsive on evidence and then continued; ascending. */
  readonly silences: readonly TimeRange[]
  readonly cluster: ClusterResponse
  readonly others: OtherFacts
  /** Queries that have been running for at least 5 s, longest first. Null: not known. */
  readonly queries: readonly RunningQuery[] | null
  /** Time at which `queries` was received. */
  readonly queriesTicks: Ticks | null
  /** Databases that other clients use. Null: these are not known yet. */
  readonly work: readonly KnownWork[] | null
  readonly unpolled: UnpolledDatabases | null
  /** Time, ms, between two turns, each of which polls a few of these databases. Null: the server is not watched. */
  readonly workEveryMs: number | null
  /** Databases to which writes failed in the last minute. Null: requests were not listened to. */
  readonly writes: readonly FailingWrites[] | null
  /** Responses of the server and its databases that were requested once. Null: not requested. */
  readonly answers: ServerAnswers | null
  /** Whether the figures that only panels of the server need are being collected. */
  readonly isDetailed: boolean
  /** Start of a finding, by the id of its item, from the log of earlier visits. Null: the log does not contain it. */
  readonly knownSince: (id: string) => { readonly ticks: Ticks; readonly isBound: boolean } | null
}

/** Responses of one moment, from a live server or a debug package. */
export interface ServerAnswers {
  readonly own: OwnAnswers
  readonly databases: readonly { readonly name: string; readonly answers: DatabaseAnswers }[]
  /** Settings of the server that are not at their default. Null: not known. */
  readonly settings: Settings['server'] | null
  /** Time of the responses: what was so then may have ended since. */
  readonly atTicks: Ticks
  /** Number of loaded databases that a check left out because there are too many; absent: none. */
  readonly unchecked?: number
  /** Set for a debug package. What it lacks of a database is unknown; a check leaves out databases that are not loaded. */
  readonly isPackage?: true
}

/** Write that held up others, from the I/O feed. */
export interface SlowWrite {
  readonly source: SourceId
  readonly environment: string
  /** Kind of I/O: `JournalWrite`, `DataFlush` or `DataSync`. */
  readonly kind: string
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  /** Whether it is a journal write that started during a sync of its environment and ended with it. */
  readonly endsWithSync: boolean
  /** Selection for links to the panel I/O. */
  readonly selection: string
}

/** Stalled journal writes of an environment in the last ten minutes, judged as in the panel Stalls. */
export interface HeldUpCommits {
  readonly source: SourceId
  /** Name of the environment in the I/O panel. */
  readonly environment: string
  readonly stalls: number
  /** Stall time as a share of the time for which its writes are known, 0 to 1. */
  readonly stalledShare: number
  readonly longestTicks: TickSpan
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Cause with the most evidence, if it is the cause of at least a fifth of the stalls; otherwise `unexplained`. */
  readonly cause: 'bytes' | 'sync' | 'flush' | 'neighbour' | 'standstill' | 'unexplained'
  readonly ofCause: number
}

/** Environment whose journal writes of the last ten minutes were slow as a whole, judged as in the panel Stalls. */
export interface SlowCommits {
  readonly source: SourceId
  /** Name of the environment in the I/O panel. */
  readonly environment: string
  readonly writes: number
  /** Number of writes that took at least `leastMs` without standing out; of shorter ones, that waited for the pace. */
  readonly slow: number
  readonly leastMs: number
  /** Even pace at which its volume completes writes, as behind a limit of operations. Null: none was found. */
  readonly pace: WritePace | null
  readonly medianMs: number
  /** Longest duration among the quickest tenth of all known writes. */
  readonly quickMs: number
  readonly sinceTicks: Ticks
  readonly untilTicks: Ticks
  /** Maximum number of writes of its volume that ended within one second. */
  readonly mostPerSecond: number
}

/** Index that does not work as it should, from the indexing feed. */
export interface IndexTrouble {
  readonly source: SourceId
  readonly index: string
  readonly trouble: 'stopped' | 'throttled' | 'behind'
  /** Whether it is in error or could not be opened; the server counts both among the indexes in error of its database. */
  readonly isErrored?: boolean
  /** Fact with its unit. */
  readonly detail: string
  readonly sinceTicks: Ticks | null
  /** Time up to which the trouble is known. */
  readonly atTicks: Ticks
}

/** Facts from feeds of other features, connected in `app/`. Null: that feed is not recording. */
export interface OtherFacts {
  /** Slow writes of the last ten minutes, slowest first. */
  readonly slowWrites: readonly SlowWrite[] | null
  readonly indexes: readonly IndexTrouble[] | null
  readonly heldUp: readonly HeldUpCommits[] | null
  readonly slowCommits: readonly SlowCommits[] | null
  /** Whether I/O is watched that has not arrived yet. */
  readonly isIoAwaited: boolean
  /** Databases at work whose I/O does not arrive. */
  readonly unwatched: readonly string[]
}

export const NO_OTHERS: OtherFacts = {
  slowWrites: null,
  indexes: null,
  heldUp: null,
  slowCommits: null,
  isIoAwaited: false,
  unwatched: [],
}

/** Finding of a rule. */
export interface Finding {
  /** Subject of the finding within its rule. Absent: the rule has only one finding. */
  readonly about?: string
  readonly level: TriageItem['level']
  /** Order among findings of a level: a larger one is worse. 0–1 by convention. */
  readonly weight: number
  readonly title: string
  /** Title after the finding has ended, if the title describes its progress. Absent: the title stays. */
  readonly past?: string
  readonly evidence: readonly string[]
  /** Start by the facts. Absent or null: the time at which it was first found. */
  readonly sinceTicks?: Ticks | null
  readonly held?: TriageItem['held']
  readonly link: FindingLink
  /** Indexes whose errors explain the finding. */
  readonly errorsOf?: TriageItem['errorsOf']
  readonly actsOn?: TriageItem['actsOn']
  /** Path of the debug package's entry that shows the finding. */
  readonly entry?: string
  /** Database of the finding, if `about` does not name it. */
  readonly database?: string
}

/** Reason why a rule cannot judge yet: its figures arrive by themselves, some seconds after they are requested. */
export interface Awaited {
  readonly awaited: string
}

/** Rule as the list of all rules shows it. */
export const listedRule = ({ rule, title, reason, when }: Pick<TriageRule, 'rule' | 'title' | 'reason' | 'when'>) => ({
  rule,
  title,
  reason: when === undefined ? reason : `${reason} ${when}`,
})

/** Rule as data: what it detects, why that matters, and the figures that decide. */
export interface TriageRule {
  readonly rule: string
  readonly title: string
  /** Reason why it is a problem, for a user who does not know this server; shown with each finding. */
  readonly reason: string
  /** Thresholds of the rule that the reason does not name; shown only with the rule. */
  readonly when?: string
  /** Set if findings quote the server, whose text explains the problem. The reason is then shown only with the rule. */
  readonly quotes?: true
  /** Reason why the rule cannot judge, now or ever. Null: it can. */
  readonly unknown: (facts: TriageFacts) => Awaited | string | null
  /**
   * History that the rule needs and history that is available, as text. Null: there is enough. Until then the rule
   * finds only what needs no history, and does not count as judged.
   */
  readonly history?: (facts: TriageFacts) => string | null
  /** Databases that the rule cannot judge although it can judge others, as text. Null: none. */
  readonly partly?: (facts: TriageFacts) => string | null
  /** How the rule samples, if it does not see all the time or all subjects. Null: it sees everything now. */
  readonly samples?: (facts: TriageFacts) => string | null
  readonly find: (facts: TriageFacts) => readonly Finding[]
}
