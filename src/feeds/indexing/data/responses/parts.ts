import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { EventTable } from '../../../../base/columns/event-table.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Pace } from '../../../../capture/worker/turns.ts'
import type { BatchFilter, BatchState, IndexKey } from '../../contract/batches.ts'
import type { BatchClass, IndexTable, OpenBatch } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BATCH_COLUMNS, CLASSES, DOCUMENTS_IN, REASON, SHAPE } from '../index-table.ts'

/**
 * Filter of batches; bounds are inclusive. A filter that passes all batches is null, so that whole spans can be read
 * without checking rows.
 */
export interface Predicate {
  readonly minTicks: number
  readonly maxTicks: number
  readonly minDocuments: number
  /** Predicate for the id of a reason's text; null: any reason. */
  readonly isReason: ((text: number) => boolean) | null
}

export type PartKind = BatchClass | 'open'

/**
 * Batches of one index in one table: rows [from, to) start in the range. Tables do not change while a response is
 * computed.
 */
export interface Part {
  readonly index: IndexTable
  readonly kind: PartKind
  readonly events: EventTable
  readonly predicate: Predicate | null
  readonly from: number
  readonly to: number
}

export function predicateOf(store: BatchStore, filter: BatchFilter): Predicate | null {
  const { minTicks, maxTicks, minDocuments, reason } = filter
  if (minTicks === null && maxTicks === null && minDocuments === null && reason === null) return null
  return {
    minTicks: minTicks ?? 0,
    maxTicks: maxTicks ?? Number.POSITIVE_INFINITY,
    minDocuments: minDocuments ?? Number.NEGATIVE_INFINITY,
    isReason: reason === null ? null : (text) => store.reasons.get(text).code === reason,
  }
}

export function matches(chunk: EventChunk, row: number, predicate: Predicate | null): boolean {
  if (predicate === null) return true
  const duration = chunk.read(DURATION, row)
  if (duration < predicate.minTicks || duration > predicate.maxTicks) return false
  if (chunk.read(DOCUMENTS_IN, row) < predicate.minDocuments) return false
  return predicate.isReason === null || predicate.isReason(chunk.read(REASON, row))
}

/** The batches of an index that did not complete, as a table with the same columns. */
export function openTable(store: BatchStore, index: IndexTable): EventTable {
  const table = new EventTable(SHAPE)
  const rows = Array.from(index.open.values(), ({ batch }) => store.rowOf(batch).slice())
  if (rows.length > 0) {
    const columns = Array.from({ length: BATCH_COLUMNS }, (_, column) =>
      Float64Array.from(rows, (row) => row[column] as number),
    )
    table.merge({ columns, length: rows.length })
  }
  return table
}

/** The tables of the requested indexes, with the rows that start in the range. Unknown indexes are left out. */
export function partsOf(
  store: BatchStore,
  params: TimeRange & { readonly indexes: readonly IndexKey[]; readonly filter: BatchFilter },
): Part[] {
  const predicate = predicateOf(store, params.filter)
  return params.indexes.flatMap((key) => {
    const index = store.indexes.get(key)
    if (index === undefined) return []
    return tablesOf(store, index, params.filter).map(({ kind, events }) => ({
      index,
      kind,
      events,
      predicate,
      from: events.lowerBound(params.startTicks),
      to: events.lowerBound(params.endTicks),
    }))
  })
}

/** The tables of an index that have rows and that the filter does not hide. */
export function tablesOf(
  store: BatchStore,
  index: IndexTable,
  { hideEmpty }: Pick<BatchFilter, 'hideEmpty'>,
): { readonly kind: PartKind; readonly events: EventTable }[] {
  const tables: { kind: PartKind; events: EventTable }[] = []
  for (const kind of CLASSES)
    if (!(hideEmpty && kind === 'empty') && index.tables[kind].length > 0)
      tables.push({ kind, events: index.tables[kind].frozen() })
  if (index.open.size > 0) tables.push({ kind: 'open', events: openTable(store, index) })
  return tables
}

/** Visits the batches in rows [from, to) that match the predicate, in order of start. */
export function forEachMatching(
  { events, from, to, predicate }: Pick<Part, 'events' | 'from' | 'to' | 'predicate'>,
  visit: (chunk: EventChunk, row: number, firstRow: number) => void,
): void {
  events.forEachPart(from, to, (chunk, partFrom, partTo, firstRow) => {
    if (predicate !== null && chunk.totals.slowestDuration < predicate.minTicks) return
    for (let row = partFrom; row < partTo; row++) if (matches(chunk, row, predicate)) visit(chunk, row, firstRow)
  })
}

/**
 * Number of batches before a moment that are checked for reaching into it. Batches of one index follow each other, so
 * only the last few can.
 */
const REACHING = 4

/** Rows that begin before `startTicks` and end after it. */
export function reachingInto(events: EventTable, startTicks: number): number[] {
  const rows: number[] = []
  const end = events.lowerBound(startTicks)
  for (let row = Math.max(0, end - REACHING); row < end; row++)
    if (events.read(START, row) + events.read(DURATION, row) > startTicks) rows.push(row)
  return rows
}

/** State of a batch. The state of an `open` batch is looked up; for the others, the table determines it. */
export function stateOf(
  store: BatchStore,
  index: IndexTable,
  kind: PartKind,
  startTicks: number,
  id: number,
): BatchState {
  if (kind !== 'open') return kind
  const open = index.open.get(`${id}:${startTicks}`)
  return open === undefined ? 'lost' : openState(store, open)
}

/** State of a batch that has not completed: its newest operation shows whether it waits. */
export function openState(store: BatchStore, { isLost, batch }: OpenBatch): BatchState {
  if (isLost) return 'lost'
  const last = batch.nodes === 0 ? -1 : (batch.paths[batch.nodes - 1] as number)
  return last !== -1 && store.names.family(store.names.pathName[last] as number) === 'wait' ? 'waiting' : 'running'
}

/** Finds the row of a batch by its start and id; null: the capture does not contain it. */
export function findBatch(
  store: BatchStore,
  index: IndexTable,
  startTicks: number,
  id: number,
): { readonly kind: PartKind; readonly events: EventTable; readonly row: number } | null {
  for (const { kind, events } of tablesOf(store, index, { hideEmpty: false })) {
    const row = events.find(startTicks, [id])
    if (row !== -1) return { kind, events, row }
  }
  return null
}

/** Number of rows that are visited between two checks of the clock; trees take longer than rows. */
const SLICE_ROWS = 4096

/** Visits the part in slices of rows. Other responses may be served in between. */
export async function eachSlice(part: Part, pace: Pace, visit: (slice: Part) => void): Promise<void> {
  for (let at = part.from; at < part.to; at += SLICE_ROWS) {
    visit({ ...part, from: at, to: Math.min(part.to, at + SLICE_ROWS) })
    await pace.step()
  }
}
