import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { ServerGc, ServerMemory, Volume } from './machine.ts'
import type { ServerWatch } from './watch.ts'

/** The newest figures; null: no data (yet). Each part has its own time. */
export interface ServerNow {
  readonly version: number
  readonly watch: ServerWatch
  /** Current time of the server's clock; null: not known. */
  readonly nowTicks: Ticks | null
  /** Time range of all stored figures, earlier visits included. */
  readonly extent: TimeRange | null
  /** End of the figures from the previous visit; null: there was none. */
  readonly lastVisitEndTicks: Ticks | null
  readonly server: {
    readonly serverId: string | null
    readonly nodeTag: string | null
    readonly version: string | null
    readonly os: string | null
    readonly startTicks: Ticks | null
    readonly upTimeMs: number | null
    /** Starts of the server, newest first, at most 100. `seen`: this page noticed the restart between two responses. */
    readonly restarts: readonly Restart[]
    readonly licence: { readonly type: string; readonly status: string; readonly expired: boolean } | null
  }
  readonly cpu: {
    readonly atTicks: Ticks
    /** Percent of the cores that the server may use, not of the machine. */
    readonly processPercent: number
    /** Percent of all cores of the machine. */
    readonly machinePercent: number
    /** Number of cores that the server sees: fewer than the machine has, where affinity or a quota withholds some. */
    readonly cores: number | null
    /** Number of them that it may use. */
    readonly usedCores: number | null
  } | null
  readonly memory: ServerMemory | null
  readonly gc: ServerGc | null
  readonly volumes: readonly Volume[]
  readonly traffic: {
    readonly atTicks: Ticks
    /** Completed requests, including those of this page and of debug routes. Null: not reported. */
    readonly requestsPerSecond: number | null
    /** Those of them that the pages of this browser sent: as many, if no other client may have sent one. Null: not known. */
    readonly oursPerSecond: number | null
    /**
     * Time over which they were counted, ms; null: the rate is three quarters of what the widget reports, up to 0.75
     * too high.
     */
    readonly countedOverMs: number | null
    /**
     * Mean duration of recent requests, smoothed by the server; keeps its value while there are no requests. Null: not
     * reported.
     */
    readonly averageMs: number | null
    /**
     * Rate of writes: three quarters of what the widget reports, up to 0.75 too high for each database and kind; null:
     * not reported.
     */
    readonly writesPerSecond: number | null
  } | null
  /** Indexing rates, as approximate as `writesPerSecond`. */
  readonly indexing: {
    readonly atTicks: Ticks
    readonly indexedPerSecond: number
    readonly mappedPerSecond: number
    readonly reducedPerSecond: number
  } | null
  /**
   * TCP figures of the whole machine, not only of this server. Only segments are reported, no bytes. Null: needs
   * Operator.
   */
  readonly network: {
    readonly atTicks: Ticks
    /** Rate between the last two responses; null: there was only one response. */
    readonly receivedSegmentsPerSecond: number | null
    readonly sentSegmentsPerSecond: number | null
    /** Segments sent again because they were lost, per second. */
    readonly resentSegmentsPerSecond: number | null
  } | null
  /** Credits of a burstable machine; null: the server knows of none, or not known. */
  readonly credits: CpuCredits | null
  /** Databases in which other clients write or index; null: the dashboard has not reported them yet. */
  readonly work: {
    /** Reports of these databases, those with the busiest merger first, at most 20. */
    readonly reported: readonly DatabaseAtWork[]
    /** Number of databases in which something is written or indexed now. */
    readonly working: number
    /** Number of these databases that have not been polled yet. */
    readonly unpolled: number
  } | null
  /** Low-memory events, newest first, at most 256. Null: needs Operator. */
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
  /** Time until the credits run out at the current rates, ms; null: they do not decrease. */
  readonly emptyInMs: number | null
  /** Number of credits below which the server pauses background work (indexing, …) until `backgroundReleaseAt`. */
  readonly backgroundThreshold: number
  readonly backgroundReleaseAt: number
  /**
   * Number of credits below which the server refuses requests or redirects them to other nodes, until
   * `failoverReleaseAt`.
   */
  readonly failoverThreshold: number
  readonly failoverReleaseAt: number
  /** Effects of low credits in the server, in words; empty: none. */
  readonly consequences: readonly string[]
}

/**
 * Report of a database at work. Idle databases are not polled, since a request would keep them loaded. Null: not
 * reported.
 */
export interface DatabaseAtWork {
  readonly database: string
  readonly atTicks: Ticks
  /** Number of indexes that are not up to date. */
  readonly staleIndexes: number | null
  /** Number of these indexes that are paused or disabled, without those in error. */
  readonly stoppedIndexes: number | null
  /** Documents and deletions that these indexes have not processed yet; counted once for each index. */
  readonly itemsLeft: number | null
  /** Number of writes that wait for the transaction merger. */
  readonly waiting: number | null
  /** Transactions of the last minute; null: not reported. */
  readonly merger: {
    /** Time that the figures cover, ms. */
    readonly spanMs: number
    /** Number of transactions; 0: none in this time. */
    readonly transactions: number
    /** Number of writes that were merged into these transactions. */
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
