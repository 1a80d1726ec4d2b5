import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'

/** An index of a source: `<source>|<name>`. Two databases may each have one of the same name. */
export type IndexKey = string

export { allIndexesLane } from '../../../capture/client/state.ts'

/** Identity of a batch. Ids restart when a database was unloaded, so the start belongs to it. Stable: fit for a URL. */
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
/** Position of a state in `BATCH_STATES`; `states` bit sets have bit `1 << code`. */
export const batchStateCode = (state: BatchState): number => BATCH_STATES.indexOf(state)

/**
 * Codes of the reasons for which a batch stops. `other`: a text that no rule knows; `not-reported`: the server reported
 * none.
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
  /** A plain sentence, with the numbers of the server's text in it. */
  readonly words: string
  /** The server's own text; null: none was reported. */
  readonly text: string | null
}

/** Bounds are inclusive; null: none. */
export interface BatchFilter {
  readonly minTicks: TickSpan | null
  readonly maxTicks: TickSpan | null
  readonly minDocuments: number | null
  /** Reason of the batches that pass; null for any. */
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
  /** Length of the batch; of a running one, up to when it was last reported. */
  readonly durationTicks: TickSpan
  /** Figures from here to `bytes` are NaN where the server did not report them. */
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
  /** Indexes to export; null for every index of the sources. */
  readonly indexes: readonly IndexKey[] | null
  /** Batches that start in it; null: of all times. */
  readonly range: TimeRange | null
  readonly filter: BatchFilter
}

export interface BatchExportCount {
  readonly batches: number
}
