import type { Bytes, TickSpan, Ticks } from '../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../base/event-chunk.ts'
import type { EventTable } from '../../../base/event-table.ts'
import { emptyAggregate } from '../../../base/pyramid.ts'
import { Quantiles } from '../../../base/select.ts'
import type { IoEventRow, IoKindSummary, IoSummaryAnswer, IoSummaryAsk } from '../queries.ts'
import type { IoStore, IoTrack } from '../table.ts'
import { FILE } from '../wire.ts'
import type { LaneNames } from './lanes.ts'
import type { Predicate } from './scan.ts'
import { addMatching, forEachMatching, predicateOf, trackOf } from './scan.ts'

interface Part {
  readonly lane: string
  readonly track: IoTrack
  readonly predicate: Predicate | null
  readonly from: number
  readonly to: number
}

/** Counts, sums, exact percentiles and the slowest of the events that start in the range. O(events in range). */
export function answerSummary(store: IoStore, names: LaneNames, ask: IoSummaryAsk): IoSummaryAnswer {
  const parts = new Map<string, Part[]>()
  for (const row of ask.rows) {
    const track = trackOf(store, row)
    if (track === null) continue
    const from = track.events.lowerBound(ask.startTicks)
    const to = track.events.lowerBound(ask.endTicks)
    const list = parts.get(row.kind) ?? []
    list.push({ lane: row.lane, track, predicate: predicateOf(ask.filter, row.file), from, to })
    parts.set(row.kind, list)
  }
  const kinds = Array.from(parts, ([kind, list]) => summarise(kind, list, ask))
  const slowest = slowestOf([...parts.values()].flat(), ask.slowestLimit).map((found) => eventRow(store, names, found))
  return { version: store.version, kinds, slowest }
}

function summarise(kind: string, parts: readonly Part[], ask: IoSummaryAsk): IoKindSummary {
  const sums = emptyAggregate()
  const quantiles = new Quantiles()
  const visitAll = (visit: (value: number) => void): void => {
    for (const { track, predicate, from, to } of parts)
      forEachMatching(track.events, from, to, predicate, (chunk, row) => visit(chunk.read(DURATION, row)))
  }
  for (const { track, predicate, from, to } of parts) addMatching(track.events, from, to, predicate, sums)
  visitAll((value) => quantiles.add(value))
  const [p50, p90, p99, p999] = quantiles.resolve([0.5, 0.9, 0.99, 0.999], visitAll) as [number, number, number, number]
  const rollUps = { count: 0, bytes: 0, busy: 0, max: Number.NaN }
  for (const { track, predicate } of parts) {
    for (const row of track.rollUps.overlapping(ask.startTicks, ask.endTicks)) {
      if (
        row.startTicks < ask.startTicks ||
        (predicate !== null && predicate.file !== -1 && predicate.file !== row.file)
      )
        continue
      const unseenBytes = row.sizeBytes - row.seenBytes
      const unseenBusy = row.busyTicks - row.seenBusyTicks
      if (row.seenCount > 0 && unseenBytes <= 0) continue
      rollUps.count++
      rollUps.bytes += Math.max(0, unseenBytes)
      rollUps.busy += Math.max(0, unseenBusy)
      if (!(rollUps.max >= row.maxTicks)) rollUps.max = row.maxTicks
    }
  }
  return {
    kind,
    count: sums.count,
    bytes: sums.bytes as Bytes,
    busyTicks: sums.busy as TickSpan,
    p50Ticks: p50,
    p90Ticks: p90,
    p99Ticks: p99,
    p999Ticks: p999,
    maxTicks: sums.count === 0 ? Number.NaN : sums.slowestDuration,
    rollUps: rollUps.count,
    rollUpBytes: rollUps.bytes as Bytes,
    rollUpBusyTicks: rollUps.busy as TickSpan,
    rollUpMaxTicks: rollUps.max,
  }
}

/** An event by where it lies now. */
export interface Found {
  readonly lane: string
  readonly kind: string
  readonly events: EventTable
  readonly row: number
  readonly durationTicks: number
}

/** The `limit` slowest of all parts, slowest first. Leaves that hold nothing slower than the last of them are skipped. */
function slowestOf(parts: readonly Part[], limit: number): Found[] {
  let best: Found[] = []
  let least = -1
  const settle = (): void => {
    best = best.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, limit)
    if (best.length === limit) least = best.at(-1)?.durationTicks ?? -1
  }
  if (limit <= 0) return best
  for (const { lane, track, predicate, from, to } of parts) {
    const bounds = predicate ?? {
      minTicks: 0,
      maxTicks: Number.POSITIVE_INFINITY,
      minBytes: 0,
      maxBytes: Number.POSITIVE_INFINITY,
      file: -1,
    }
    const wanted = { ...bounds, minTicks: Math.max(bounds.minTicks, least + 1) }
    forEachMatching(track.events, from, to, wanted, (chunk, row, firstRow) => {
      const durationTicks = chunk.read(DURATION, row)
      if (durationTicks <= least) return
      best.push({ lane, kind: track.kind, events: track.events, row: firstRow + row, durationTicks })
      if (best.length >= limit * 4) {
        settle()
        wanted.minTicks = Math.max(wanted.minTicks, least + 1)
      }
    })
    settle()
  }
  return best
}

/** The event in the form that lists and cards show. */
export function eventRow(
  store: IoStore,
  names: LaneNames,
  { lane, kind, events, row }: Omit<Found, 'durationTicks'>,
): IoEventRow {
  const table = store.lanes.get(lane)
  return {
    lane,
    kind,
    startTicks: events.read(START, row) as Ticks,
    durationTicks: events.read(DURATION, row) as TickSpan,
    sizeBytes: events.read(SIZE, row) as Bytes,
    file: table?.files[events.read(FILE, row)]?.name ?? '',
    laneLabel: table === undefined ? lane : names.labelOf(table).label,
    source: table?.source ?? '',
  }
}
