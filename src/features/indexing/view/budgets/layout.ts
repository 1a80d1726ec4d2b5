import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { BudgetSeries } from './series.ts'

export interface BudgetRow {
  readonly type: 'machine' | 'stack' | 'index'
  readonly key: string
  readonly label: string
  readonly series: BudgetSeries | null
  readonly index: IndexKey | null
  readonly topPx: number
  readonly heightPx: number
}

const MACHINE_PX = 168
const STACK_PX = 130
const INDEX_PX = 46

export interface BudgetLayout {
  readonly rows: readonly BudgetRow[]
  /** The same rows as tracks: each is drawn separately. */
  readonly tracks: readonly BudgetRow[]
  readonly heightPx: number
}

const HEAD: readonly BudgetRow[] = [
  { type: 'machine', key: 'machine', label: 'Machine', series: null, index: null, topPx: 0, heightPx: MACHINE_PX },
  {
    type: 'stack',
    key: 'stack',
    label: 'All indexes',
    series: null,
    index: null,
    topPx: MACHINE_PX,
    heightPx: STACK_PX,
  },
]

/** Rows of the machine, of all budgets stacked, and of each index. They follow each other without gaps. */
export function layoutBudgets(ranked: readonly BudgetSeries[]): BudgetLayout {
  const below = ranked.map((series, place): BudgetRow => ({
    type: 'index',
    key: series.budget.index,
    label: series.name,
    series,
    index: series.budget.index,
    topPx: MACHINE_PX + STACK_PX + place * INDEX_PX,
    heightPx: INDEX_PX,
  }))
  const rows = [...HEAD, ...below]
  return { rows, tracks: rows, heightPx: MACHINE_PX + STACK_PX + ranked.length * INDEX_PX }
}
