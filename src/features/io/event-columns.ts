import type { EventBatch } from '../../base/event-table.ts'
import { IO_COLUMNS } from './wire.ts'

/** Events of one file and kind on their way into a table: columns that grow by doubling. */
export class EventColumns {
  length = 0
  #columns = newColumns(64)

  /** Ticks, bytes; −1 where something was not told. */
  add(start: number, duration: number, size: number, fileSize: number, compressed: number, acceleration: number): void {
    const at = this.length++
    if (at === (this.#columns[0] as Float64Array).length) this.#grow()
    const columns = this.#columns as Columns
    columns[0][at] = start
    columns[1][at] = duration
    columns[2][at] = size
    columns[4][at] = fileSize
    columns[5][at] = compressed
    columns[6][at] = acceleration
  }

  /**
   * Hands over the rows. Unless `all`, the last rows that start at one moment stay: the next ones may be their equals,
   * and equal rows count as several events only within one batch.
   */
  take(all: boolean): EventBatch {
    const starts = this.#columns[0] as Float64Array
    let end = this.length
    if (!all) while (end > 0 && starts[end - 1] === starts[this.length - 1]) end--
    const batch: EventBatch = { columns: this.#columns.map((column) => column.slice(0, end)), length: end }
    if (end > 0) {
      const left = this.length - end
      for (const column of this.#columns) column.copyWithin(0, end, this.length)
      this.length = left
    }
    return batch
  }

  #grow(): void {
    this.#columns = this.#columns.map((column) => {
      const wider = new Float64Array(column.length * 2)
      wider.set(column)
      return wider
    })
  }
}

type Columns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]

const newColumns = (capacity: number): Float64Array[] =>
  Array.from({ length: IO_COLUMNS }, () => new Float64Array(capacity))
