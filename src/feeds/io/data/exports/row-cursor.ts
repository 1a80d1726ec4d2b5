import { START } from '../../../../base/columns/event-chunk.ts'
import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import type { Part } from '../responses/parts.ts'
import { matches, mayMatch } from '../responses/scan.ts'

/** Iterates over the matching rows of a part in order of start, chunk by chunk; holds only the current row. */
export class RowCursor {
  readonly part: Part
  /** Position among the cursors of one merge; orders rows with the same start. */
  readonly place: number
  /** Start of the current row. */
  startTicks = Number.NaN
  #chunk: EventChunk | null = null
  /** Index of the current row in its chunk. */
  #row = 0
  #rowEnd = 0
  #nextChunk: number
  /** Range of rows in the table. */
  readonly #from: number
  readonly #to: number

  /** Iterates over rows [from, to) of the part's table. The first `next` moves to the first row. */
  constructor(part: Part, place: number, from: number = part.from, to: number = part.to) {
    this.part = part
    this.place = place
    this.#from = from
    this.#to = to
    this.#nextChunk = from < to ? part.events.chunkOf(from) : Number.POSITIVE_INFINITY
  }

  /** Moves to the next row; false: there are no more. */
  next(): boolean {
    this.#row++
    for (;;) {
      const chunk = this.#chunk
      if (chunk !== null)
        for (; this.#row < this.#rowEnd; this.#row++)
          if (this.part.predicate === null || matches(chunk, this.#row, this.part.predicate)) {
            this.startTicks = chunk.read(START, this.#row)
            return true
          }
      if (!this.#enterChunk()) return false
    }
  }

  /** Value of a column in the current row. */
  read(column: number): number {
    return (this.#chunk as EventChunk).read(column, this.#row)
  }

  #enterChunk(): boolean {
    const { events, predicate } = this.part
    for (;;) {
      const index = this.#nextChunk++
      const chunk = events.chunks[index]
      if (chunk === undefined) return false
      const firstRow = events.firstRowOf(index)
      if (firstRow >= this.#to) return false
      if (predicate !== null && !mayMatch(chunk, predicate)) continue
      this.#chunk = chunk
      this.#row = Math.max(0, this.#from - firstRow)
      this.#rowEnd = Math.min(chunk.length, this.#to - firstRow)
      return true
    }
  }
}
