import { gzipSync } from 'node:zlib'
import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import type { TableName } from '../capture/archive/manifest.ts'
import { COLUMNS, type Column, type Value } from '../capture/archive/tables.ts'
import { archiveTicks } from '../capture/archive/ticks.ts'

/** Maximum rows of a row group, the unit that a reader decodes at once, or skips by minimum and maximum. */
export const GROUP_ROWS = 65_536

/** Values of one row group by column, in the order of `COLUMNS`. */
export type GroupColumns = readonly (readonly Value[])[]

interface Encoded {
  readonly bytes: Uint8Array
  readonly rows: number
}

/** Encodes a file: each yielded group is a row group; `onGroup` receives it and its end. Empty: no rows. */
export function encodeTable(
  table: TableName,
  groups: Iterable<GroupColumns>,
  onGroup?: (group: GroupColumns, endByte: number) => void,
): Encoded {
  const writer = new ByteWriter()
  const columns = COLUMNS[table]
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes) },
    createdBy: 'rookery',
  })
  let rows = 0
  for (const group of groups) {
    const length = group[0]?.length ?? 0
    if (length === 0) continue
    rows += length
    const columnData = columns.map((column, at) => columnSource(column, group[at] ?? []))
    // The result is a promise only for a writer that flushes by itself; this writer does not.
    void parquet.write({ columnData, rowGroupSize: length })
    onGroup?.(group, writer.offset)
  }
  void parquet.finish()
  return { bytes: rows === 0 ? new Uint8Array() : writer.getBytes(), rows }
}

function columnSource(column: Column, values: readonly Value[]): ColumnSource {
  const source: ColumnSource = { name: column.name, data: encoded(column, values), offsetIndex: false }
  if (column.type === 'ticks') source.encoding = 'DELTA_BINARY_PACKED'
  // Statistics would store two long texts for each group, and no reader could skip a group by them.
  if (column.type === 'json') source.statistics = false
  return source
}

function encoded({ type }: Column, values: readonly Value[]): unknown[] | BigInt64Array {
  if (type === 'text' || type === 'number') return [...values]
  if (type === 'json') return values.map((value) => JSON.parse(String(value)) as unknown)
  if (type === 'ticks')
    return BigInt64Array.from(values as readonly number[], (value) => archiveTicks(Math.round(value)))
  return values.map((value) => (value === null ? null : BigInt(Math.round(Number(value)))))
}

function elementOf({ name, type, optional: isOptional }: Column): SchemaElement {
  const repetition_type = isOptional ? 'OPTIONAL' : 'REQUIRED'
  if (type === 'text') return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }
  if (type === 'json') return { name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type }
  return { name, type: type === 'number' ? 'DOUBLE' : 'INT64', repetition_type }
}
