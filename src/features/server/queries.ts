import type { Bytes, Ticks, TickSpan } from '../../base/brand.ts'
import type { TimeRange } from '../../base/ticks.ts'
import type { ErrorInfo, GapReason } from '../../capture/state.ts'

/**
 * What the triage and server panels (and the databases panel, for what the list does not know) may ask.
 *
 * Everything here is collected at the server's level: nothing of it loads a database or keeps one loaded.
 * Collecting goes on for 30 s after a `server.want`, so a panel that is shown sends one every 10 s, and asks
 * `server.now` and `server.triage` about once a second (both are small). `version` grows with each change.
 *
 * Units are in the names; `Share` is 0–1 unless `Percent` is said. Null: not known. NaN in arrays: not known.
 * Moments are the server's clock (`Ticks`).
 */
export interface ServerQueries {
  'server.want': { ask: null; answer: ServerWatch }
  /** Keeps collecting on, whether a panel is shown or not, until it is switched off. */
  'server.record': { ask: { readonly on: boolean }; answer: ServerWatch }
  'server.now': { ask: null; answer: ServerNow }
  'server.series': { ask: ServerSeriesAsk; answer: ServerSeriesAnswer }
  'server.triage': { ask: null; answer: Triage }
  /** What the server does now and what happened lately, of what arrived anyway: nothing is asked for it. */
  'server.activity': { ask: null; answer: ServerActivity }
  'server.alerts': { ask: null; answer: { readonly version: number; readonly alerts: readonly ServerAlert[] } }
  'server.databases': { ask: ServerDatabasesAsk; answer: ServerDatabasesAnswer }
  'server.cluster': { ask: null; answer: ClusterAnswer }
  /** `start`: listens to every request for ten seconds, if it does not already. Only for a click. */
  'server.latency': { ask: { readonly start: boolean }; answer: LatencyAnswer }
  /** Null leaves it as it is. Share of one core, 0.0005–0.2; what is outside is clipped. */
  'governor.promise': {
    ask: { readonly shareOfCore: number | null }
    answer: { readonly shareOfCore: number; readonly defaultShareOfCore: number }
  }
}

/** How the collecting goes. */
export interface ServerWatch {
  /** `off`: nobody wanted it lately. `follower`: another tab of this browser collects, and tells this one. */
  readonly role: 'off' | 'leader' | 'follower'
  readonly recording: boolean
  readonly wantedUntilMs: number | null
  /** Of the dashboard's socket; null while off and for a follower. One sentence; empty: nothing to say. */
  readonly phase: string | null
  readonly message: string
  readonly retryAtMs: number | null
  /** Wall clock of this browser, ms, of the newest sample, of either role. */
  readonly lastHeardMs: number | null
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
    /** Starts of the server that were noticed, newest first, at most 100; `seen`: by this page, between two answers. */
    readonly restarts: readonly Restart[]
    readonly licence: { readonly type: string; readonly status: string; readonly expired: boolean } | null
  }
  readonly cpu: {
    readonly atTicks: Ticks
    readonly processPercent: number
    readonly machinePercent: number
    /** Of the machine, without this server: machine − process, at least 0. */
    readonly otherPercent: number
    readonly utilizedCores: number | null
    readonly cores: number | null
  } | null
  readonly memory: ServerMemory | null
  readonly gc: ServerGc | null
  readonly volumes: readonly Volume[]
  readonly traffic: {
    readonly atTicks: Ticks
    readonly requestsPerSecond: number
    /** A mean of the server's own, of its recent requests; its spread is not told. Null: this version does not tell. */
    readonly averageMs: number | null
    readonly writesPerSecond: number
    readonly writeBytesPerSecond: number
    /** Requests being answered right now (ours among them); null: needs Operator. */
    readonly concurrentRequests: number | null
    readonly requestsSinceStart: number | null
  } | null
  readonly indexing: {
    readonly atTicks: Ticks
    readonly indexedPerSecond: number
    readonly mappedPerSecond: number
    readonly reducedPerSecond: number
  } | null
  /** TCP of the whole machine, not only of this server; bytes are not told, only segments. Null: needs Operator. */
  readonly network: {
    readonly atTicks: Ticks
    /** Between the last two answers; null: there was only one. */
    readonly receivedSegmentsPerSecond: number | null
    readonly sentSegmentsPerSecond: number | null
    /** Sent again because they were lost, a second. */
    readonly resentSegmentsPerSecond: number | null
    readonly connections: number | null
  } | null
  /** Null: not a burstable machine as far as the server is told, or not known. */
  readonly credits: CpuCredits | null
  /** Of databases in which others write or index; null: the dashboard has not told yet where that is. */
  readonly work: {
    /** What they told of themselves, those first whose merger is busiest, at most 20. */
    readonly told: readonly DatabaseAtWork[]
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
    readonly documents: number
    readonly indexes: number
    readonly erroredIndexes: number
    readonly indexingErrors: number
    readonly alerts: number
  } | null
}

export interface Restart {
  readonly startTicks: Ticks
  readonly seen: boolean
}

export interface ServerMemory {
  readonly atTicks: Ticks
  readonly physicalBytes: Bytes
  /** Resident memory of the process: everything below that is in memory, mapped pages included. */
  readonly workingSetBytes: Bytes
  readonly managedBytes: Bytes
  readonly unmanagedBytes: Bytes
  readonly encryptionBytes: Bytes
  readonly luceneBytes: Bytes
  readonly mappedBytes: Bytes
  /** Changed and not yet written: of the whole process. */
  readonly dirtyBytes: Bytes
  readonly availableBytes: Bytes
  /** Available, with what the system could give back. */
  readonly availableForProcessingBytes: Bytes
  readonly swapBytes: Bytes
  readonly commitLimitBytes: Bytes
  /** `None`, `Low`, `ExtremelyLow`, or what the server said. */
  readonly severity: string
  /** Below this much available the server counts memory as low (its log tells it), null: not told. */
  readonly lowThresholdText: string | null
}

export interface ServerGc {
  readonly atTicks: Ticks
  /** Since the start of the server, %. */
  readonly pauseTimePercent: number
  /** Share of time in pauses between the last two collections seen, 0–1; null: fewer than two. */
  readonly recentPauseShare: number | null
  readonly kinds: readonly GcKind[]
}

export interface GcKind {
  readonly kind: 'Ephemeral' | 'Background' | 'FullBlocking'
  /** Number of the collection since start; 0: none of this kind yet. */
  readonly index: number
  readonly generation: number
  readonly compacted: boolean
  readonly concurrent: boolean
  /** Sum of its pauses. */
  readonly pauseMs: number
  readonly heapAfterBytes: Bytes
  readonly heaps: readonly {
    readonly heap: 'gen0' | 'gen1' | 'gen2' | 'loh' | 'poh'
    readonly beforeBytes: Bytes
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
  readonly base: number
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
 * What a database at work says of itself. Idle ones are not asked: that would keep them loaded. Null: it does not tell.
 */
export interface DatabaseAtWork {
  readonly database: string
  readonly atTicks: Ticks
  /** Indexes that are not up to date. */
  readonly staleIndexes: number | null
  /** What these have not seen yet, of documents and deletions; counted once for each index. */
  readonly itemsLeft: number | null
  /** Writes that wait for the transaction merger. */
  readonly waiting: number | null
  /** Of the last minute; null: not told. */
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
export interface LatencyAnswer {
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
  readonly commitBytes: Bytes | null
  readonly unmanagedBytes: Bytes | null
  readonly dirtyScratchBytes: Bytes | null
}

/**
 * Names of series, with units. Those of a volume end in its mount point: `volume.free|/data`.
 * `server.series` with no keys tells which there are.
 */
export type SeriesKey = string

export interface SeriesInfo {
  readonly key: SeriesKey
  /** `Process CPU`, for a legend. */
  readonly label: string
  /** `perSecond` is a count a second. `credits` have no unit. */
  readonly unit: 'percent' | 'bytes' | 'bytesPerSecond' | 'perSecond' | 'ms' | 'count' | 'credits'
  /** `cpu`, `memory`, `gc`, `traffic`, `writes`, `indexing`, `network`, `credits`, `volume`. */
  readonly group: string
  /** How often the server tells it, ms. */
  readonly everyMs: number
  /** Of the volume; null for the others. */
  readonly mount: string | null
}

/** Keys that do not depend on the machine. Volume keys: `volume.free|…`, `.reads|`, `.writes|`, `.readBytes|`, `.writeBytes|`, `.queue|`. */
export type FixedSeriesKey =
  | 'cpu.process'
  | 'cpu.machine'
  | 'memory.workingSet'
  | 'memory.managed'
  | 'memory.unmanaged'
  | 'memory.mapped'
  | 'memory.dirty'
  | 'memory.available'
  | 'memory.availableForProcessing'
  | 'memory.swap'
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
  | 'writes.count'
  | 'writes.bytes'
  | 'indexing.indexed'
  | 'indexing.mapped'
  | 'indexing.reduced'
  | 'network.received'
  | 'network.sent'
  | 'network.resent'
  | 'network.connections'
  | 'credits.remaining'
  | 'credits.used'
  | 'credits.gained'

export interface ServerSeriesAsk extends TimeRange {
  /** At most 64; none: only `available` is answered. */
  readonly keys: readonly SeriesKey[]
  /** Buckets at most for each key, about the width in CSS pixels, 1–4000. Rows of gaps come on top. */
  readonly maxPoints: number
}

export interface ServerSeriesAnswer {
  readonly version: number
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
}

/** One sentence, and the worst things now. `calm`: nothing needs anybody. */
export interface Triage {
  readonly version: number
  readonly calm: boolean
  readonly sentence: string
  /** Worst first, at most 5. */
  readonly items: readonly TriageItem[]
  /** What more there is, worst first, at most 100. */
  readonly more: readonly TriageItem[]
  /** Rules that could not be judged, for want of a right or because nothing arrived yet; each once. */
  readonly unknown: readonly {
    readonly rule: string
    readonly title: string
    readonly why: string
    /** It is judged of some, and not of others. */
    readonly isPartly: boolean
  }[]
  /** Every rule with its reason, for the page that explains the judgement. */
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

export interface TriageItem {
  /** Rule and what it is about: stable while the thing lasts. */
  readonly id: string
  readonly rule: string
  /** `harm`: something fails or stands still. `danger`: it soon will. `notice`: worth knowing. */
  readonly level: 'harm' | 'danger' | 'notice'
  /** One plain sentence. */
  readonly title: string
  /** What is said of it when it is over; absent: the title. */
  readonly past?: string
  /** Why this is a problem at all: the rule's reason; null: the server's own words say it. */
  readonly reason: string | null
  /** Facts with their units, ready to be shown as text. */
  readonly evidence: readonly string[]
  /** When it began; `sinceIsBound`: at the latest, because it was so already when looking began. */
  readonly sinceTicks: Ticks | null
  readonly sinceIsBound: boolean
  readonly link: TriageLink
}

/** The panel that shows more, and what it should show. `range` null: as it is. */
export interface TriageLink {
  readonly panel: string
  readonly params: Readonly<Record<string, string>>
  /** Source ids to be chosen; empty: as it is. */
  readonly sources: readonly string[]
  readonly range: TimeRange | null
}

/** Of what the dashboard told, and what was seen of the server in this visit and those before. */
export interface ServerActivity {
  readonly version: number
  /** Loaded databases in which anything goes on, busiest first, at most 5. Null: not told yet. */
  readonly busiest: readonly BusyDatabase[] | null
  /** How many more there are. */
  readonly moreBusy: number
  /** Frames of databases come only this often, ms; null: every few seconds. */
  readonly slowedToMs: number | null
  /** What is over by now, of the last day, newest first, at most 50. */
  readonly happened: readonly Happening[]
  /** Watched from then on, without a break that is worth the name; null: nothing was heard. */
  readonly watchedSinceTicks: Ticks | null
}

/** Null: not told. */
export interface BusyDatabase {
  readonly name: string
  readonly requestsPerSecond: number | null
  readonly writesPerSecond: number | null
  /** Entries indexed, mapped and reduced. */
  readonly indexingPerSecond: number | null
}

export interface Happening {
  readonly id: string
  /** As of what needed somebody; null: what is ordinary. */
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
  /** The kind: `Reason` on 7.1, `AlertType` before; null: not told. */
  readonly kind: string | null
  /** `Info`, `Success`, `Warning`, `Error`, or what the server said. */
  readonly severity: string
  readonly title: string
  readonly message: string | null
  readonly database: string | null
  /** The beginning of the .NET exception behind it; null: none. */
  readonly exception: string | null
}

export interface ServerDatabasesAsk {
  /** Case-insensitive part of the name; empty: all. */
  readonly filter: string
  readonly sort: 'name' | 'requests' | 'writes' | 'indexing' | 'size' | 'documents' | 'errors' | 'idle'
  readonly descending: boolean
  readonly offset: number
  /** 1–500. */
  readonly limit: number
}

export interface ServerDatabasesAnswer {
  readonly version: number
  readonly total: number
  readonly matching: number
  readonly rows: readonly ServerDatabaseRow[]
  /** How old the states in `rows` are (`online`, `disabled`), ms; null: not told. */
  readonly statesAgeMs: number | null
  /** Of the server's idle sweep; null: needs Operator. */
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
  /** Frames of databases were too large to come every few seconds: they come this often, ms; null: at the server's pace. */
  readonly slowedToMs: number | null
}

/** A database by what the server's own feeds tell, without asking it. Null: not told. */
export interface ServerDatabaseRow {
  readonly name: string
  readonly online: boolean
  readonly disabled: boolean
  readonly irrelevant: boolean
  readonly documents: number | null
  readonly indexes: number | null
  readonly erroredIndexes: number | null
  readonly indexingErrors: number | null
  readonly alerts: number | null
  readonly sizeBytes: Bytes | null
  readonly tempBytes: Bytes | null
  readonly requestsPerSecond: number | null
  readonly averageMs: number | null
  readonly writesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
  readonly indexedPerSecond: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  readonly idle: DatabaseIdle | null
  /** Null: nothing is written or indexed in it, so it is not asked; or its turn did not come yet. */
  readonly work: DatabaseAtWork | null
  /** The server raised that it is damaged, and it is not loaded since; null: not that it told. */
  readonly failure: { readonly atTicks: Ticks; readonly message: string } | null
  /** What was seen of its state, newest first, at most 20: loaded, unloaded, disabled, enabled, deleted, created. */
  readonly changes: readonly { readonly atTicks: Ticks; readonly change: DatabaseChange }[]
}

export type DatabaseChange = 'loaded' | 'unloaded' | 'disabled' | 'enabled' | 'created' | 'deleted'

/** When the server will unload it, and what prevents it. Needs Operator. */
export interface DatabaseIdle {
  /** When the server told it. */
  readonly atTicks: Ticks
  readonly isLoaded: boolean
  /** The next sweep unloads it. */
  readonly unloadsAtNextSweep: boolean
  /** When it was loaded or first used. */
  readonly loadedTicks: Ticks | null
  /** Last work, plus 1 ms per KB of data files (the server's own rule): often in the future. */
  readonly lastWorkTicks: Ticks | null
  /** Since `lastWorkTicks`; negative while that lies in the future. */
  readonly idleForMs: number | null
  /** Ms from now until it may be unloaded, if nothing works in it meanwhile; null: something prevents it, or not known. */
  readonly unloadsInMs: number | null
  /** What prevents it, in words, other than that the time is not over; empty: nothing. */
  readonly blockers: readonly string[]
  /** The server's own texts. */
  readonly explanations: readonly string[]
}

export interface ClusterAnswer {
  readonly version: number
  /** Null: not known yet. Before the first database a server is of no cluster: tag `?`. */
  readonly leader: string | null
  readonly term: number | null
  readonly topologyEtag: number | null
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
  /** `Leader`, `Follower`, `Candidate`, `Passive`, or what the server said; null: not told. */
  readonly state: string | null
  readonly serverVersion: string | null
  readonly os: string | null
  readonly startTicks: Ticks | null
  readonly cores: number | null
  readonly memoryBytes: Bytes | null
  /** What the leader says of the way to it; null: not told (only leaders tell). */
  readonly connected: boolean | null
  readonly connectionError: string | null
  /** Whether its own figures arrive, through the server this page talks to. */
  readonly figures: 'arriving' | 'connecting' | 'unreachable'
  /** Why not, and which right or setting would allow it; empty: nothing to say. */
  readonly message: string
  readonly cpuProcessPercent: number | null
  readonly cpuMachinePercent: number | null
  readonly workingSetBytes: Bytes | null
  readonly availableBytes: Bytes | null
  readonly requestsPerSecond: number | null
  readonly heardTicks: Ticks | null
}
