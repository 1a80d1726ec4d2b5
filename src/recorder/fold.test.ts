import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { msFromTicks, parseTicks, type Ticks } from '../base/ticks.ts'
import type { ArchiveRecord, IoRecord } from '../capture/archive/records.ts'
import { FIGURES } from '../capture/archive/tables.ts'
import { ticksOfArchive } from '../capture/archive/ticks.ts'
import { allIndexesLane } from '../capture/client/state.ts'
import { IoStore } from '../feeds/io/data/table.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { JournalWriter, recover } from './journal-writer.ts'
import { Pending } from './pending.ts'
import { refill } from './refill.ts'
import { ioSeeds } from './seeds.ts'
import { tapIo } from './taps.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const EVENING = parseTicks('2026-11-25T23:59:59.0000000Z')

let path = ''
let folder: Folder
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'archive-'))
  folder = await Folder.open(path)
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const place = { source: 'db:shop', path: '/data/shop', type: 'Documents', kind: 'JournalWrite' }
/** `count` events of a tenth of a second each, the first `from` tenths after the evening. */
const events = (from: number, count: number, file = '0.journal'): IoRecord => ({
  t: 'io',
  ...place,
  file,
  c: [
    Array.from({ length: count }, (_, i) => EVENING + (from + i) * 1_000_000),
    Array.from({ length: count }, (_, i) => 100 * (from + i + 1)),
    Array.from({ length: count }, () => 4096),
    ...[-1, -1, -1].map((none) => Array.from({ length: count }, () => none)),
  ],
})

const rowsOf = async (at: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({
    file: Uint8Array.from(readFileSync(join(path, at))).buffer,
    compressors: { GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)) },
  })

const pendingOf = (records: readonly ArchiveRecord[]): Pending => {
  const pending = new Pending()
  for (const record of records) pending.take(record)
  return pending
}

describe('the fold of a journal', () => {
  test('writes rows to the file of their day, to the tick and the byte, sorted by time', async () => {
    const files = await fold(folder, NODE, pendingOf([events(15, 10, '1.journal'), events(0, 15)]), 1)
    expect(files.map(({ path: at, rows }) => [at, rows])).toEqual([
      ['io/node=a_8080/day=2026-11-25/235959-1.parquet', 10],
      ['io/node=a_8080/day=2026-11-26/000000-1.parquet', 15],
    ])
    const rows = (await Promise.all(files.map(({ path: at }) => rowsOf(at)))).flat()
    expect(rows.map((row) => ticksOfArchive(row['start_ticks'] as bigint))).toEqual(
      Array.from({ length: 25 }, (_, i) => EVENING + i * 1_000_000),
    )
    expect(rows[20]).toMatchObject({ ...place, file: '1.journal', duration_ticks: 2100n, size_bytes: 4096n })
    expect(rows[20]?.['compressed_bytes']).toBeNull()
    expect(folder.manifest.files).toEqual(files)
  })

  test('that never happened is made up for by the next recorder, and one that did is not repeated', async () => {
    const journal = new JournalWriter(folder, NODE.name, 0)
    journal.add(events(0, 5))
    journal.add({ ...events(5, 5), seed: 1 })
    journal.flush()
    journal.add(events(10, 5))
    journal.close()
    const recovered = async (): Promise<ArchiveRecord[]> => {
      const records: ArchiveRecord[] = []
      await recover(await Folder.open(path), NODE.name, (record) => records.push(record))
      return records
    }
    const records = await recovered()
    expect(records).toEqual([events(0, 5), { ...events(5, 5), seed: 1 }])
    const [file] = await fold(folder, NODE, pendingOf(records), 1)
    expect(file?.rows).toBe(5)
    expect(await recovered()).toEqual([])
  })

  test('has all blocks but the damaged one, and a gap for that, of all that it may have had', async () => {
    const known = (seconds: number): ArchiveRecord => ({
      t: 'known',
      until: { 'db:x': EVENING + seconds * 10_000_000 },
      figuresMs: msFromTicks((EVENING + seconds * 10_000_000) as Ticks),
      atMs: 0,
    })
    const journal = new JournalWriter(folder, NODE.name, 0)
    const ends = [1, 2, 3].map((part) => {
      journal.add(events(5 * part, 5))
      journal.add(known(part))
      journal.flush()
      return journal.bytes
    })
    journal.close()
    const file = join(path, 'journal/a_8080.0.journal')
    const bytes = readFileSync(file)
    bytes[(ends[0] ?? 0) + 20] = (bytes[(ends[0] ?? 0) + 20] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const records: ArchiveRecord[] = []
    const { ends: found } = await recover(await Folder.open(path), NODE.name, (record) => records.push(record))
    expect(found).toMatchObject([{ skipped: 1, broken: 'A block is not as written.' }])
    expect(records.filter(({ t }) => t !== 'gap')).toEqual([events(5, 5), known(1), events(15, 5), known(3)])
    expect(
      records.flatMap((record) =>
        record.t === 'gap' ? [[record.gap.source, record.gap.lane, record.gap.startTicks, record.gap.endTicks]] : [],
      ),
    ).toEqual(
      [
        ['db:x', null],
        ['db:x', allIndexesLane('db:x')],
        ['server', FIGURES],
      ].map(([source, lane]) => [source, lane, EVENING + 10_000_000, EVENING + 30_000_000]),
    )
  })

  test('leaves what the server may report once more, so that only what is new is taken', () => {
    const store = new IoStore()
    refill(store, events(0, 400))
    const again = new IoStore()
    for (const seed of ioSeeds(store)) if (seed.t === 'io') refill(again, seed)
    const taken: ArchiveRecord[] = []
    tapIo({ store: again } as never, (record) => taken.push(record))
    refill(again, events(144, 300))
    expect(taken).toEqual([events(400, 44)])
  })
})
