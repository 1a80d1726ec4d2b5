import type { Ticks, TimeRange } from '../ticks.ts'
import { CHUNK_ROWS, EventChunk, START } from './event-chunk.ts'
import type { Aggregate } from './pyramid.ts'
import { emptyAggregate } from './pyramid.ts'

/** Rows to be added to a table: columns of equal length, in any order of start. */
export interface EventBatch {
  readonly columns: readonly Float64Array[]
  readonly length: number
}

/** Defines which columns, besides the start, identify a row when the server sends it again. */
export interface TableShape {
  readonly columnCount: number
  readonly identity: readonly number[]
  /** Columns in which −1 means "not reported". If the same row arrives again with a value, the value is filled in. */
  readonly fillable: readonly number[]
}

/** A chunk with fewer rows is merged with appended rows: many small batches make no small chunks. */
const SMALL_CHUNK_ROWS = 512

/**
 * Events sorted by start, appended in any order of arrival. Chunks are sorted and disjoint, so rows that arrive late
 * cost the chunk that they belong to and not the table:
 * ```
 * [ chunk ≤ 4096 rows ][ chunk ][ chunk ] …     row numbers run through all of them
 * ```
 * Row numbers are valid until the next `merge`.
 */
export class EventTable {
  readonly shape: TableShape
  chunks: readonly EventChunk[] = []
  length = 0
  #firstRows: readonly number[] = []
  #totals: Aggregate = emptyAggregate()

  constructor(shape: TableShape) {
    this.shape = shape
  }

  /** Snapshot of the rows. Shares the chunks, so that only their list is copied. */
  frozen(): EventTable {
    const copy = new EventTable(this.shape)
    copy.chunks = this.chunks
    copy.length = this.length
    copy.#firstRows = this.#firstRows
    copy.#totals = this.#totals
    return copy
  }

  /** Sums and extremes over all rows; `slowest` and `largest` are row numbers. */
  get totals(): Aggregate {
    return this.#totals
  }

  /** NaN while empty. */
  get firstTicks(): number {
    return this.chunks[0]?.firstTicks ?? Number.NaN
  }

  /** Start of the last row; NaN while empty. */
  get lastTicks(): number {
    return this.chunks.at(-1)?.lastTicks ?? Number.NaN
  }

  /** Latest end of any row; −∞ while empty. */
  get endTicks(): number {
    return this.chunks.reduce((latest, chunk) => Math.max(latest, chunk.endTicks), Number.NEGATIVE_INFINITY)
  }

  /** Bytes held by typed arrays. */
  get byteLength(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  }

  /**
   * Adds the rows that the table does not have yet. A row equal in start and identity to one of an earlier batch is the
   * same event; equal rows within one batch are different events. O(batch), plus the chunks into which late rows fall.
   * With `mayRepeat` false, the search for earlier rows is skipped. `onFresh` receives the rows that were added.
   */
  merge(
    batch: EventBatch,
    mayRepeat = true,
    onFresh?: (fresh: EventBatch) => void,
  ): { readonly added: number; readonly seen: number } {
    const sorted = sortBatch(batch)
    if (sorted.length === 0) return { added: 0, seen: 0 }
    const last = this.lastTicks
    const starts = sorted.columns[START] as Float64Array
    if (Number.isNaN(last) || (starts[0] as number) > last) {
      onFresh?.(sorted)
      this.#append(sorted)
      this.#renumber()
      return { added: sorted.length, seen: 0 }
    }
    const fresh = mayRepeat ? this.#withoutSeen(sorted) : sorted
    if (fresh.length > 0) onFresh?.(fresh)
    let split = 0
    const freshStarts = fresh.columns[START] as Float64Array
    while (split < fresh.length && (freshStarts[split] as number) < last) split++
    if (split > 0) this.#insert(sliceBatch(fresh, 0, split))
    if (split < fresh.length) this.#append(sliceBatch(fresh, split, fresh.length))
    this.#renumber()
    return { added: fresh.length, seen: sorted.length - fresh.length }
  }

  /** Number of the first row that starts at or after `ticks`; `length` when none does. */
  lowerBound(ticks: number): number {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.chunks[middle] as EventChunk).lastTicks < ticks) low = middle + 1
      else high = middle
    }
    const chunk = this.chunks[low]
    return chunk === undefined ? this.length : this.firstRowOf(low) + chunk.lowerBound(ticks)
  }

  /** Index of the chunk that holds the row, 0 ≤ row < length. */
  chunkOf(row: number): number {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.firstRowOf(middle) <= row) low = middle
      else high = middle - 1
    }
    return low
  }

  firstRowOf(chunk: number): number {
    return this.#firstRows[chunk] as number
  }

  read(column: number, row: number): number {
    const chunk = this.chunkOf(row)
    return (this.chunks[chunk] as EventChunk).read(column, row - this.firstRowOf(chunk))
  }

  /** Sums and extremes over rows [from, to), added to `into`. O(log n) and the chunks in between. */
  addTo(into: Aggregate, from: number, to: number): void {
    this.forEachPart(from, to, (chunk, partFrom, partTo, firstRow) => {
      if (partTo - partFrom === chunk.length) joinTotals(into, chunk.totals, firstRow)
      else chunk.addTo(into, partFrom, partTo, firstRow)
    })
  }

  /** Calls `each` with the part of every chunk that overlaps rows [from, to), in order; `false` stops. */
  forEachPart(
    from: number,
    to: number,
    visit: (chunk: EventChunk, partFrom: number, partTo: number, firstRow: number) => boolean | void,
  ): void {
    if (from >= to) return
    for (let i = this.chunkOf(from); i < this.chunks.length; i++) {
      const chunk = this.chunks[i] as EventChunk
      const firstRow = this.firstRowOf(i)
      if (firstRow >= to) return
      if (visit(chunk, Math.max(0, from - firstRow), Math.min(chunk.length, to - firstRow), firstRow) === false) return
    }
  }

  /** Number of the row with this start and identity (in the order of `shape.identity`); −1: there is none. */
  find(startTicks: number, identity: readonly (number | null)[]): number {
    for (let row = this.lowerBound(startTicks); row < this.length && this.read(START, row) === startTicks; row++) {
      if (this.shape.identity.every((column, i) => identity[i] === null || this.read(column, row) === identity[i]))
        return row
    }
    return -1
  }

  #withoutSeen(batch: EventBatch): EventBatch {
    const keep: number[] = []
    const fills = new Map<number, { row: number; from: number }[]>()
    const starts = batch.columns[START] as Float64Array
    let sameStart = new SameStart(this, Number.NaN)
    for (let i = 0; i < batch.length; i++) {
      const startTicks = starts[i] as number
      if (startTicks !== sameStart.startTicks) sameStart = new SameStart(this, startTicks)
      const row = sameStart.take(batch, i)
      if (row === -1) {
        keep.push(i)
        continue
      }
      if (this.shape.fillable.some((column) => this.read(column, row) === -1 && batch.columns[column]?.[i] !== -1)) {
        const chunk = this.chunkOf(row)
        fills.set(chunk, [...(fills.get(chunk) ?? []), { row: row - this.firstRowOf(chunk), from: i }])
      }
    }
    if (fills.size > 0) this.#fill(batch, fills)
    return keep.length === batch.length ? batch : pickRows(batch, keep)
  }

  #fill(batch: EventBatch, fills: ReadonlyMap<number, readonly { row: number; from: number }[]>): void {
    this.chunks = this.chunks.map((chunk, index) => {
      const rows = fills.get(index)
      if (rows === undefined) return chunk
      const columns = emptyColumns(this.shape.columnCount, chunk.length)
      chunk.unpackTo(columns, 0)
      for (const { row, from } of rows)
        for (const column of this.shape.fillable)
          (columns[column] as Float64Array)[row] = batch.columns[column]?.[from] ?? -1
      return new EventChunk(columns, chunk.length)
    })
  }

  /** Adds rows that all start at or after the table's last row. */
  #append(batch: EventBatch): void {
    const chunks = [...this.chunks]
    let rows = batch
    const last = chunks.at(-1)
    if (last !== undefined && last.length < SMALL_CHUNK_ROWS) {
      chunks.pop()
      rows = joinRows(this.shape.columnCount, [last], batch)
    }
    pushChunks(chunks, rows)
    while (chunks.length > 1) {
      const right = chunks.at(-1) as EventChunk
      const left = chunks.at(-2) as EventChunk
      if (left.length > right.length * 2 || left.length + right.length > CHUNK_ROWS) break
      const joined = joinRows(this.shape.columnCount, [left, right], null)
      chunks.splice(-2, 2, new EventChunk(joined.columns, joined.length))
    }
    this.chunks = chunks
  }

  /** Inserts late rows, sorted: each chunk takes those that start before the next chunk does. */
  #insert(batch: EventBatch): void {
    const starts = batch.columns[START] as Float64Array
    const chunks: EventChunk[] = []
    let at = 0
    this.chunks.forEach((chunk, index) => {
      const nextFirst = this.chunks[index + 1]?.firstTicks ?? Number.POSITIVE_INFINITY
      const from = at
      while (at < batch.length && (starts[at] as number) < nextFirst) at++
      if (from === at) chunks.push(chunk)
      else if ((starts[at - 1] as number) < chunk.firstTicks) {
        pushChunks(chunks, sliceBatch(batch, from, at))
        chunks.push(chunk)
      } else pushChunks(chunks, sortBatch(joinRows(this.shape.columnCount, [chunk], sliceBatch(batch, from, at))))
    })
    this.chunks = chunks
  }

  #renumber(): void {
    const firstRows: number[] = []
    const totals = emptyAggregate()
    let row = 0
    for (const chunk of this.chunks) {
      firstRows.push(row)
      joinTotals(totals, chunk.totals, row)
      row += chunk.length
    }
    this.#firstRows = firstRows
    this.length = row
    this.#totals = totals
  }
}

/** Range from the first start to the latest end of a table with rows. */
export const rangeOf = ({ firstTicks, endTicks }: EventTable): TimeRange => ({
  startTicks: firstTicks as Ticks,
  endTicks: endTicks as Ticks,
})

/** Maximum number of rows with equal starts that are compared one by one. */
const FEW_ROWS = 16

/** Rows of a table that have the same start. Each is matched with at most one event of a batch. */
class SameStart {
  readonly startTicks: number
  readonly #table: EventTable
  readonly #from: number
  readonly #to: number
  readonly #taken = new Set<number>()
  /** Unmatched row numbers by identity, ascending; null while there are few enough to compare one by one. */
  #free: Map<string, number[]> | null = null

  constructor(table: EventTable, startTicks: number) {
    this.startTicks = startTicks
    this.#table = table
    let to = (this.#from = table.lowerBound(startTicks))
    while (to < table.length && table.read(START, to) === startTicks) to++
    this.#to = to
  }

  /** Takes the first unmatched row that equals event `i`; −1: there is none. */
  take(batch: EventBatch, i: number): number {
    const { identity } = this.#table.shape
    if (this.#to - this.#from > FEW_ROWS) {
      this.#free ??= this.#index()
      return this.#free.get(keyOf(identity, (column) => batch.columns[column]?.[i]))?.pop() ?? -1
    }
    for (let row = this.#from; row < this.#to; row++) {
      if (this.#taken.has(row)) continue
      if (!identity.every((column) => this.#table.read(column, row) === batch.columns[column]?.[i])) continue
      this.#taken.add(row)
      return row
    }
    return -1
  }

  #index(): Map<string, number[]> {
    const free = new Map<string, number[]>()
    // Backwards, so that the first row of equal ones is matched first.
    for (let row = this.#to - 1; row >= this.#from; row--) {
      const key = keyOf(this.#table.shape.identity, (column) => this.#table.read(column, row))
      const rows = free.get(key)
      if (rows === undefined) free.set(key, [row])
      else rows.push(row)
    }
    return free
  }
}

const keyOf = (identity: readonly number[], read: (column: number) => number | undefined): string =>
  identity.map(read).join(' ')

function joinTotals(into: Aggregate, part: Aggregate, offset: number): void {
  into.count += part.count
  into.busy += part.busy
  into.bytes += part.bytes
  if (part.slowestDuration > into.slowestDuration) {
    into.slowest = part.slowest + offset
    into.slowestDuration = part.slowestDuration
  }
  if (part.largestSize > into.largestSize) {
    into.largest = part.largest + offset
    into.largestSize = part.largestSize
  }
}

const emptyColumns = (count: number, length: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(length))

function sliceBatch(batch: EventBatch, from: number, to: number): EventBatch {
  if (from === 0 && to === batch.length) return batch
  return { columns: batch.columns.map((column) => column.subarray(from, to)), length: to - from }
}

function pickRows(batch: EventBatch, rows: ArrayLike<number>): EventBatch {
  const columns = batch.columns.map((column) => {
    const picked = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i] as number] as number
    return picked
  })
  return { columns, length: rows.length }
}

/** The batch sorted by start, equal starts in order of arrival. Returns the same batch if it is sorted. */
function sortBatch(batch: EventBatch): EventBatch {
  const starts = batch.columns[START] as Float64Array
  let sorted = true
  for (let i = 1; i < batch.length && sorted; i++) sorted = (starts[i - 1] as number) <= (starts[i] as number)
  if (sorted) return batch
  const order = Uint32Array.from({ length: batch.length }, (_, i) => i)
  // eslint-disable-next-line unicorn/no-array-sort -- a typed array of our own, sorted in place on purpose
  order.sort((a, b) => (starts[a] as number) - (starts[b] as number) || a - b)
  return pickRows(batch, order)
}

function joinRows(columnCount: number, chunks: readonly EventChunk[], batch: EventBatch | null): EventBatch {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, batch?.length ?? 0)
  const columns = emptyColumns(columnCount, length)
  let at = 0
  for (const chunk of chunks) {
    chunk.unpackTo(columns, at)
    at += chunk.length
  }
  if (batch !== null)
    columns.forEach((column, i) => column.set((batch.columns[i] as Float64Array).subarray(0, batch.length), at))
  return { columns, length }
}

function pushChunks(chunks: EventChunk[], batch: EventBatch): void {
  const parts = Math.ceil(batch.length / CHUNK_ROWS)
  for (let part = 0; part < parts; part++) {
    const slice = sliceBatch(
      batch,
      Math.floor((part * batch.length) / parts),
      Math.floor(((part + 1) * batch.length) / parts),
    )
    chunks.push(new EventChunk(slice.columns, slice.length))
  }
}
