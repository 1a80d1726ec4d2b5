import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** Key of an index: `<source>|<name>`. Two databases may each have an index of the same name. */
export type IndexKey = string

export { allIndexesLane } from '../../../capture/client/state.ts'

/**
 * Identity of a batch. It includes the start, because ids restart when a database is unloaded. Stable, so that a URL
 * may contain it.
 */
export interface BatchRef {
  readonly index: IndexKey
  readonly startTicks: Ticks
  readonly id: number
}

/**
 * The state of a batch, as number in columns:
 * - `worked`: completed, and it had something to do
 * - `empty`: completed; the index woke and found nothing (no document in, none out, none failed)
 * - `failed`: completed, and at least one document failed
 * - `training`: completed, and it only trained the dictionary of a new Corax index: its documents were read and not indexed
 * - `running`: not completed when last reported
 * - `waiting`: running, and its newest operation waits for the limit of concurrently running indexes
 * - `lost`: it never completed as far as is known (the database was unloaded, or it was not seen again)
 */
export const BATCH_STATES = ['worked', 'empty', 'failed', 'running', 'waiting', 'lost', 'training'] as const
export type BatchState = (typeof BATCH_STATES)[number]
/** Position of a state in `BATCH_STATES`. Bit sets of states use bit `1 << code`. */
export const batchStateCode = (state: BatchState): number => BATCH_STATES.indexOf(state)

/**
 * Codes of the reasons for which a batch stops. `other`: the server's text matches no rule; `not-reported`: the server
 * reported none.
 */
export const REASON_CODES = [
  'not-reported',
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

/**
 * Weight of a reason. `calm`: no problem; `limit`: a configured limit was reached; `pressure`: memory, flushes or credits
 * ran short; `broken`.
 */
export type ReasonWeight = 'calm' | 'limit' | 'pressure' | 'broken'

export interface StopReason {
  readonly code: ReasonCode
  readonly weight: ReasonWeight
  /** Description in a sentence, with the numbers of the server's text. */
  readonly words: string
  /** The server's own text; null: not reported. */
  readonly text: string | null
}

/** Filter of batches. Bounds are inclusive; null: no bound. */
export interface BatchFilter {
  readonly minTicks: TickSpan | null
  readonly maxTicks: TickSpan | null
  readonly minDocuments: number | null
  /** Stop reason that a batch must have; null: any. */
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

export interface BatchRow extends BatchRef {
  readonly source: SourceId
  readonly indexName: string
  readonly state: BatchState
  /** Duration of the batch; for a running batch, until its last report. */
  readonly durationTicks: TickSpan
  /** Figures from this one to `bytes` are NaN if the server did not report them. */
  readonly documentsIn: number
  readonly documentsOut: number
  readonly documentsFailed: number
  readonly bytes: Bytes
  /** Documents per second; NaN: the duration is 0. */
  readonly documentsPerSecond: number
  readonly reason: StopReason
  readonly allocatedBytes: Bytes | null
  readonly budgetBytes: Bytes | null
}

export type BatchSort =
  'start' | 'duration' | 'documents' | 'bytes' | 'rate' | 'failed' | 'allocated' | 'budget' | 'index' | 'reason' | 'id'

export interface IndexingRowsParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
  readonly sort: BatchSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface IndexingRowsResponse {
  readonly total: number
  readonly rows: readonly BatchRow[]
}

/** Formats of the export of batches. */
export type BatchExportId = 'indexing.json' | 'indexing.csv' | 'indexing.ndjson' | 'indexing.trace'

export interface BatchExportParams {
  readonly sources: readonly SourceId[]
  /** Indexes to export; null: all indexes of the sources. */
  readonly indexes: readonly IndexKey[] | null
  /** Time range in which the exported batches start; null: no limit. */
  readonly range: TimeRange | null
  readonly filter: BatchFilter
}

export interface BatchExportCount {
  readonly batches: number
}
