import type { EventBatch } from '../../../../base/columns/event-table.ts'
import { FILE, IO_COLUMNS } from './wire.ts'

/** Columns of `add`, in the order of its parameters. */
const OWN_COLUMNS = [0, 1, 2, 4, 5, 6]
/** Number of rows below which they are copied one by one. */
const FEW_ROWS = 16

/** Events of one file and kind before they are added to a table: columns that grow by doubling. */
export class EventColumns {
  length = 0
  /** Number of rows that start before the last start; these can be passed on now. */
  ready = 0
  #lastStart = Number.NaN
  #capacity = 64
  #columns = newColumns(64)

  /** Ticks, bytes; −1 where something was not reported. */
  add(start: number, duration: number, size: number, fileSize: number, compressed: number, acceleration: number): void {
    const at = this.length++
    if (at === this.#capacity) this.#grow()
    if (start !== this.#lastStart) {
      this.ready = at
      this.#lastStart = start
    }
    const columns = this.#columns
    columns[0][at] = start
    columns[1][at] = duration
    columns[2][at] = size
    columns[4][at] = fileSize
    columns[5][at] = compressed
    columns[6][at] = acceleration
  }

  /** Adds the first `count` rows of these columns, which are those of `add`, in its order. */
  addRows(columns: readonly Float64Array[], count: number): void {
    const at = this.length
    this.length += count
    while (this.length > this.#capacity) this.#grow()
    const starts = columns[0] as Float64Array
    let moment = count - 1
    while (moment > 0 && starts[moment] === starts[moment - 1]) moment--
    if (moment > 0 || starts[0] !== this.#lastStart) this.ready = at + moment
    this.#lastStart = starts[count - 1] as number
    for (const [i, own] of OWN_COLUMNS.entries()) {
      const into = this.#columns[own] as Float64Array
      const from = columns[i] as Float64Array
      if (count < FEW_ROWS) for (let row = 0; row < count; row++) into[at + row] = from[row] as number
      else into.set(from.subarray(0, count), at)
    }
  }

  /** Adds rows in any order of start, all of one file. */
  append({ columns, length }: EventBatch, file: number): void {
    const at = this.length
    this.length += length
    while (this.length > this.#capacity) this.#grow()
    for (const [i, column] of this.#columns.entries()) column.set((columns[i] as Float64Array).subarray(0, length), at)
    this.#columns[FILE].fill(file, at, this.length)
  }

  /**
   * Returns the rows that can be passed on, without copying them; valid until `drop` or `add`. Unless `all`, the last
   * rows with the same start stay: the next rows may be equal to them, and equal rows count as several events only
   * within one batch.
   */
  show(all: boolean): EventBatch {
    const end = all ? this.length : this.ready
    return { columns: this.#columns.map((column) => column.subarray(0, end)), length: end }
  }

  /** Removes the first `count` rows. */
  drop(count: number): void {
    if (count === 0) return
    for (const column of this.#columns) column.copyWithin(0, count, this.length)
    this.length -= count
    this.ready = Math.max(0, this.ready - count)
  }

  #grow(): void {
    this.#capacity *= 2
    this.#columns = this.#columns.map((column) => {
      const wider = new Float64Array(this.#capacity)
      wider.set(column)
      return wider
    }) as unknown as Columns
  }
}

type Columns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]

const newColumns = (capacity: number): Columns =>
  Array.from({ length: IO_COLUMNS }, () => new Float64Array(capacity)) as Columns
