import type { Bytes, CssPx, Ticks, TickSpan } from '../base/brand.ts'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import type {
  IndexStorageParams,
  IndexStorageResponse,
  IoCard,
  IoEventRow,
  IoFilter,
  IoKindSummary,
  IoRequests,
  IoRowMarks,
  IoRowRef,
  IoRows,
  IoSort,
} from '../features/io/contract.ts'
import { laneFinder } from '../features/io/data/lane-order.ts'
import { NO_FILTER } from '../features/io/contract.ts'
import { speedOf } from '../features/io/data/speed.ts'
import type { FakeEvent, GeneratedIo } from './generated-io.ts'

type Params<Name extends keyof IoRequests> = IoRequests[Name]['params']

/** Every question of `queries.ts`, answered the slow and obvious way. */
export function ioResponse(
  data: GeneratedIo,
  nowTicks: number,
  version: number,
  name: keyof IoRequests,
  query: unknown,
): unknown {
  const events = data.events.filter((event) => event.startTicks + event.durationTicks <= nowTicks)
  switch (name) {
    case 'io.lanes': {
      const { sources, find } = query as Params<'io.lanes'>
      const all = data.lanes.filter((lane) => sources.includes(lane.source))
      const isFound = laneFinder(find)
      const lanes = all.filter(({ label }) => isFound(label))
      const counts = new Map<string, number>()
      for (const { kind, count } of all.flatMap((lane) => lane.kinds)) counts.set(kind, (counts.get(kind) ?? 0) + count)
      return {
        version,
        lanes,
        page: 0,
        matching: lanes.length,
        all: all.length,
        kinds: Array.from(counts, ([kind, count]) => ({ kind, count })),
        sources: sources.filter((id) => all.some(({ source }) => source === id)),
        lastTicks: Math.max(...all.flatMap((lane) => lane.kinds.map(({ lastTicks }) => lastTicks))) as Ticks,
        doubled: lanes.filter((lane) => lanes.some(({ path, source }) => path === lane.path && source !== lane.source)),
        folded: { environments: 0, kinds: 0, files: false },
      } satisfies IoRequests['io.lanes']['response']
    }
    case 'io.pageOf':
      return 0
    case 'io.marks': {
      const ask = query as Params<'io.marks'>
      return { version, rows: ask.rows.map((row) => marksOf(data, events, row, ask)) }
    }
    case 'io.overview':
      return overview(data, events, version, query as Params<'io.overview'>)
    case 'io.summary': {
      const ask = query as Params<'io.summary'>
      const inRange = select(events, rowsOf(data, ask.rows), ask.filter).filter(
        (event) => event.startTicks >= ask.startTicks && event.startTicks < ask.endTicks,
      )
      const kinds = [...new Set(rowsOf(data, ask.rows).map((row) => row.kind))].map((kind) =>
        summary(data, kind, inRange, ask),
      )
      const slowest = inRange.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, ask.slowestLimit)
      const { startTicks, endTicks } = ask
      return {
        version,
        startTicks,
        endTicks,
        kinds: kinds.filter((kind) => kind.count > 0 || kind.rollUps > 0),
        slowest,
      }
    }
    case 'io.ofDuration': {
      const ask = query as Params<'io.ofDuration'>
      const rows = rowsOf(data, ask.rows).filter(({ kind }) => kind === ask.kind)
      const found = select(events, rows, ask.filter).find(
        ({ startTicks, durationTicks }) =>
          startTicks >= ask.startTicks && startTicks < ask.endTicks && durationTicks === ask.durationTicks,
      )
      return found ?? null
    }
    case 'io.card':
      return card(data, events, query as Params<'io.card'>)
    case 'io.rows': {
      const ask = query as Params<'io.rows'>
      const inRange = select(events, rowsOf(data, ask.rows), ask.filter).filter(
        (event) => event.startTicks >= ask.startTicks && event.startTicks < ask.endTicks,
      )
      const sorted = inRange.toSorted((a, b) => (ask.descending ? -1 : 1) * compare(a, b, ask.sort))
      return {
        version,
        total: sorted.length,
        rows: sorted
          .slice(ask.offset, ask.offset + ask.limit)
          .map((event) => Object.assign({}, event, { fileSizeBytes: 33_554_432 })),
      }
    }
    case 'io.idle':
      return { version, spans: idle(data, events, nowTicks, (query as Params<'io.idle'>).minTicks) }
    case 'io.exportCount':
      return { events: events.length, rollUps: 0 }
    case 'io.ofIndex':
      return ofIndex(data, events, query as IndexStorageParams)
    case 'io.refresh':
      return null
  }
}

function rowsOf(data: GeneratedIo, rows: IoRows): readonly IoRowRef[] {
  if (!('sources' in rows)) return rows
  const isFound = laneFinder(rows.find)
  return data.lanes
    .filter(({ source, label }) => rows.sources.includes(source) && isFound(label))
    .flatMap((lane) =>
      lane.kinds
        .filter(({ kind }) => !rows.hiddenKinds.includes(kind))
        .map(({ kind }) => ({ lane: lane.id, kind, file: null })),
    )
}

const passes = (event: IoEventRow, filter: IoFilter): boolean =>
  (filter.minTicks === null || event.durationTicks >= filter.minTicks) &&
  (filter.maxTicks === null || event.durationTicks <= filter.maxTicks) &&
  (filter.minBytes === null || event.sizeBytes >= filter.minBytes) &&
  (filter.maxBytes === null || event.sizeBytes <= filter.maxBytes)

function select(events: readonly FakeEvent[], rows: readonly IoRowRef[], filter: IoFilter): FakeEvent[] {
  const wanted = new Set(rows.map((row) => `${row.kind}|${row.lane}`))
  return events.filter((event) => wanted.has(`${event.kind}|${event.lane}`) && passes(event, filter))
}

function marksOf(data: GeneratedIo, events: readonly FakeEvent[], row: IoRowRef, ask: Params<'io.marks'>): IoRowMarks {
  const own = events.filter(
    (event) =>
      event.lane === row.lane &&
      event.kind === row.kind &&
      (row.file === null || event.fileId === row.file) &&
      passes(event, ask.filter),
  )
  const pixels = new Map<number, FakeEvent[]>()
  for (const event of own) {
    const piece = ask.pieces.find(
      (each) => event.startTicks < each.endTicks && event.startTicks + event.durationTicks >= each.startTicks,
    )
    if (piece === undefined) continue
    const px = Math.floor(
      piece.startPx +
        ((event.startTicks - piece.startTicks) / (piece.endTicks - piece.startTicks)) * (piece.endPx - piece.startPx),
    )
    pixels.set(px, [...(pixels.get(px) ?? []), event])
  }
  const columns = [...pixels].toSorted(([a], [b]) => a - b).map(([, group]) => group)
  const slowest = columns.map((group) => group.reduce((a, b) => (b.durationTicks > a.durationTicks ? b : a)))
  const [first, last] = [ask.pieces[0]?.startTicks ?? 0, ask.pieces.at(-1)?.endTicks ?? 0]
  const bands = data.rollUps.filter(
    (band) => band.lane === row.lane && band.kind === row.kind && band.startTicks < last && band.endTicks >= first,
  )
  return {
    length: columns.length,
    startTicks: Float64Array.from(slowest, (event) => event.startTicks),
    durationTicks: Float64Array.from(slowest, (event) => event.durationTicks),
    sizeBytes: Float64Array.from(slowest, (event) => event.sizeBytes),
    count: Uint32Array.from(columns, (group) => group.length),
    largestBytes: Float64Array.from(columns, (group) => Math.max(...group.map((event) => event.sizeBytes))),
    rollUps: {
      length: bands.length,
      startTicks: Float64Array.from(bands, (band) => band.startTicks),
      endTicks: Float64Array.from(bands, (band) => band.endTicks),
      sizeBytes: Float64Array.from(bands, (band) => band.sizeBytes),
      busyTicks: Float64Array.from(bands, (band) => band.busyTicks),
      minTicks: Float64Array.from(bands, (band) => band.minTicks),
      maxTicks: Float64Array.from(bands, (band) => band.maxTicks),
      covered: new Uint8Array(bands.length),
    },
  }
}

function overview(
  data: GeneratedIo,
  events: readonly FakeEvent[],
  version: number,
  ask: Params<'io.overview'>,
): unknown {
  const ticksPerPx = (ask.endTicks - ask.startTicks) / ask.widthPx
  const chosen = select(events, rowsOf(data, ask.rows), {
    minTicks: null,
    maxTicks: null,
    minBytes: null,
    maxBytes: null,
  })
  const kinds = [...new Set(rowsOf(data, ask.rows).map((row) => row.kind))].map((kind) => {
    const busyShare = new Float32Array(ask.widthPx)
    const slowestTicks = new Float32Array(ask.widthPx)
    for (const event of chosen) {
      const px = Math.floor((event.startTicks - ask.startTicks) / ticksPerPx)
      if (event.kind !== kind || px < 0 || px >= ask.widthPx) continue
      busyShare[px] = (busyShare[px] ?? 0) + event.durationTicks / ticksPerPx
      slowestTicks[px] = Math.max(slowestTicks[px] ?? 0, event.durationTicks)
    }
    return { kind, busyShare, slowestTicks }
  })
  return { version, kinds }
}

function summary(
  data: GeneratedIo,
  kind: string,
  inRange: readonly FakeEvent[],
  ask: Params<'io.summary'>,
): IoKindSummary {
  const rows = inRange.filter((event) => event.kind === kind)
  const sorted = rows.map((event) => event.durationTicks as number).toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted.length === 0 ? Number.NaN : (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN)
  const lanes = new Set(rowsOf(data, ask.rows).map((row) => row.lane))
  const bands = data.rollUps.filter(
    (band) =>
      band.kind === kind && lanes.has(band.lane) && band.startTicks < ask.endTicks && band.endTicks >= ask.startTicks,
  )
  const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  return {
    kind,
    count: rows.length,
    bytes: total(rows.map((event) => event.sizeBytes)) as Bytes,
    busyTicks: total(sorted) as TickSpan,
    p50Ticks: at(0.5),
    p90Ticks: at(0.9),
    p99Ticks: at(0.99),
    p999Ticks: at(0.999),
    maxTicks: at(1),
    rollUps: bands.length,
    rollUpBytes: total(bands.map((band) => band.sizeBytes)) as Bytes,
    rollUpBusyTicks: total(bands.map((band) => band.busyTicks)) as TickSpan,
    rollUpMaxTicks: bands.length === 0 ? Number.NaN : Math.max(...bands.map((band) => band.maxTicks)),
    slowest: rows.toSorted((a, b) => b.durationTicks - a.durationTicks)[0] ?? null,
  }
}

function ofIndex(data: GeneratedIo, events: readonly FakeEvent[], ask: IndexStorageParams): IndexStorageResponse {
  const lane = data.lanes.find(({ source, label }) => source === ask.source && label === ask.indexName)
  if (lane === undefined) return { kinds: null, sinceTicks: null }
  const range = { startTicks: ask.startTicks, endTicks: ask.endTicks }
  const pieces = [{ ...range, startPx: 0 as CssPx, endPx: ask.widthPx }]
  const kinds = lane.kinds.map(({ kind }) => {
    const row = { lane: lane.id, kind, file: null }
    const own = select(events, [row], NO_FILTER).filter(
      ({ startTicks }) => startTicks >= ask.startTicks && startTicks < ask.endTicks,
    )
    const sums = summary(data, kind, own, { ...range, rows: [row], filter: NO_FILTER, slowestLimit: 0 })
    return {
      kind,
      count: sums.count,
      bytes: sums.bytes,
      busyTicks: sums.busyTicks,
      slowestTicks: sums.maxTicks,
      rollUps: sums.rollUps,
      marks: marksOf(data, own, row, { rows: [row], pieces, filter: NO_FILTER }),
    }
  })
  return { kinds, sinceTicks: Math.min(...lane.kinds.map(({ firstTicks }) => firstTicks)) as Ticks }
}

function card(data: GeneratedIo, events: readonly FakeEvent[], { ref, sources }: Params<'io.card'>): IoCard | null {
  const found = events.find(
    (event) =>
      event.lane === ref.lane &&
      event.kind === ref.kind &&
      event.startTicks === ref.startTicks &&
      event.durationTicks === ref.durationTicks,
  )
  const lane = data.lanes.find((each) => each.id === ref.lane)
  if (found === undefined || lane === undefined) return null
  const peers = events.filter((event) => event.kind === found.kind && sources.includes(event.source))
  const end = found.startTicks + found.durationTicks
  const overlaps = events
    .filter(
      (event) =>
        event !== found &&
        sources.includes(event.source) &&
        event.startTicks < end &&
        event.startTicks + event.durationTicks > found.startTicks,
    )
    .toSorted((a, b) => b.durationTicks - a.durationTicks)
  return {
    ...found,
    laneType: lane.type,
    path: lane.path,
    fileSizeBytes: 33_554_432 as Bytes,
    compressedBytes: found.kind === 'Compression' ? (Math.round(found.sizeBytes * 0.4) as Bytes) : null,
    acceleration: found.kind === 'Compression' ? 3 : null,
    rank: peers.filter((event) => event.durationTicks > found.durationTicks).length + 1,
    rankOf: peers.length,
    overlaps: overlaps.slice(0, 200),
    overlapCount: overlaps.length,
    json: JSON.stringify({ Size: found.sizeBytes, Duration: found.durationTicks / 10_000, Type: found.kind }, null, 2),
  }
}

function compare(a: FakeEvent, b: FakeEvent, sort: IoSort): number {
  switch (sort) {
    case 'start':
      return a.startTicks - b.startTicks
    case 'duration':
      return a.durationTicks - b.durationTicks
    case 'size':
      return a.sizeBytes - b.sizeBytes
    case 'speed':
      return (speedOf(a) || -1) - (speedOf(b) || -1)
    case 'kind':
      return a.kind.localeCompare(b.kind)
    case 'lane':
      return a.laneLabel.localeCompare(b.laneLabel)
    case 'file':
      return a.file.localeCompare(b.file)
  }
}

function idle(data: GeneratedIo, events: readonly FakeEvent[], nowTicks: number, minTicks: number): Float64Array {
  const spans: number[] = []
  const busy = [
    ...events.map((event) => [event.startTicks, event.startTicks + event.durationTicks] as const),
    ...data.rollUps.map((band) => [band.startTicks, band.endTicks] as const),
  ].toSorted((a, b) => a[0] - b[0])
  let until: number = busy[0]?.[0] ?? nowTicks
  for (const [start, end] of busy) {
    if (start - until >= Math.max(minTicks, TICKS_PER_SECOND / 100)) spans.push(until, start)
    until = Math.max(until, end)
  }
  if (nowTicks - until >= minTicks) spans.push(until, nowTicks)
  return new Float64Array(spans)
}
