import type { Bytes } from '../../base/brand.ts'
import type { FigureUnit } from '../../base/text/format-unit.ts'
import type { Ticks, TickSpan, TimeRange } from '../../base/ticks.ts'
import type { LinkParams, PanelId } from '../../capture/client/panels.ts'
import type { ListText } from '../../capture/client/param-text.ts'
import type { ErrorInfo, GapReason } from '../../capture/client/state.ts'

export type ServerView = 'machine' | 'cluster' | 'alerts' | 'overhead'

export interface ServerLinkParams {
  readonly view: Exclude<ServerView, 'machine'>
  /** Groups of charts that are closed; `-`: none. */
  readonly closed: ListText | '-'
  readonly table: 'on'
  /** What of the view is meant: the label of a card, the id of an alert, a node. */
  readonly show: string
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    triage: NoLinkParams
    server: ServerLinkParams
  }
}

/**
 * What the triage and server panels (and the databases panel, for what the list does not know) may ask.
 *
 * Everything here is collected at the server's level: nothing of it loads a database or keeps one loaded.
 * Collecting continues for 30 s after a `server.want`, so a panel that is shown sends one every 10 s, and asks
 * `server.now` and `server.triage` about once a second (both are small). `version` grows with each change.
 *
 * Units are in the names; `Share` is 0–1 unless the name says `Percent`. Null: not known. NaN in arrays: not known.
 * Moments are the server's clock (`Ticks`).
 */
export interface ServerRequests extends ServerLaterRequests {
  'server.want': { params: null; response: ServerWatch }
  /** Keeps collecting on, whether a panel is shown or not, until it is switched off. */
  'server.record': { params: { readonly on: boolean }; response: ServerWatch }
  'server.now': { params: null; response: ServerNow }
  'server.series': { params: ServerSeriesParams; response: ServerSeriesResponse }
  'server.alerts': { params: null; response: { readonly version: number; readonly alerts: readonly ServerAlert[] } }
  'server.databases': { params: ServerDatabasesParams; response: ServerDatabasesResponse }
  'server.cluster': { params: null; response: ClusterResponse }
}

/** What the first picture does not need: its handlers are loaded later. */
export interface ServerLaterRequests {
  /**
   * What costs more and is asked for an open card only, then part of `server.now`: the low-memory limit that is set, at most
   * once an hour, and with `files` which pages of the process are clean, at most once a minute. True: `files` can be had.
   */
  'server.memory': { params: { readonly files: boolean }; response: { readonly canFiles: boolean } }
  'server.triage': { params: null; response: Triage }
  /** What limited the server over time, of what was measured. */
  'server.bottlenecks': { params: BottlenecksParams; response: BottlenecksResponse }
  /** Operations of databases in which others write, with their pace, as far as they were collected. */
  'server.operations': { params: TimeRange; response: OperationsOverTime }
  /** How many findings there are, and the title of the worst; for every panel. */
  'server.badge': {
    params: null
    response: { readonly critical: number; readonly warning: number; readonly worst: string | null }
  }
  /** What the server does now and what happened lately, of what arrived anyway: nothing is asked for it. */
  'server.activity': { params: null; response: ServerActivity }
  /** Queries that run now, of all loaded databases, and long ones that are over. */
  'server.queries': { params: null; response: RunningQueriesResponse }
  /** `start`: listens to every request for ten seconds, if it does not already. Only for a click. */
  'server.latency': { params: { readonly start: boolean }; response: LatencyResponse }
}

/** How the collecting goes. */
export interface ServerWatch {
  /** `off`: not requested lately. `follower`: another tab of this browser collects and passes data on. */
  readonly role: 'off' | 'leader' | 'follower'
  readonly recording: boolean
  /** Of the dashboard's socket; null while off and for a follower. One sentence; empty: nothing to say. */
  readonly phase: string | null
  readonly message: string
  readonly retryAtMs: number | null
  /** Wall clock of this browser, ms, of the newest sample, of either role. */
  readonly lastReceivedMs: number | null
  /** The server does not answer now, by evidence (`ravendb/budget/witness.ts`). Wall clock of this browser, ms. */
  readonly unresponsive: { readonly fromMs: number; readonly askedMs: number; readonly isRefused: boolean } | null
  /** What could not be had, each once: missing rights, what this version does not offer, licence limits. */
  readonly lacking: readonly Lacking[]
  /** Whether what is seen is kept for the next visit (IndexedDB), and why not. */
  readonly kept: { readonly works: boolean; readonly message: string; readonly savedMs: number | null }
}

/** `what` of the server's own alerts, which it leaves out without refusing. */
export const SERVER_ALERTS = 'alerts of the server'

export interface Lacking {
  readonly kind: 'right' | 'version' | 'licence' | 'error'
  /** Which figures are not there, in words: `alerts of the server`, `low-memory events`. */
  readonly what: string
  readonly endpoint: string
  /** One sentence with what would be needed. */
  readonly message: string
  readonly error: ErrorInfo | null
}

/** The newest figures; `null` where nothing arrived (yet). Each part has the moment it is of. */
export interface ServerNow {
  readonly version: number
  readonly watch: ServerWatch
  /** The server's clock now, as far as known. */
  readonly nowTicks: Ticks | null
  /** Of everything kept, earlier visits included. */
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
    /** Over how long they were counted, ms; null: three quarters of what the widget reports, up to 0.75 too high. */
    readonly countedOverMs: number | null
    /** The server's smoothed mean of recent requests, which it keeps while there are none. Null: not reported. */
    readonly averageMs: number | null
    /** Three quarters of what the widget reports, up to 0.75 too high for each database and kind; null: not reported. */
    readonly writesPerSecond: number | null
  } | null
  /** As approximate as `writesPerSecond`. */
  readonly indexing: {
    readonly atTicks: Ticks
    readonly indexedPerSecond: number
    readonly mappedPerSecond: number
    readonly reducedPerSecond: number
  } | null
  /** TCP of the whole machine, not only of this server; bytes are not reported, only segments. Null: needs Operator. */
  readonly network: {
    readonly atTicks: Ticks
    /** Between the last two responses; null: there was only one. */
    readonly receivedSegmentsPerSecond: number | null
    readonly sentSegmentsPerSecond: number | null
    /** Sent again because they were lost, a second. */
    readonly resentSegmentsPerSecond: number | null
  } | null
  /** Null: not a burstable machine as far as the server knows, or not known. */
  readonly credits: CpuCredits | null
  /** Of databases in which others write or index; null: the dashboard has not reported them yet. */
  readonly work: {
    /** Their own reports, those first whose merger is busiest, at most 20. */
    readonly reported: readonly DatabaseAtWork[]
    /** Databases in which something is written or indexed now, … */
    readonly working: number
    /** … and those of them that were not asked yet. */
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

export interface ServerMemory {
  readonly atTicks: Ticks
  /** Who measured the machine: the Linux kernel, whose figures the server passes on, or the server itself (up to 20 s older). */
  readonly source: 'kernel' | 'server'
  /**
   * Why it is not the kernel; null: it is.
   * - `right`: its figures need Operator
   * - `system`: the server does not pass any on, as on Windows
   * - `confined`: the server may use less than the machine has, as in a container, and the kernel reports its host
   */
  readonly whyServer: 'right' | 'system' | 'confined' | null
  readonly physicalBytes: Bytes
  /** Holds nothing at all. Lies inside available. */
  readonly freeBytes: Bytes
  /** What a program can get: free, and caches that the system can drop. An estimate of the system. */
  readonly availableBytes: Bytes
  /** Pages of files that are not on disk yet, of the whole machine; null: not reported. */
  readonly unwrittenBytes: Bytes | null
  /** All pages of the process that are in memory, pages of files included. */
  readonly residentBytes: Bytes
  /** Of the process; null: not reported. */
  readonly swapBytes: Bytes | null
  /** Resident memory by kind; null: only the kernel knows. */
  readonly process: {
    readonly anonymousBytes: Bytes
    readonly sharedBytes: Bytes
    readonly fileBytes: Bytes
  } | null
  /** Null: not asked for, or not known. */
  readonly files: FilePages | null
  /** What the server counts of itself, which explains only a part of its private memory; null: not asked for. */
  readonly own: {
    readonly managedBytes: Bytes
    readonly unmanagedBytes: Bytes
    /** Scratch buffers in use: address space, not resident memory. */
    readonly scratchBytes: Bytes
  } | null
  /** `None`, `Low`, `ExtremelyLow`, or what the server reported. */
  readonly severity: string
  /** Whose judgement that is: the server's, its log's newest event, or that of the limit. */
  readonly severityFrom: 'server' | 'log' | 'limit'
  /** Below so much available memory the server counts memory as low. */
  readonly lowLimit: { readonly bytes: Bytes; readonly from: 'configured' | 'default' | 'log' | 'assumed' }
}

/** Resident pages of files by whether they are on disk as well; of another moment than the rest. */
export interface FilePages {
  readonly atTicks: Ticks
  readonly cleanBytes: Bytes
  /** To be written first. Private memory is not among it. */
  readonly dirtyBytes: Bytes
}

export interface ServerGc {
  readonly atTicks: Ticks
  /** Number of the newest collection in the one sequence over all kinds, since the server started; 0: none. */
  readonly index: number
  /** Collections a minute, of all kinds together; null: not watched for a minute yet. */
  readonly perMinute: number | null
  /** The newest collection of all; null: none. */
  readonly newest: GcKind | null
  /** Since the start of the server, %, as of the newest collection. */
  readonly pauseTimePercent: number
  /** Share of the last minute in pauses, 0–1, of those collections that were seen: at least this. Null: not known yet. */
  readonly recentPauseShare: number | null
  /** Of the newest collection when it was asked for; null: needs Operator. */
  readonly detail: {
    readonly atTicks: Ticks
    /** What the process pays for the managed heap, used or not. */
    readonly committedBytes: Bytes
    /** 0 after most minor collections: not a level. */
    readonly pinnedObjects: number
  } | null
  /** The newest collection of each kind. */
  readonly kinds: readonly GcKind[]
}

export interface GcKind {
  readonly kind: 'Ephemeral' | 'Background' | 'FullBlocking'
  /** Its number in the one sequence over all kinds, never a count of the kind; 0: none of this kind yet. */
  readonly index: number
  /** Sum of its pauses. */
  readonly pauseMs: number
  /** Free gaps included. */
  readonly heapAfterBytes: Bytes
  /** All five, whatever was collected. */
  readonly heaps: readonly {
    readonly heap: 'gen0' | 'gen1' | 'gen2' | 'loh' | 'poh'
    /** Free gaps (`fragmentedAfterBytes`) included. */
    readonly afterBytes: Bytes
    readonly fragmentedAfterBytes: Bytes
  }[]
}

export interface Volume {
  readonly mount: string
  readonly label: string | null
  readonly totalBytes: Bytes
  readonly freeBytes: Bytes
  readonly ravenBytes: Bytes
  readonly ravenTempBytes: Bytes
  /** As the server sees it. */
  readonly isLow: boolean
  /** At the rate of the last hour (at least 10 minutes seen), ms until full; null: not growing, or not known. */
  readonly fullInMs: number | null
  /** Bytes a second that free space shrinks by, over the last hour; negative: it grows. Null: not known. */
  readonly shrinksBytesPerSecond: number | null
  readonly io: {
    readonly readsPerSecond: number
    readonly writesPerSecond: number
    readonly readBytesPerSecond: number
    readonly writeBytesPerSecond: number
    readonly queueLength: number | null
  } | null
  /** Databases that the server's list places here, by size, at most 50; `<System>` is the server's own storage. */
  readonly environments: readonly { readonly database: string; readonly bytes: Bytes; readonly tempBytes: Bytes }[]
  /** How many more there are. */
  readonly moreEnvironments: number
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
  /** What it does because of it, in words; empty: nothing. */
  readonly consequences: readonly string[]
}

/**
 * What a database at work says of itself. Idle ones are not asked: that would keep them loaded. Null: not reported.
 */
export interface DatabaseAtWork {
  readonly database: string
  readonly atTicks: Ticks
  /** Indexes that are not up to date. */
  readonly staleIndexes: number | null
  /** Of these, paused or disabled by a user. */
  readonly stoppedIndexes: number | null
  /** What these have not seen yet, of documents and deletions; counted once for each index. */
  readonly itemsLeft: number | null
  /** Writes that wait for the transaction merger. */
  readonly waiting: number | null
  /** Of the last minute; null: not reported. */
  readonly merger: {
    /** What the figures are of, ms. */
    readonly spanMs: number
    /** 0: none in this time. */
    readonly transactions: number
    /** Writes that were merged into them. */
    readonly operations: number
    readonly busyMs: number
    readonly longestMs: number
  } | null
}

/** How long single requests took, of the sample that was taken last. */
export interface LatencyResponse {
  readonly phase: 'none' | 'running' | 'done' | 'failed'
  /** Why it failed or ended early; empty: nothing to say. */
  readonly message: string
  /** When it began, by this browser's clock. */
  readonly atMs: number | null
  readonly requests: number
  /** By kind of request, most first. */
  readonly rows: readonly LatencyRow[]
}

export interface LatencyRow {
  /** As the server calls it: `Queries`, `BulkDocs`, `Documents`, …; `None`: all else. */
  readonly type: string
  readonly requests: number
  /** Answered with a status of 400 and more. */
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}

export interface LowMemoryEvent {
  readonly atTicks: Ticks
  /** As the server calls it: `LowMemHandler`, `BackToNormal`, … */
  readonly event: string
  readonly isLow: boolean
  readonly isSimulated: boolean
  readonly freeBytes: Bytes | null
}

/**
 * Names of series, with units. Those of a volume end in its mount point: `volume.free|/data`.
 * `server.series` with no keys shows which there are.
 */
export type SeriesKey = string

export interface SeriesInfo {
  readonly key: SeriesKey
  /** `Process CPU`, for a legend. */
  readonly label: string
  readonly unit: Exclude<FigureUnit, 'ticks'>
  /** `cpu`, `memory`, `gc`, `traffic`, `writes`, `indexing`, `merger`, `network`, `credits`, `volume`. */
  readonly group: string
  /** Collected on every panel; the others only while a panel of the server is open. */
  readonly isVital: boolean
  /** How often the server reports it, ms. */
  readonly everyMs: number
  /** Of the volume; null for the others. */
  readonly mount: string | null
}

/** Keys that do not depend on the machine. Volume keys: `volume.free|…`, `.reads|`, `.writes|`, `.readBytes|`, `.writeBytes|`, `.queue|`. */
export type FixedSeriesKey =
  | 'cpu.process'
  | 'cpu.machine'
  | 'memory.resident'
  | 'memory.private'
  | 'memory.managed'
  | 'memory.unmanaged'
  | 'memory.scratch'
  | 'memory.available'
  | 'memory.free'
  | 'memory.unwritten'
  | 'memory.swap'
  | 'gc.perMinute'
  | 'gc.pausePercent'
  | 'gc.pauseMs'
  | 'gc.heap'
  | 'gc.gen0'
  | 'gc.gen1'
  | 'gc.gen2'
  | 'gc.loh'
  | 'gc.poh'
  | 'gc.fragmented'
  | 'traffic.requests'
  | 'traffic.averageMs'
  | 'traffic.concurrent'
  | 'writes.rate'
  | 'writes.byteRate'
  | 'indexing.indexedRate'
  | 'indexing.mappedRate'
  | 'indexing.reducedRate'
  | 'merger.waits'
  | 'merger.transactions'
  | 'merger.commits'
  | 'merger.writers'
  | 'network.received'
  | 'network.sent'
  | 'network.resent'
  | 'network.connections'
  | 'credits.remaining'
  | 'credits.used'
  | 'credits.gained'

export interface ServerSeriesParams extends TimeRange {
  /** At most 64; none: only `available` is answered. */
  readonly keys: readonly SeriesKey[]
  /** Buckets at most for each key, about the width in CSS pixels, 1–4000. Rows of gaps come on top. */
  readonly maxPoints: number
}

export interface ServerSeriesResponse {
  readonly available: readonly SeriesInfo[]
  /** In the order of the keys; an unknown key has no rows. */
  readonly series: readonly SeriesRows[]
  /** Spans of which nothing is known inside the range, with the reason; ascending. */
  readonly gaps: readonly ServerGap[]
}

/**
 * Buckets of one series in columns, ascending. Buckets without a sample between two samples of the ordinary beat are
 * left out; where something is really missing there is one row with NaN values and count 0, so that a line drawn
 * through the rows breaks there by itself.
 */
export interface SeriesRows {
  readonly key: SeriesKey
  /** Width of each bucket. */
  readonly bucketTicks: TickSpan
  /** Which tier it is read from: how long a bucket was when it was kept, s. */
  readonly tierSeconds: number
  readonly length: number
  readonly startTicks: Float64Array
  readonly mean: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  /** Samples in it. */
  readonly count: Float64Array
}

export interface ServerGap extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
  /** Only of figures beside the vital signs, which are known. */
  readonly isOfDetails?: boolean
}

/** One sentence, and the worst findings now. `calm`: none is critical or a warning, and there are figures. */
export interface Triage {
  readonly version: number
  readonly calm: boolean
  /** Anything was measured by which the server can be called well. */
  readonly hasFigures: boolean
  readonly sentence: string
  /** What limits the server now, and since when; null: no data yet. */
  readonly bottleneck: Bottleneck | null
  /** Worst first, at most 5. */
  readonly items: readonly TriageItem[]
  /** What more there is, worst first, at most 100. */
  readonly more: readonly TriageItem[]
  /** What the rules could not see: for want of a right, because nothing arrived yet, or between samples. */
  readonly unknown: readonly {
    readonly rule: string
    readonly title: string
    readonly why: string
    /** It is judged of some, and not of others. */
    readonly isPartly: boolean
    /** It is judged by samples, and may miss what lies between; `why` says how it samples. */
    readonly isSampled: boolean
  }[]
  /** Every rule with its reason, for the page that explains the judgement. */
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

/** What limits the server: `client`: it waits for input. `none`: measured, and nothing is at its limit. */
export type BottleneckLabel = 'throttled' | 'memory' | 'disk' | 'cpu' | 'merger' | 'client' | 'none' | 'unknown'

/** A stretch of time with one label. Sentences are facts with their units, ready to be shown as text. */
export interface Bottleneck extends TimeRange {
  readonly label: BottleneckLabel
  /** `Disk`. */
  readonly title: string
  /** What shows it; of `unknown`: what was not measured. */
  readonly evidence: readonly string[]
  /** What else was at its limit in a part of this time. */
  readonly competing: readonly string[]
  /** What was measured and not at its limit. */
  readonly others: readonly string[]
}

export interface BottlenecksParams extends TimeRange {
  /** Labels at most, 1–1000: longer ranges are judged in longer steps. */
  readonly most: number
}

export interface BottlenecksResponse {
  /** Ascending; nothing before the first figure. */
  readonly intervals: readonly Bottleneck[]
  /** By which it is judged, in the order in which they win. */
  readonly rules: readonly { readonly title: string; readonly reason: string }[]
}

/** A stretch of an operation with one pace. Sentences are facts with their units, ready to be shown as text. */
export interface OperationSpan extends TimeRange {
  /** Of a bulk insert, what took most of the time; `running`: no one thing did, or it is not reported. `unknown`: not read since. */
  readonly label: 'client' | 'merger' | 'disk' | 'running' | 'unknown'
  /** `Bulk insert 1,200 /s`. */
  readonly title: string
  readonly evidence: readonly string[]
}

export interface OperationsOverTime {
  /** No two spans of a row overlap; ascending. */
  readonly rows: readonly (readonly OperationSpan[])[]
  /** How many there are in this time, and how many of them have no row. */
  readonly summary: string
}

export interface TriageItem {
  /** Rule and what it is about: stable while the thing lasts. */
  readonly id: string
  readonly rule: string
  /** `critical`: users are affected or data is at risk. `warning`: will be, or performance suffers. */
  readonly level: 'critical' | 'warning' | 'info'
  /** One plain sentence. */
  readonly title: string
  /** The text when it is over; absent: the title. */
  readonly past?: string
  /** Why this is a problem at all: the rule's reason; null: the server's own words say it. */
  readonly reason: string | null
  /** Facts with their units, ready to be shown as text. */
  readonly evidence: readonly string[]
  /** When it began; `sinceIsBound`: at the latest, because it was so already when looking began. */
  readonly sinceTicks: Ticks | null
  readonly sinceIsBound: boolean
  readonly link: TriageLink
  /** Indexes whose errors say what is wrong; none named: all of the database. Absent: no index errors. */
  readonly errorsOf?: { readonly database: string; readonly indexes: readonly string[] } | undefined
  /** What can be acted on; absent: nothing that there is an action for. */
  readonly actsOn?: ActsOn | undefined
}

export interface ActsOn {
  readonly kind: 'index' | 'query' | 'database'
  readonly database: string
  /** As actions name their targets; none of a database itself. No index named: all of the database that are affected. */
  readonly names: readonly string[]
}

/** The panel that shows more, and what it should show. `range` null: as it is now. */
export interface TriageLink {
  readonly panel: PanelId
  readonly params: LinkParams
  /** Source ids to be chosen; empty: as it is. */
  readonly sources: readonly string[]
  readonly range: TimeRange | null
  /** What is to be pinned, in the form of that panel; absent: as it is. */
  readonly selection?: string
}

/** A query that was running when the server reported it. */
export interface RunningQuery {
  readonly database: string
  /** `collection/…` where none of the indexes answers it. */
  readonly index: string
  /** Of the server's own number within the database; with it the same query is known again. */
  readonly id: number
  /** At most 20,000 characters. */
  readonly query: string
  readonly startTicks: Ticks | null
  readonly runningMs: number
  /** An export or a subscription of a reader: it may take long by its nature. */
  readonly isStreaming: boolean
  /** It was asked to wait until the index has caught up. */
  readonly waitsForIndex: boolean
  /** First result and most results that it asked for; null: not reported, or no limit. */
  readonly start: number | null
  readonly pageSize: number | null
}

/** A query that does not run any more, as it was reported last. */
export interface EndedQuery extends RunningQuery {
  readonly lastTicks: Ticks
}

export interface RunningQueriesResponse {
  /** When they were reported; null: never. */
  readonly atTicks: Ticks | null
  /** Of the node that this page talks to: they run there. */
  readonly nodeTag: string | null
  /** Longest first, at most 50; null: not known now. */
  readonly running: readonly RunningQuery[] | null
  /** Ran for 5 s and more, newest first, at most 50. */
  readonly ended: readonly EndedQuery[]
}

/** Of what the dashboard reported, and what was seen of the server in this visit and those before. */
export interface ServerActivity {
  /** Loaded databases with any activity, busiest first, at most 5. Null: not reported yet. */
  readonly busiest: readonly BusyDatabase[] | null
  /** How many more there are. */
  readonly moreBusy: number
  /** Frames of databases come only this often, ms; null: every few seconds. */
  readonly slowedToMs: number | null
  /** What is over by now, of the last day, newest first, at most 50. */
  readonly happened: readonly Happening[]
  /** Watched from then on, without a noteworthy break; null: nothing was received. */
  readonly watchedSinceTicks: Ticks | null
}

/** Null: not reported. */
export interface BusyDatabase {
  readonly name: string
  readonly requestsPerSecond: number | null
  readonly writesPerSecond: number | null
  /** Entries indexed, mapped and reduced. */
  readonly indexingPerSecond: number | null
  /** As of `DatabaseRates`. */
  readonly countedOverMs: number | null
}

export interface Happening {
  readonly id: string
  /** As of what needed a user; null: what is ordinary. */
  readonly level: TriageItem['level'] | null
  /** The last time: from its begin to when it was seen last; equal for what takes no time. */
  readonly startTicks: Ticks
  readonly endTicks: Ticks
  /** It was so already when looking began. */
  readonly startIsBound: boolean
  /** How often, of which the first began at `firstTicks`. */
  readonly times: number
  readonly firstTicks: Ticks
  /** One plain sentence. */
  readonly text: string
  readonly link: TriageLink | null
}

/** Newest first, at most 500. As the server words them: text, never markup. */
export interface ServerAlert {
  readonly id: string
  readonly createdTicks: Ticks | null
  /** `AlertRaised`, `PerformanceHint`, … */
  readonly type: string
  /** The kind: `Reason` on 7.1, `AlertType` before; null: not reported. */
  readonly kind: string | null
  /** `Info`, `Success`, `Warning`, `Error`, or what the server reported. */
  readonly severity: string
  readonly title: string
  readonly message: string | null
  readonly database: string | null
  /** The beginning of the .NET exception behind it; null: none. */
  readonly exception: string | null
}

export interface ServerDatabasesParams {
  readonly offset: number
  /** 1–500. */
  readonly limit: number
}

export interface ServerDatabasesResponse {
  readonly total: number
  /** By name. */
  readonly rows: readonly ServerDatabaseRow[]
  /** How old the states in `rows` are (`online`, `disabled`), ms; null: not reported. */
  readonly statesAgeMs: number | null
  /** Of the server's idle sweep; null: needs Operator. */
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
}

/** A database by what the server's own feeds report, without a request to it. Null: not reported. */
export interface DatabaseRates {
  readonly requestsPerSecond: number | null
  readonly writesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
  readonly indexedPerSecond: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  /**
   * Over how long these were counted, ms: of databases at work, which are asked. Null: three quarters of what the widgets
   * report, of the last four seconds; up to 0.75 too high, for they are rounded up.
   */
  readonly countedOverMs: number | null
}

export interface ServerDatabaseRow extends DatabaseRates {
  readonly name: string
  readonly online: boolean
  readonly disabled: boolean
  readonly irrelevant: boolean
  readonly documents: number | null
  readonly indexes: number | null
  readonly erroredIndexes: number | null
  readonly indexingErrors: number | null
  readonly alerts: number | null
  /** Performance hints. */
  readonly hints: number | null
  readonly sizeBytes: Bytes | null
  readonly tempBytes: Bytes | null
  /** Free on the fullest volume that it lies on; null: not reported. */
  readonly volumeFreeBytes: Bytes | null
  /** The server's smoothed mean, which keeps its value while there are no requests. */
  readonly averageMs: number | null
  readonly idle: DatabaseIdle | null
  /** Null: nothing is written or indexed in it, so it is not asked; or its turn did not come yet. */
  readonly work: DatabaseAtWork | null
  /** The server raised that it is damaged, and it is not loaded since; null: no such report. */
  readonly failure: { readonly atTicks: Ticks; readonly message: string } | null
  /** What was seen of its state, newest first, at most 20: loaded, unloaded, disabled, enabled, deleted, created. */
  readonly changes: readonly { readonly atTicks: Ticks; readonly change: DatabaseChange }[]
}

export type DatabaseChange = 'loaded' | 'unloaded' | 'disabled' | 'enabled' | 'created' | 'deleted'

/** When the server will unload it, and what prevents it. Needs Operator. */
export interface DatabaseIdle {
  readonly isLoaded: boolean
  /** The next sweep unloads it. */
  readonly unloadsAtNextSweep: boolean
  /** When it was loaded or first used. */
  readonly loadedTicks: Ticks | null
  /** Since `lastWorkTicks`; negative while that lies in the future. */
  readonly idleForMs: number | null
  /** Ms from now until it may be unloaded, if nothing works in it meanwhile; null: something prevents it, or not known. */
  readonly unloadsInMs: number | null
  /** What prevents it, in words, other than that the time is not over; empty: nothing. */
  readonly blockers: readonly string[]
}

export interface ClusterResponse {
  /** Null: not known yet. Before the first database a server is of no cluster: tag `?`. */
  readonly leader: string | null
  readonly term: number | null
  readonly ownTag: string | null
  readonly lastChange: string | null
  readonly nodes: readonly ClusterNode[]
}

export interface ClusterNode {
  readonly tag: string
  readonly url: string
  readonly isOwn: boolean
  /** In the topology. */
  readonly type: 'Member' | 'Promotable' | 'Watcher' | 'unknown'
  /** `Leader`, `Follower`, `Candidate`, `Passive`, or what the server reported; null: not reported. */
  readonly state: string | null
  readonly serverVersion: string | null
  readonly os: string | null
  readonly startTicks: Ticks | null
  readonly cores: number | null
  readonly memoryBytes: Bytes | null
  /** What the leader says of the way to it; null: not reported (only leaders report it). */
  readonly connected: boolean | null
  readonly connectionError: string | null
  /** Whether its own figures arrive, through the server this page talks to. */
  readonly figures: 'arriving' | 'connecting' | 'unreachable'
  /** Why not, and which right or setting would allow it; empty: nothing to say. */
  readonly message: string
  readonly cpuProcessPercent: number | null
  readonly cpuMachinePercent: number | null
  readonly residentBytes: Bytes | null
  readonly availableBytes: Bytes | null
  readonly requestsPerSecond: number | null
  readonly receivedTicks: Ticks | null
}

declare module '../../capture/client/requests.ts' {
  interface WorkerRequests extends ServerRequests {}
}
