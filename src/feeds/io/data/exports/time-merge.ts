import { Heap } from '../../../../base/columns/heap.ts'
import type { RowCursor } from './row-cursor.ts'

/**
 * Merges the rows of several cursors in order of time: a heap of the cursors by their current rows. O(log cursors) per
 * row.
 */
export class TimeMerge {
  readonly #heap = new Heap<RowCursor>(
    (a, b) => a.startTicks < b.startTicks || (a.startTicks === b.startTicks && a.place < b.place),
  )

  constructor(cursors: readonly RowCursor[]) {
    for (const cursor of cursors) if (cursor.next()) this.#heap.push(cursor)
  }

  /** Cursor at the earliest row; null: there are no more rows. */
  get top(): RowCursor | null {
    return this.#heap.top ?? null
  }

  /** Moves to the next row. */
  next(): void {
    if (this.#heap.top?.next() === true) this.#heap.sink()
    else this.#heap.pop()
  }
}
