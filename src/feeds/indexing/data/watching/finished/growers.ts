import type { IndexKey } from '../../../contract/batches.ts'
import { BUDGET_STEP_BYTES } from '../../../contract/limits.ts'
import { orZero, rowAt, type BatchMemory } from './batch-memory.ts'
import type { Kept } from './kept-budgets.ts'

/** Number of batches that determine the level of an index before a moment: its largest budget or use in them. */
const LEVEL_BATCHES = 12

export interface Grower {
  readonly series: BatchMemory
  readonly bytes: number
  readonly to: number
}

const levelAt = ({ usedBytes, budgetBytes }: BatchMemory, row: number): number =>
  Math.max(orZero(usedBytes[row] as number), orZero(budgetBytes[row] as number))

/** Indexes that were granted or used more while the budget was kept than just before; largest growth first. */
export function growersBeside(all: readonly BatchMemory[], { series, first, end }: Kept): Grower[] {
  const fromTicks = series.startTicks[first] as number
  const toTicks = series.endTicks[end] as number
  const growers: Grower[] = []
  for (const other of all) {
    if (other === series) continue
    const from = rowAt(other, fromTicks)
    const to = rowAt(other, toTicks)
    if (from === to) continue
    let before = from === 0 ? levelAt(other, from) : 0
    for (let row = Math.max(0, from - LEVEL_BATCHES); row < from; row++) before = Math.max(before, levelAt(other, row))
    let most = 0
    for (let row = from; row < to; row++) most = Math.max(most, levelAt(other, row))
    // Growth of less than a step is normal variation between batches.
    if (most - before >= BUDGET_STEP_BYTES) growers.push({ series: other, bytes: most - before, to: most })
  }
  return growers.toSorted((a, b) => b.bytes - a.bytes)
}

export function mergeGrowers(growers: readonly Grower[]): Grower[] {
  const most = new Map<IndexKey, Grower>()
  for (const each of growers) if ((most.get(each.series.key)?.bytes ?? 0) < each.bytes) most.set(each.series.key, each)
  return [...most.values()].toSorted((a, b) => b.bytes - a.bytes)
}
