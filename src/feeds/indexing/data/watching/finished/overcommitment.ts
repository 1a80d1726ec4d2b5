import type { Bytes } from '../../../../../base/brand.ts'
import { radixOrder } from '../../../../../base/columns/radix-order.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import { formatBytes, formatPlural } from '../../../../../base/text/format.ts'
import type { BudgetFinding } from '../../../contract/findings.ts'
import { BUDGET_STEP_BYTES } from '../../../contract/limits.ts'
import { MOST_EVIDENCE, orZero, refOf, rowAt, type BatchMemory, type MachineMemory } from './batch-memory.ts'

/** Maximum sum of the budgets of batches that ran at the same time. */
export function peakOfBudgets(all: readonly BatchMemory[]): { readonly bytes: number; readonly atTicks: number } {
  let count = 0
  for (const { length, budgetBytes } of all)
    for (let row = 0; row < length; row++) if ((budgetBytes[row] as number) > 0) count++
  const ticks = new Float64Array(2 * count)
  const bytes = new Float64Array(2 * count)
  let at = 0
  for (const { length, startTicks, endTicks, budgetBytes } of all)
    for (let row = 0; row < length; row++) {
      const budget = budgetBytes[row] as number
      if (!(budget > 0)) continue
      // Ends come first: the sort is stable, so that at equal times a batch ends before another one begins.
      ticks[at] = endTicks[row] as number
      bytes[at] = -budget
      ticks[count + at] = startTicks[row] as number
      bytes[count + at] = budget
      at++
    }
  let sum = 0
  let peak = { bytes: 0, atTicks: Number.NaN }
  for (const edge of orderOf(ticks)) {
    sum += bytes[edge] as number
    if (sum > peak.bytes) peak = { bytes: sum, atTicks: ticks[edge] as number }
  }
  return peak
}

function orderOf(keys: Float64Array): Uint32Array {
  const run = radixOrder(keys, keys.length)
  for (;;) {
    const step = run.next()
    if (step.done === true) return step.value
  }
}

/**
 * Finds budgets that were granted at the same time and together exceed the machine's memory. Whatever part of them is
 * in use, the rest cannot be available.
 */
export function overcommitted(
  all: readonly BatchMemory[],
  peak: { readonly bytes: number; readonly atTicks: number },
  memory: MachineMemory,
): BudgetFinding | null {
  let physical = 0
  for (let at = 0; at < memory.length; at++) physical = Math.max(physical, orZero(memory.physicalBytes[at] as number))
  const holders = all.flatMap((series) => {
    for (let row = Math.max(0, rowAt(series, peak.atTicks) - 4); row < series.length; row++) {
      if ((series.startTicks[row] as number) > peak.atTicks) break
      const budget = series.budgetBytes[row] as number
      if ((series.endTicks[row] as number) > peak.atTicks && budget > 0) return [{ series, row, budget }]
    }
    return []
  })
  const excess = peak.bytes - physical - holders.length * BUDGET_STEP_BYTES
  if (physical === 0 || excess <= 0) return null
  const sorted = holders.toSorted((a, b) => b.budget - a.budget)
  const [first] = sorted
  if (first === undefined) return null
  return {
    id: `finished over-promised ${first.series.source} ${peak.atTicks}`,
    kind: 'over-promised',
    source: first.series.source,
    atTicks: peak.atTicks as Ticks,
    lastTicks: peak.atTicks as Ticks,
    times: 1,
    indexes: sorted.map(({ series }) => series.key),
    grewInto: [],
    excessBytes: (peak.bytes - physical) as Bytes,
    words: `Budgets of ${formatPlural(sorted.length, 'batch', 'batches')} that ran at once sum to ${formatBytes(peak.bytes)}, and the machine has ${formatBytes(physical)}; the largest is that of ${first.series.name}.`,
    evidence: sorted.slice(0, MOST_EVIDENCE).map(({ series, row, budget }) => ({
      atTicks: series.startTicks[row] as Ticks,
      index: series.key,
      batch: refOf(series, row),
      words: `${series.name}, batch ${series.id[row]}: budget ${formatBytes(budget)}.`,
      bytes: budget as Bytes,
    })),
  }
}
