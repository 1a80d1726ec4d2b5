import type { Bytes } from '../../../../base/brand.ts'
import type { TickSpan, Ticks } from '../../../../base/ticks.ts'
import { CHUNK_ROWS, DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../base/columns/event-table.ts'
import { unpackRange, type PackedColumn } from '../../../../base/columns/packed-column.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import { Quantiles } from '../../../../base/columns/select.ts'
import type { IoEventRow } from '../../contract/rows.ts'
import type { IoAmount, IoKindSummary, IoSummaryResponse, IoSummaryParams } from '../../contract/summary.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import { FIRST_FOLDED } from '../../contract/limits.ts'
import { isCovered, orNone, unseenBusyTicks, unseenBytes, unseenCount } from '../rollups.ts'
import type { IoStore } from '../table.ts'
import { FILE, FILE_SIZE, NO_SIZE } from '../reading/wire.ts'
import { ANY, extremes, reachingInto } from './first-rows.ts'
import type { LaneNames } from './lane-names.ts'
import type { Part } from './parts.ts'
import { partsOf } from './parts.ts'
import { addMatching, forEachMatching, forEachReachingInto } from './scan.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16

/**
 * Counts, sums and exact percentiles of the events that start in the range, and the slowest of those seen in it.
 * O(events in range), in slices between which other responses can run.
 */
export async function summaryResponse(
  store: IoStore,
  names: LaneNames,
  params: IoSummaryParams,
  signal: AbortSignal,
): Promise<IoSummaryResponse> {
  const { version } = store
  const all = partsOf(store, names, params)
  const pace = new Pace(signal)
  const slowestOf = (parts: readonly Part[], limit: number): IoEventRow[] =>
    extremes(parts, DURATION, limit, reachingInto(parts, params.startTicks)).map(({ part, row }) =>
      eventRow(store, names, { ...(parts[part] as Part), row }),
    )
  const kinds: IoKindSummary[] = []
  for (const [kind, parts] of groupBy(all, (part) => part.kind)) {
    const sums = await summarise(kind, parts, params, pace)
    kinds.push({ ...sums, slowest: slowestOf(parts, Math.min(1, params.slowestLimit))[0] ?? null })
  }
  const { startTicks, endTicks } = params
  return { version, startTicks, endTicks, kinds, slowest: slowestOf(all, params.slowestLimit) }
}

async function summarise(
  kind: string,
  parts: readonly Part[],
  params: IoSummaryParams,
  pace: Pace,
): Promise<Omit<IoKindSummary, 'slowest'>> {
  const sums = emptyAggregate()
  const quantiles = new Quantiles()
  for (const { events, predicate, from, to } of parts) {
    if (predicate === null) events.addTo(sums, from, to)
    for (let at = from; at < to; at += SLICE_ROWS) {
      const end = Math.min(to, at + SLICE_ROWS)
      if (predicate !== null) addMatching(events, at, end, predicate, sums)
      if (predicate === null) addDurations(events, at, end, quantiles)
      else forEachMatching(events, at, end, predicate, (chunk, row) => quantiles.add(chunk.read(DURATION, row)))
      await pace.step()
    }
  }
  const [p50, p90, p99, p999] = (await quantiles.resolve([0.5, 0.9, 0.99, 0.999], async (visit, least) => {
    for (const { events, predicate, from, to } of parts) {
      const wanted = { ...(predicate ?? ANY), minTicks: Math.max(predicate?.minTicks ?? 0, least) }
      for (let at = from; at < to; at += SLICE_ROWS) {
        const end = Math.min(to, at + SLICE_ROWS)
        forEachMatching(events, at, end, wanted, (chunk, row) => visit(chunk.read(DURATION, row)))
        await pace.step()
      }
    }
  })) as [number, number, number, number]
  const beyond = beyondEdges(parts, params)
  return {
    kind,
    count: sums.count,
    bytes: sums.bytes as Bytes,
    unsized: parts.reduce((sum, part) => sum + unsizedOf(part), 0),
    busyTicks: (sums.busy + beyond) as TickSpan,
    p50Ticks: p50,
    p90Ticks: p90,
    p99Ticks: p99,
    p999Ticks: p999,
    maxTicks: sums.count === 0 ? Number.NaN : sums.slowestDuration,
    ...summariseRollUps(parts, params),
    whole: wholeOf({ events: sums.count, bytes: sums.bytes, busyTicks: sums.busy + beyond }, parts, params),
  }
}

/**
 * Number of events of a part without a size. They are rare; chunks without any are recognised by the minimum of the
 * column.
 */
function unsizedOf({ events, predicate, from, to }: Part): number {
  const mayHave = events.chunks.some((chunk) => {
    const { base, offsets } = chunk.columns[FILE_SIZE] as PackedColumn
    return base === NO_SIZE || offsets instanceof Float64Array
  })
  if (!mayHave) return 0
  let count = 0
  forEachMatching(events, from, to, predicate ?? ANY, (chunk, row) => {
    if (chunk.read(FILE_SIZE, row) === NO_SIZE) count++
  })
  return count
}

/**
 * Correction of the busy time to time in the range, ticks: adds the part of earlier events that reaches into it, and
 * subtracts the part of its own events that lies beyond its end.
 */
function beyondEdges(parts: readonly Part[], { startTicks, endTicks }: IoSummaryParams): number {
  let ticks = 0
  for (const { events, predicate } of parts) {
    forEachReachingInto(events, startTicks, predicate, (chunk, row) => {
      ticks += Math.min(endTicks, chunk.read(START, row) + chunk.read(DURATION, row)) - startTicks
    })
    forEachReachingInto(events, endTicks, predicate, (chunk, row) => {
      const start = chunk.read(START, row)
      if (start >= startTicks) ticks -= start + chunk.read(DURATION, row) - endTicks
    })
  }
  return ticks
}

const durations = new Float64Array(CHUNK_ROWS)

/** Adds the durations of the rows [from, to), one chunk at a time. */
function addDurations(events: EventTable, from: number, to: number, quantiles: Quantiles): void {
  events.forEachPart(from, to, (chunk, partFrom, partTo) => {
    unpackRange(chunk.columns[DURATION] as PackedColumn, partFrom, partTo, durations, 0)
    quantiles.addAll(durations, partTo - partFrom)
  })
}

/** Sums of the roll-ups that start in the range, without the part that was seen event by event. */
function summariseRollUps(parts: readonly Part[], params: IoSummaryParams) {
  const sums = { rollUps: 0, rollUpBytes: 0, rollUpsUnsized: 0, rollUpBusyTicks: 0, rollUpMaxTicks: Number.NaN }
  for (const { rollUps, predicate } of parts)
    for (const row of rollUps.overlapping(params.startTicks, params.endTicks)) {
      const otherFile = predicate !== null && predicate.file !== -1 && predicate.file !== row.file
      const bytes = unseenBytes(row)
      if (row.startTicks < params.startTicks || otherFile || (row.seenCount > 0 && bytes === 0)) continue
      sums.rollUps++
      sums.rollUpBytes += orNone(bytes)
      if (Number.isNaN(bytes)) sums.rollUpsUnsized++
      sums.rollUpBusyTicks += orNone(unseenBusyTicks(row))
      if (row.maxTicks >= orNone(sums.rollUpMaxTicks)) sums.rollUpMaxTicks = row.maxTicks
    }
  return { ...sums, rollUpBytes: sums.rollUpBytes as Bytes, rollUpBusyTicks: sums.rollUpBusyTicks as TickSpan }
}

interface Amount {
  readonly events: number
  readonly bytes: number
  readonly busyTicks: number
}

/** Totals of single events, and of the unseen part of roll-ups by the share of their time in the range. */
function wholeOf(single: Amount, parts: readonly Part[], params: IoSummaryParams): IoAmount {
  let { events, bytes, busyTicks } = single
  let isShare = false
  const isFiltered = Object.values(params.filter).some((bound) => bound !== null)
  for (const { rollUps, predicate } of isFiltered ? [] : parts)
    for (const row of rollUps.overlapping(params.startTicks, params.endTicks)) {
      const isOfOther = predicate !== null && predicate.file !== -1 && predicate.file !== row.file
      if (isOfOther || isCovered(row)) continue
      const ticks = Math.max(1, row.endTicks - row.unseenFromTicks)
      const inRange = Math.min(params.endTicks, row.endTicks) - Math.max(params.startTicks, row.unseenFromTicks)
      const share = Math.min(1, Math.max(0, inRange / ticks))
      if (share === 0) continue
      isShare ||= share < 1
      events += share * (row.file === FIRST_FOLDED ? Number.NaN : (unseenCount(row) ?? Number.NaN))
      bytes += share * unseenBytes(row)
      busyTicks += share * unseenBusyTicks(row)
    }
  return { events, bytes: bytes as Bytes, busyTicks: busyTicks as TickSpan, isShare }
}

/** An event with its current position. */
export interface Found {
  readonly lane: string
  readonly kind: string
  readonly events: EventTable
  readonly row: number
  readonly durationTicks: number
}

/** Converts an event to the form used by lists and cards. */
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
    ...(events.read(FILE_SIZE, row) === NO_SIZE ? { hasNoSize: true as const } : {}),
    file: table?.fileName(events.read(FILE, row)) ?? '',
    laneLabel: table === undefined ? lane : names.labelOf(table).label,
    source: table?.source ?? '',
  }
}
