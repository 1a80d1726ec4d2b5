import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { EventTable } from '../../../../base/columns/event-table.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Pace } from '../../../../capture/worker/turns.ts'
import type { BatchFilter, BatchState, IndexKey } from '../../contract/batches.ts'
import type { BatchClass, IndexTable, OpenBatch } from '../index-table.ts'
import type { BatchStore } from '../table.ts'
import { BATCH_COLUMNS, CLASSES, DOCUMENTS_IN, REASON, SHAPE } from '../index-table.ts'

/** Filter of batches; bounds inclusive. Null where it lets all through, so that whole spans may be taken. */
export interface Predicate {
  readonly minTicks: number
  readonly maxTicks: number
  readonly minDocuments: number
  /** Predicate by the id of a reason's text; null for any reason. */
  readonly isReason: ((text: number) => boolean) | null
}

export type PartKind = BatchClass | 'open'

/** Batches of one index that lie in one table, [from, to) of them in the range. Tables do not change while a response is made. */
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

/** The batches of an index that did not complete, as a table of the same columns. */
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

/** Every table of the requested indexes with the batches that start in the range. Unknown indexes are left out. */
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

/** Tables of an index that a filter lets through and that hold anything. */
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

/** Visits the batches [from, to) that count, in order of start. */
export function forEachMatching(
  { events, from, to, predicate }: Pick<Part, 'events' | 'from' | 'to' | 'predicate'>,
  visit: (chunk: EventChunk, row: number, firstRow: number) => void,
): void {
  events.forEachPart(from, to, (chunk, partFrom, partTo, firstRow) => {
    if (predicate !== null && chunk.totals.slowestDuration < predicate.minTicks) return
    for (let row = partFrom; row < partTo; row++) if (matches(chunk, row, predicate)) visit(chunk, row, firstRow)
  })
}

/** Batches of one index follow each other, so only the last few before a moment can reach into it. */
const REACHING = 4

/** Rows that begin before `startTicks` and end after it. */
export function reachingInto(events: EventTable, startTicks: number): number[] {
  const rows: number[] = []
  const end = events.lowerBound(startTicks)
  for (let row = Math.max(0, end - REACHING); row < end; row++)
    if (events.read(START, row) + events.read(DURATION, row) > startTicks) rows.push(row)
  return rows
}

/** The state of a batch; `open` ones are looked up, the others have it in their table. */
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

/** The newest operation shows whether it waits. */
export function openState(store: BatchStore, { isLost, batch }: OpenBatch): BatchState {
  if (isLost) return 'lost'
  const last = batch.nodes === 0 ? -1 : (batch.paths[batch.nodes - 1] as number)
  return last !== -1 && store.names.family(store.names.pathName[last] as number) === 'wait' ? 'waiting' : 'running'
}

/** The row of a batch by what it is; null: the capture does not have it. */
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

/** Rows visited between two looks at the clock; trees take longer. */
const SLICE_ROWS = 4096

/** The part in slices of rows, each with a chance for others in between. */
export async function eachSlice(part: Part, pace: Pace, visit: (slice: Part) => void): Promise<void> {
  for (let at = part.from; at < part.to; at += SLICE_ROWS) {
    visit({ ...part, from: at, to: Math.min(part.to, at + SLICE_ROWS) })
    await pace.step()
  }
}
