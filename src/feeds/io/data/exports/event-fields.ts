import { DURATION, SIZE } from '../../../../base/columns/event-chunk.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { IoStore } from '../table.ts'
import { ACCELERATION, COMPRESSED, FILE, FILE_SIZE, NO_SIZE } from '../reading/wire.ts'
import type { RowCursor } from './row-cursor.ts'

/**
 * An event as CSV, NDJSON and Parquet name its parts; the names carry the units.
 * - `start_utc`: to 100 ns, the server's clock
 * - `duration_ms`: exact to 100 ns
 * - `kind`, `size_bytes` (empty or null where it made no sense): of a compression, the size before it; of a data sync, what was flushed since the sync before
 * - `environment`: the index or storage, as the studio names it; `environment_type`, `path`, `file`: as the server does
 * - `source`: `server`, `db:<name>` or `file:<name>`
 * - `file_size_bytes`, `compressed_bytes`, `acceleration`: empty or null where it was not reported
 */
export const EVENT_FIELDS = [
  'start_utc',
  'duration_ms',
  'size_bytes',
  'kind',
  'environment',
  'environment_type',
  'path',
  'file',
  'source',
  'file_size_bytes',
  'compressed_bytes',
  'acceleration',
] as const

/** Values shared by all events of one kind, lane and file: `kind` … `source` of the fields above, in their order. */
export type EventPlace = readonly [
  kind: string,
  environment: string,
  environmentType: string,
  path: string,
  file: string,
  source: string,
]

export const durationMs = (row: RowCursor): number => row.read(DURATION) / TICKS_PER_MS
/** Size of the event; null: not known. */
export const sizeBytes = (row: RowCursor): number | null => (row.read(FILE_SIZE) === NO_SIZE ? null : row.read(SIZE))

/** Value of the column; null: not reported. */
const reported = (row: RowCursor, column: number): number | null => {
  const value = row.read(column)
  return value < 0 ? null : value
}
export const fileSizeBytes = (row: RowCursor): number | null => reported(row, FILE_SIZE)
export const compressedBytes = (row: RowCursor): number | null => reported(row, COMPRESSED)
export const acceleration = (row: RowCursor): number | null => reported(row, ACCELERATION)

/** Computes a value once per place; there are as many places as files, far fewer than events. */
export class PlaceCache<Made> {
  readonly #store: IoStore
  readonly #names: LaneNames
  readonly #make: (place: EventPlace) => Made
  readonly #made = new Map<RowCursor, Map<number, Made>>()

  constructor(store: IoStore, names: LaneNames, make: (place: EventPlace) => Made) {
    this.#store = store
    this.#names = names
    this.#make = make
  }

  of(row: RowCursor): Made {
    let files = this.#made.get(row)
    if (files === undefined) {
      files = new Map<number, Made>()
      this.#made.set(row, files)
    }
    const file = row.read(FILE)
    let made = files.get(file)
    if (made === undefined) files.set(file, (made = this.#make(this.#placeOf(row, file))))
    return made
  }

  #placeOf(row: RowCursor, file: number): EventPlace {
    const { kind, lane } = row.part
    const table = this.#store.lanes.get(lane)
    if (table === undefined) return [kind, lane, '', '', '', '']
    return [kind, this.#names.labelOf(table).label, table.type, table.path, table.fileName(file), table.source]
  }
}
