import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../base/columns/event-table.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import type { AxisPiece, IoMarksResponse, IoMarksParams, IoRollUps, IoRowMarks } from '../../contract/marks.ts'
import type { IoStore } from '../table.ts'
import type { IoTrack } from '../lane-table.ts'
import { noBands, pixelOf, rollUpBands } from './roll-up-bands.ts'
import type { Predicate } from './scan.ts'
import { addMatching, forEachReachingInto, predicateOf, trackOf } from './scan.ts'

/**
 * At most one mark per pixel of each piece, with the slowest event that starts there. O(pixels · log n) without a
 * filter.
 */
export function marksResponse(store: IoStore, params: IoMarksParams): IoMarksResponse {
  const rows = params.rows.map((row) => {
    const track = trackOf(store, row)
    if (track === null) return EMPTY_MARKS()
    return marksOf(track, params.pieces, predicateOf(params.filter, row.file), row.file)
  })
  return { version: store.version, rows }
}

const EMPTY_MARKS = (): IoRowMarks => new MarkColumns(0).result(noBands())

function marksOf(
  track: IoTrack,
  pieces: readonly AxisPiece[],
  predicate: Predicate | null,
  file: number | null,
): IoRowMarks {
  const { events } = track
  const marks = new MarkColumns(256)
  const first = pieces[0]
  if (first !== undefined)
    forEachReachingInto(events, first.startTicks, predicate, (chunk, row) =>
      marks.add(chunk.read(START, row), chunk.read(DURATION, row), chunk.read(SIZE, row), 1, chunk.read(SIZE, row)),
    )
  for (const piece of pieces) addPiece(events, piece, predicate, marks)
  return marks.result(rollUpBands(track, pieces, pixelOf(pieces), file))
}

function addPiece(events: EventTable, piece: AxisPiece, predicate: Predicate | null, marks: MarkColumns): void {
  const ticksPerPx = (piece.endTicks - piece.startTicks) / Math.max(1e-9, piece.endPx - piece.startPx)
  const end = events.lowerBound(piece.endTicks)
  const found = emptyAggregate()
  let row = events.lowerBound(piece.startTicks)
  while (row < end) {
    const px = Math.floor((events.read(START, row) - piece.startTicks) / ticksPerPx)
    const nextTicks = piece.startTicks + (px + 1) * ticksPerPx
    const next = Math.max(row + 1, Math.min(end, boundAfter(events, row, nextTicks)))
    Object.assign(found, NOTHING)
    addMatching(events, row, next, predicate, found)
    if (found.count > 0)
      marks.add(
        events.read(START, found.slowest),
        found.slowestDuration,
        events.read(SIZE, found.slowest),
        found.count,
        found.largestSize,
      )
    row = next
  }
}

const NOTHING = emptyAggregate()

/** `lowerBound` that first searches the row's own chunk, where most pixels end. */
export function boundAfter(events: EventTable, row: number, ticks: number): number {
  const index = events.chunkOf(row)
  const chunk = events.chunks[index]
  if (chunk === undefined || chunk.lastTicks < ticks) return events.lowerBound(ticks)
  const firstRow = events.firstRowOf(index)
  return firstRow + chunk.lowerBound(ticks, row - firstRow)
}

/** Columns of marks that grow by doubling. */
class MarkColumns {
  #length = 0
  #start: Float64Array
  #duration: Float64Array
  #size: Float64Array
  #count: Uint32Array
  #largest: Float64Array

  constructor(capacity: number) {
    this.#start = new Float64Array(capacity)
    this.#duration = new Float64Array(capacity)
    this.#size = new Float64Array(capacity)
    this.#count = new Uint32Array(capacity)
    this.#largest = new Float64Array(capacity)
  }

  add(start: number, duration: number, size: number, count: number, largest: number): void {
    if (this.#length === this.#start.length) this.#grow()
    const at = this.#length++
    this.#start[at] = start
    this.#duration[at] = duration
    this.#size[at] = size
    this.#count[at] = count
    this.#largest[at] = largest
  }

  #grow(): void {
    const wider = (values: Float64Array): Float64Array => {
      const copy = new Float64Array(Math.max(16, values.length * 2))
      copy.set(values)
      return copy
    }
    this.#start = wider(this.#start)
    this.#duration = wider(this.#duration)
    this.#size = wider(this.#size)
    this.#largest = wider(this.#largest)
    const counts = new Uint32Array(this.#start.length)
    counts.set(this.#count)
    this.#count = counts
  }

  result(rollUps: IoRollUps): IoRowMarks {
    const length = this.#length
    return {
      length,
      startTicks: this.#start.slice(0, length),
      durationTicks: this.#duration.slice(0, length),
      sizeBytes: this.#size.slice(0, length),
      count: this.#count.slice(0, length),
      largestBytes: this.#largest.slice(0, length),
      rollUps,
    }
  }
}
