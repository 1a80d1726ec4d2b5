import { quantile } from 'd3'
import { groupBy } from '../../../base/columns/group-by.ts'
import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../base/columns/event-table.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import type { IoColumns, IoColumnsParams, IoLaneColumns, IoSlowEvent, IoSums } from '../contract/columns.ts'
import type { IoLaneTable, IoTrack } from './lane-table.ts'
import type { LaneNames } from './responses/lane-names.ts'
import { isCovered, orNone } from './rollups.ts'
import type { IoStore } from './table.ts'

const NONE: IoColumns = { startTicks: new Float64Array(), durationTicks: new Float64Array(), bytes: new Float64Array() }
const JUDGED_KINDS = ['JournalWrite', 'DataSync', 'DataFlush']
const OTHER_KINDS = ['DataSync', 'DataFlush', 'Compression']
/**
 * Minimum number of journal writes kept for each lane, enough to judge the duration of its writes; fewer if all lanes
 * together would exceed 1/`SPARE` of the budget.
 */
const LEAST_WRITES = 1000
const SPARE = 4
/** Start of the newest events moves in steps of about this fraction of the time since it. */
const START_STEPS = 8
/** Maximum time before the first write at which a sync or flush may begin and still delay that write, ticks. */
const LONGEST_TICKS = 60 * TICKS_PER_SECOND
/** Maximum number of durations used for a median. */
const SAMPLE = 10_000

/**
 * Journal writes, syncs and flushes of the sources, and slow events of other kinds. If there are more than `most`, the
 * newest are returned: for all lanes of a source since the same time, plus some of each lane that has none since.
 * Copies: O(rows).
 */
export function ioColumns(
  store: IoStore,
  names: LaneNames,
  { sources, most, leastTicks, timesMedian }: IoColumnsParams,
): IoLaneColumns[] {
  const wanted = new Set(sources)
  const bySource = groupBy(
    [...store.lanes.values()].filter(({ source }) => wanted.has(source)),
    ({ source }) => source,
  ).map(([, lanes]) => ({ lanes, tables: lanes.flatMap(judgedTablesOf) }))
  const parts = partsOf(
    most,
    bySource.map(({ tables }) => tables.reduce((sum, { length }) => sum + length, 0)),
  )
  return bySource.flatMap(({ lanes, tables }, at) => {
    const mostOfSource = parts[at] as number
    const start = startOfNewest(tables, mostOfSource)
    const leastWrites = Math.min(LEAST_WRITES, Math.floor(mostOfSource / (SPARE * lanes.length)))
    return lanes.map((lane): IoLaneColumns => {
      const writes = lane.tracks.get('JournalWrite')
      const events = writes?.events
      const from = events === undefined ? start : Math.min(start, startOfLast(events, leastWrites))
      return {
        lane: lane.id,
        source: lane.source,
        path: lane.path,
        label: names.labelOf(lane).label,
        writes: columnsSince(from, events),
        syncs: columnsSince(from, lane.tracks.get('DataSync')?.events, LONGEST_TICKS),
        flushes: columnsSince(from, lane.tracks.get('DataFlush')?.events, LONGEST_TICKS),
        isCut: events !== undefined && events.firstTicks < from,
        sums: writes === undefined ? [] : sumsOf(writes),
        summedWrites: writes === undefined ? 0 : writes.rollUps.unseen.events,
        slowOthers: OTHER_KINDS.flatMap((kind) => slowOf(lane.tracks.get(kind), leastTicks, timesMedian)),
      }
    })
  })
}

const judgedTablesOf = ({ tracks }: IoLaneTable): EventTable[] =>
  JUDGED_KINDS.flatMap((kind) => tracks.get(kind)?.events ?? []).filter(({ length }) => length > 0)

/**
 * Divides `most` between the sources in equal parts; what a source does not need goes to the others. `counts`: number
 * of events of each source.
 */
function partsOf(most: number, counts: readonly number[]): number[] {
  const parts = counts.map(() => 0)
  const ascending = [...counts.keys()].toSorted((a, b) => (counts[a] as number) - (counts[b] as number))
  let left = most
  for (const [rank, at] of ascending.entries()) {
    const part = left / (counts.length - rank)
    parts[at] = part
    left -= Math.min(part, counts[at] as number)
  }
  return parts
}

/**
 * Time since which at most `most` events of the tables started; at the latest, the start of the last event. It moves in
 * steps, so that a few new events do not change it.
 */
function startOfNewest(tables: readonly EventTable[], most: number): number {
  const countSince = (ticks: number): number =>
    tables.reduce((sum, table) => sum + table.length - table.lowerBound(ticks), 0)
  if (countSince(-Infinity) <= most) return -Infinity
  let before = Math.min(...tables.map(({ firstTicks }) => firstTicks))
  const last = Math.max(...tables.map(({ lastTicks }) => lastTicks))
  let from = last
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (countSince(middle) > most) before = middle
    else from = middle
  }
  const step = 2 ** Math.max(0, Math.floor(Math.log2((last - from) / START_STEPS)))
  return Math.min(last, Math.ceil(from / step) * step)
}

/** Start of the oldest of the last `count` events of a table; ∞: there are none. */
const startOfLast = (table: EventTable, count: number): number =>
  count === 0 || table.length === 0 ? Infinity : table.read(START, Math.max(0, table.length - count))

/** `earlier`: time, ticks, by which an event may start before `ticks` and still be running then. */
function columnsSince(ticks: number, events: EventTable | undefined, earlier = 0): IoColumns {
  if (events === undefined || events.length === 0) return NONE
  const from = events.lowerBound(ticks - Math.min(earlier, events.totals.slowestDuration))
  const length = events.length - from
  const columns = [new Float64Array(length), new Float64Array(length), new Float64Array(length)] as const
  let at = 0
  events.forEachPart(from, events.length, (chunk, partFrom, partTo) => {
    for (let row = partFrom; row < partTo; row++, at++) {
      columns[0][at] = chunk.read(START, row)
      columns[1][at] = chunk.read(DURATION, row)
      columns[2][at] = chunk.read(SIZE, row)
    }
  })
  return { startTicks: columns[0], durationTicks: columns[1], bytes: columns[2] }
}

/**
 * Sums of the roll-ups that were not completely seen event by event. If a part was seen, the longest event may be in
 * that part.
 */
const sumsOf = ({ rollUps }: IoTrack): IoSums[] =>
  rollUps.rows
    .filter((row) => !isCovered(row))
    .map((row) => ({
      startTicks: row.unseenFromTicks as Ticks,
      endTicks: row.endTicks as Ticks,
      maxTicks: (row.seenCount > 0 ? 0 : orNone(row.maxTicks)) as TickSpan,
    }))

function slowOf(track: IoTrack | undefined, leastTicks: number, timesMedian: number): IoSlowEvent[] {
  if (track === undefined || track.events.length === 0) return []
  const { kind, events } = track
  const step = Math.ceil(events.length / SAMPLE)
  const sample: number[] = []
  for (let row = 0; row < events.length; row += step) sample.push(events.read(DURATION, row))
  const slowTicks = Math.max(leastTicks, timesMedian * (quantile(sample, 0.5) ?? 0))
  const found: IoSlowEvent[] = []
  for (const chunk of events.chunks) {
    if (chunk.totals.slowestDuration < slowTicks) continue
    for (let row = 0; row < chunk.length; row++) {
      const durationTicks = chunk.read(DURATION, row)
      if (durationTicks < slowTicks) continue
      found.push({
        kind,
        startTicks: chunk.read(START, row) as Ticks,
        durationTicks: durationTicks as TickSpan,
        bytes: chunk.read(SIZE, row),
      })
    }
  }
  return found
}
