import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { ServerGc, ServerMemory, Volume } from './machine.ts'
import type { ServerWatch } from './watch.ts'

/** The newest figures; `null` where nothing arrived (yet). Each part has the moment it is of. */
export interface ServerNow {
  readonly version: number
  readonly watch: ServerWatch
  /** The server's clock now, as far as known. */
  readonly nowTicks: Ticks | null
  /** Range of everything kept, earlier visits included. */
  readonly extent: TimeRange | null
  /** End of what was seen in the visit before this one; null: there was none. */
  readonly lastVisitEndTicks: Ticks | null
  readonly server: {
    readonly serverId: string | null
    readonly nodeTag: string | null
    readonly version: string | null
    readonly os: string | null
    readonly startTicks: Ticks | null
    readonly upTimeMs: number | null
    /** Starts of the server that were noticed, newest first, at most 100; `seen`: by this page, between two responses. */
    readonly restarts: readonly Restart[]
    readonly licence: { readonly type: string; readonly status: string; readonly expired: boolean } | null
  }
  readonly cpu: {
    readonly atTicks: Ticks
    readonly processPercent: number
    readonly machinePercent: number
    readonly cores: number | null
  } | null
  readonly memory: ServerMemory | null
  readonly gc: ServerGc | null
  readonly volumes: readonly Volume[]
  readonly traffic: {
    readonly atTicks: Ticks
    /** Requests that ended, those of this page and of debug routes included. Null: not reported. */
    readonly requestsPerSecond: number | null
    /** Time over which they were counted, ms; null: three quarters of what the widget reports, up to 0.75 too high. */
    readonly countedOverMs: number | null
    /** The server's smoothed mean of recent requests, which it keeps while there are none. Null: not reported. */
    readonly averageMs: number | null
    /** Three quarters of what the widget reports, up to 0.75 too high for each database and kind; null: not reported. */
    readonly writesPerSecond: number | null
  } | null
  /** Indexing rates, as approximate as `writesPerSecond`. */
  readonly indexing: {
    readonly atTicks: Ticks
    readonly indexedPerSecond: number
    readonly mappedPerSecond: number
    readonly reducedPerSecond: number
  } | null
  /** TCP of the whole machine, not only of this server; bytes are not reported, only segments. Null: needs Operator. */
  readonly network: {
    readonly atTicks: Ticks
    /** Rate between the last two responses; null: there was only one. */
    readonly receivedSegmentsPerSecond: number | null
    readonly sentSegmentsPerSecond: number | null
    /** Sent again because they were lost, a second. */
    readonly resentSegmentsPerSecond: number | null
  } | null
  /** Credits of a burstable machine; null: it is none as far as the server knows, or not known. */
  readonly credits: CpuCredits | null
  /** Databases in which other clients write or index; null: the dashboard has not reported them yet. */
  readonly work: {
    /** Reports of these databases, those first whose merger is busiest, at most 20. */
    readonly reported: readonly DatabaseAtWork[]
    /** Databases in which something is written or indexed now. */
    readonly working: number
    /** Databases among those that have not been polled yet. */
    readonly unasked: number
  } | null
  /** Newest first, at most 256. Null: needs Operator. */
  readonly lowMemory: readonly LowMemoryEvent[] | null
  readonly databases: {
    readonly total: number
    readonly online: number
    readonly disabled: number
    readonly offline: number
    readonly indexes: number
    readonly alerts: number
  } | null
}

export interface Restart {
  readonly startTicks: Ticks
  readonly seen: boolean
}

export interface CpuCredits {
  readonly atTicks: Ticks
  readonly remaining: number
  readonly max: number
  readonly gainedPerSecond: number
  readonly usedPerSecond: number
  /** At this rate; null: not falling. */
  readonly emptyInMs: number | null
  /** Below it the server pauses background work (indexing, …) until `backgroundReleaseAt`. */
  readonly backgroundThreshold: number
  readonly backgroundReleaseAt: number
  /** Below it the server refuses requests or hands them to other nodes, until `failoverReleaseAt`. */
  readonly failoverThreshold: number
  readonly failoverReleaseAt: number
  /** Consequences in the server, in words; empty: none. */
  readonly consequences: readonly string[]
}

/** Report of a database at work. Idle ones are not polled: that would keep them loaded. Null: not reported. */
export interface DatabaseAtWork {
  readonly database: string
  readonly atTicks: Ticks
  /** Indexes that are not up to date. */
  readonly staleIndexes: number | null
  /** Paused or disabled indexes among these, those in error apart. */
  readonly stoppedIndexes: number | null
  /** Documents and deletions that these have not seen yet; counted once for each index. */
  readonly itemsLeft: number | null
  /** Writes that wait for the transaction merger. */
  readonly waiting: number | null
  /** Transactions of the last minute; null: not reported. */
  readonly merger: {
    /** Time that the figures cover, ms. */
    readonly spanMs: number
    /** 0: none in this time. */
    readonly transactions: number
    /** Writes that were merged into them. */
    readonly operations: number
    readonly busyMs: number
    readonly longestMs: number
  } | null
}

export interface LowMemoryEvent {
  readonly atTicks: Ticks
  /** Name of the event in the server's words: `LowMemHandler`, `BackToNormal`, … */
  readonly event: string
  readonly isLow: boolean
  readonly isSimulated: boolean
  readonly freeBytes: Bytes | null
}
