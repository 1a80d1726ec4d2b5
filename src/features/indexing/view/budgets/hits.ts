import type { Ticks } from '../../../../base/ticks.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { countUntil } from '../../../../charts/timeline/marks.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import type { BudgetStep } from '../../../../feeds/indexing/contract/budgets.ts'
import type { LowMemoryEvent } from '../../../../feeds/indexing/contract/memory.ts'
import type { BudgetPicture } from './picture.ts'
import type { BudgetRow } from './layout.ts'

/** Place under the pointer: always a row and a time, and the step or event that is drawn there. */
export interface BudgetHit {
  readonly row: BudgetRow
  readonly atTicks: Ticks
  /** Column of the budgets; −1: none. */
  readonly column: number
  /** Sample of the machine that is valid at that time; −1: none. */
  readonly sample: number
  readonly step: BudgetStep | null
  readonly event: LowMemoryEvent | null
}

const SLACK_PX = 6

/** Nearest item within a few pixels; null: none. */
function nearest<T extends { readonly atTicks: Ticks }>(
  items: readonly T[],
  toPx: (at: number) => number,
  xPx: number,
): T | null {
  let best: T | null = null
  let bestPx = SLACK_PX
  for (const item of items) {
    const awayPx = Math.abs(toPx(item.atTicks) - xPx)
    if (awayPx > bestPx) continue
    best = item
    bestPx = awayPx
  }
  return best
}

export function hitTestBudgets(picture: BudgetPicture, at: Point): BudgetHit | null {
  const { scale, columns, memory, layout } = picture
  const [row] = visibleSlice(layout.rows, at.yPx, at.yPx + 0.001)
  if (row === undefined) return null
  const atTicks = scale.toTicks(at.xPx)
  return {
    row,
    atTicks,
    column: columns === null ? -1 : countUntil(columns.atTicks, columns.atTicks.length, atTicks) - 1,
    sample: memory === null ? -1 : countUntil(memory.atTicks, memory.length, atTicks) - 1,
    step: row.type === 'index' ? nearest(picture.stepsOf.get(row.key) ?? [], scale.toPx, at.xPx) : null,
    event: row.type === 'machine' ? nearest(memory?.lowMemory ?? [], scale.toPx, at.xPx) : null,
  }
}
