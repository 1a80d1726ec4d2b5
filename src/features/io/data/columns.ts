import { DURATION, SIZE, START } from '../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../base/columns/event-table.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoColumns, IoLaneColumns } from '../contract.ts'
import type { IoStore } from './table.ts'

const NONE: IoColumns = { startTicks: new Float64Array(), durationTicks: new Float64Array(), bytes: new Float64Array() }

/** Newest single events of two kinds of each lane of the sources, at most `most` of each kind. Copies: O(rows). */
export function ioColumns(store: IoStore, sources: readonly SourceId[], most: number): IoLaneColumns[] {
  const wanted = new Set(sources)
  const found: IoLaneColumns[] = []
  for (const lane of store.lanes.values()) {
    if (!wanted.has(lane.source)) continue
    const writes = lane.tracks.get('JournalWrite')
    const syncs = lane.tracks.get('DataSync')
    found.push({
      source: lane.source,
      path: lane.path,
      writes: writes === undefined ? NONE : newest(writes.events, most),
      syncs: syncs === undefined ? NONE : newest(syncs.events, most),
      rolledUpWrites: writes?.rollUps.untold.events ?? 0,
      olderWrites: Math.max(0, (writes?.events.length ?? 0) - most),
    })
  }
  return found
}

function newest(events: EventTable, most: number): IoColumns {
  const from = Math.max(0, events.length - most)
  const length = events.length - from
  const columns = [new Float64Array(length), new Float64Array(length), new Float64Array(length)] as const
  let firstRow = 0
  let at = 0
  for (const chunk of events.chunks) {
    for (let row = Math.max(0, from - firstRow); row < chunk.length; row++, at++) {
      columns[0][at] = chunk.read(START, row)
      columns[1][at] = chunk.read(DURATION, row)
      columns[2][at] = chunk.read(SIZE, row)
    }
    firstRow += chunk.length
  }
  return { startTicks: columns[0], durationTicks: columns[1], bytes: columns[2] }
}
