import type { PackedColumn } from './packed-column.ts'
import { packColumn, packedBytes, readPacked, unpackColumn } from './packed-column.ts'
import type { Aggregate, Pyramid } from './pyramid.ts'
import { addRange, buildPyramid, emptyAggregate, LEAF_ROWS, NO_PYRAMID, pyramidBytes } from './pyramid.ts'

/** Maximum number of rows of a chunk: small for cheap insertion, large to keep the number of chunks low. */
export const CHUNK_ROWS = 4096

/** Columns that every event has; a table's own columns follow. */
export const START = 0
export const DURATION = 1
export const SIZE = 2

/** Immutable run of at most `CHUNK_ROWS` rows, sorted by start, packed, with its pyramid; a change replaces it. */
export class EventChunk {
  readonly length: number
  readonly columns: readonly PackedColumn[]
  readonly pyramid: Pyramid
  readonly firstTicks: number
  readonly lastTicks: number
  /** Latest end of any row. */
  readonly endTicks: number
  readonly totals: Aggregate
  /** Filled by `addDurationSteps` at first use; null before that. */
  durationSteps: Uint16Array | null = null

  /** Copies rows [0, length) of the columns, which must be sorted by the first column. */
  constructor(columns: readonly Float64Array[], length: number) {
    this.length = length
    this.columns = columns.map((column) => packColumn(column, length))
    const starts = columns[START] as Float64Array
    const durations = columns[DURATION] as Float64Array
    const sizes = columns[SIZE] as Float64Array
    // A capture with very many lanes has very many chunks of a few rows. These have no pyramid; their rows are read one
    // by one.
    this.pyramid = length > LEAF_ROWS ? buildPyramid(durations, sizes, length) : NO_PYRAMID
    this.firstTicks = starts[0] ?? Number.NaN
    this.lastTicks = starts[length - 1] ?? Number.NaN
    this.endTicks = latestEnd(starts, durations, length)
    this.totals = totalsOf(durations, sizes, length)
  }

  read(column: number, row: number): number {
    return readPacked(this.columns[column] as PackedColumn, row)
  }

  /** Adds rows [from, to) to `into`, their row numbers increased by `offset`. O(log n). */
  addTo(into: Aggregate, from: number, to: number, offset: number): void {
    addRange(
      this.pyramid,
      from,
      to,
      (row) => this.read(DURATION, row),
      (row) => this.read(SIZE, row),
      into,
      offset,
    )
  }

  /** First row at or after `from` that starts at or after `ticks`; `length` if there is none. Galloping search. */
  lowerBound(ticks: number, from = 0): number {
    const starts = this.columns[START] as PackedColumn
    let step = 1
    let low = from
    let high = from
    while (high < this.length && readPacked(starts, high) < ticks) {
      low = high + 1
      high += step
      step *= 2
    }
    high = Math.min(high, this.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (readPacked(starts, middle) < ticks) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Writes all rows to `targets` from row `at` on. */
  unpackTo(targets: readonly Float64Array[], at: number): void {
    this.columns.forEach((column, i) => unpackColumn(column, targets[i] as Float64Array, at))
  }

  /** Bytes held by typed arrays. */
  get byteLength(): number {
    const others = pyramidBytes(this.pyramid) + (this.durationSteps?.byteLength ?? 0)
    return this.columns.reduce((sum, column) => sum + packedBytes(column), others)
  }
}

function latestEnd(starts: Float64Array, durations: Float64Array, length: number): number {
  let endTicks = Number.NEGATIVE_INFINITY
  for (let row = 0; row < length; row++) {
    const end = (starts[row] as number) + (durations[row] as number)
    if (end > endTicks) endTicks = end
  }
  return endTicks
}

function totalsOf(durations: Float64Array, sizes: Float64Array, length: number): Aggregate {
  const totals = emptyAggregate()
  totals.count = length
  for (let row = 0; row < length; row++) {
    const duration = durations[row] as number
    const size = sizes[row] as number
    totals.busy += duration
    totals.bytes += size
    if (duration > totals.slowestDuration) {
      totals.slowest = row
      totals.slowestDuration = duration
    }
    if (size > totals.largestSize) {
      totals.largest = row
      totals.largestSize = size
    }
  }
  return totals
}
