import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { msFromTicks, parseTicks, type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import { type ArchiveFile, HOUR_TICKS } from '../capture/archive/manifest.ts'
import { type ByteRange, groupsInPath, joinParts, readPart, unitsOf } from '../capture/archive/parts.ts'
import { readParquet } from '../capture/archive/read-parquet.ts'
import { hoursOf } from '../capture/archive/recordings.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { inGate } from '../testing/gate.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { mergeable } from './merge.ts'
import { Pending } from './pending.ts'
import { FileTidier } from './tidy.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const MIDNIGHT = parseTicks('2026-11-25T00:00:00.0000000Z')
const msAt = (ticks: number): number => msFromTicks(ticks as Ticks)
const MINUTE = 60 * TICKS_PER_SECOND
const NEXT_NOON_MS = msAt(MIDNIGHT + 36 * HOUR_TICKS)

let path = ''
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'archive-'))))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(path, { recursive: true, force: true })
})

/** A minute of a server: events of two files of two kinds, a batch, a gap and two figures. */
function minuteOf(startTicks: number): ArchiveRecord[] {
  const io = (kind: string, file: string, at: number): ArchiveRecord => ({
    t: 'io',
    source: 'db:shop',
    path: '/data/shop',
    type: 'Documents',
    kind,
    file,
    c: [
      [startTicks + at, startTicks + at + 7],
      [at + 1, 20],
      [4096, 0],
      [-1, -2],
      [-1, 512],
      [-1, 3],
    ],
  })
  const gap = { source: 'db:shop', lane: null, kind: null, reason: 'paused', missingCount: 3, missingBytes: null }
  return [
    io('JournalWrite', `${String(startTicks)}.journal`, 0),
    io('DataSync', 'Raven.voron', 5),
    io('JournalWrite', 'next.journal', 100),
    {
      t: 'batch',
      source: 'db:shop',
      index: 'Orders',
      id: 1,
      startTicks,
      durationTicks: 9,
      json: '{"Id":1,"Details":{"a":[0.1,null]}}',
    },
    { t: 'gap', gap: { ...gap, id: 1, startTicks, endTicks: startTicks + 5, detail: 'é' } as never },
    { t: 'vital', key: 'cpu.process', ticks: [startTicks, startTicks + MINUTE / 2], values: [0.25, 1 / 3] },
  ]
}

async function filled(starts: readonly number[]): Promise<Folder> {
  const folder = await Folder.open(path)
  for (const [at, start] of starts.entries()) {
    const pending = new Pending()
    for (const record of minuteOf(start)) pending.take(record)
    await fold(folder, NODE, pending, at + 1)
  }
  return folder
}

/** Rows of all files that the folder holds, read by the library alone. */
async function rowsOf(): Promise<string[]> {
  const paths = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'))
  const rows = await Promise.all(
    paths.map(async (name) => {
      const objects = await parquetReadObjects({
        file: Uint8Array.from(readFileSync(join(path, name))).buffer,
        compressors: { GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)) },
      })
      const table = name.split('/')[0] ?? ''
      return objects.map((row) => JSON.stringify([table, row], (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v)))
    }),
  )
  return rows.flat().toSorted()
}

const tablesOf = ({ manifest }: Folder): string[] => manifest.files.map(({ table }) => table)
const quiet = (): void => undefined

/** Three minutes of 01:00, and one of 05:00. */
const STARTS = [0, 1, 2].map((minute) => MIDNIGHT + HOUR_TICKS + minute * MINUTE).concat(MIDNIGHT + 5 * HOUR_TICKS)

test('files of an hour become one when it is over, and those of a day, with each row once and sorted', async () => {
  const folder = await filled(STARTS)
  const [rows, hours] = [await rowsOf(), hoursOf(folder.manifest)]
  const bytes = folder.bytes
  await new FileTidier(folder, quiet).run(msAt(MIDNIGHT + 2 * HOUR_TICKS))
  expect(folder.manifest.files).toHaveLength(16)
  await new FileTidier(folder, quiet).run(msAt(MIDNIGHT + 3 * HOUR_TICKS))
  expect(folder.manifest.files.filter(({ table }) => table === 'io').map(({ rows: count }) => count)).toEqual([18, 6])
  expect(await rowsOf()).toEqual(rows)
  await new FileTidier(folder, quiet).run(NEXT_NOON_MS)
  expect(folder.manifest.files.map(({ path: at }) => at)).toEqual(
    ['batches', 'gaps', 'io', 'vitals'].map((table) => {
      const end = table === 'vitals' ? '050030' : '050000'
      return `${table}/node=a_8080/day=2026-11-25/010000-to-${end}.parquet`
    }),
  )
  expect(await rowsOf()).toEqual(rows)
  expect(hoursOf(folder.manifest).map(({ startTicks, rows: count }) => [startTicks, count])).toEqual(
    hours.map(({ startTicks, rows: count }) => [startTicks, count]),
  )
  expect(folder.bytes).toBeLessThan(bytes / 2)
  const file = folder.manifest.files.find(({ table }) => table === 'io')
  const io = await parquetReadObjects({
    file: Uint8Array.from(readFileSync(join(path, file?.path ?? ''))).buffer,
    compressors: { GZIP: (packed) => new Uint8Array(gunzipSync(packed)) },
  })
  const order = io.map((row) => `${String(row['kind'])} ${String(row['start_ticks'])}`)
  expect(order).toEqual(order.toSorted())
  expect((await Folder.open(path)).manifest).toEqual(folder.manifest)
})

test.each([
  ['before the file is written', 'write'],
  ['before it counts', 'supersede'],
  ['before the files are removed whose place it took', 'remove'],
] as const)('a crash %s loses and doubles no row', async (_, step) => {
  const folder = await filled(STARTS)
  const rows = await rowsOf()
  const before = folder.manifest
  vi.spyOn(folder, step).mockImplementation(() => {
    throw new Error('killed')
  })
  await new FileTidier(folder, quiet).run(NEXT_NOON_MS)
  // A crash half way through a file leaves it under another name.
  writeFileSync(join(path, 'io/node=a_8080/day=2026-11-25/half.parquet.tmp'), 'PAR1')
  const again = await Folder.open(path)
  expect(await rowsOf()).toEqual(rows)
  expect(tablesOf(again)).toEqual(
    step === 'remove' ? ['batches', 'gaps', 'io', 'vitals'] : tablesOf({ manifest: before } as Folder),
  )
  await new FileTidier(again, quiet).run(NEXT_NOON_MS)
  expect(await rowsOf()).toEqual(rows)
  expect(tablesOf(again)).toEqual(['batches', 'gaps', 'io', 'vitals'])
})

test('a file that went meanwhile does not come back, and one that is broken stays and is named', async () => {
  const folder = await filled(STARTS)
  const write = folder.write.bind(folder)
  vi.spyOn(folder, 'write').mockImplementation((at, bytes) => {
    write(at, bytes)
    // Retention takes all while the first file is written.
    if (at.startsWith('batches/')) void folder.drop(folder.manifest.files)
  })
  await new FileTidier(folder, quiet).run(NEXT_NOON_MS)
  await expect.poll(() => rowsOf()).toEqual([])
  vi.restoreAllMocks()

  rmSync(path, { recursive: true, force: true })
  const other = await filled(STARTS)
  const broken = other.manifest.files.find(({ table }) => table === 'gaps') as ArchiveFile
  writeFileSync(join(path, broken.path), 'PAR1')
  const said: string[] = []
  await new FileTidier(other, (sentence) => said.push(sentence)).run(NEXT_NOON_MS)
  expect(said).toEqual([expect.stringMatching(/^Files are not made one, and stay as they are: gaps.*\./)])
  expect(tablesOf(other)).toEqual(['batches', 'gaps', 'gaps', 'gaps', 'gaps', 'io', 'vitals'])
})

test('a file holds so many rows that an hour of a busy server stays quick to open', () => {
  const fileOf = (hour: number, rows: number): ArchiveFile => ({
    path: `io/node=a_8080/day=2026-11-25/${String(hour)}.parquet`,
    table: 'io',
    node: NODE.name,
    day: '2026-11-25',
    rows,
    bytes: rows * 5,
    minTicks: MIDNIGHT + hour * HOUR_TICKS,
    maxTicks: MIDNIGHT + (hour + 1) * HOUR_TICKS - 1,
  })
  const busy = [100_000, 100_000, 100_000, 400_000, 1, 2].map((rows, hour) => fileOf(hour, rows))
  const parts = mergeable(busy, NEXT_NOON_MS).map((part) => part.map(({ rows }) => rows))
  expect(parts).toEqual([
    [100_000, 100_000],
    [1, 2],
  ])
})

test('a day has row groups of whole hours, and a part of it that was read by range has the rows of these hours', async () => {
  const folder = await Folder.open(path)
  const hours = 4
  /** Events of each kind in an hour. */
  const ROWS = inGate(9000, 12_000)
  for (let hour = 0; hour < hours; hour++) {
    const pending = new Pending()
    const starts = Array.from(
      { length: ROWS },
      (_, at) => MIDNIGHT + hour * HOUR_TICKS + Math.floor((at * 12_000) / ROWS) * 2_999_963,
    )
    const durations = starts.map((_, at) => 10 + ((at * 7919) % 90_001))
    const none = starts.map(() => -1)
    for (const kind of ['JournalWrite', 'DataSync'])
      pending.take({
        t: 'io',
        source: 'db:shop',
        path: '/data/shop',
        type: 'Documents',
        kind,
        file: 'a',
        c: [starts, durations, durations, none, none, none],
      })
    await fold(folder, NODE, pending, hour + 1)
  }
  await new FileTidier(folder, quiet).run(NEXT_NOON_MS)
  const [file] = folder.manifest.files
  const groups = file?.groups ?? []
  expect(groups.map(([min, max, rows]) => [min, max < min + HOUR_TICKS + 100_000, rows])).toEqual(
    Array.from({ length: hours }, (_, hour) => [MIDNIGHT + hour * HOUR_TICKS, true, 2 * ROWS]),
  )
  const whole = new Blob([Uint8Array.from(readFileSync(join(path, file?.path ?? '')))])
  const units = file === undefined ? [] : unitsOf(file)
  const [part] = joinParts(units.slice(1, 3))
  const read = vi.fn((_: string, range: ByteRange = { start: 0, end: whole.size }) =>
    Promise.resolve(whole.slice(range.start, range.end)),
  )
  const starts = async (blob: Blob, of: string): Promise<number[]> => {
    const found: number[] = []
    for await (const { columns } of readParquet('io', blob, groupsInPath(of)))
      found.push(...(columns['start_ticks'] as ArrayLike<number> as number[]))
    return found
  }
  const blob = part === undefined ? whole : await readPart(part, read)
  expect(blob.size).toBeLessThan(0.6 * whole.size)
  expect(await starts(blob, part?.path ?? '')).toEqual((await starts(whole, '')).slice(2 * ROWS, 6 * ROWS))
})

test('files of a later version, with a table or a column that this one does not know, stay as they are', async () => {
  const folder = await Folder.open(path)
  for (const minute of [0, 1]) {
    const pending = new Pending()
    for (const record of minuteOf(MIDNIGHT + minute * MINUTE)) pending.take(record)
    await fold(folder, NODE, pending, minute + 1)
  }
  const columnData = [
    { name: 'key', data: ['cpu.machine'] },
    { name: 'at_ticks', data: [1n] },
    { name: 'value', data: [1] },
    { name: 'of_a_later_version', data: [1] },
  ]
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData }))
  const place = 'node=a_8080/day=2026-11-25/000000-3.parquet'
  const later = {
    node: NODE.name,
    day: '2026-11-25',
    rows: 1,
    bytes: bytes.length,
    minTicks: MIDNIGHT,
    maxTicks: MIDNIGHT,
  }
  for (const table of ['vitals', 'sessions', 'sessions'] as never[]) {
    const file = `${String(table)}/${place}`
    folder.write(file, bytes)
    folder.commit({ ...NODE, journal: 3 }, [{ ...later, path: file, table }])
  }
  const said: string[] = []
  const before = folder.manifest.files.filter(({ table }) => !['io', 'gaps', 'batches'].includes(table))
  await new FileTidier(folder, (sentence) => said.push(sentence)).run(NEXT_NOON_MS)
  expect(folder.manifest.files.filter(({ table }) => !['io', 'gaps', 'batches'].includes(table))).toEqual(before)
  expect(folder.manifest.files.filter(({ table }) => table === 'io')).toHaveLength(1)
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/has columns of a newer version of Rookery: of_a_later_version\.$/)
})
