import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import type { IndexKey } from '../contract/batches.ts'
import { Runs } from './runs.ts'
import type { IndexTable } from './index-table.ts'
import { BUDGET, CHECKED, ID, PRIVATE, WORKING_SET } from './index-table.ts'

/** Maximum number of batches of one index whose steps are kept; the oldest are dropped first. */
const MOST_BATCHES = 2000
/** Maximum number of steps of one batch; beyond it, a new step replaces the last one. */
const MOST_STEPS = 200
/** Time for which a sample of a thread is valid, ticks: 3 s. The list of threads arrives every second. */
export const THREAD_HOLD_TICKS = 30_000_000

/** Memory of a running batch at one moment; NaN: not measured. */
export interface BudgetNote {
  readonly atTicks: number
  readonly checkedBytes: number
  readonly budgetBytes: number
  readonly privateBytes: number
  readonly workingSetBytes: number
}

export interface NotedBatch {
  readonly startTicks: number
  readonly id: number
  readonly notes: BudgetNote[]
}

/** Memory of an index over time, in addition to the reports of its completed batches. */
export class IndexBudgetLog {
  /** Unmanaged allocations of the index's thread. */
  readonly threads = new Runs()
  /** Budget between batches; reported by 5.4 only. */
  readonly held = new Runs()
  readonly #batches = new Map<string, NotedBatch>()
  thread: 'known' | 'ambiguous' | 'unknown' = 'unknown'

  notesOf(startTicks: number, id: number): readonly BudgetNote[] {
    return this.#batches.get(`${id}:${startTicks}`)?.notes ?? []
  }

  /** Adds the reported memory of a running batch. Figures equal to the last ones are not a new step. */
  note(row: Float64Array, reportedTicks: number): void {
    const value = (column: number): number => ((row[column] as number) === -1 ? Number.NaN : (row[column] as number))
    const key = `${row[ID]}:${row[START]}`
    let batch = this.#batches.get(key)
    if (batch === undefined) {
      batch = { startTicks: row[START] as number, id: row[ID] as number, notes: [] }
      this.#batches.set(key, batch)
      for (const oldest of this.#batches.keys()) {
        if (this.#batches.size <= MOST_BATCHES) break
        this.#batches.delete(oldest)
      }
    }
    const note: BudgetNote = {
      atTicks: Number.isNaN(reportedTicks) ? (row[START] as number) + (row[DURATION] as number) : reportedTicks,
      checkedBytes: value(CHECKED),
      budgetBytes: value(BUDGET),
      privateBytes: value(PRIVATE),
      workingSetBytes: value(WORKING_SET),
    }
    const last = batch.notes.at(-1)
    if (last !== undefined && same(last.checkedBytes, note.checkedBytes) && same(last.budgetBytes, note.budgetBytes))
      return
    if (batch.notes.length === MOST_STEPS) batch.notes.pop()
    batch.notes.push(note)
  }

  get byteLength(): number {
    let notes = 0
    for (const batch of this.#batches.values()) notes += batch.notes.length
    return this.threads.byteLength + this.held.byteLength + this.#batches.size * 120 + notes * 72
  }
}

const same = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))

export class BudgetLog {
  readonly #logs = new Map<IndexKey, IndexBudgetLog>()

  of(key: IndexKey): IndexBudgetLog {
    let log = this.#logs.get(key)
    if (log === undefined) this.#logs.set(key, (log = new IndexBudgetLog()))
    return log
  }

  note(table: IndexTable, row: Float64Array, reportedTicks: number): void {
    this.of(table.key).note(row, reportedTicks)
  }

  get byteLength(): number {
    let sum = 0
    for (const log of this.#logs.values()) sum += log.byteLength
    return sum
  }
}
