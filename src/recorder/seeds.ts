import type { EventBatch } from '../base/columns/event-table.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { ioRecord, rollUpRecord } from '../feeds/io/data/archive-records.ts'
import type { IoLaneTable, IoTrack } from '../feeds/io/data/lane-table.ts'
import { FIRST_FOLDED } from '../feeds/io/contract/limits.ts'
import { FILE, IO_COLUMNS } from '../feeds/io/data/reading/wire.ts'
import type { IoStore } from '../feeds/io/data/table.ts'

/** Number of single events, and of roll-ups, that the server keeps for each kind and file. */
const RING_ROWS = 256
/** Maximum number of files of a kind that the server may report again: it keeps 16 closed ones. */
const MOST_FILES = 32
/** Records that the server will report again at the next connection: the known content of its rings. */
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

/** Rows of each file, newest first. Chunks with rows of one file only are skipped if no more of that file are needed. */
function newestByFile({ events }: IoTrack): Map<number, number[]> {
  const byFile = new Map<number, number[]>()
  const isFull = (file: number): boolean => {
    const rows = byFile.get(file)
    return rows === undefined ? byFile.size >= MOST_FILES || file >= FIRST_FOLDED : rows.length >= RING_ROWS
  }
  let end = events.length
  for (const chunk of events.chunks.toReversed()) {
    const files = chunk.columns[FILE]
    const from = end - chunk.length
    // Without offsets all values equal the base.
    const isSkipped = files !== undefined && files.offsets === null && isFull(files.base)
    for (let row = isSkipped ? -1 : chunk.length - 1; row >= 0; row--) {
      const file = chunk.read(FILE, row)
      if (isFull(file)) continue
      const rows = byFile.get(file)
      if (rows === undefined) byFile.set(file, [from + row])
      else rows.push(from + row)
    }
    end = from
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
