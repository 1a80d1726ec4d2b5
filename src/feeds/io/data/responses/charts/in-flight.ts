import { Heap } from '../../../../../base/columns/heap.ts'
import { DURATION, START } from '../../../../../base/columns/event-chunk.ts'
import type { Pace } from '../../../../../capture/worker/turns.ts'
import { isCovered } from '../../rollups.ts'
import { isOfFile } from '../../../contract/limits.ts'
import type { Part } from '../parts.ts'
import { forEachMatching, forEachReachingInto } from '../scan.ts'

/** Equal parts of a time range, ticks. */
export interface Columns {
  readonly startTicks: number
  readonly columnTicks: number
  readonly columns: number
}

/** Maximum number of rows sorted at once. */
const MOST_ROWS = 1 << 17

/**
 * Maximum number of concurrent events of the parts in each column; exact, by a sweep over starts and ends. An event
 * that ends when another starts is not concurrent with it; an event without duration runs for a tick. O(n log n) in the
 * events in range.
 */
export async function deepestOf(parts: readonly Part[], columns: Columns, pace: Pace): Promise<Float64Array> {
  const sweep = new Sweep(parts, columns)
  for (let column = 0; column < columns.columns; column++) {
    sweep.begin(column)
    await sweep.run(column, firstTickOf(columns, column), firstTickOf(columns, column + 1), pace)
  }
  return sweep.deepest
}

const boundOf = ({ startTicks, columnTicks }: Columns, column: number): number => startTicks + column * columnTicks

/** First whole tick of a column: events start at whole ticks, whereas column edges may lie between them. */
const firstTickOf = (columns: Columns, column: number): number => Math.ceil(boundOf(columns, column))

class Sweep {
  readonly deepest: Float64Array
  readonly #parts: readonly Part[]
  readonly #columns: Columns
  /** First row of each part that is not yet swept. */
  readonly #next: number[]
  /** Ends of the events that run at the position of the sweep. */
  readonly #ends = new Heap<number>((a, b) => a < b)

  constructor(parts: readonly Part[], columns: Columns) {
    this.deepest = new Float64Array(columns.columns)
    this.#parts = parts
    this.#columns = columns
    this.#next = parts.map(({ from }) => from)
    for (const { events, predicate } of parts)
      forEachReachingInto(events, columns.startTicks, predicate, (chunk, row) => {
        this.#ends.push(chunk.read(START, row) + chunk.read(DURATION, row))
      })
  }

  begin(column: number): void {
    this.#end(boundOf(this.#columns, column))
    this.deepest[column] = this.#ends.size
  }

  /**
   * Processes the events that start in [from, to) of the column, whole ticks. Halves the span if it contains too many
   * rows.
   */
  async run(column: number, from: number, to: number, pace: Pace): Promise<void> {
    const isLast = column === this.#columns.columns - 1 && to === firstTickOf(this.#columns, column + 1)
    const bounds = this.#parts.map(({ events, to: end }, i) =>
      this.#next[i] === end || isLast ? end : Math.max(this.#next[i] as number, Math.min(end, events.lowerBound(to))),
    )
    const rows = bounds.reduce((sum, bound, i) => sum + bound - (this.#next[i] as number), 0)
    if (rows > MOST_ROWS && to - from > 1) {
      const middle = Math.floor((from + to) / 2)
      await this.run(column, from, middle, pace)
      return this.run(column, middle, to, pace)
    }
    if (rows > 0) this.#take(column, bounds, rows)
    await pace.step()
  }

  #take(column: number, bounds: readonly number[], rows: number): void {
    const starts = new Float64Array(rows)
    let length = 0
    for (const [i, { events, predicate }] of this.#parts.entries()) {
      forEachMatching(events, this.#next[i] as number, bounds[i] as number, predicate, (chunk, row) => {
        const start = chunk.read(START, row)
        starts[length] = start
        this.#ends.push(start + Math.max(1, chunk.read(DURATION, row)))
        length++
      })
      this.#next[i] = bounds[i] as number
    }
    let most = this.deepest[column] as number
    for (const [i, start] of starts.subarray(0, length).toSorted().entries()) {
      // No event ends before it starts, so events with a later start are still among the ends.
      this.#end(start)
      most = Math.max(most, this.#ends.size - (length - i - 1))
    }
    this.deepest[column] = most
  }

  /** Removes events that ended by then. */
  #end(ticks: number): void {
    while ((this.#ends.top ?? Number.POSITIVE_INFINITY) <= ticks) this.#ends.pop()
  }
}

/** Returns 1 for columns that contain events known only from a roll-up, else 0. */
export function summedUp(parts: readonly Part[], { startTicks, columnTicks, columns }: Columns): Uint8Array {
  const endTicks = startTicks + columns * columnTicks
  const begins = new Int32Array(columns + 1)
  for (const { rollUps, predicate } of parts)
    for (const row of rollUps.overlapping(startTicks, endTicks)) {
      const isOther = predicate !== null && predicate.file !== -1 && !isOfFile(predicate.file, row.file)
      if (isOther || isCovered(row) || row.endTicks <= startTicks || row.unseenFromTicks >= endTicks) continue
      const columnAt = (ticks: number): number =>
        Math.max(0, Math.min(columns - 1, Math.floor((ticks - startTicks) / columnTicks)))
      const [first, last] = [columnAt(row.unseenFromTicks), columnAt(row.endTicks)]
      begins[first] = (begins[first] as number) + 1
      begins[last + 1] = (begins[last + 1] as number) - 1
    }
  let open = 0
  return Uint8Array.from({ length: columns }, (_, column) => {
    open += begins[column] as number
    return open > 0 ? 1 : 0
  })
}
