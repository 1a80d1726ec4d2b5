import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../base/columns/event-table.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import type { AxisPiece, IndexingMarksResponse, IndexingMarksParams, IndexMarks } from '../../contract/lanes.ts'
import { batchStateCode, REASON_CODES } from '../../contract/batches.ts'
import type { IndexTable } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { DOCUMENTS_IN, ID, REASON, WAIT } from '../index-table.ts'
import { measuredOrNaN } from './batch-row.ts'
import type { PartKind, Predicate } from './parts.ts'
import { forEachMatching, matches, predicateOf, reachingInto, stateOf, tablesOf } from './parts.ts'

/**
 * Computes the marks of lanes: at most one per pixel of each piece, for the longest batch that starts there. O(pixels ·
 * log n) without a filter.
 */
export function marksResponse(store: BatchStore, params: IndexingMarksParams): IndexingMarksResponse {
  const predicate = predicateOf(store, params.filter)
  const pixels = new Pixels(params.pieces)
  const rows = params.indexes.map((key) => {
    const index = store.indexes.get(key)
    if (index === undefined) return marksOf(store, null, [], pixels)
    const tables = tablesOf(store, index, params.filter)
    const before: Placed[] = []
    const [first] = params.pieces
    for (const [i, { kind, events }] of tables.entries()) {
      if (first !== undefined)
        for (const row of reachingInto(events, first.startTicks)) {
          const chunk = events.chunkOf(row)
          const piece = events.chunks[chunk]
          if (piece !== undefined && matches(piece, row - events.firstRowOf(chunk), predicate))
            before.push({ table: i, row, count: 1, largest: events.read(SIZE, row), states: 0 })
        }
      for (const [p, piece] of params.pieces.entries())
        addPiece(store, index, i, kind, events, p, piece, predicate, pixels)
    }
    return marksOf(store, { index, tables }, before, pixels)
  })
  return { rows }
}

interface Placed {
  readonly table: number
  readonly row: number
  readonly count: number
  readonly largest: number
  readonly states: number
}

/** Marks of a lane by pixel, over all pieces one after the other; cleared for the next lane. */
class Pixels {
  readonly firstOf: readonly number[]
  readonly table: Int8Array
  readonly row: Uint32Array
  readonly duration: Float64Array
  readonly count: Uint32Array
  readonly largest: Float64Array
  readonly states: Uint8Array

  constructor(pieces: readonly AxisPiece[]) {
    const firstOf: number[] = []
    let length = 0
    for (const { startPx, endPx } of pieces) {
      firstOf.push(length)
      // The edges of a piece need not coincide with pixels.
      length += Math.ceil(Math.max(0, endPx - startPx)) + 1
    }
    this.firstOf = firstOf
    this.table = new Int8Array(length).fill(-1)
    this.row = new Uint32Array(length)
    this.duration = new Float64Array(length)
    this.count = new Uint32Array(length)
    this.largest = new Float64Array(length)
    this.states = new Uint8Array(length)
  }

  offer(
    at: number,
    table: number,
    row: number,
    duration: number,
    count: number,
    largest: number,
    states: number,
  ): void {
    if ((this.table[at] as number) === -1 || duration > (this.duration[at] as number)) {
      this.table[at] = table
      this.row[at] = row
      this.duration[at] = duration
    }
    this.count[at] = (this.count[at] as number) + count
    this.largest[at] = Math.max(this.largest[at] as number, largest)
    this.states[at] = (this.states[at] as number) | states
  }

  take(): Placed[] {
    const placed: Placed[] = []
    for (let at = 0; at < this.table.length; at++) {
      if (this.table[at] === -1) continue
      placed.push({
        table: this.table[at] as number,
        row: this.row[at] as number,
        count: this.count[at] as number,
        largest: this.largest[at] as number,
        states: this.states[at] as number,
      })
      this.table[at] = -1
      this.count[at] = 0
      this.largest[at] = 0
      this.states[at] = 0
    }
    return placed
  }
}

function addPiece(
  store: BatchStore,
  index: IndexTable,
  table: number,
  kind: PartKind,
  events: EventTable,
  place: number,
  piece: AxisPiece,
  predicate: Predicate | null,
  pixels: Pixels,
): void {
  const ticksPerPx = (piece.endTicks - piece.startTicks) / Math.max(1e-9, piece.endPx - piece.startPx)
  const firstPx = pixels.firstOf[place] as number
  const end = events.lowerBound(piece.endTicks)
  let row = events.lowerBound(piece.startTicks)
  const bits = (at: number): number =>
    1 << batchStateCode(stateOf(store, index, kind, events.read(START, at), events.read(ID, at)))
  while (row < end) {
    const px = Math.floor((events.read(START, row) - piece.startTicks) / ticksPerPx)
    const next = Math.max(row + 1, Math.min(end, events.lowerBound(piece.startTicks + (px + 1) * ticksPerPx)))
    if (predicate === null && kind !== 'open') {
      const found = emptyAggregate()
      events.addTo(found, row, next)
      const { slowest, slowestDuration, count, largestSize } = found
      pixels.offer(firstPx + px, table, slowest, slowestDuration, count, largestSize, bits(slowest))
    } else
      forEachMatching({ events, from: row, to: next, predicate }, (chunk, chunkRow, firstRow) => {
        const at = firstRow + chunkRow
        pixels.offer(firstPx + px, table, at, chunk.read(DURATION, chunkRow), 1, chunk.read(SIZE, chunkRow), bits(at))
      })
    row = next
  }
}

function marksOf(
  store: BatchStore,
  lane: { readonly index: IndexTable; readonly tables: readonly { kind: PartKind; events: EventTable }[] } | null,
  before: readonly Placed[],
  pixels: Pixels,
): IndexMarks {
  const placed = [...before, ...(lane === null ? [] : pixels.take())]
  const { length } = placed
  const marks = {
    length,
    startTicks: new Float64Array(length),
    durationTicks: new Float64Array(length),
    id: new Float64Array(length),
    state: new Uint8Array(length),
    states: new Uint8Array(length),
    count: new Uint32Array(length),
    documents: new Float64Array(length),
    largestBytes: new Float64Array(length),
    reason: new Uint8Array(length),
    waitTicks: new Float64Array(length),
  }
  if (lane === null) return marks
  for (const [i, { table, row, count, largest, states }] of placed.entries()) {
    const part = lane.tables[table]
    if (part === undefined) continue
    const { kind, events } = part
    const startTicks = events.read(START, row)
    const id = events.read(ID, row)
    const state = batchStateCode(stateOf(store, lane.index, kind, startTicks, id))
    marks.startTicks[i] = startTicks
    marks.durationTicks[i] = events.read(DURATION, row)
    marks.id[i] = id
    marks.state[i] = state
    marks.states[i] = states | (1 << state)
    marks.count[i] = count
    marks.documents[i] = measuredOrNaN(events.read(DOCUMENTS_IN, row))
    marks.largestBytes[i] = largest
    marks.reason[i] = REASON_CODES.indexOf(store.reasons.get(events.read(REASON, row)).code)
    marks.waitTicks[i] = events.read(WAIT, row)
  }
  return marks
}
