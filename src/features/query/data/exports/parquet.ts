import type { SchemaElement } from 'hyparquet-writer'
import type { Form } from './form.ts'

/** Initial size of the buffer for an encoded page, bytes. */
const BUFFER_BYTES = 256 * 1024

/**
 * Writes Apache Parquet with Snappy: each column contains the text that the server wrote, so that no number is rounded;
 * one row group per page. Only the directory of the row groups is kept until the end of the file. The library is loaded
 * at the first export.
 */
export async function parquetForm(
  names: readonly string[],
  cellsOf: (row: string) => readonly (string | null)[],
): Promise<Form> {
  const { ParquetWriter, ByteWriter } = await import('hyparquet-writer')
  const schema: SchemaElement[] = [
    { name: 'root', num_children: names.length },
    ...names.map((name): SchemaElement => ({
      name,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'OPTIONAL',
    })),
  ]
  const bytes = new ByteWriter(BUFFER_BYTES)
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'rookery', statistics: false })
  const drained = (): Uint8Array => {
    const written = Uint8Array.from(bytes.getBytes())
    bytes.index = 0
    return written
  }
  return {
    begin: '',
    page: (rows) => {
      if (rows.length === 0) return ''
      const cells = rows.map(cellsOf)
      const columnData = names.map((name, i) => ({
        name,
        data: cells.map((row) => row[i] ?? null),
        offsetIndex: false,
      }))
      // The writer returns a promise only if it flushes by itself, which this one does not.
      void writer.write({ columnData, rowGroupSize: rows.length })
      return drained()
    },
    end: () => {
      void writer.finish()
      return drained()
    },
  }
}
