import type { RowCursor } from './row-cursor.ts'

/** Rows of many cursors in one order of time: a heap of the cursors by their current rows. O(log cursors) a row. */
export class TimeMerge {
  readonly #heap: RowCursor[] = []

  constructor(cursors: readonly RowCursor[]) {
    for (const cursor of cursors) if (cursor.next()) this.#heap.push(cursor)
    for (let at = (this.#heap.length >>> 1) - 1; at >= 0; at--) this.#siftDown(at)
  }

  /** Moves to the earliest row; null: there are no more. */
  get top(): RowCursor | null {
    return this.#heap[0] ?? null
  }

  /** To the next row. */
  next(): void {
    const top = this.#heap[0]
    if (top === undefined) return
    if (!top.next()) {
      const last = this.#heap.pop()
      if (last === undefined || last === top) return
      this.#heap[0] = last
    }
    this.#siftDown(0)
  }

  #siftDown(from: number): void {
    const heap = this.#heap
    const moving = heap[from] as RowCursor
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as RowCursor, heap[child] as RowCursor)) child++
      if (!isBefore(heap[child] as RowCursor, moving)) break
      heap[at] = heap[child] as RowCursor
      at = child
    }
    heap[at] = moving
  }
}

const isBefore = (a: RowCursor, b: RowCursor): boolean =>
  a.startTicks < b.startTicks || (a.startTicks === b.startTicks && a.place < b.place)
