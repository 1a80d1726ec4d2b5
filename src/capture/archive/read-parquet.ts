import { gunzipSync } from 'fflate'
import { type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { Refusal } from '../reading/refusal.ts'
import type { TableName } from './manifest.ts'
import { COLUMNS, type Column, type TableRows, type Value } from './tables.ts'
import { putTicks, putWholes, ticksOfArchive } from './ticks.ts'

const FIRST_BYTES = 64 * 1024
const decoder = new TextDecoder()
/** Keeps JSON as text. */
const PARSERS = { jsonFromBytes: (bytes: Uint8Array): string => decoder.decode(bytes) }
const COMPRESSORS = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) }

/** Rows of an archive file, one row group at a time. Errors: `Refusal` if the file lacks columns of the table. */
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
    const found = new Map<string, Part[]>()
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd,
      columns: COLUMNS[table].map(({ name }) => name),
      compressors: COMPRESSORS,
      parsers: PARSERS,
      onChunk: ({ columnName, columnData }) => {
        const parts = found.get(columnName)
        if (parts === undefined) found.set(columnName, [columnData])
        else parts.push(columnData)
      },
    })
    const columns = COLUMNS[table].map((column) => [column.name, valuesOf(column, found.get(column.name) ?? [])])
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

/** Values of a column as they come from the file, several pages at a time. */
type Part = ArrayLike<unknown>

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/**
 * Joins the values into one list. 64 bit integers are read as two halves: creating an object for each would take half
 * of all time.
 */
function valuesOf({ type }: Column, parts: readonly Part[]): ArrayLike<Value> {
  if (type === 'ticks' || (type === 'whole' && parts.every((part) => part instanceof BigInt64Array))) {
    const numbers = new Float64Array(lengthOf(parts))
    let at = 0
    for (const part of parts) {
      put(type, part, numbers, at)
      at += part.length
    }
    return numbers
  }
  // Most groups have one page, which is used without a copy.
  const [only] = parts
  if (type !== 'whole' && only !== undefined && parts.length === 1) return only as ArrayLike<Value>
  const values: Value[] = Array.from({ length: lengthOf(parts) })
  let at = 0
  for (const part of parts)
    for (let i = 0; i < part.length; i++) {
      const value = part[i]
      values[at++] = type === 'whole' ? numberOrNull(value) : (value as Value)
    }
  return values
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))

/** Copies a part, at once if its numbers are plain, else one by one. */
function put(type: Column['type'], part: Part, numbers: Float64Array, at: number): void {
  if (part instanceof BigInt64Array) (type === 'ticks' ? putTicks : putWholes)(part, numbers, at)
  else for (let i = 0; i < part.length; i++) numbers[at + i] = ticksOfArchive(part[i] as bigint)
}
