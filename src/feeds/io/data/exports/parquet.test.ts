import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { ticksFromMs } from '../../../../base/ticks.ts'
import { everything, exportIo, plainStore, storeOf, testCapture, wellFormed } from '../../../../testing/exported.ts'
import { EVENT_FIELDS } from './event-fields.ts'

type Row = Record<string, unknown>

/** All rows, timestamps as ns since 1970. */
const read = async (bytes: Uint8Array): Promise<Row[]> =>
  parquetReadObjects({
    file: Uint8Array.from(bytes).buffer,
    parsers: { timestampFromNanoseconds: (ns: bigint) => ns },
  }) as Promise<Row[]>

const ticksOf = (ns: unknown): number => {
  const ms = (ns as bigint) / 1_000_000n
  return ticksFromMs(Number(ms)) + Number(((ns as bigint) - ms * 1_000_000n) / 100n)
}

describe('Parquet', () => {
  law(
    'read back by the library it is the rows, exact to the tick and to the byte',
    [testCapture],
    { numRuns: 60 },
    async (capture) => {
      const store = storeOf(capture, 'db:shop')
      const { bytes, rows } = await exportIo(store, 'io.parquet', everything('db:shop'))
      const found = rows === 0 ? [] : await read(bytes)
      const plain = found.map((row) =>
        [
          ticksOf(row['start_utc']),
          Math.round((row['duration_ms'] as number) * 10_000),
          Number(row['size_bytes']),
          row['kind'],
          row['path'],
          row['file'],
          row['file_size_bytes'] === null ? -1 : Number(row['file_size_bytes']),
          row['compressed_bytes'] === null ? -1 : Number(row['compressed_bytes']),
          row['acceleration'] === null ? -1 : Number(row['acceleration']),
        ].join('\u0001'),
      )
      const wanted = capture.events.map((event) =>
        [
          event.startTicks,
          event.durationTicks,
          event.sizeBytes,
          wellFormed(capture.kinds[event.kind]!),
          wellFormed(capture.lanes[event.lane]!.path),
          wellFormed(capture.files[event.file]!.name),
          event.fileSizeBytes,
          event.compressedBytes,
          event.acceleration,
        ].join('\u0001'),
      )
      expect(plain.toSorted()).toEqual(wanted.toSorted())
    },
  )

  test('many rows are several groups; the directory at the end names them and the fields', async () => {
    const count = 70_000
    const { bytes, lengths } = await exportIo(plainStore(count, 'db:shop'), 'io.parquet', everything('db:shop'))
    const metadata = parquetMetadata(Uint8Array.from(bytes).buffer)
    expect(Number(metadata.num_rows)).toBe(count)
    expect(metadata.row_groups.length).toBeGreaterThan(1)
    expect(metadata.schema.slice(1).map(({ name }) => name)).toEqual([...EVENT_FIELDS])
    expect(lengths.length).toBeGreaterThan(1)
    const rows = await read(bytes)
    expect(rows.length).toBe(count)
    expect(
      rows.every((row, i) => i === 0 || (rows[i - 1]!['start_utc'] as bigint) <= (row['start_utc'] as bigint)),
    ).toBe(true)
  })
})
