import type { TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { BatchFilter, IndexKey } from './batches.ts'

/**
 * A name of an operation as the server reported it. `nameId` columns refer to its id, which is valid for the lifetime
 * of the worker.
 */
export interface OperationName {
  readonly nameId: number
  readonly name: string
  /** Family of the name, from the list below; `Collection_X` and `Field_X` belong to `collection` and `field`. */
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
  'unknown', // unknown name; has a colour of its own
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
  /** Duration minus the durations of its children; negative if the children exceed it. */
  readonly otherTicks: TickSpan
  /**
   * Figures that the server reported for the operation, in its order and under its names. A 0 that means "not measured"
   * is null.
   */
  readonly details: readonly {
    readonly name: string
    readonly value: number | null
    readonly unit: 'bytes' | 'count' | 'pages-8k' | 'blocks-4k'
  }[]
}

/** Operations that are not listed because there are too many. */
export interface UnlistedOperations {
  readonly count: number
  /** Time without child operations. With the `selfTicks` of the listed operations it sums to the total. */
  readonly selfTicks: number
}

export interface OperationTotal {
  /** Names below the root, joined by ` › `: `Map › Collection_Orders › Linq`. */
  readonly path: string
  readonly name: string
  readonly family: OperationFamily
  readonly depth: number
  /** Position of its parent in the list; −1: its parent is the root. */
  readonly parent: number
  /** Number of batches that had this operation. */
  readonly batches: number
  readonly totalTicks: TickSpan
  /**
   * Time without child operations. The sum of `selfTicks` over all rows, with `otherTicks` of the response, is the busy
   * time.
   */
  readonly selfTicks: TickSpan
  readonly longestTicks: TickSpan
}

/** Parameters of the time by operation. The handler reads every tree in the range. */
export interface IndexingOperationsParams extends TimeRange {
  readonly indexes: readonly IndexKey[]
  readonly filter: BatchFilter
}

/**
 * Time by operation of the completed batches that start in the range, without passes that only trained a dictionary.
 */
export interface IndexingOperationsResponse {
  /** Operations in pre-order: parents before children, siblings by total time. */
  readonly operations: readonly OperationTotal[]
  /** Smaller operations that are not listed. */
  readonly unlisted: UnlistedOperations
  /** Number of operations beyond the limit of a batch; they are counted as `FURTHER_OPERATIONS` of their parents. */
  readonly leftOut: number
  /** Time of the batches that is not covered by any operation below the root. */
  readonly otherTicks: TickSpan
  /** Figures of the batches as a whole, as in the summary. */
  readonly batches: number
  readonly busyTicks: TickSpan
  /** Duration of the longest batch that worked or failed; NaN: there is none. */
  readonly longestTicks: number
}
