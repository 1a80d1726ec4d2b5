import { quantile } from 'd3'
import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../base/columns/event-table.ts'
import type { IoColumns, IoColumnsParams, IoLaneColumns, IoSlowEvent, IoSums } from '../contract/columns.ts'
import type { IoTrack } from './lane-table.ts'
import type { LaneNames } from './responses/lane-names.ts'
import { isCovered } from './rollups.ts'
import type { IoStore } from './table.ts'

const NONE: IoColumns = { startTicks: new Float64Array(), durationTicks: new Float64Array(), bytes: new Float64Array() }
const OTHER_KINDS = ['DataSync', 'DataFlush', 'Compression']
/** Durations from which a median is taken. */
const SAMPLE = 10_000

/** Journal writes, syncs and compressions of each lane of the sources, and what else was slow. Copies: O(rows). */
export function ioColumns(
  store: IoStore,
  names: LaneNames,
  { sources, most, leastTicks, timesMedian }: IoColumnsParams,
): IoLaneColumns[] {
  const wanted = new Set(sources)
  const found: IoLaneColumns[] = []
  for (const lane of store.lanes.values()) {
    if (!wanted.has(lane.source)) continue
    const writes = lane.tracks.get('JournalWrite')
    const syncs = lane.tracks.get('DataSync')
    const compressions = lane.tracks.get('Compression')
    found.push({
      lane: lane.id,
      source: lane.source,
      path: lane.path,
      label: names.labelOf(lane).label,
      writes: writes === undefined ? NONE : newest(writes.events, most),
      syncs: syncs === undefined ? NONE : newest(syncs.events, most),
      compressions: compressions === undefined ? NONE : newest(compressions.events, most),
      isCut: (writes?.events.length ?? 0) > most || (syncs?.events.length ?? 0) > most,
      sums: writes === undefined ? [] : sumsOf(writes),
      summedWrites: writes === undefined ? 0 : writes.rollUps.unseen.events,
      slowOthers: OTHER_KINDS.flatMap((kind) => slowOf(lane.tracks.get(kind), leastTicks, timesMedian)),
    })
  }
  return found
}

function newest(events: EventTable, most: number): IoColumns {
  const from = Math.max(0, events.length - most)
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
