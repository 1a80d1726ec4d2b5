import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { BudgetLog, IndexBudgetLog } from '../budget-log.ts'
import { THREAD_HOLD_TICKS } from '../budget-log.ts'
import type { BudgetStep, IndexBudget, IndexingBudgetsResponse, IndexingBudgetsParams } from '../../contract/budgets.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, ID, REASON } from '../index-table.ts'
import { measuredOrNaN } from './batch-row.ts'
import type { PixelGrid } from './pixel-grid.ts'
import { pixelAfter, pixelGrid } from './pixel-grid.ts'
import type { PartKind } from './parts.ts'
import { reachingInto, tablesOf } from './parts.ts'
import { stepsOfBatch } from './steps.ts'

/** Maximum number of steps over all indexes. If there are more, those of neighbouring pixels are merged. */
const MOST_STEPS = 40_000
/**
 * Time for which a budget between batches is valid, ticks: 30 s. It is requested every 15 s, and only 5.4 reports it.
 */
const HELD_HOLD_TICKS = 300_000_000

/** Memory of each index by pixel, and the steps of its budget. O(batches in view + pixels). */
export async function budgetsResponse(
  store: BatchStore,
  log: BudgetLog,
  params: IndexingBudgetsParams,
  signal: AbortSignal,
): Promise<IndexingBudgetsResponse> {
  const pace = new Pace(signal)
  const grid = pixelGrid(params.pieces)
  const rows: IndexBudget[] = []
  const steps: BudgetStep[] = []
  for (const key of params.indexes) {
    const index = store.indexes.get(key)
    const own = log.of(key)
    const budget = emptyBudget(key, grid.xPx.length, own.thread)
    fillThreads(budget, own, grid)
    if (index !== undefined) for (const step of fillBatches(store, index, own, grid, params, budget)) steps.push(step)
    fillHeld(budget, own, grid)
    rows.push(budget)
    await pace.step()
  }
  const sorted = steps.toSorted((a, b) => a.atTicks - b.atTicks)
  const shown = onePerPixel(sorted, grid)
  return {
    xPx: grid.xPx,
    rows,
    steps: shown,
    stepsLeft: sorted.length - shown.length,
  }
}

/**
 * Keeps, for each index and kind, the last step in a pixel. Above `MOST_STEPS`, neighbouring pixels are merged, so that
 * every part of the view keeps some steps.
 */
function onePerPixel(sorted: readonly BudgetStep[], grid: PixelGrid): readonly BudgetStep[] {
  for (let widthPx = 1; ; widthPx *= 2) {
    const kept = new Map<string, BudgetStep>()
    for (const step of sorted)
      kept.set(`${Math.floor(pixelAfter(grid, step.atTicks) / widthPx)} ${step.kind} ${step.index}`, step)
    if (kept.size <= MOST_STEPS || widthPx > grid.xPx.length)
      return [...kept.values()].toSorted((a, b) => a.atTicks - b.atTicks)
  }
}

function emptyBudget(index: string, length: number, thread: IndexBudget['thread']): IndexBudget {
  const unknown = (): Float64Array => new Float64Array(length).fill(Number.NaN)
  return {
    index,
    nowBytes: unknown(),
    checkedBytes: unknown(),
    grantedBytes: unknown(),
    ran: new Uint8Array(length),
    thread,
  }
}

function fillThreads({ nowBytes }: IndexBudget, { threads }: IndexBudgetLog, grid: PixelGrid): void {
  if (threads.length === 0) return
  for (let px = 0; px < nowBytes.length; px++)
    nowBytes[px] = threads.most(grid.startTicks[px] as number, grid.endTicks[px] as number, THREAD_HOLD_TICKS)
}

/** Fills in the budgets that indexes held between batches. While a batch runs, its own figures are used. */
function fillHeld({ grantedBytes, ran }: IndexBudget, { held }: IndexBudgetLog, grid: PixelGrid): void {
  if (held.length === 0) return
  for (let px = 0; px < grantedBytes.length; px++)
    if (ran[px] === 0)
      grantedBytes[px] = held.most(grid.startTicks[px] as number, grid.endTicks[px] as number, HELD_HOLD_TICKS)
}

/** Fills in the memory of the batches in the pieces, and yields their steps. */
function* fillBatches(
  store: BatchStore,
  index: IndexTable,
  log: IndexBudgetLog,
  grid: PixelGrid,
  params: IndexingBudgetsParams,
  budget: IndexBudget,
): Generator<BudgetStep> {
  const first = params.pieces[0]
  const last = params.pieces.at(-1)
  if (first === undefined || last === undefined) return
  for (const { kind, events } of tablesOf(store, index, NO_FILTER)) {
    const rows: number[] = reachingInto(events, first.startTicks)
    events.forEachPart(
      events.lowerBound(first.startTicks),
      events.lowerBound(last.endTicks),
      (chunk, from, to, firstRow) => {
        for (let row = from; row < to; row++) {
          fillBatch(log, grid, budget, (column) => chunk.read(column, row))
          if (mayStep(store, kind, chunk, row)) rows.push(firstRow + row)
        }
      },
    )
    for (const row of rows) {
      if (events.read(START, row) < first.startTicks) fillBatch(log, grid, budget, (column) => events.read(column, row))
      for (const step of stepsOfBatch(store, log, index, { kind, events, row }))
        if (step.atTicks >= first.startTicks && step.atTicks < last.endTicks) yield step
    }
  }
}

/** Whether the batch can have steps: false if it has no budget and did not stop for lack of memory. */
function mayStep(store: BatchStore, kind: PartKind, chunk: EventChunk, row: number): boolean {
  if (kind === 'open' || chunk.read(BUDGET, row) !== -1) return true
  const { code } = store.reasons.get(chunk.read(REASON, row))
  return code === 'no-budget' || code === 'low-memory'
}

function fillBatch(
  log: IndexBudgetLog,
  grid: PixelGrid,
  { checkedBytes, grantedBytes, ran }: IndexBudget,
  read: (column: number) => number,
): void {
  const startTicks = read(START)
  const endTicks = startTicks + Math.max(1, read(DURATION))
  const raise = (values: Float64Array, px: number, value: number): void => {
    if (!Number.isNaN(value) && !((values[px] as number) >= value)) values[px] = value
  }
  const notes = log.notesOf(startTicks, read(ID))
  const checked = measuredOrNaN(read(CHECKED))
  const granted = measuredOrNaN(read(BUDGET))
  for (let px = pixelAfter(grid, startTicks); px < ran.length; px++) {
    if ((grid.startTicks[px] as number) >= endTicks) break
    ran[px] = 1
    // Uses the newest note before the end of the pixel. Uses the final report if the batch has no notes, and in the
    // pixel in which it ends.
    const note = notes.findLast(({ atTicks }) => atTicks <= (grid.endTicks[px] as number))
    const isOver = note === undefined || (note === notes.at(-1) && (grid.endTicks[px] as number) >= endTicks)
    raise(checkedBytes, px, isOver && notes.length === 0 ? checked : (note?.checkedBytes ?? Number.NaN))
    raise(grantedBytes, px, isOver && notes.length === 0 ? granted : (note?.budgetBytes ?? Number.NaN))
    if (isOver && notes.length > 0 && note !== undefined) {
      raise(checkedBytes, px, checked)
      raise(grantedBytes, px, granted)
    }
  }
}
