import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { makeRowOrder, RowOrders, type RowOrder } from '../../../../capture/worker/row-order.ts'
import type { IoRowsResponse, IoRowsParams, IoSort } from '../../contract/rows.ts'
import { speedOf } from '../../contract/speed.ts'
import type { IoStore } from '../table.ts'
import { FILE, FILE_SIZE } from '../reading/wire.ts'
import { firstRows } from './first-rows.ts'
import type { LaneNames } from './lane-names.ts'
import type { Part } from './parts.ts'
import { countParts, partsOf } from './parts.ts'
import { forEachMatching } from './scan.ts'
import { eventRow } from './summary.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 15
/**
 * Windows that end before this row are returned at once, from the best rows alone, while the complete order is being
 * computed.
 */
const AT_ONCE = 512

/**
 * Matching rows of the range in the requested order, one window at a time. The order is computed in slices between
 * which other responses can run; the first window does not wait for it; a new request cancels it.
 */
export class RowsResponder {
  readonly #orders = new RowOrders<Part>()

  async response(store: IoStore, names: LaneNames, params: IoRowsParams, signal: AbortSignal): Promise<IoRowsResponse> {
    const { offset, limit, ...request } = params
    if (limit === 0) return { version: store.version, total: countParts(partsOf(store, names, params)), rows: [] }
    const job = this.#orders.of(JSON.stringify(request), store.version, (dropped) =>
      makeOrder(store, names, params, dropped),
    )
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
}

function rowOf(store: IoStore, names: LaneNames, part: Part, row: number): IoRowsResponse['rows'][number] {
  const fileSize = part.events.read(FILE_SIZE, row)
  return {
    ...eventRow(store, names, { lane: part.lane, kind: part.kind, events: part.events, row }),
    fileSizeBytes: fileSize < 0 ? null : (fileSize as Bytes),
  }
}

function makeOrder(
  store: IoStore,
  names: LaneNames,
  params: IoRowsParams,
  signal: AbortSignal,
): Promise<RowOrder<Part>> {
  const parts = partsOf(store, names, params)
  const ranks = ranksOf(store, names, parts, params.sort)
  return makeRowOrder(
    parts,
    params.descending,
    SLICE_ROWS,
    signal,
    ({ kind, events, from, to, predicate }, i, take) => {
      const fileRanks = ranks.files[i]
      forEachMatching(events, from, to, predicate, (chunk, chunkRow, firstRow) =>
        take(
          firstRow + chunkRow,
          fileRanks === undefined
            ? keyOf(
                params.sort,
                kind,
                chunk.read(START, chunkRow),
                chunk.read(DURATION, chunkRow),
                chunk.read(SIZE, chunkRow),
                ranks.parts[i] ?? 0,
              )
            : (fileRanks[chunk.read(FILE, chunkRow)] ?? 0),
        ),
      )
    },
  )
}

/** Sort key of a row. NaN comes last in either direction. */
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
  /** Rank of the kind or lane among the others, by part. */
  readonly parts: readonly number[]
  /** Rank of the file's name, by part and file id; undefined unless the rows are sorted by file. */
  readonly files: readonly (readonly number[] | undefined)[]
}

/** Ranks texts once, so that rows are sorted by numbers. */
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
