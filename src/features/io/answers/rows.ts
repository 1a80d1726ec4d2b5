import type { Bytes } from '../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../base/event-chunk.ts'
import type { EventTable } from '../../../base/event-table.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { IoRowsAnswer, IoRowsAsk, IoSort } from '../queries.ts'
import type { IoStore } from '../table.ts'
import { FILE, FILE_SIZE } from '../wire.ts'
import type { LaneNames } from './lanes.ts'
import { forEachMatching, predicateOf, trackOf } from './scan.ts'
import { eventRow } from './summary.ts'

interface Order {
  readonly key: string
  readonly parts: readonly { readonly lane: string; readonly kind: string; readonly events: EventTable }[]
  /** Which part each row lies in, and which row of it: an index list, not copies of rows. */
  readonly part: Uint32Array
  readonly row: Uint32Array
}

/** The rows of the range that count, in the asked order, a window at a time. The order is kept until the question changes. */
export class RowsAnswerer {
  #last: Order | null = null

  answer(store: IoStore, names: LaneNames, ask: IoRowsAsk): IoRowsAnswer {
    const { offset, limit, ...question } = ask
    const key = JSON.stringify([store.version, question])
    if (this.#last?.key !== key) this.#last = buildOrder(store, names, ask, key)
    const { parts, part, row } = this.#last
    const rows = []
    for (let at = offset; at < Math.min(row.length, offset + limit); at++) {
      const where = parts[part[at] as number]
      if (where === undefined) continue
      const index = row[at] as number
      const fileSize = where.events.read(FILE_SIZE, index)
      rows.push({
        ...eventRow(store, names, { ...where, row: index }),
        fileSizeBytes: fileSize === -1 ? null : (fileSize as Bytes),
      })
    }
    return { version: store.version, total: row.length, rows }
  }
}

function buildOrder(store: IoStore, names: LaneNames, ask: IoRowsAsk, key: string): Order {
  const parts: { lane: string; kind: string; events: EventTable; order: number }[] = []
  const spans: { from: number; to: number; file: number | null }[] = []
  let most = 0
  for (const row of ask.rows) {
    const track = trackOf(store, row)
    if (track === null) continue
    const from = track.events.lowerBound(ask.startTicks)
    const to = track.events.lowerBound(ask.endTicks)
    parts.push({ lane: row.lane, kind: row.kind, events: track.events, order: 0 })
    spans.push({ from, to, file: row.file })
    most += to - from
  }
  rankParts(store, names, parts, ask.sort)
  const part = new Uint32Array(most)
  const row = new Uint32Array(most)
  const keys = new Float64Array(most)
  const starts = new Float64Array(most)
  let length = 0
  parts.forEach((each, i) => {
    const { from, to, file } = spans[i] as (typeof spans)[number]
    const fileRanks =
      ask.sort === 'file' ? ranksOf(store.lanes.get(each.lane)?.files.map(({ name }) => name) ?? []) : []
    forEachMatching(each.events, from, to, predicateOf(ask.filter, file), (chunk, at, firstRow) => {
      part[length] = i
      row[length] = firstRow + at
      starts[length] = chunk.read(START, at)
      keys[length] = keyOf(
        ask.sort,
        chunk.read(START, at),
        chunk.read(DURATION, at),
        chunk.read(SIZE, at),
        each.order,
        fileRanks[chunk.read(FILE, at)] ?? 0,
      )
      length++
    })
  })
  const order = Uint32Array.from({ length }, (_, i) => i)
  const sign = ask.descending ? -1 : 1
  // eslint-disable-next-line unicorn/no-array-sort -- an index list of our own, sorted in place on purpose
  order.sort(
    (a, b) =>
      sign * ((keys[a] as number) - (keys[b] as number)) || (starts[a] as number) - (starts[b] as number) || a - b,
  )
  return { key, parts, part: order.map((i) => part[i] as number), row: order.map((i) => row[i] as number) }
}

function keyOf(
  sort: IoSort,
  start: number,
  duration: number,
  size: number,
  partOrder: number,
  fileRank: number,
): number {
  switch (sort) {
    case 'start':
      return start
    case 'duration':
      return duration
    case 'size':
      return size
    case 'speed':
      return size / (Math.max(1, duration) / TICKS_PER_SECOND)
    case 'file':
      return fileRank
    case 'kind':
    case 'lane':
      return partOrder
  }
}

/** Rank of each text among the others. */
function ranksOf(texts: readonly string[]): number[] {
  const order = texts.map((_, i) => i).toSorted((a, b) => (texts[a] as string).localeCompare(texts[b] as string))
  const ranks: number[] = []
  order.forEach((at, rank) => (ranks[at] = rank))
  return ranks
}

function rankParts(
  store: IoStore,
  names: LaneNames,
  parts: { lane: string; kind: string; order: number }[],
  sort: IoSort,
): void {
  if (sort !== 'kind' && sort !== 'lane') return
  const texts = parts.map(({ lane, kind }) => {
    const table = store.lanes.get(lane)
    return sort === 'kind' ? kind : table === undefined ? lane : names.labelOf(table).label
  })
  const distinct = [...new Set(texts)]
  const ranks = ranksOf(distinct)
  parts.forEach((part, i) => (part.order = ranks[distinct.indexOf(texts[i] as string)] ?? 0))
}
