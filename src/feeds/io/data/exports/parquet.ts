import type { SchemaElement } from 'hyparquet-writer'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import { PIECE_BYTES } from '../../../../capture/exporting/pieces.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { Part } from '../responses/parts.ts'
import type { IoStore } from '../table.ts'
import type { EventPlace } from './event-fields.ts'
import {
  acceleration,
  compressedBytes,
  durationMs,
  EVENT_FIELDS,
  fileSizeBytes,
  PlaceCache,
  sizeBytes,
} from './event-fields.ts'
import type { RowCursor } from './row-cursor.ts'
import { inOrderOfTime } from './row-steps.ts'

/**
 * Rows encoded at once; determines the memory that the export needs. The worker handles other requests between two
 * groups.
 */
const GROUP_ROWS = 32_768
/** Rows collected per step. */
const STEP_ROWS = 1024

/** 2020-01-01T00:00:00Z, the origin of ticks, in ns since 1970. */
const EPOCH_NS = 1_577_836_800_000_000_000n

/** Loads the library when the first Parquet export begins. */
export const loadParquet = () => import('hyparquet-writer')

type ParquetLibrary = Awaited<ReturnType<typeof loadParquet>>

/**
 * Apache Parquet with Snappy, with the fields of `EVENT_FIELDS`: `start_utc` as a UTC timestamp in ns, sizes as 64-bit
 * integers. Row groups are written one by one; only their directory (some hundred bytes per group) is kept until the
 * end of the file, as the format requires.
 */
export function* parquetEvents(
  { ParquetWriter, ByteWriter }: ParquetLibrary,
  store: IoStore,
  names: LaneNames,
  parts: readonly Part[],
  out: Pieces,
): ExportSteps {
  const bytes = new ByteWriter(PIECE_BYTES)
  const writer = new ParquetWriter({ writer: bytes, schema: [...SCHEMA], createdBy: 'rookery', statistics: true })
  const places = new PlaceCache(store, names, (place) => place)
  const merge = inOrderOfTime(parts)
  let rows = 0
  let group = newGroup()
  const writeGroup = function* (): ExportSteps {
    const columnData = EVENT_FIELDS.map((name, column) => ({ name, data: group[column] ?? [], offsetIndex: false }))
    // `write` returns a promise only for a writer that flushes by itself, unlike this one.
    void writer.write({ columnData, rowGroupSize: GROUP_ROWS })
    group = newGroup()
    yield* drain(bytes, out, rows)
  }
  for (let row = merge.top; row !== null; merge.next(), row = merge.top) {
    addRow(group, row, places.of(row))
    rows++
    if (group[0]?.length === GROUP_ROWS) yield* writeGroup()
    else if (rows % STEP_ROWS === 0) yield rows
  }
  if ((group[0]?.length ?? 0) > 0) yield* writeGroup()
  void writer.finish()
  yield* drain(bytes, out, rows)
}

type Group = (string | number | bigint | null)[][]

const newGroup = (): Group => EVENT_FIELDS.map(() => [])

function addRow(group: Group, row: RowCursor, place: EventPlace): void {
  const bigOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))
  const values = [
    EPOCH_NS + BigInt(row.startTicks) * 100n,
    durationMs(row),
    bigOrNull(sizeBytes(row)),
    ...place,
    bigOrNull(fileSizeBytes(row)),
    bigOrNull(compressedBytes(row)),
    bigOrNull(acceleration(row)),
  ]
  for (const [column, value] of values.entries()) group[column]?.push(value)
}

/** Passes on the bytes that the library wrote, one piece per step, and lets it reuse its buffer from the start. */
function* drain(bytes: { index: number; getBytes: () => Uint8Array }, out: Pieces, rows: number): ExportSteps {
  const written = bytes.getBytes()
  for (let at = 0; at < written.length; at += PIECE_BYTES) {
    out.bytes(written.subarray(at, at + PIECE_BYTES))
    yield rows
  }
  bytes.index = 0
}

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'REQUIRED',
})
const whole = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'INT64',
  repetition_type,
})

const SCHEMA: readonly SchemaElement[] = [
  { name: 'root', num_children: EVENT_FIELDS.length },
  {
    name: 'start_utc',
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
    repetition_type: 'REQUIRED',
  },
  { name: 'duration_ms', type: 'DOUBLE', repetition_type: 'REQUIRED' },
  whole('size_bytes', 'OPTIONAL'),
  ...(['kind', 'environment', 'environment_type', 'path', 'file', 'source'] as const).map(text),
  ...(['file_size_bytes', 'compressed_bytes', 'acceleration'] as const).map((name) => whole(name, 'OPTIONAL')),
]
