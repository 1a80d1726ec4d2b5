import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, IndexKey } from './batches.ts'

/** A name of an operation as it was met. Ids are those of `nameId` columns; valid as long as the worker lives. */
export interface OperationName {
  readonly nameId: number
  readonly name: string
  /** Family of the name in the list below; `Collection_X` and `Field_X` are `collection` and `field`. */
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

/** A node of an operation tree, in pre-order. */
export interface OperationNode {
  readonly name: string
  readonly family: OperationFamily
  readonly depth: number
  /** Position of its parent in the list; −1: the root. */
  readonly parent: number
  readonly durationTicks: TickSpan
  /** Duration less that of its children; negative by what its children exceed it. */
  readonly otherTicks: TickSpan
  /** Facts that the server reported of it, in its order and under its names. 0 that means "not measured" is null. */
  readonly details: readonly {
    readonly name: string
    readonly value: number | null
    readonly unit: 'bytes' | 'count' | 'pages-8k' | 'blocks-4k'
  }[]
}

/** Operations that a list leaves out, since there are too many. */
export interface UnlistedOperations {
  readonly count: number
  /** Time without the operations inside; with that of the listed ones it sums to all. */
  readonly selfTicks: number
}

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
  /** Time less that of its children: the column of `selfTicks` over all rows, with `otherTicks` of the response, sums to the busy time. */
  readonly selfTicks: TickSpan
  readonly longestTicks: TickSpan
}

/** Visits every tree in the range. */
export interface IndexingOperationsParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
}

/** Time by operation, of completed batches that start in the range; passes that only trained a dictionary are in none of it. */
export interface IndexingOperationsResponse {
  /** Operations in pre-order: parents before children, siblings by total time. */
  readonly operations: readonly OperationTotal[]
  /** Smaller operations that are not listed. */
  readonly unlisted: UnlistedOperations
  /** Operations that batches had too many of, and that are counted as `FURTHER_OPERATIONS` of their parents. */
  readonly leftOut: number
  /** Time of the batches that no operation below the root accounts for. */
  readonly otherTicks: TickSpan
  /** Figures of the batches as a whole, as in the summary. */
  readonly batches: number
  readonly busyTicks: TickSpan
  /** Longest batch that worked or failed; NaN where none did. */
  readonly longestTicks: number
}
