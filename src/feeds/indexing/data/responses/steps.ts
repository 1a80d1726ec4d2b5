import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../base/columns/event-table.ts'
import type { IndexBudgetLog } from '../budget-log.ts'
import type { BatchRef } from '../../contract/batches.ts'
import type { BudgetStep } from '../../contract/budgets.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, ID, REASON } from '../index-table.ts'
import { measuredOrNaN } from './batch-row.ts'
import type { PartKind } from './parts.ts'

const measuredOrNull = (value: number): Bytes | null => (Number.isNaN(value) ? null : (value as Bytes))

/** Stop reasons with which the server refuses memory or withdraws it. */
const ENDINGS: Readonly<Record<string, BudgetStep['kind']>> = { 'no-budget': 'refusal', 'low-memory': 'low-memory' }

/** Observed steps in the negotiation of a batch for memory, in order; empty if the batch requested nothing. */
export function stepsOfBatch(
  store: BatchStore,
  log: IndexBudgetLog,
  index: IndexTable,
  { kind, events, row }: { readonly kind: PartKind; readonly events: EventTable; readonly row: number },
): BudgetStep[] {
  const read = (column: number): number => measuredOrNaN(events.read(column, row))
  const startTicks = events.read(START, row)
  const id = events.read(ID, row)
  const batch: BatchRef = { index: index.key, startTicks: startTicks as Ticks, id }
  const steps: BudgetStep[] = []
  let budget = Number.NaN
  const grant = (atTicks: number, to: number, checked: number): void => {
    steps.push({
      index: index.key,
      batch,
      atTicks: atTicks as Ticks,
      kind: 'grant',
      allocatedBytes: measuredOrNull(checked),
      fromBytes: measuredOrNull(budget),
      toBytes: measuredOrNull(to),
    })
    budget = to
  }
  for (const note of log.notesOf(startTicks, id))
    if (note.budgetBytes > 0 && note.budgetBytes !== budget) grant(note.atTicks, note.budgetBytes, note.checkedBytes)
  const isOpen = kind === 'open'
  const endTicks = startTicks + events.read(DURATION, row)
  const last = read(BUDGET)
  if (last > 0 && last !== budget) grant(endTicks, last, read(CHECKED))
  const ending = ENDINGS[store.reasons.get(events.read(REASON, row)).code]
  if (isOpen || (steps.length === 0 && ending === undefined)) return steps
  steps.push({
    index: index.key,
    batch,
    atTicks: endTicks as Ticks,
    kind: ending ?? 'end',
    allocatedBytes: measuredOrNull(read(CHECKED)),
    fromBytes: measuredOrNull(budget),
    toBytes: null,
  })
  return steps
}
