import { quantile } from 'd3'
import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../base/columns/event-table.ts'
import type { IoColumns, IoColumnsParams, IoLaneColumns, IoSlowEvent, IoSums } from '../contract/columns.ts'
import type { IoTrack } from './lane-table.ts'
import type { LaneNames } from './responses/lane-names.ts'
import { isCovered } from './rollups.ts'
import type { IoStore } from './table.ts'

const NONE: IoColumns = { startTicks: new Float64Array(), durationTicks: new Float64Array(), bytes: new Float64Array() }
/** In the order in which they are taken apart. */
const JUDGED_KINDS = ['JournalWrite', 'DataSync', 'Compression']
const OTHER_KINDS = ['DataSync', 'DataFlush', 'Compression']
/** Durations from which a median is taken. */
const SAMPLE = 10_000

/** Journal writes, syncs and compressions of the sources, of all lanes since the same moment, and what else was slow. Copies: O(rows). */
export function ioColumns(
  store: IoStore,
  names: LaneNames,
  { sources, most, leastTicks, timesMedian }: IoColumnsParams,
): IoLaneColumns[] {
  const wanted = new Set(sources)
  const lanes = [...store.lanes.values()]
    .filter(({ source }) => wanted.has(source))
    .map((lane) => ({ lane, tables: JUDGED_KINDS.map((kind) => lane.tracks.get(kind)?.events) }))
  const from = startOfNewest(
    lanes.flatMap(({ tables }) => tables.filter((table) => table !== undefined)),
    most,
  )
  return lanes.map(({ lane, tables: [writes, syncs, compressions] }): IoLaneColumns => {
    const journal = lane.tracks.get('JournalWrite')
    return {
      lane: lane.id,
      source: lane.source,
      path: lane.path,
      label: names.labelOf(lane).label,
      writes: since(from, writes),
      syncs: since(from, syncs),
      compressions: since(from, compressions),
      isCut: writes !== undefined && writes.firstTicks < from,
      sums: journal === undefined ? [] : sumsOf(journal),
      summedWrites: journal === undefined ? 0 : journal.rollUps.unseen.events,
      slowOthers: OTHER_KINDS.flatMap((kind) => slowOf(lane.tracks.get(kind), leastTicks, timesMedian)),
    }
  })
}

/** The earliest moment since which at most `most` events started; of more that start at the last moment, this one. */
function startOfNewest(tables: readonly EventTable[], most: number): number {
  const since = (ticks: number): number =>
    tables.reduce((sum, table) => sum + table.length - table.lowerBound(ticks), 0)
  if (since(-Infinity) <= most) return -Infinity
  let before = Math.min(...tables.map(({ firstTicks }) => firstTicks).filter((ticks) => !Number.isNaN(ticks)))
  let from = Math.max(...tables.map(({ lastTicks }) => lastTicks).filter((ticks) => !Number.isNaN(ticks)))
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (since(middle) > most) before = middle
    else from = middle
  }
  return from
}

function since(ticks: number, events: EventTable | undefined): IoColumns {
  if (events === undefined) return NONE
  const from = events.lowerBound(ticks)
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

/** What was not seen event by event. Where some of it was, the longest one may be among what was seen. */
const sumsOf = ({ rollUps }: IoTrack): IoSums[] =>
  rollUps.rows
    .filter((row) => !isCovered(row))
    .map((row) => ({
      startTicks: row.unseenFromTicks,
      endTicks: row.endTicks,
      maxTicks: row.seenCount > 0 ? 0 : row.maxTicks,
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
      found.push({ kind, startTicks: chunk.read(START, row), durationTicks, bytes: chunk.read(SIZE, row) })
    }
  }
  return found
}
