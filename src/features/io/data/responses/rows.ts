import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { radixOrder } from '../../../../base/columns/radix-order.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { IoRowsResponse, IoRowsParams, IoSort } from '../../contract/rows.ts'
import { speedOf } from '../speed.ts'
import type { IoStore } from '../table.ts'
import { FILE, FILE_SIZE } from '../reading/wire.ts'
import { firstRows } from './first-rows.ts'
import type { LaneNames } from './lane-names.ts'
import type { Part } from './parts.ts'
import { countParts, partsOf } from './parts.ts'
import { forEachMatching } from './scan.ts'
import { eventRow } from './summary.ts'

/** An order is not rebuilt for data that merely grew until it is this old, ms, and twenty times as long as it took to make. */
const KEEP_MS = 1000
/** Rows visited between two looks at the clock. */
const SLICE_ROWS = 1 << 15
/** Windows that end before this are answered at once, from the best rows alone, while the whole order is in the making. */
const AT_ONCE = 512

/** The rows in order: which part each lies in and which row of it. An index list, not copies of rows. */
interface Order {
  readonly parts: readonly Part[]
  readonly part: Uint32Array
  readonly row: Uint32Array
}

interface Job {
  readonly request: string
  readonly abort: AbortController
  readonly order: Promise<Order>
  ready: Order | null
  madeMs: number
  tookMs: number
}

/**
 * The rows of the range that count, in the asked order, a window at a time. The order is made in slices, in which other
 * answers have their turn; the first window does not wait for it; a new request drops it.
 */
export class RowsResponder {
  #job: Job | null = null

  async response(store: IoStore, names: LaneNames, params: IoRowsParams, signal: AbortSignal): Promise<IoRowsResponse> {
    const { offset, limit, ...request } = params
    if (limit === 0) return { version: store.version, total: countParts(partsOf(store, names, params)), rows: [] }
    const job = this.#jobOf(store, names, params, JSON.stringify(request))
    if (job.ready === null && offset + limit <= AT_ONCE) {
      const parts = partsOf(store, names, params)
      const first = firstRows(parts, params, offset + limit)
      if (first !== null) {
        const rows = first.slice(offset).map(({ part, row }) => rowOf(store, names, parts[part] as Part, row))
        return { version: store.version, total: countParts(parts), rows }
      }
    }
    const { parts, part, row } = await job.order
    signal.throwIfAborted()
    const rows: IoRowsResponse['rows'][number][] = []
    for (let at = offset; at < Math.min(row.length, offset + limit); at++)
      rows.push(rowOf(store, names, parts[part[at] as number] as Part, row[at] as number))
    return { version: store.version, total: row.length, rows }
  }

  #jobOf(store: IoStore, names: LaneNames, params: IoRowsParams, request: string): Job {
    const last = this.#job
    const key = `${request} ${store.version}`
    if (last !== null && (last.request === key || (last.request.startsWith(`${request} `) && isFresh(last))))
      return last
    last?.abort.abort()
    const abort = new AbortController()
    const job: Job = {
      request: key,
      abort,
      order: makeOrder(store, names, params, abort.signal),
      ready: null,
      madeMs: performance.now(),
      tookMs: Number.NaN,
    }
    this.#job = job
    job.order.then(
      (order) => {
        job.ready = order
        job.tookMs = performance.now() - job.madeMs
      },
      // Dropped for a newer request: the promise itself rejects for its callers.
      () => undefined,
    )
    return job
  }
}

/** In the making, or made a short time ago as measured by what it cost. */
const isFresh = (job: Job): boolean =>
  Number.isNaN(job.tookMs) || performance.now() - job.madeMs < Math.max(KEEP_MS, 20 * job.tookMs)

function rowOf(store: IoStore, names: LaneNames, part: Part, row: number): IoRowsResponse['rows'][number] {
  const fileSize = part.events.read(FILE_SIZE, row)
  return {
    ...eventRow(store, names, { lane: part.lane, kind: part.kind, events: part.events, row }),
    fileSizeBytes: fileSize === -1 ? null : (fileSize as Bytes),
  }
}

async function makeOrder(store: IoStore, names: LaneNames, params: IoRowsParams, signal: AbortSignal): Promise<Order> {
  const parts = partsOf(store, names, params)
  const most = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const part = new Uint32Array(most)
  const row = new Uint32Array(most)
  const keys = new Float64Array(most)
  const ranks = ranksOf(store, names, parts, params.sort)
  const sign = params.descending ? -1 : 1
  const pace = new Pace(signal)
  let length = 0
  for (const [i, { kind, events, from, to, predicate }] of parts.entries()) {
    const fileRanks = ranks.files[i]
    for (let at = from; at < to; at += SLICE_ROWS) {
      forEachMatching(events, at, Math.min(to, at + SLICE_ROWS), predicate, (chunk, chunkRow, firstRow) => {
        part[length] = i
        row[length] = firstRow + chunkRow
        const key =
          fileRanks === undefined
            ? keyOf(
                params.sort,
                kind,
                chunk.read(START, chunkRow),
                chunk.read(DURATION, chunkRow),
                chunk.read(SIZE, chunkRow),
                ranks.parts[i] ?? 0,
              )
            : (fileRanks[chunk.read(FILE, chunkRow)] ?? 0)
        keys[length] = sign * key
        length++
      })
      await pace.step()
    }
  }
  const steps = radixOrder(keys, length)
  for (;;) {
    const step = steps.next()
    await pace.step()
    if (step.done !== true) continue
    const order = step.value
    return { parts, part: order.length === 0 ? part.slice(0, 0) : pick(part, order), row: pick(row, order) }
  }
}

function pick(values: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) picked[i] = values[order[i] as number] as number
  return picked
}

/** NaN comes last in either direction. */
function keyOf(sort: IoSort, kind: string, start: number, duration: number, size: number, partRank: number): number {
  switch (sort) {
    case 'start':
      return start
    case 'duration':
      return duration
    case 'size':
      return size
    case 'speed':
      return speedOf({ kind, sizeBytes: size, durationTicks: duration })
    case 'kind':
    case 'lane':
    case 'file':
      return partRank
  }
}

interface Ranks {
  /** By part: the place of its kind or lane among the others. */
  readonly parts: readonly number[]
  /** By part and file id: the place of the file's name; undefined unless files are what is sorted by. */
  readonly files: readonly (readonly number[] | undefined)[]
}

/** Texts are ranked once, so that rows are sorted by numbers. */
function ranksOf(store: IoStore, names: LaneNames, parts: readonly Part[], sort: IoSort): Ranks {
  const none: Ranks = { parts: parts.map(() => 0), files: parts.map(() => undefined) }
  if (sort === 'file') {
    const all = parts.map(({ lane }) => store.lanes.get(lane)?.files.map(({ name }) => name) ?? [])
    const place = placesOf(all.flat())
    return { ...none, files: all.map((files) => files.map((name) => place.get(name) ?? 0)) }
  }
  if (sort !== 'kind' && sort !== 'lane') return none
  const texts = parts.map(({ lane, kind }) => {
    const table = store.lanes.get(lane)
    return sort === 'kind' ? kind : table === undefined ? lane : names.labelOf(table).label
  })
  const place = placesOf(texts)
  return { ...none, parts: texts.map((text) => place.get(text) ?? 0) }
}

const placesOf = (texts: readonly string[]): Map<string, number> =>
  new Map([...new Set(texts)].toSorted((a, b) => a.localeCompare(b)).map((text, place) => [text, place]))
