import type { ComposedParams } from '../../capture/client/panels.ts'
import type { BoundsText, ListText, RangeText } from '../../capture/client/param-text.ts'
import type { BatchSort, IndexKey } from '../../feeds/indexing/contract/batches.ts'

export type IndexingView = 'batches' | 'indexes' | 'budgets' | 'compare'

/** Memory figure that is stacked. */
export type BudgetMeasure = 'granted' | 'checked' | 'now'

/** Sortable columns of the table of indexes. */
export type IndexSort =
  | 'name'
  | 'batches'
  | 'busy'
  | 'share'
  | 'documents'
  | 'busyRate'
  | 'rate'
  | 'bytes'
  | 'p50'
  | 'p99'
  | 'max'
  | 'failed'
  | 'waited'

type Direction = 'up' | 'down'

interface IndexingLinkParams extends ComposedParams {
  readonly view: Exclude<IndexingView, 'batches'>
  /** Keys of expanded indexes, whose lanes show the operations of their batches. */
  readonly open: ListText
  /** Part of the names of indexes to show. */
  readonly find: string
  readonly order: 'busy'
  readonly duration: BoundsText
  readonly documents: string
  readonly reason: string
  readonly empty: 'off'
  readonly fold: 'off'
  readonly scale: 'linear'
  /** Index whose operations are listed. */
  readonly focus: IndexKey
  readonly sort: `${IndexSort}-${Direction}`
  readonly table: 'on'
  /** Whether the stored errors of indexes are shown. */
  readonly errors: 'on'
  readonly rows: `${BatchSort}-${Direction}`
  /** Time for which the budgets are shown, ticks. */
  readonly at: string
  readonly measure: Exclude<BudgetMeasure, 'granted'>
  readonly a: RangeText
  readonly b: RangeText
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    indexing: IndexingLinkParams
  }
}
