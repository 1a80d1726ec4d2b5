import { gunzipSync } from 'fflate'
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, type RowGroup } from 'hyparquet'
import { errorText } from '../../base/text/error-text.ts'
import { Refusal } from '../reading/refusal.ts'
import type { TableName } from './manifest.ts'
import { COLUMNS, type Column, type TableRows, type Value } from './tables.ts'
import { putTicks, ticksOfArchive } from './ticks.ts'

const FIRST_BYTES = 64 * 1024
const decoder = new TextDecoder()
/** Keeps JSON as text. */
const PARSERS = { jsonFromBytes: (bytes: Uint8Array): string => decoder.decode(bytes) }
const COMPRESSORS = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) }

/**
 * Rows of an archive file, one row group at a time. `part`: the row groups that the blob contains, if not all (`parts.ts`).
 * Errors: `Refusal` if the file is damaged, or lacks columns of the table; `DOMException` if the browser cannot read it.
 */
export async function* readParquet(
  table: TableName,
  blob: Blob,
  part: { readonly first: number; readonly last: number } | null = null,
): AsyncGenerator<TableRows, void, undefined> {
  // Offsets in the metadata are those of the whole file.
  let left = 0
  const file = bufferOf(blob, () => left)
  const metadata = await metadataOf(file)
  checkColumns(table, metadata)
  readAsNumbers(table, metadata)
  if (part !== null) left = startOf(metadata.row_groups[part.first])
  let rowStart = 0
  for (const [at, group] of metadata.row_groups.entries()) {
    const rowEnd = rowStart + Number(group.num_rows)
    if (part !== null && (at < part.first || at > part.last)) {
      rowStart = rowEnd
      continue
    }
    const found = new Map<string, Part[]>()
    const reading = parquetRead({
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
    await reading.catch((error: unknown) => {
      if (error instanceof DOMException) throw error
      throw new Refusal(`Its rows from ${String(rowStart + 1)} on cannot be read: it is damaged. (${errorText(error)})`)
    })
    const columns = COLUMNS[table].map((column) => [column.name, valuesOf(column, found.get(column.name) ?? [])])
    yield { table, length: rowEnd - rowStart, columns: Object.fromEntries(columns) as TableRows['columns'] }
    rowStart = rowEnd
  }
}

/** Number of rows of a file whose columns this version does not know. Errors: as of `readParquet`. */
export async function countRows(blob: Blob): Promise<number> {
  return Number((await metadataOf(bufferOf(blob))).num_rows)
}

/** Names of the columns of a file that this version does not know. Errors: as of `readParquet`. */
export async function newerColumns(table: TableName, blob: Blob): Promise<readonly string[]> {
  const known = new Set(COLUMNS[table].map(({ name }) => name))
  const [, ...columns] = (await metadataOf(bufferOf(blob))).schema
  return columns.flatMap(({ name }) => (known.has(name) ? [] : name))
}

/** `leftOf`: number of bytes of the file before those of the blob. */
const bufferOf = (blob: Blob, leftOf = () => 0): AsyncBuffer => ({
  byteLength: blob.size,
  slice: (start, end) => blob.slice(start - leftOf(), end === undefined ? undefined : end - leftOf()).arrayBuffer(),
})

function metadataOf(file: AsyncBuffer): Promise<FileMetaData> {
  return parquetMetadataAsync(file, { initialFetchSize: FIRST_BYTES, parsers: PARSERS }).catch((error: unknown) => {
    if (error instanceof DOMException) throw error
    throw new Refusal(`${file.byteLength === 0 ? 'It is empty.' : NO_END} (${errorText(error)})`)
  })
}

const NO_END = 'It has no readable end, where Parquet has its list of columns: it is cut or damaged.'

/** First byte of a row group. */
function startOf(group: RowGroup | undefined): number {
  const starts = group?.columns.flatMap(({ meta_data: data }) =>
    data === undefined ? [] : [Number(data.dictionary_page_offset ?? data.data_page_offset)],
  )
  if (starts === undefined || starts.length === 0) throw new Refusal('The file lacks the rows of which this is a part.')
  return Math.min(...starts)
}

function checkColumns(table: TableName, { schema }: FileMetaData): void {
  const names = new Set(schema.map(({ name }) => name))
  const lacking = COLUMNS[table].filter(({ name }) => !names.has(name))
  if (lacking.length > 0)
    throw new Refusal(
      `It is Parquet, but lacks what ${table} of an archive has: ${lacking.map(({ name }) => name).join(', ')}.`,
    )
}

/**
 * Declares integers as decimals with no decimal places, which hyparquet returns as plain numbers: a dictionary is then
 * converted once, instead of creating an object for each row. Exact up to 2^53, as elsewhere.
 */
function readAsNumbers(table: TableName, { schema }: FileMetaData): void {
  const wholes = new Set(COLUMNS[table].flatMap(({ name, type }) => (type === 'whole' ? [name] : [])))
  for (const element of schema)
    if (element.type === 'INT64' && wholes.has(element.name)) {
      element.converted_type = 'DECIMAL'
      element.scale = 0
    }
}

/** Values of a column as they come from the file, several pages at a time. */
type Part = ArrayLike<unknown>

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/** Joins the values into one list. Ticks are read as two halves: creating an object for each would take half of all time. */
function valuesOf({ type }: Column, parts: readonly Part[]): ArrayLike<Value> {
  if (type === 'ticks') {
    const numbers = new Float64Array(lengthOf(parts))
    let at = 0
    for (const part of parts) {
      put(part, numbers, at)
      at += part.length
    }
    return numbers
  }
  // Most groups have one page, which is used without a copy.
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only as ArrayLike<Value>
  const values: Value[] = Array.from({ length: lengthOf(parts) })
  let at = 0
  for (const part of parts) for (let i = 0; i < part.length; i++) values[at++] = part[i] as Value
  return values
}

/** Copies ticks, at once if they are 64-bit integers, else one by one. */
function put(part: Part, numbers: Float64Array, at: number): void {
  if (part instanceof BigInt64Array) putTicks(part, numbers, at)
  else for (let i = 0; i < part.length; i++) numbers[at + i] = ticksOfArchive(part[i] as bigint)
}
