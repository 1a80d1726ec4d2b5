import { gunzipSync } from 'fflate'
import { type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { Refusal } from '../reading/refusal.ts'
import type { TableName } from './manifest.ts'
import { COLUMNS, type Column, type TableRows, type Value } from './tables.ts'
import { ticksOfArchive } from './ticks.ts'

const FIRST_BYTES = 64 * 1024
const decoder = new TextDecoder()
/** JSON stays text. */
const PARSERS = { jsonFromBytes: (bytes: Uint8Array): string => decoder.decode(bytes) }
const COMPRESSORS = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) }

/** Rows of a file of an archive, one row group at a time. Errors: `Refusal` for a file that has not the table's columns. */
export async function* readParquet(table: TableName, blob: Blob): AsyncGenerator<TableRows, void, undefined> {
  const file = {
    byteLength: blob.size,
    slice: (start: number, end?: number) => blob.slice(start, end).arrayBuffer(),
  }
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: FIRST_BYTES, parsers: PARSERS })
  checkColumns(table, metadata)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const found = new Map<string, unknown[]>()
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd,
      columns: COLUMNS[table].map(({ name }) => name),
      compressors: COMPRESSORS,
      parsers: PARSERS,
      onChunk: ({ columnName, columnData }) => {
        const values = found.get(columnName) ?? []
        if (values.length === 0) found.set(columnName, values)
        for (let i = 0; i < columnData.length; i++) values.push(columnData[i])
      },
    })
    const columns = COLUMNS[table].map((column) => [column.name, numbered(column, found.get(column.name) ?? [])])
    yield { table, length: rowEnd - rowStart, columns: Object.fromEntries(columns) as TableRows['columns'] }
    rowStart = rowEnd
  }
}

function checkColumns(table: TableName, { schema }: FileMetaData): void {
  const names = new Set(schema.map(({ name }) => name))
  const lacking = COLUMNS[table].filter(({ name }) => !names.has(name))
  if (lacking.length > 0)
    throw new Refusal(
      `It is Parquet, but lacks what ${table} of an archive has: ${lacking.map(({ name }) => name).join(', ')}.`,
    )
}

function numbered({ type }: Column, values: readonly unknown[]): ArrayLike<Value> {
  if (type === 'ticks') return Float64Array.from(values as readonly bigint[], ticksOfArchive)
  if (type === 'whole') return values.map((value) => (value === null || value === undefined ? null : Number(value)))
  return values as readonly Value[]
}
