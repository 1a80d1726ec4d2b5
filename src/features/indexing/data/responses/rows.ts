import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { radixOrder } from '../../../../base/columns/radix-order.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { EventChunk } from '../../../../base/columns/event-chunk.ts'
import type { BatchSort, IndexingRowsResponse, IndexingRowsParams } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'
import { BUDGET, CHECKED, DOCUMENTS_FAILED, DOCUMENTS_IN, ID, REASON } from '../index-table.ts'
import { batchRow } from './batch-row.ts'
import type { Part } from './parts.ts'
import { forEachMatching, partsOf } from './parts.ts'

/** An order is not rebuilt for data that merely grew until it is this old, ms, and twenty times as long as it took to make. */
const KEEP_MS = 1000
const SLICE_ROWS = 1 << 14

interface Order {
  readonly parts: readonly Part[]
  readonly part: Uint32Array
  readonly row: Uint32Array
}

interface Job {
  readonly request: string
  readonly version: number
  readonly abort: AbortController
  readonly order: Promise<Order>
  readonly madeMs: number
  tookMs: number
}

/** The batches of the range that count, in the asked order, a window at a time. The order is made in slices, and kept. */
export class RowsResponder {
  #job: Job | null = null

  async response(store: BatchStore, params: IndexingRowsParams, signal: AbortSignal): Promise<IndexingRowsResponse> {
    const { offset, limit, ...request } = params
    const { parts, part, row } = await this.#jobOf(store, params, JSON.stringify(request)).order
    signal.throwIfAborted()
    const rows: IndexingRowsResponse['rows'][number][] = []
    for (let at = Math.max(0, offset); at < Math.min(row.length, offset + limit); at++)
      rows.push(batchRow(store, parts[part[at] as number] as Part, row[at] as number))
    return { total: row.length, rows }
  }

  #jobOf(store: BatchStore, params: IndexingRowsParams, request: string): Job {
    const last = this.#job
    if (last !== null && last.request === request && (last.version === store.version || isFresh(last))) return last
    last?.abort.abort()
    const abort = new AbortController()
    const madeMs = performance.now()
    const order = makeOrder(store, params, abort.signal)
    const job: Job = { request, version: store.version, abort, order, madeMs, tookMs: Number.NaN }
    this.#job = job
    order.then(
      () => (job.tookMs = performance.now() - madeMs),
      // Dropped for a newer request: the promise itself rejects for its callers.
      () => undefined,
    )
    return job
  }
}

/** In the making, or made a short time ago as measured by what it cost. */
const isFresh = ({ tookMs, madeMs }: Job): boolean =>
  Number.isNaN(tookMs) || performance.now() - madeMs < Math.max(KEEP_MS, 20 * tookMs)

async function makeOrder(store: BatchStore, params: IndexingRowsParams, signal: AbortSignal): Promise<Order> {
  const parts = partsOf(store, params)
  const most = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const part = new Uint32Array(most)
  const row = new Uint32Array(most)
  const keys = new Float64Array(most)
  const ranks = ranksOf(parts)
  const sign = params.descending ? -1 : 1
  const pace = new Pace(signal)
  let length = 0
  for (const [i, each] of parts.entries())
    for (let at = each.from; at < each.to; at += SLICE_ROWS) {
      const slice = { ...each, from: at, to: Math.min(each.to, at + SLICE_ROWS) }
      forEachMatching(slice, (chunk, chunkRow, firstRow) => {
        part[length] = i
        row[length] = firstRow + chunkRow
        keys[length] = sign * keyOf(store, params.sort, chunk, chunkRow, ranks[i] ?? 0)
        length++
      })
      await pace.step()
    }
  const steps = radixOrder(keys, length)
  for (;;) {
    const step = steps.next()
    await pace.step()
    if (step.done !== true) continue
    const order = step.value
    return {
      parts,
      part: Uint32Array.from(order, (at) => part[at] as number),
      row: Uint32Array.from(order, (at) => row[at] as number),
    }
  }
}

/** NaN (not reported) comes last whatever the direction. */
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

/** By part: the place of its index's name among the others. */
function ranksOf(parts: readonly Part[]): number[] {
  const names = [...new Set(parts.map(({ index }) => index.key))].toSorted((a, b) => a.localeCompare(b))
  const place = new Map(names.map((name, i) => [name, i]))
  return parts.map(({ index }) => place.get(index.key) ?? 0)
}
