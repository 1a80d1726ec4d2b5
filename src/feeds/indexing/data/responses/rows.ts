import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { makeRowOrder, RowOrders, type RowOrder } from '../../../../capture/worker/row-order.ts'
import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import type { BatchSort, IndexingRowsResponse, IndexingRowsParams } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, DOCUMENTS_FAILED, DOCUMENTS_IN, ID, REASON } from '../index-table.ts'
import { batchRow } from './batch-row.ts'
import type { Part } from './parts.ts'
import { forEachMatching, partsOf } from './parts.ts'

const SLICE_ROWS = 1 << 14

/**
 * Responds with the batches of the range that match the filter, in the requested order, one window at a time. The order
 * is computed in slices and cached.
 */
export class RowsResponder {
  readonly #orders = new RowOrders<Part>()

  async response(store: BatchStore, params: IndexingRowsParams, signal: AbortSignal): Promise<IndexingRowsResponse> {
    const { offset, limit, ...request } = params
    const make = (dropped: AbortSignal): Promise<RowOrder<Part>> => makeOrder(store, params, dropped)
    const { parts, part, row } = await this.#orders.of(JSON.stringify(request), store.version, make).order
    signal.throwIfAborted()
    const rows: IndexingRowsResponse['rows'][number][] = []
    for (let at = Math.max(0, offset); at < Math.min(row.length, offset + limit); at++)
      rows.push(batchRow(store, parts[part[at] as number] as Part, row[at] as number))
    return { total: row.length, rows }
  }
}

function makeOrder(store: BatchStore, params: IndexingRowsParams, signal: AbortSignal): Promise<RowOrder<Part>> {
  const parts = partsOf(store, params)
  const ranks = ranksOf(parts)
  return makeRowOrder(parts, params.descending, SLICE_ROWS, signal, (slice, i, take) =>
    forEachMatching(slice, (chunk, chunkRow, firstRow) =>
      take(firstRow + chunkRow, keyOf(store, params.sort, chunk, chunkRow, ranks[i] ?? 0)),
    ),
  )
}

/** Sort key of a batch; NaN (not reported) comes last in either direction. */
function keyOf(store: BatchStore, sort: BatchSort, chunk: EventChunk, row: number, rank: number): number {
  const reported = (column: number): number => {
    const value = chunk.read(column, row)
    return value === -1 ? Number.NaN : value
  }
  switch (sort) {
    case 'start':
      return chunk.read(START, row)
    case 'duration':
      return chunk.read(DURATION, row)
    case 'bytes':
      return chunk.read(SIZE, row)
    case 'documents':
      return reported(DOCUMENTS_IN)
    case 'failed':
      return reported(DOCUMENTS_FAILED)
    case 'allocated':
      return reported(CHECKED)
    case 'budget':
      return reported(BUDGET)
    case 'id':
      return chunk.read(ID, row)
    case 'rate':
      return reported(DOCUMENTS_IN) / (chunk.read(DURATION, row) || Number.NaN)
    case 'reason':
      return store.reasons.rank(chunk.read(REASON, row))
    case 'index':
      return rank
  }
}

/** Rank of each part by the name of its index. */
function ranksOf(parts: readonly Part[]): number[] {
  const names = [...new Set(parts.map(({ index }) => index.key))].toSorted((a, b) => a.localeCompare(b))
  const place = new Map(names.map((name, i) => [name, i]))
  return parts.map(({ index }) => place.get(index.key) ?? 0)
}
