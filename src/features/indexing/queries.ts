import type { Bytes, CssPx, Ticks, TickSpan } from '../../base/brand.ts'
import type { TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/state.ts'

/*
 * What the indexing panel may ask of the worker, and what it gets.
 * Times are `Ticks` on the server's clock, lengths `TickSpan`, sizes `Bytes`. NaN in a typed array and null in an object
 * both say "not measured" or "not told"; neither is ever 0. Server text is passed on as it came.
 * Later additions are marked `Added:`; nothing that is here changes its meaning.
 */

/** An index of a source: `<source>|<name>`. Two databases may each have one of the same name. */
export type IndexKey = string

/**
 * Lane of gaps that concern every index of a source (`Gap.lane`); gaps of one index carry its key. Gaps without a lane are
 * those of the source's I/O feed: they say nothing of batches.
 */
export const allIndexesLane = (source: SourceId): string => `indexes:${source}`

/** One batch, by what it is. Ids restart when a database was unloaded, so the start belongs to it. Stable: fit for a URL. */
export interface BatchRef {
  readonly index: IndexKey
  readonly startTicks: Ticks
  readonly id: number
}

/**
 * How a batch stands, as number in columns:
 * - `worked`: completed, and it had something to do
 * - `empty`: completed; the index woke and found nothing (no document in, none out, none failed)
 * - `failed`: completed, and at least one document failed
 * - `running`: not completed when last told
 * - `waiting`: running, and its newest operation waits for the limit of concurrently running indexes
 * - `lost`: it never completed as far as is known (the database was unloaded, or it was not seen again)
 */
export const BATCH_STATES = ['worked', 'empty', 'failed', 'running', 'waiting', 'lost'] as const
export type BatchState = (typeof BATCH_STATES)[number]
/** Position of a state in `BATCH_STATES`; `states` bit sets have bit `1 << code`. */
export const batchStateCode = (state: BatchState): number => BATCH_STATES.indexOf(state)

/** Why a batch stopped. `other`: a text that no rule knows; `untold`: the server told none. */
export const REASON_CODES = [
  'untold',
  'no-more-documents',
  'batch-size',
  'low-memory',
  'too-many-errors',
  'index-disabled',
  'duration-limit',
  'etag-limit',
  'pending-flush',
  'flush-waiting',
  'cpu-credits',
  'first-batch',
  'transaction-size',
  'managed-limit',
  'unmanaged-limit',
  'scratch-limit',
  'global-scratch-limit',
  'no-budget',
  'concurrency-halt',
  'cancelled',
  'other',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

/** `calm`: nothing to look at; `limit`: a configured limit was reached; `pressure`: memory, flushes or credits ran short; `broken`. */
export type ReasonWeight = 'calm' | 'limit' | 'pressure' | 'broken'

export interface StopReason {
  readonly code: ReasonCode
  readonly weight: ReasonWeight
  /** A plain sentence, with the numbers of the server's text in it. */
  readonly words: string
  /** The server's own text; null: none was told. */
  readonly text: string | null
  /** Numbers inside the text in their order (`4,096` → 4096). */
  readonly numbers: readonly number[]
}

/* ------------------------------------------------------------------ want */

/** Nothing is asked of a server unless somebody wants it: repeat this every 10 s while it is shown. */
export interface IndexingWantAsk {
  readonly sources: readonly SourceId[]
  /** Also thread allocations, machine memory and low-memory events (sockets of the server, shared by all sources). */
  readonly budgets: boolean
  /** Keeps on (until `false` is asked) without being repeated: data are being recorded. */
  readonly record?: boolean
}

export interface IndexingWay {
  readonly source: SourceId
  /** `off`: nothing of this kind comes from such a source, or it is not wanted. */
  readonly way: 'poll' | 'socket' | 'off'
  /** One sentence: why this way. */
  readonly why: string
  /** Measured over the last minute, as they came over the wire where that is known; null: nothing was measured yet. */
  readonly bytesPerMinute: number | null
  /** What the other way would cost, estimated; null: not known. */
  readonly otherBytesPerMinute: number | null
  /** Length of time between two polls as planned, or of frames; null: off. */
  readonly everyTicks: TickSpan | null
  /** The last problem in one sentence; null: none. */
  readonly problem: string | null
}

export interface IndexingWantAnswer {
  /** It is on until about this moment of this browser's wall clock, ms since 1970; Infinity: it is being recorded. */
  readonly untilMs: number
  readonly ways: readonly IndexingWay[]
}

/* --------------------------------------------------------------- indexes */

export interface IndexCounts {
  readonly batches: number
  readonly worked: number
  readonly empty: number
  readonly failed: number
  readonly lost: number
}

/** From `indexes/stats`; null members are not told by that version. */
export interface IndexFacts {
  /** When these were told. */
  readonly atTicks: Ticks
  readonly type: string | null
  readonly sourceType: string | null
  readonly searchEngine: string | null
  /** Normal, Disabled, Idle, Error … */
  readonly state: string | null
  /** Running, Paused, Disabled, Pending … */
  readonly status: string | null
  readonly isStale: boolean | null
  readonly isInvalid: boolean | null
  readonly entriesCount: number | null
  readonly errorsCount: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  readonly mostOutputsPerDocument: number | null
  readonly createdTicks: Ticks | null
  readonly lastIndexingTicks: Ticks | null
  readonly lastQueryingTicks: Ticks | null
  /** Documents and tombstones behind, over all collections. */
  readonly documentLag: number | null
  /** 5.4 only. */
  readonly threadAllocationBytes: Bytes | null
  /** 5.4 only. */
  readonly budgetBytes: Bytes | null
}

export interface IndexProgress {
  readonly atTicks: Ticks
  readonly itemsLeft: number
  readonly itemsTotal: number
  readonly tombstonesLeft: number
  readonly processedPerSecond: number | null
}

export interface IndexInfo {
  readonly key: IndexKey
  readonly source: SourceId
  readonly name: string
  /** Built side by side to replace that one (`ReplacementOf/…`); null: it is no replacement. */
  readonly replaces: IndexKey | null
  /** `faulty`: it could not be opened, or is in error. `gone`: told before, and no longer. `reset`: begun anew while watched. */
  readonly trouble: 'faulty' | 'error' | 'gone' | null
  /** One sentence of what happened to it while watched (deleted, reset, replaced); empty: nothing. */
  readonly note: string
  readonly counts: IndexCounts
  /** The batch that is running; null: none is known to. */
  readonly running: BatchRef | null
  readonly runningState: 'running' | 'waiting' | null
  /** NaN: it has no batch. */
  readonly firstTicks: Ticks
  readonly endTicks: Ticks
  readonly busyTicks: TickSpan
  readonly facts: IndexFacts | null
  /** Null: nothing left to do, or not told. */
  readonly progress: IndexProgress | null
}

export interface IndexingIndexesAnswer {
  readonly version: number
  /** In order of source and name. */
  readonly indexes: readonly IndexInfo[]
  /** Loads of a database that were seen: batch ids restart at each. */
  readonly loads: readonly { readonly source: SourceId; readonly startTicks: Ticks; readonly epoch: number }[]
  readonly operations: readonly OperationName[]
  /** Memory or low-memory events of their machine are known: there is something to see even where there is no index. */
  readonly tellsMemory: boolean
}

/** A name of an operation as it was met. Ids are those of `nameId` columns; valid as long as the worker lives. */
export interface OperationName {
  readonly nameId: number
  readonly name: string
  /** Of which family of the list that we know; `Collection_X` and `Field_X` are `collection` and `field`. */
  readonly family: OperationFamily
}

export const OPERATION_FAMILIES = [
  'indexing', // the root
  'cleanup',
  'references',
  'map',
  'reduce',
  'linq',
  'read', // Storage/DocumentRead, Storage/Read
  'store', // Storage/* writes of map and reduce results
  'lucene',
  'corax',
  'commit', // Storage/Commit, Corax/Commit, Lucene/Commit
  'collection',
  'field',
  'wait',
  'unknown', // a name that we do not know: a colour of its own
] as const
export type OperationFamily = (typeof OPERATION_FAMILIES)[number]

/* ----------------------------------------------------------------- lanes */

/** A piece of the time axis that is linear; folded idle stretches lie between pieces. */
export interface AxisPiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

/** Bounds are inclusive; null: none. */
export interface BatchFilter {
  readonly minTicks: TickSpan | null
  readonly maxTicks: TickSpan | null
  readonly minDocuments: number | null
  /** Only those that stopped for it. */
  readonly reason: ReasonCode | null
  readonly hideEmpty: boolean
}

export const NO_FILTER: BatchFilter = {
  minTicks: null,
  maxTicks: null,
  minDocuments: null,
  reason: null,
  hideEmpty: false,
}

export interface IndexingMarksAsk {
  readonly indexes: readonly IndexKey[]
  /** Ascending, disjoint. Ask wider than the view, so that a pan has what it needs. */
  readonly pieces: readonly AxisPiece[]
  readonly filter: BatchFilter
}

/** Marks of one index, ascending by start: at most one a pixel, with the longest batch that starts in it as itself. */
export interface IndexMarks {
  readonly length: number
  readonly startTicks: Float64Array
  /** A running one: up to when it was last told of. */
  readonly durationTicks: Float64Array
  /** Id of the longest batch: with index and start its `BatchRef`. */
  readonly id: Float64Array
  /** Its state: index into `BATCH_STATES`. */
  readonly state: Uint8Array
  /** All states met in the pixel, one bit each: a failed one is never hidden by a longer one. */
  readonly states: Uint8Array
  /** Batches that start in the pixel. */
  readonly count: Uint32Array
  /** Documents in, of the longest. */
  readonly documents: Float64Array
  /** Bytes of documents of the largest batch of the pixel: decides the lightness. */
  readonly largestBytes: Float64Array
  /** Index into `REASON_CODES`, of the longest. */
  readonly reason: Uint8Array
  /** How long it waited for the concurrency limit, of the longest; 0: it did not. */
  readonly waitTicks: Float64Array
}

export interface IndexingMarksAnswer {
  readonly version: number
  /** In the order asked. */
  readonly rows: readonly IndexMarks[]
}

/** The operation trees of the batches of one index that are at least `minPx` wide, as rectangles (an icicle). */
export interface IndexingIcicleAsk {
  readonly index: IndexKey
  readonly pieces: readonly AxisPiece[]
  readonly minPx: CssPx
  readonly filter: BatchFilter
}

/**
 * Columns, batch by batch, each tree in pre-order and its "other" rows behind it. The server gives no start offsets: children are laid end to end from
 * the start of their parent, in their order; what they leave of the parent is a row of its own with `nameId` −1 ("other").
 * Where children exceed the parent (they are rounded, and may overlap), they are shortened in proportion to fit.
 */
export interface IndexingIcicleAnswer {
  readonly version: number
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
  /** As the server told it; differs from the width where children had to be shortened. */
  readonly toldTicks: Float64Array
  /** 0: the root, which is the batch itself. */
  readonly depth: Uint8Array
  /** Key of `names`; −1: other. */
  readonly nameId: Int32Array
  /** Id of the batch. */
  readonly id: Float64Array
  /** Start of the batch. */
  readonly batchTicks: Float64Array
  readonly names: readonly OperationName[]
  /** Batches in view that are too narrow to be expanded. */
  readonly narrow: number
  /** Batches left out because the answer would have had more than 200,000 rectangles. */
  readonly left: number
}

export interface IndexingOverviewAsk extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly widthPx: CssPx
}

/** Per pixel over all asked indexes: share of time that they were busy (may exceed 1), the longest batch, and failures. */
export interface IndexingOverviewAnswer {
  readonly version: number
  readonly busyShare: Float32Array
  readonly slowestTicks: Float32Array
  /** Batches with failed documents that start in the pixel. */
  readonly failed: Uint16Array
}

/* ------------------------------------------------------------------ card */

/** A node of an operation tree, in pre-order. */
export interface OperationNode {
  readonly name: string
  readonly nameId: number
  readonly family: OperationFamily
  readonly depth: number
  /** Position of its parent in the list; −1: the root. */
  readonly parent: number
  readonly durationTicks: TickSpan
  /** Duration less that of its children; what children exceed it by is told as negative. */
  readonly otherTicks: TickSpan
  /** Facts that the server told of it, in its order and under its names. 0 that means "not measured" is null. */
  readonly details: readonly {
    readonly name: string
    readonly value: number | null
    readonly unit: 'bytes' | 'count' | 'pages-8k' | 'blocks-4k'
  }[]
}

export interface MapMemory {
  /** At the last check (every 128 documents). Null: not measured. */
  readonly allocatedBytes: Bytes | null
  /** Null: the batch did not outgrow what it began with, so nothing was asked for. */
  readonly budgetBytes: Bytes | null
  /** Managed and unmanaged allocations of the process, not its resident set. */
  readonly processPrivateBytes: Bytes | null
  readonly processWorkingSetBytes: Bytes | null
}

export interface BatchRow extends BatchRef {
  readonly source: SourceId
  readonly indexName: string
  readonly state: BatchState
  /** Of a running one: up to when it was last told of. */
  readonly durationTicks: TickSpan
  /** NaN in these four: the server did not tell it. */
  readonly documentsIn: number
  readonly documentsOut: number
  readonly documentsFailed: number
  readonly bytes: Bytes
  /** Documents in a second; NaN: it took no time. */
  readonly documentsPerSecond: number
  readonly reason: StopReason
  readonly allocatedBytes: Bytes | null
  readonly budgetBytes: Bytes | null
}

export interface BatchCard extends BatchRow {
  readonly endTicks: Ticks | null
  readonly epoch: number
  readonly documentsSucceeded: number
  /** 7.1 only; null: not told. */
  readonly tombstones: number | null
  readonly averageDocumentBytes: number | null
  readonly bytesPerSecond: number | null
  readonly managedBytes: Bytes | null
  readonly unmanagedBytes: Bytes | null
  /** 5.4 only. */
  readonly totalAllocatedBytes: Bytes | null
  /** Of the Map operation; all null: it had none. */
  readonly memory: MapMemory
  /** Of the References operation: what has no reference is null. */
  readonly referencesMemory: MapMemory | null
  readonly commitPages: number | null
  readonly commitBytes: Bytes | null
  readonly merges: {
    readonly total: number
    readonly executed: number
    readonly files: number
    readonly documents: number
  } | null
  readonly waitTicks: TickSpan
  /** Steps of its budget as they were seen while it ran; the last is that of the whole batch. */
  readonly budgetSteps: readonly BudgetStep[]
  readonly operations: readonly OperationNode[]
  /** 1 = longest of `rankOf` batches of its index that worked. */
  readonly rank: number
  readonly rankOf: number
  /** The batch as the server's document has it (operations that were null are left out). */
  readonly json: string
}

/* --------------------------------------------------------------- summary */

export interface OperationTotal {
  /** Names from below the root, joined by ` › `: `Map › Collection_Orders › Linq`. */
  readonly path: string
  readonly name: string
  readonly family: OperationFamily
  readonly depth: number
  /** Position of its parent in the list; −1: below the root. */
  readonly parent: number
  /** Batches that had it. */
  readonly batches: number
  readonly totalTicks: TickSpan
  /** Less its children: the column of `selfTicks` over all rows, with `otherTicks` of the summary, sums to the busy time. */
  readonly selfTicks: TickSpan
  readonly longestTicks: TickSpan
}

export interface IndexSummary {
  /** Null: all that were asked for together. */
  readonly index: IndexKey | null
  readonly counts: IndexCounts
  /** Those that are still running in the range. */
  readonly running: number
  readonly busyTicks: TickSpan
  /** Busy time within the range over the length of the range; of several indexes together it may exceed 1. */
  readonly busyShare: number
  readonly documentsIn: number
  readonly documentsOut: number
  readonly documentsFailed: number
  readonly bytes: Bytes
  /** Over busy time; NaN: none. */
  readonly documentsPerBusySecond: number
  /** Over the range as a whole. */
  readonly documentsPerSecond: number
  /** Of batches that worked or failed (empty ones would drag them down); exact, nearest rank; NaN: none. */
  readonly p50Ticks: number
  readonly p99Ticks: number
  readonly maxTicks: number
  readonly waitTicks: TickSpan
  /** Most common first. Empty batches count as well. */
  readonly reasons: readonly {
    readonly code: ReasonCode
    readonly weight: ReasonWeight
    readonly count: number
    readonly words: string
  }[]
}

export interface IndexingSummaryAsk extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
  readonly largestLimit: number
  /** Whether to work out time by operation: it visits every tree in the range. */
  readonly operations: boolean
}

/** Of completed batches that start in the range. */
export interface IndexingSummaryAnswer {
  readonly version: number
  readonly total: IndexSummary
  readonly indexes: readonly IndexSummary[]
  /** Pre-order, parents before children, siblings by total time. Empty when it was not asked for. */
  readonly operations: readonly OperationTotal[]
  /** Time of the batches that no operation below the root accounts for. */
  readonly otherTicks: TickSpan
  /** The same as `busyTicks` of the total. */
  readonly operationsOfTicks: TickSpan
  /** Longest first. */
  readonly largest: readonly BatchRow[]
}

export interface IndexingCompareSide extends TimeRange {
  readonly index: IndexKey
}

export interface IndexingCompareAsk {
  readonly a: IndexingCompareSide
  readonly b: IndexingCompareSide
  readonly filter: BatchFilter
}

export interface IndexingCompareAnswer {
  readonly version: number
  readonly a: IndexSummary
  readonly b: IndexSummary
  /** Joined by path (of collections and fields by what they are, where the two indexes differ); NaN: that side has none. */
  readonly operations: readonly {
    readonly path: string
    readonly depth: number
    readonly family: OperationFamily
    readonly aTicks: number
    readonly bTicks: number
    /** Ticks per document in. */
    readonly aPerDocument: number
    readonly bPerDocument: number
  }[]
}

/* ------------------------------------------------------------------ rows */

export type BatchSort =
  'start' | 'duration' | 'documents' | 'bytes' | 'rate' | 'failed' | 'allocated' | 'budget' | 'index' | 'reason' | 'id'

export interface IndexingRowsAsk extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
  readonly sort: BatchSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface IndexingRowsAnswer {
  readonly version: number
  readonly total: number
  readonly rows: readonly BatchRow[]
}

/* --------------------------------------------------------------- budgets */

/** One turn of the negotiation of an index for memory, as it was seen. */
export interface BudgetStep {
  readonly index: IndexKey
  readonly batch: BatchRef
  /** When it was seen: at the frame that told it, or at the end of the batch. The server tells no time of its own. */
  readonly atTicks: Ticks
  /**
   * - `grant`: the budget was told for the first time or grew
   * - `refusal`: the batch stopped because no more was granted
   * - `low-memory`: the batch was stopped because of low memory
   * - `end`: the batch ended otherwise, its budget is given back
   */
  readonly kind: 'grant' | 'refusal' | 'low-memory' | 'end'
  readonly allocatedBytes: Bytes | null
  readonly fromBytes: Bytes | null
  readonly toBytes: Bytes | null
  readonly processPrivateBytes: Bytes | null
  readonly processWorkingSetBytes: Bytes | null
}

export interface IndexingBudgetsAsk {
  readonly indexes: readonly IndexKey[]
  readonly pieces: readonly AxisPiece[]
}

/** Columns by pixel: as long as `xPx` of the answer. NaN: not measured (draw it as such). */
export interface IndexBudget {
  readonly index: IndexKey
  /** Unmanaged allocations of its thread: most in the pixel. From the list of threads; held for 3 s, else NaN. */
  readonly nowBytes: Float64Array
  /** `CurrentlyAllocated` of the batch that ran in the pixel: the figure of the last check. */
  readonly checkedBytes: Float64Array
  /** `AllocationBudget` of the batch that ran in the pixel. 5.4 also tells it between batches. */
  readonly grantedBytes: Float64Array
  /** 1: a batch ran in the pixel, so that NaN in `grantedBytes` means "it asked for nothing", not "nothing is known". */
  readonly ran: Uint8Array
  /** Whether the thread of the index could be told: its name is there and matches one index only. */
  readonly thread: 'known' | 'ambiguous' | 'unknown'
}

export interface IndexingBudgetsAnswer {
  readonly version: number
  /** Left edges of the pixels, ascending over all pieces. */
  readonly xPx: Float64Array
  readonly rows: readonly IndexBudget[]
  /** Ascending; at most 2,000. */
  readonly steps: readonly BudgetStep[]
  readonly stepsLeft: number
  /** Indexing threads of the newest list that could not be joined to one index, and what they hold. */
  readonly unmatched: { readonly threads: number; readonly bytes: Bytes; readonly names: readonly string[] }
}

export const LOW_MEMORY_SEVERITIES = ['None', 'Low', 'ExtremelyLow'] as const

export interface LowMemoryEvent {
  readonly atTicks: Ticks
  /** The server's name: LowMemOnTimeoutChk, LowMemHandler, LowMemStateSimulation, BackToNormal … */
  readonly event: string
  /** True: memory became low; false: back to normal. */
  readonly isLow: boolean
  readonly freeBytes: Bytes | null
  readonly commitChargeBytes: Bytes | null
  readonly unmanagedBytes: Bytes | null
  readonly scratchDirtyBytes: Bytes | null
  readonly physicalBytes: Bytes | null
  /** As text, as the server gives it; null: not told. */
  readonly thresholdText: string | null
}

export interface IndexingMemoryAsk {
  /** The machine of the first of them that tells of its memory: a package is another one than the server. */
  readonly sources: readonly SourceId[]
  readonly pieces: readonly AxisPiece[]
}

/**
 * Machine and process memory, from the dashboard: at most one sample a pixel, the one with the least available memory.
 * Samples come every 5 s: between two that are further apart than 15 s nothing is known. Bytes; NaN: not told.
 */
export interface IndexingMemoryAnswer {
  readonly version: number
  readonly length: number
  readonly atTicks: Float64Array
  readonly physicalBytes: Float64Array
  readonly workingSetBytes: Float64Array
  readonly managedBytes: Float64Array
  readonly unmanagedBytes: Float64Array
  readonly mappedBytes: Float64Array
  readonly dirtyBytes: Float64Array
  readonly availableBytes: Float64Array
  /** Available, and what the system can give back at once (clean pages). */
  readonly availableForProcessingBytes: Float64Array
  readonly swapBytes: Float64Array
  /** Index into `LOW_MEMORY_SEVERITIES`; 255: not told or not known. */
  readonly severity: Uint8Array
  /** Ascending, those in the asked pieces; at most 1,000. */
  readonly lowMemory: readonly LowMemoryEvent[]
}

/** One bar: the parts sum to `physicalBytes`. */
export interface MemoryBar {
  readonly atTicks: Ticks
  /** How far the sample is from the cursor. */
  readonly ageTicks: TickSpan
  readonly physicalBytes: Bytes
  readonly parts: readonly {
    /**
     * - `managed`, `unmanaged`: private memory of the process: what indexes compete for
     * - `dirty`: mapped pages that must be written before they can be given back
     * - `clean`: resident pages that cost nothing: the system gives them back at once
     * - `other`: everything else on the machine
     * - `free`
     */
    readonly part: 'managed' | 'unmanaged' | 'dirty' | 'clean' | 'other' | 'free'
    readonly bytes: Bytes
    /** Worth an alarm when it is large; `clean` and `free` never are. */
    readonly counts: boolean
  }[]
  /** A quarter of the machine, which the server leaves to mapped files. */
  readonly quarterBytes: Bytes
  readonly workingSetBytes: Bytes | null
  readonly severity: string | null
}

export interface IndexingBarAsk {
  readonly sources: readonly SourceId[]
  readonly atTicks: Ticks
}

export interface IndexingBarAnswer {
  readonly version: number
  /** Null: no sample within 15 s. */
  readonly bar: MemoryBar | null
  /** What each index held then, largest first; those of which nothing is known are left out and counted. */
  readonly indexes: readonly {
    readonly index: IndexKey
    readonly name: string
    readonly nowBytes: Bytes | null
    readonly checkedBytes: Bytes | null
    readonly grantedBytes: Bytes | null
    readonly isRunning: boolean
  }[]
  readonly notMeasured: number
}

/* -------------------------------------------------------------- findings */

/**
 * - `budget-held`: a budget far above what is used: what a batch gave back was not taken off its budget
 * - `grew-unasked`: an index outgrew what a batch begins with and asked for nothing: it lives on an older budget
 * - `over-promised`: budgets not yet used exceed what is available
 */
export const FINDING_KINDS = ['budget-held', 'grew-unasked', 'over-promised'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface BudgetFinding {
  /** Stable within a capture. */
  readonly id: string
  readonly kind: FindingKind
  readonly source: SourceId
  /** The first event that showed it. */
  readonly atTicks: Ticks
  /** The last event that showed it; the same as the first while there was one only. */
  readonly lastTicks: Ticks
  readonly times: number
  /** Indexes that hold or live on a budget they should not have; of `over-promised` those with the largest first. */
  readonly indexes: readonly IndexKey[]
  /** Who grew meanwhile into what was given back; largest first. */
  readonly grewInto: readonly { readonly index: IndexKey; readonly grewBytes: Bytes }[]
  /** How much is promised or held beyond what the rule allows. */
  readonly excessBytes: Bytes
  /** One sentence with names and figures. */
  readonly words: string
  /** What it rests on, in order of time: each a sentence, with the figure and the batch where there is one. */
  readonly evidence: readonly {
    readonly atTicks: Ticks
    readonly index: IndexKey | null
    readonly batch: BatchRef | null
    readonly words: string
    readonly bytes: Bytes | null
  }[]
}

export interface IndexingFindingsAnswer {
  readonly version: number
  /** By first event. */
  readonly findings: readonly BudgetFinding[]
  /** Measured budgets that were looked at: with none, silence says nothing. */
  readonly checked: number
}

/* ---------------------------------------------------------------- replay */

/** The rule that the server follows, with its constants as parameters. */
export interface BudgetModel {
  /** What a batch begins with. */
  readonly initialBytes: Bytes
  /** Granted on top of current use. */
  readonly stepBytes: Bytes
  /** Most that one index may hold; null: no ceiling. */
  readonly ceilingBytes: Bytes | null
  /** What must remain available after a grant. */
  readonly reserveBytes: Bytes
}

const MIB = 1024 * 1024
export const SERVER_MODEL: BudgetModel = {
  initialBytes: (32 * MIB) as Bytes,
  stepBytes: (16 * MIB) as Bytes,
  ceilingBytes: null,
  reserveBytes: 0 as Bytes,
}

export interface IndexingReplayAsk extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly model: BudgetModel
}

export interface ReplayStep {
  readonly recorded: BudgetStep
  /** Available for processing at that moment; null: no sample near it. */
  readonly availableBytes: Bytes | null
  /** Sum of the budgets that were held then, as recorded. */
  readonly budgetSumBytes: Bytes
  /** What the model would have done. `unknown`: it would need a figure that was not recorded. */
  readonly model: 'grant' | 'refuse' | 'end' | 'unknown'
  readonly modelBudgetBytes: Bytes | null
  readonly modelSumBytes: Bytes
  /** One sentence: the rule with its figures. */
  readonly words: string
}

export interface IndexingReplayAnswer {
  readonly version: number
  /** Ascending; at most 5,000. */
  readonly steps: readonly ReplayStep[]
  readonly stepsLeft: number
  /** Highest sums over the stretch. */
  readonly recordedPeakBytes: Bytes
  readonly modelPeakBytes: Bytes
  readonly recordedRefusals: number
  readonly modelRefusals: number
  /** Always shown with it: it is a model. */
  readonly label: string
}

/* --------------------------------------------------------------- queries */

/** `capture.ask<IndexingQueries['indexing.marks']['answer']>('indexing.marks', …)`. */
export interface IndexingQueries {
  'indexing.want': { ask: IndexingWantAsk; answer: IndexingWantAnswer }
  'indexing.indexes': { ask: { readonly sources: readonly SourceId[] }; answer: IndexingIndexesAnswer }
  'indexing.marks': { ask: IndexingMarksAsk; answer: IndexingMarksAnswer }
  'indexing.icicle': { ask: IndexingIcicleAsk; answer: IndexingIcicleAnswer }
  'indexing.overview': { ask: IndexingOverviewAsk; answer: IndexingOverviewAnswer }
  'indexing.card': { ask: { readonly ref: BatchRef }; answer: BatchCard | null }
  'indexing.summary': { ask: IndexingSummaryAsk; answer: IndexingSummaryAnswer }
  'indexing.compare': { ask: IndexingCompareAsk; answer: IndexingCompareAnswer }
  'indexing.rows': { ask: IndexingRowsAsk; answer: IndexingRowsAnswer }
  'indexing.budgets': { ask: IndexingBudgetsAsk; answer: IndexingBudgetsAnswer }
  'indexing.memory': { ask: IndexingMemoryAsk; answer: IndexingMemoryAnswer }
  'indexing.bar': { ask: IndexingBarAsk; answer: IndexingBarAnswer }
  'indexing.findings': { ask: { readonly sources: readonly SourceId[] }; answer: IndexingFindingsAnswer }
  'indexing.replay': { ask: IndexingReplayAsk; answer: IndexingReplayAnswer }
  /** Stretches of at least `minTicks` in which no index worked: start and end alternate, ascending. */
  'indexing.idle': {
    ask: { readonly minTicks: TickSpan }
    answer: { readonly version: number; readonly spans: Float64Array }
  }
}
