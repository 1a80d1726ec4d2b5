import type { Bytes, CssPx, Ticks, TickSpan } from '../../base/brand.ts'
import type { TimeRange } from '../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../capture/state.ts'

/*
 * Words. A *capture* is one answer of the server: every thread's stack at one moment. A *sample* is one thread in one
 * capture. A *job* is in whose name a thread works. A *view* is a tree of frames over the samples of some captures.
 *
 * Ids (`CaptureId`, `FrameId`, `NodeId`) are numbers of this page: they hold while it is open, and mean nothing in a
 * link. A link carries texts: `JobKey`, a frame's full text (`stacks.findFrame`), a path of them (`stacks.findNode`).
 */

/** A capture; ascending in the order in which they came. */
export type CaptureId = number
/** An interned frame; −1: none, or many (see `FlameMarks`). */
export type FrameId = number
/** A node of a view; 0 is the view's root, −1 none. The same path keeps its id when captures are added. */
export type NodeId = number

/** Stable and fit for a link: `index:bench/Orders/ByCompany`, `merger:bench`, `pool`, `unrecognised:My thread`. */
export type JobKey = string

export const JOB_KINDS = [
  'index',
  'merger',
  'cluster-transactions',
  'replication',
  'etl',
  'backup',
  'subscription',
  'cluster',
  'request',
  'storage',
  'pool',
  'gc',
  'runtime',
  'server',
  'unrecognised',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

export interface Job {
  readonly key: JobKey
  readonly kind: JobKind
  /** `Index Orders/ByCompany`, `Transaction merger`, `Garbage collector`. Without the database. */
  readonly label: string
  readonly database: string | null
  /** Of the index, the destination, the task; null: it has none. */
  readonly name: string | null
  /** Linux cut the thread's name to 15 characters: `database` and `name` may be only their beginnings. */
  readonly isCut: boolean
}

/** What a thread waits for. `running`: for nothing. `work`: for something to do. `process`: for another program to end. */
export const WAIT_KINDS = [
  'running',
  'disk',
  'lock',
  'network',
  'memory',
  'process',
  'timer',
  'work',
  'unknown',
] as const
export type WaitKind = (typeof WAIT_KINDS)[number]

/** What a stack does, in plain words, by the rules of `waits.ts`. */
export interface StackLine {
  /** `Writes the journal`, `Looks for work of the index`; '' where no rule fits. */
  readonly runs: string
  readonly wait: WaitKind
  /** `the disk: journal write`; '' while running and where unknown. */
  readonly waitsFor: string
}

/** A text to look for. `isRegex`: of the linear-time subset of `pattern.ts`; otherwise plain. Neither regards case. */
export interface TextMatch {
  readonly text: string
  readonly isRegex: boolean
}

// ── capturing ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * How far a capture is. `asked`: waits for its turn. `attaching`: sent; the server starts its helper, which attaches.
 * `capturing`: seen to take samples (by a new thread of the runtime's diagnostics in the live list, which is there for a
 * tenth of a second and the list comes once a second: mostly it stays at `attaching`, since the server says nothing until
 * it is done). `joining`: the answer came and is read.
 */
export type CaptureStep = 'asked' | 'attaching' | 'capturing' | 'joining'

export type CaptureFailureKind =
  | 'helper-missing'
  | 'helper-not-executable'
  | 'diagnostics-off'
  | 'permission' // the certificate lacks the right
  | 'attach-refused' // the operating system did not let the helper attach
  | 'helper-failed' // ended with an error
  | 'helper-rubbish' // wrote something that is no JSON
  | 'busy'
  | 'timeout'
  | 'server-stopped'
  | 'unsupported' // this version or platform does not offer it
  | 'not-understood' // JSON, but no stacks
  | 'other'

export interface CaptureFailure {
  readonly kind: CaptureFailureKind
  readonly step: CaptureStep
  /** One sentence: what happened. */
  readonly message: string
  /** One or two sentences: what to do. */
  readonly remedy: string
  readonly error: ErrorInfo | null
}

export interface CaptureProgress {
  readonly step: CaptureStep
  /** Wall clocks of this browser, ms since 1970. */
  readonly askedMs: number
  readonly stepSinceMs: number
  /** After which the page gives up (the server may go on), wall clock. */
  readonly giveUpMs: number
  /** Another tab of this browser captures, and what it gets comes here, too. */
  readonly isElsewhere: boolean
}

/** What a capture has cost. */
export interface CaptureCost {
  /** From the request to its last byte. */
  readonly tookMs: number
  readonly bytes: Bytes
  /** How long the server's threads stood still in all; null: not known (the server does not tell). */
  readonly pauseMs: number | null
}

export type CaptureOrigin = 'click' | 'series' | 'file'

export interface CaptureInfo {
  readonly id: CaptureId
  readonly source: SourceId
  /** Of the node that was captured; null: not told. */
  readonly nodeTag: string | null
  readonly origin: CaptureOrigin
  /** The server's clock; NaN: the document (an export of the Studio) does not tell. Order by `id` then. */
  readonly atTicks: Ticks
  /** Of the series it belongs to; null: none. */
  readonly series: number | null
  /** Null for a file. */
  readonly cost: CaptureCost | null
  /** Threads with a stack (each once); 0: the document is a list of threads without stacks (`threads/runaway`). */
  readonly sampled: number
  /** Threads in the server's own list; 0: the document has none. */
  readonly listed: number
  /** Sampled, but not in the list: ended meanwhile, or the list is missing. */
  readonly sampledOnly: number
  /** In the list, but without a stack: native threads, and threads that began meanwhile. */
  readonly listedOnly: number
  /** Threads whose job no rule recognises. */
  readonly unrecognised: number
  /** Share of all cores that all listed threads used together, percent 0–100; NaN: not told. */
  readonly cpuPercent: number
  /** Stacks came root first (the official Studio's reversed export) and were turned. */
  readonly reversed: boolean
  /** What was left out or cut: duplicate ids, too deep stacks, rows that make no sense. Empty: nothing. */
  readonly problems: readonly string[]
}

export interface SeriesState {
  readonly id: number
  readonly everyMs: number
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Wall clock, ms; null: one is under way, or it is over. */
  readonly nextMs: number | null
  /** Why the next one comes later than planned; null: it does not. */
  readonly slowed: string | null
  readonly phase: 'running' | 'stopped' | 'finished' | 'failed'
  readonly startedMs: number
  /** Of its captures together. */
  readonly tookMs: number
  readonly bytes: Bytes
}

export interface StacksState {
  /** Grows with every change of this answer, and with each capture that is added or dropped. */
  readonly version: number
  readonly progress: CaptureProgress | null
  readonly failure: CaptureFailure | null
  /** When the failure happened, wall clock, ms; null: there is none. */
  readonly failedMs: number | null
  /** Of the last capture that succeeded; null: none yet. */
  readonly lastCost: CaptureCost | null
  /** Before this wall clock, ms, a further click only gets the capture that is already there. */
  readonly nextMs: number
  readonly minIntervalMs: number
  /** The newest series, also when it is over; null: none was begun. */
  readonly series: SeriesState | null
  /** Ascending by id; at most `maxCaptures`: beyond it the oldest of the same source are dropped, and counted. */
  readonly captures: readonly CaptureInfo[]
  readonly maxCaptures: number
  readonly dropped: number
}

/** Bounds of a series; `everyMs` and `count` are brought into them. */
export const SERIES_LIMITS = { minEveryMs: 2000, maxEveryMs: 600_000, maxCount: 200 } as const

// ── which samples ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Which samples: those of these captures that pass. Null or an empty text: all. */
export interface SampleFilter {
  readonly captures: readonly CaptureId[]
  readonly jobs: readonly JobKey[] | null
  readonly threadIds: readonly number[] | null
  readonly waits: readonly WaitKind[] | null
}

/** `samples`: one each. `threads`: mean number of threads at a time. `cpu`: mean percent of all cores (0–100). All add up. */
export type Weight = 'samples' | 'threads' | 'cpu'

/**
 * A tree of frames. `top-down`: roots first. `bottom-up`: leaves first. `callers`: who calls `focus`, `focus` first.
 * `callees`: what `focus` calls, `focus` first; where a frame calls itself, the outermost counts.
 */
export interface TreeView {
  readonly samples: SampleFilter
  /** Compare: the other side. Weights of both are per capture, so that ranges of different length can be compared. */
  readonly against: SampleFilter | null
  readonly direction: 'top-down' | 'bottom-up' | 'callers' | 'callees'
  readonly focus: FrameId | null
  /** Frames of the runtime and of pools that only pass a call on are joined into one `…` frame. */
  readonly fold: boolean
  readonly weight: Weight
}

// ── frames ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whose code a frame is; decides its hue. */
export const FRAME_CATEGORIES = [
  'pseudo', // [Native Frames], CPU_TIME, the fold
  'runtime', // .NET itself
  'web', // Kestrel, ASP.NET
  'server', // Raven.Server, Raven.Client, Sparrow
  'storage', // Voron
  'search', // Corax, Lucene
  'index', // compiled indexes and scripts (Jint)
  'other',
] as const
export type FrameCategory = (typeof FRAME_CATEGORIES)[number]

export interface FrameName {
  readonly id: FrameId
  /** `JournalWriter.Write`; pseudo frames as they are. */
  readonly short: string
  /** As the server gave it. At most 4,096 characters; longer ones are cut and end in `…`. */
  readonly full: string
  /** `Voron`; '' in the dialect that has none (ClrMD). */
  readonly module: string
  readonly category: FrameCategory
}

// ── thread table ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Null: not told. Rates are of the last second. Only 7.1 tells them. */
export interface ThreadIo {
  readonly readBytesPerSecond: number
  readonly writeBytesPerSecond: number
  readonly syscallsPerSecond: number
  readonly readBytesTotal: number
  readonly writeBytesTotal: number
}

export interface ThreadRow {
  /** OS thread id. */
  readonly id: number
  readonly managedId: number | null
  /** Trimmed; 'Unknown' as the server says; '' where no list told it. */
  readonly name: string
  readonly job: Job
  /** `live`: in the newest live list. `captured`: in the capture. `both`. */
  readonly seen: 'live' | 'captured' | 'both'
  /** Share of **all** cores, percent 0–100: one busy thread on 2 cores is 50. Live where it is, else of the capture. NaN: not known. */
  readonly cpuPercent: number
  /** CPU used since the capture that is shown, ms; NaN: not known. */
  readonly cpuSinceCaptureMs: number
  /** CPU used since the thread began, ms: in all, in user mode, in the kernel. NaN: not told. */
  readonly totalCpuMs: number
  readonly userCpuMs: number
  readonly kernelCpuMs: number
  readonly allocatedBytes: Bytes | null
  readonly io: ThreadIo | null
  /** Words of .NET: `Running`, `Wait`, …; null: not told. */
  readonly state: string | null
  readonly priority: string | null
  /** Null also for the server's `Unknown`. */
  readonly waitReason: string | null
  readonly startedTicks: Ticks
  /** NaN: not told. */
  readonly ageTicks: TickSpan
  /** Null: it has no stack in the capture. */
  readonly stack: {
    readonly capture: CaptureId
    /** Of the unfolded top-down view. */
    readonly node: NodeId
    readonly depth: number
    /** The innermost frame that is not a pseudo frame, and the innermost of RavenDB's own code; null: none. */
    readonly leaf: FrameName | null
    readonly own: FrameName | null
    readonly isNative: boolean
    /** `Other`, `GC`, `Finalizer`, `Native` of the older tool; null: not told. */
    readonly threadType: string | null
  } | null
  readonly line: StackLine | null
}

export type ThreadSort =
  | 'cpu'
  | 'cpuSince'
  | 'totalCpu'
  | 'userCpu'
  | 'kernelCpu'
  | 'name'
  | 'job'
  | 'id'
  | 'state'
  | 'priority'
  | 'age'
  | 'allocated'
  | 'read'
  | 'write'
  | 'wait'
  | 'depth'

export interface ThreadsAsk {
  /** Whose stacks are joined; null: none, only the live list. */
  readonly capture: CaptureId | null
  /** Join the newest live list. */
  readonly live: boolean
  readonly jobs: readonly JobKey[] | null
  readonly waits: readonly WaitKind[] | null
  /** Only these; null: all. needed by the panel: the row of a selected thread, whatever the filters. */
  readonly threadIds: readonly number[] | null
  /** Matched with name, id, job, and every frame's full text. */
  readonly match: TextMatch
  readonly sort: ThreadSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface ThreadsAnswer {
  readonly version: number
  /** Before and after the filter. */
  readonly total: number
  readonly matched: number
  /** Why the expression is not taken; null: it is. All rows pass then. */
  readonly matchError: string | null
  readonly rows: readonly ThreadRow[]
}

export interface JobRow {
  readonly job: Job
  readonly threads: number
  /** Sum of its threads, percent of all cores; NaN: none told. */
  readonly cpuPercent: number
  /** Threads by what they wait for, in the order of `WAIT_KINDS`; of the capture. */
  readonly waits: readonly number[]
}

export interface JobsAsk {
  readonly capture: CaptureId | null
  readonly live: boolean
}

export interface JobsAnswer {
  readonly version: number
  /** Most CPU first. */
  readonly jobs: readonly JobRow[]
  /** Threads whose job no rule recognises. */
  readonly unrecognised: number
}

// ── live list ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface LiveState {
  /** `off`: nobody wants it. `first`: open, the first frame (which does not count) is awaited or was dropped. */
  readonly phase: 'off' | 'connecting' | 'first' | 'live' | 'waiting' | 'refused' | 'paused'
  readonly message: string
  readonly retryAtMs: number | null
  readonly error: ErrorInfo | null
  /** Server's clock at the newest list; NaN: none. */
  readonly atTicks: Ticks
  /** Percent of all cores, 0–100: the machine, the process. NaN: not told. */
  readonly machinePercent: number
  readonly processPercent: number
  readonly cores: number
  readonly threads: number
  readonly dedicatedThreads: number
  /** Wall clock, ms, until which it stays open when nobody asks again. */
  readonly wantedUntilMs: number
}

/**
 * CPU over time, a column a bucket. All are percent of all cores and add up to 100: jobs, `others`, `restOfProcess`,
 * `restOfMachine`, `idle`. NaN: nothing was heard in that bucket; of the last two, also: the machine was not told.
 */
export interface HistoryAnswer {
  readonly version: number
  readonly bucketTicks: TickSpan
  /** Start of each bucket. */
  readonly startTicks: Float64Array
  /** Most CPU first; at most `limit`, then everything else as `others`. */
  readonly jobs: readonly { readonly job: Job; readonly percent: Float32Array }[]
  readonly others: Float32Array
  readonly restOfProcess: Float32Array
  readonly restOfMachine: Float32Array
  readonly idle: Float32Array
  /** What is kept: from here on (server's clock); NaN: nothing. */
  readonly keptFromTicks: Ticks
}

export interface HistoryAsk extends TimeRange {
  /** About one bucket for each. */
  readonly widthPx: CssPx
  /** Jobs drawn on their own. */
  readonly limit: number
}

// ── trees ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface FlameAsk {
  readonly view: TreeView
  /** The node that fills the width; 0: the root. */
  readonly zoom: NodeId
  /** What is seen of the zoomed node, as shares of its weight: 0 ≤ start < end ≤ 1. */
  readonly startShare: number
  readonly endShare: number
  readonly widthPx: CssPx
  /** Depth 0 is the zoomed node; [first, end). */
  readonly firstDepth: number
  readonly endDepth: number
  readonly search: TextMatch | null
}

/**
 * Marks by depth, then from left to right (needed by the panel: it looks them up by bisection). Only what a pixel can show:
 * neighbours of one parent that are narrower than a pixel are joined into one mark (`frame` −1, `joined` of them),
 * below which nothing is drawn.
 */
export interface FlameMarks {
  readonly length: number
  readonly depth: Uint16Array
  /** Shares of the zoomed node's weight, not of what is seen. */
  readonly startShare: Float64Array
  readonly endShare: Float64Array
  readonly node: Int32Array
  readonly frame: Int32Array
  /** Nodes that the mark stands for; 1: itself. */
  readonly joined: Uint32Array
  /** In the unit of the view's weight, per side; `against` is all 0 without comparison. */
  readonly weight: Float64Array
  readonly against: Float64Array
  /** Ends here (leaf). */
  readonly self: Float64Array
  /** 1: the frame, or one of those joined, matches the search. */
  readonly matched: Uint8Array
}

export interface FlameAnswer {
  readonly version: number
  readonly marks: FlameMarks
  /** Every frame of the marks, once. */
  readonly names: readonly FrameName[]
  /** Of the view's root and of the zoomed node. */
  readonly total: { readonly weight: number; readonly against: number; readonly samples: number }
  readonly zoomed: { readonly weight: number; readonly against: number; readonly depth: number }
  /** Levels below the zoomed node. */
  readonly depth: number
  /** Samples whose CPU is not known and that weigh nothing therefore; 0 for other weights. */
  readonly unknownCpu: number
  readonly search: SearchResult | null
}

export interface SearchResult {
  readonly error: string | null
  /** Distinct frames of the view that match. */
  readonly frames: number
  /** Weight of the samples in which any frame matches: as weight, and as share of the total (0…1). */
  readonly weight: number
  readonly share: number
  readonly againstShare: number
}

/** A row of the tree as a table (the twin of the flame graph), children by weight. */
export interface TreeRow {
  readonly node: NodeId
  readonly depth: number
  readonly name: FrameName
  readonly weight: number
  readonly self: number
  readonly against: number
  readonly share: number
  readonly children: number
  readonly isOpen: boolean
  readonly matched: boolean
}

export interface TreeAsk {
  readonly view: TreeView
  readonly zoom: NodeId
  /** Open beside the root; single-child chains below an open node are open as well. */
  readonly open: readonly NodeId[]
  readonly search: TextMatch | null
  readonly offset: number
  readonly limit: number
}

export interface TreeAnswer {
  readonly version: number
  readonly total: number
  readonly rows: readonly TreeRow[]
  readonly weight: number
  readonly against: number
}

export type FrameSort = 'self' | 'total' | 'name' | 'change'

/** One function over all samples: a frame that calls itself counts once a sample. */
export interface FrameRow {
  readonly name: FrameName
  readonly self: number
  readonly total: number
  readonly selfAgainst: number
  readonly totalAgainst: number
  /** `grew`: more here than in `against`. Without comparison: `same`. */
  readonly change: 'same' | 'grew' | 'shrank' | 'new' | 'vanished'
}

export interface FramesAsk {
  readonly view: TreeView
  readonly match: TextMatch
  readonly sort: FrameSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface FramesAnswer {
  readonly version: number
  readonly total: number
  readonly matchError: string | null
  readonly rows: readonly FrameRow[]
  readonly weight: number
  readonly against: number
}

// ── time view ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface LanesAsk {
  readonly captures: readonly CaptureId[]
}

/** One lane a job, one cell a capture (columns in the order of `captures`). */
export interface StackLane {
  readonly job: Job
  /** What most of its threads wait for (running wins a tie, then the order of `WAIT_KINDS`); 255: no thread of it there. */
  readonly wait: Uint8Array
  readonly threads: Uint16Array
  /** How many of them wait for that. */
  readonly dominant: Uint16Array
  /** Percent of all cores; NaN: not told. */
  readonly cpuPercent: Float32Array
}

export interface LanesAnswer {
  readonly version: number
  readonly captures: readonly CaptureId[]
  /** NaN: not told. */
  readonly atTicks: Float64Array
  /** Most CPU first, then by label. */
  readonly lanes: readonly StackLane[]
}

// ── one stack ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type StackTextAsk =
  { readonly capture: CaptureId; readonly threadId: number } | { readonly view: TreeView; readonly node: NodeId }

export interface StackText {
  /** Leaf first, one frame a line, full names; of a thread with a heading line (id, name, state, CPU). */
  readonly text: string
  /** Leaf first. */
  readonly frames: readonly FrameName[]
  readonly line: StackLine | null
  /** Threads (capture and id) that stand here, at most 200. */
  readonly threads: readonly { readonly capture: CaptureId; readonly id: number; readonly name: string }[]
  readonly threadCount: number
  /** Objects on the stack, where the older tool gave them. */
  readonly objects: readonly string[]
}

// ── export ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The `ask` of every exporter of this feed (see `exports/formats.ts`). */
export interface StacksExportAsk {
  readonly samples: SampleFilter
  /** Of formats that hold weights: speedscope, folded, pprof. */
  readonly weight: Weight
  readonly fold: boolean
}

/** What the panel may ask; `capture.ask<StacksQueries['stacks.state']['answer']>('stacks.state', null)`. */
export interface StacksQueries {
  /** Cheap. `CaptureState.version` grows when it changed, as long as a server or database is watched. */
  'stacks.state': { ask: null; answer: StacksState }
  /**
   * Asks the server for all stacks now, and answers when that is over. While one is under way, or younger than the
   * minimum interval, the same one is answered. Null: it failed (`StacksState.failure`). Costs the server a pause.
   */
  'stacks.capture': { ask: { readonly source: SourceId }; answer: { readonly capture: CaptureId | null } }
  /** Begins a series (ends a running one) and answers at once. */
  'stacks.series': {
    ask: { readonly source: SourceId; readonly everyMs: number; readonly count: number }
    answer: StacksState
  }
  /** Ends the series, and no longer waits for a capture under way (the server finishes it all the same). */
  'stacks.stop': { ask: null; answer: StacksState }
  /** Drops these captures; null: all. */
  'stacks.forget': { ask: { readonly captures: readonly CaptureId[] | null }; answer: StacksState }
  'stacks.threads': { ask: ThreadsAsk; answer: ThreadsAnswer }
  'stacks.jobs': { ask: JobsAsk; answer: JobsAnswer }
  'stacks.flame': { ask: FlameAsk; answer: FlameAnswer }
  'stacks.tree': { ask: TreeAsk; answer: TreeAnswer }
  'stacks.frames': { ask: FramesAsk; answer: FramesAnswer }
  'stacks.lanes': { ask: LanesAsk; answer: LanesAnswer }
  'stacks.text': { ask: StackTextAsk; answer: StackText | null }
  /** By its full text; null: never seen. */
  'stacks.findFrame': { ask: { readonly text: string }; answer: FrameName | null }
  /** From the view's root downwards by full texts; the deepest node that is there. */
  'stacks.findNode': { ask: { readonly view: TreeView; readonly path: readonly string[] }; answer: NodeId }
  /** From the view's root to the node, for breadcrumbs and links. */
  'stacks.path': {
    ask: { readonly view: TreeView; readonly node: NodeId }
    answer: readonly (FrameName & { readonly node: NodeId })[]
  }
  /** Samples and bytes (uncompressed, about) of an export. */
  'stacks.exportCount': {
    ask: StacksExportAsk
    answer: { readonly captures: number; readonly samples: number; readonly frames: number }
  }
  /** Keeps the live list open for 15 s more: ask again every few seconds while it is shown. Costs a socket, 2–4 MB a minute. */
  'threads.want': { ask: null; answer: LiveState }
  'threads.history': { ask: HistoryAsk; answer: HistoryAnswer }
}
