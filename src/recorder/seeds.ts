import type { EventBatch } from '../base/columns/event-table.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { ioRecord, rollUpRecord } from '../feeds/io/data/archive-records.ts'
import type { IoLaneTable, IoTrack } from '../feeds/io/data/lane-table.ts'
import { FIRST_FOLDED } from '../feeds/io/contract/limits.ts'
import { FILE, IO_COLUMNS } from '../feeds/io/data/reading/wire.ts'
import type { IoStore } from '../feeds/io/data/table.ts'

/** The server keeps so many single events, and roll-ups, of a kind and file. */
const RING_ROWS = 256
/** Files of a kind that it may report again: it keeps 16 closed ones. */
const MOST_FILES = 32
/** Rows that are looked through for them. */
const MOST_ROWS = RING_ROWS * MOST_FILES * 2

/** Records that the server will report once more at the next connection: its rings, as they are known. */
export function* ioSeeds(store: IoStore): Generator<ArchiveRecord> {
  for (const lane of store.lanes.values()) {
    if (lane.environments !== null) continue
    for (const track of lane.tracks.values()) {
      const byFile = newestByFile(track)
      for (const [id, rows] of byFile) {
        const file = lane.files[id]
        if (file !== undefined) yield { ...ioRecord(lane, track.kind, file, batchOf(track, rows)), seed: 1 }
      }
      yield* rollUpSeeds(lane, track)
    }
  }
}

/** Rows of each file, newest first. */
function newestByFile({ events }: IoTrack): Map<number, number[]> {
  const byFile = new Map<number, number[]>()
  const least = Math.max(0, events.length - MOST_ROWS)
  for (let row = events.length - 1; row >= least; row--) {
    const file = events.read(FILE, row)
    const rows = byFile.get(file)
    if (rows === undefined) {
      if (byFile.size < MOST_FILES && file < FIRST_FOLDED) byFile.set(file, [row])
    } else if (rows.length < RING_ROWS) rows.push(row)
  }
  return byFile
}

function batchOf({ events }: IoTrack, rows: readonly number[]): EventBatch {
  const ascending = rows.toReversed()
  const columns = Array.from({ length: IO_COLUMNS }, (_, column) =>
    Float64Array.from(ascending, (row) => events.read(column, row)),
  )
  return { columns, length: rows.length }
}

function* rollUpSeeds(lane: IoLaneTable, track: IoTrack): Generator<ArchiveRecord> {
  const counts = new Map<number, number>()
  for (const row of track.rollUps.rows.toReversed()) {
    const count = (counts.get(row.file) ?? 0) + 1
    counts.set(row.file, count)
    const file = lane.files[row.file]
    if (count <= RING_ROWS && counts.size <= MOST_FILES && file !== undefined)
      yield { ...rollUpRecord(lane, track.kind, file, row), seed: 1 }
  }
}
