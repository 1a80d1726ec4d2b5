import type { EventBatch, EventTable } from '../../../../base/columns/event-table.ts'
import { NumberSet } from '../../../../base/columns/number-set.ts'
import { EventColumns } from './event-columns.ts'
import { FIRST_FOLDED } from '../../contract/limits.ts'

/** Rows that wait at most; more where the table is large, so that merging stays linear. */
const MOST_WAITING = 4096

/**
 * Small batches on their way into a table, merged many at a time: a batch that falls into the middle of the table costs a
 * whole chunk.
 */
export class WaitingEvents {
  readonly #table: EventTable
  readonly #columns = new EventColumns()
  #mayRepeat = false

  constructor(table: EventTable) {
    this.#table = table
  }

  /** Rows of one file. `mayRepeat`: some may be in the table; none may be among those that wait. */
  add(events: EventBatch, file: number, mayRepeat: boolean): void {
    this.#mayRepeat ||= mayRepeat
    this.#columns.append(events, file)
    if (this.#columns.length >= Math.max(MOST_WAITING, this.#table.length / 8)) this.settle()
  }

  get isEmpty(): boolean {
    return this.#columns.length === 0
  }

  /** Merges what waits. */
  settle(): void {
    const rows = this.#columns.show(true)
    if (rows.length === 0) return
    this.#table.merge(rows, this.#mayRepeat)
    this.#columns.drop(rows.length)
    this.#mayRepeat = false
  }
}

/** Column FILE of what came from `origin`, a hash. */
export const foldedFile = (origin: number): number => FIRST_FOLDED + (origin % FIRST_FOLDED)

/**
 * Where folded events of a track came from (files of environments, very many, a few events of each), as hashes: what is
 * repeated is recognised as if each had a table of its own.
 */
export class FoldedOrigins {
  /** Origins of waiting rows: rows of one origin in two batches may be the same ones. */
  #waiting = new Set<number>()
  /** Origins of all rows that came, and those that came more than once. */
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

  /** Events of this origin came more than once. */
  isRepeated(origin: number): boolean {
    return this.#repeated.has(origin)
  }

  /** Everything that waited is in the table. */
  settled(): void {
    this.#waiting.clear()
  }

  get byteLength(): number {
    return this.#met.byteLength + this.#repeated.byteLength
  }
}
