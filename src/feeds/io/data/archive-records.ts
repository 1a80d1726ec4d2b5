import { DURATION, SIZE, START, type EventChunk } from '../../../base/columns/event-chunk.ts'
import type { EventBatch } from '../../../base/columns/event-table.ts'
import type { IoRecord, RollUpRecord } from '../../../capture/archive/records.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoFile, IoLaneTable, IoTrack } from './lane-table.ts'
import { FIRST_FOLDED, FOLDED_FILE_NAME } from '../contract/limits.ts'
import { ACCELERATION, COMPRESSED, FILE, FILE_SIZE, IO_COLUMNS, type IoRollUpRow } from './reading/wire.ts'
import type { IoStore } from './table.ts'

/** Columns of a record, in their order. */
const RECORDED = [START, DURATION, SIZE, FILE_SIZE, COMPRESSED, ACCELERATION]

const placeOf = (lane: IoLaneTable, kind: string, file: Pick<IoFile, 'name'>) => ({
  source: lane.source,
  path: lane.path,
  type: lane.type,
  kind,
  file: file.name,
})

export const ioRecord = (
  lane: IoLaneTable,
  kind: string,
  file: Pick<IoFile, 'name'>,
  { columns, length }: EventBatch,
): IoRecord => ({
  t: 'io',
  ...placeOf(lane, kind, file),
  c: RECORDED.map((column) => Array.from(columns[column]?.subarray(0, length) ?? [])),
})

export const rollUpRecord = (
  lane: IoLaneTable,
  kind: string,
  file: Pick<IoFile, 'name'>,
  row: IoRollUpRow,
): RollUpRecord => ({
  t: 'sum',
  ...placeOf(lane, kind, file),
  r: [
    row.startTicks,
    row.endTicks,
    orNotReported(row.sizeBytes),
    orNotReported(row.busyTicks),
    orNotReported(row.minTicks),
    orNotReported(row.maxTicks),
  ],
})

/** Records have no NaN, as JSON has none. */
const orNotReported = (value: number): number => (Number.isNaN(value) ? -1 : value)
const unlessNotReported = (value: number): number => (value < 0 ? Number.NaN : value)

/** Roll-up of the values of a record. */
export const rollUpOf = ([startTicks, endTicks, size, busy, min, max]: RollUpRecord['r']): IoRollUpRow => ({
  startTicks,
  endTicks,
  sizeBytes: unlessNotReported(size),
  busyTicks: unlessNotReported(busy),
  minTicks: unlessNotReported(min),
  maxTicks: unlessNotReported(max),
})

/** Returns all events and roll-ups of a source in the format of an archive: a record for each file and chunk. */
export function* ioRecords(store: IoStore, source: SourceId): Generator<IoRecord | RollUpRecord> {
  for (const lane of store.lanes.values()) {
    if (lane.source !== source) continue
    for (const track of lane.tracks.values()) {
      for (const chunk of track.events.chunks) yield* chunkRecords(lane, track, chunk)
      for (const row of track.rollUps.rows) yield rollUpRecord(lane, track.kind, fileOf(lane, row.file), row)
    }
  }
}

const fileOf = (lane: IoLaneTable, id: number): Pick<IoFile, 'name'> =>
  (id >= FIRST_FOLDED ? lane.folded : lane.files[id]) ?? { name: FOLDED_FILE_NAME }

function* chunkRecords(lane: IoLaneTable, { kind }: IoTrack, chunk: EventChunk): Generator<IoRecord> {
  const byFile = new Map<Pick<IoFile, 'name'>, number[]>()
  for (let row = 0; row < chunk.length; row++) {
    const file = fileOf(lane, chunk.read(FILE, row))
    const rows = byFile.get(file)
    if (rows === undefined) byFile.set(file, [row])
    else rows.push(row)
  }
  for (const [file, rows] of byFile) {
    const columns = Array.from({ length: IO_COLUMNS }, (_, column) =>
      Float64Array.from(rows, (row) => chunk.read(column, row)),
    )
    yield ioRecord(lane, kind, file, { columns, length: rows.length })
  }
}
