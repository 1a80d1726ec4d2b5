import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import { formatBytes } from '../../../../base/text/format.ts'
import type { BudgetMeasure } from '../../contract.ts'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexBudget } from '../../../../feeds/indexing/contract/budgets.ts'
import type { BudgetColumns } from '../useIndexingData.ts'

/** Memory of an index over the columns of a window. */
export interface BudgetSeries {
  readonly budget: IndexBudget
  readonly name: string
  /** Largest value of all measures in view; 0: nothing was measured. */
  readonly topBytes: number
  /** Largest budget in view; 0: none was measured. */
  readonly topGrantedBytes: number
}

export const measureOf = (budget: IndexBudget, measure: BudgetMeasure): Float64Array =>
  measure === 'granted' ? budget.grantedBytes : measure === 'checked' ? budget.checkedBytes : budget.nowBytes

/** Columns [first, end) in the range, plus one more on either side. */
export function columnsIn(atTicks: Float64Array, startTicks: number, endTicks: number): readonly [number, number] {
  return [
    Math.max(0, bisectNumbers(atTicks, startTicks) - 1),
    Math.min(atTicks.length, bisectNumbers(atTicks, endTicks) + 1),
  ]
}

/** Largest value of columns [first, end), without NaN. */
function largest(column: Float64Array, first: number, end: number): number {
  let most = 0
  for (let i = first; i < end; i++) {
    const value = column[i] ?? 0
    if (value > most) most = value
  }
  return most
}

/** Indexes with data in view, ordered by the largest budget, then by the largest value. */
export function rankSeries(
  columns: BudgetColumns,
  startTicks: number,
  endTicks: number,
  nameOf: (key: IndexKey) => string,
): BudgetSeries[] {
  const [first, end] = columnsIn(columns.atTicks, startTicks, endTicks)
  return columns.response.rows
    .map((budget): BudgetSeries => {
      const topGrantedBytes = largest(budget.grantedBytes, first, end)
      const topBytes = Math.max(
        topGrantedBytes,
        largest(budget.checkedBytes, first, end),
        largest(budget.nowBytes, first, end),
      )
      return { budget, name: nameOf(budget.index), topBytes, topGrantedBytes }
    })
    .toSorted(
      (a, b) => b.topGrantedBytes - a.topGrantedBytes || b.topBytes - a.topBytes || a.name.localeCompare(b.name),
    )
}

/** Names the index with most of the memory, the first after {@link rankSeries}; empty: not measured. */
export function describeMost([first]: readonly BudgetSeries[]): string {
  if (first === undefined || first.topBytes === 0) return ''
  return first.topGrantedBytes > 0
    ? `Most granted in view: ${first.name}, ${formatBytes(first.topGrantedBytes)}.`
    : `No budget outgrew its start in view; most held: ${first.name}, ${formatBytes(first.topBytes)}.`
}

/** Maximum number of layers; more cannot be distinguished. */
const LAYERS = 11

export interface StackLayer {
  /** Index of the layer; null: all others together. */
  readonly index: IndexKey | null
  readonly name: string
  /** Upper edge in bytes by column, from `first` on; the lower edge is the upper edge of the previous layer. */
  readonly upperBytes: Float64Array
}

export interface BudgetStack {
  readonly first: number
  readonly end: number
  readonly layers: readonly StackLayer[]
  readonly topBytes: number
  /** Number of indexes that ran without a value for this measure, by column from `first` on. */
  readonly unmeasured: Uint16Array
}

/** Stacks a measure of all indexes; indexes without a value add nothing and are counted separately. */
export function stackSeries(
  columns: BudgetColumns,
  ranked: readonly BudgetSeries[],
  measure: BudgetMeasure,
  startTicks: number,
  endTicks: number,
): BudgetStack {
  const [first, end] = columnsIn(columns.atTicks, startTicks, endTicks)
  const sum = new Float64Array(end - first)
  const unmeasured = new Uint16Array(end - first)
  const layers: StackLayer[] = []
  ranked.forEach(({ budget, name }, place) => {
    const values = measureOf(budget, measure)
    for (let i = first; i < end; i++) {
      const value = values[i] ?? Number.NaN
      if (!Number.isNaN(value)) sum[i - first] = (sum[i - first] ?? 0) + value
      else if (budget.ran[i] === 1) unmeasured[i - first] = (unmeasured[i - first] ?? 0) + 1
    }
    if (place < LAYERS) layers.push({ index: budget.index, name, upperBytes: sum.slice() })
  })
  if (ranked.length > LAYERS)
    layers.push({ index: null, name: `${ranked.length - LAYERS} others`, upperBytes: sum.slice() })
  let topBytes = 0
  for (const value of sum) if (value > topBytes) topBytes = value
  return { first, end, layers, topBytes, unmeasured }
}
