import type { EventBatch, EventTable } from '../../../../base/columns/event-table.ts'
import { NumberSet } from '../../../../base/columns/number-set.ts'
import { EventColumns } from './event-columns.ts'
import { FIRST_FOLDED } from '../../contract/limits.ts'

/** Maximum number of waiting rows; more if the table is large, so that merging stays linear. */
const MOST_WAITING = 4096

/**
 * Collects small batches and merges many at a time into a table: a single batch in the middle of the table costs a
 * whole chunk.
 */
export class WaitingEvents {
  readonly #table: EventTable
  readonly #columns = new EventColumns()
  #mayRepeat = false

  constructor(table: EventTable) {
    this.#table = table
  }

  /** Adds rows of one file. `mayRepeat`: some may already be in the table, but none among those that wait. */
  add(events: EventBatch, file: number, mayRepeat: boolean): void {
    this.#mayRepeat ||= mayRepeat
    this.#columns.append(events, file)
    if (this.#columns.length >= Math.max(MOST_WAITING, this.#table.length / 8)) this.settle()
  }

  get isEmpty(): boolean {
    return this.#columns.length === 0
  }

  /** Merges the waiting rows. */
  settle(): void {
    const rows = this.#columns.show(true)
    if (rows.length === 0) return
    this.#table.merge(rows, this.#mayRepeat)
    this.#columns.drop(rows.length)
    this.#mayRepeat = false
  }
}

/** Value in column FILE for events from `origin`, a hash. */
export const foldedFile = (origin: number): number => FIRST_FOLDED + (origin % FIRST_FOLDED)

/**
 * Origins (environment and file, very many, with a few events each) of a track's folded events, as hashes. Repeated
 * events are recognised as if each origin had its own table.
 */
export class FoldedOrigins {
  /** Origins of waiting rows; two batches of one origin may contain the same rows. */
  #waiting = new Set<number>()
  /** Origins of all rows so far, and those that occurred more than once. */
  readonly #met = new NumberSet()
  readonly #repeated = new NumberSet()

  add(waiting: WaitingEvents, events: EventBatch, origin: number): void {
    const isNew = this.#met.add(origin)
    if (!isNew) this.#repeated.add(origin)
    if (this.#waiting.has(origin)) waiting.settle()
    waiting.add(events, foldedFile(origin), !isNew)
    if (waiting.isEmpty) this.#waiting.clear()
    else this.#waiting.add(origin)
  }

  has(origin: number): boolean {
    return this.#met.has(origin)
  }

  /** Whether events of this origin came more than once. */
  isRepeated(origin: number): boolean {
    return this.#repeated.has(origin)
  }

  /** Called when all waiting rows are in the table. */
  settled(): void {
    this.#waiting.clear()
  }

  get byteLength(): number {
    return this.#met.byteLength + this.#repeated.byteLength
  }
}
