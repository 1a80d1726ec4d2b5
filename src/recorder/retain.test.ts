import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { msFromTicks, parseTicks, type Ticks } from '../base/ticks.ts'
import { CLASSES, classOf, HOUR_TICKS, type RetainedClass } from '../capture/archive/manifest.ts'
import { isGate } from '../testing/gate.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { Pending } from './pending.ts'
import { Retaining, type Limit, type Retention } from './retain.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const FIRST = parseTicks('2026-10-01T00:00:00.0000000Z')
const DAY_MS = 86_400_000
const DAYS = 6
/** Rows of a table in a day, evenly spread. */
const ROWS = 2000
const STEP = Math.floor((24 * HOUR_TICKS) / ROWS)
const NOW_MS = msFromTicks((FIRST + DAYS * 24 * HOUR_TICKS) as Ticks)
const NO_LIMIT = { keepMs: null, maxBytes: null }
const SEVENTH = 2_654_435_761

let path = ''
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'archive-'))))
afterEach(() => rmSync(path, { recursive: true, force: true }))

const limits = (
  classes: Partial<Record<RetainedClass, Partial<Limit>>>,
  maxBytes: number | null = null,
): Retention => ({
  classes: Object.fromEntries(CLASSES.map((name) => [name, { ...NO_LIMIT, ...classes[name] }])) as Retention['classes'],
  maxBytes,
})

/** Six days of events and figures, a file of each a day. */
async function filled(): Promise<Folder> {
  const folder = await Folder.open(path)
  for (let day = 0; day < DAYS; day++) {
    const pending = new Pending()
    const starts = Array.from({ length: ROWS }, (_, i) => FIRST + (day * ROWS + i) * STEP)
    const durations = starts.map((_, i) => 100 + ((i * SEVENTH) % 30_000))
    const none = starts.map(() => -1)
    const c = [starts, durations, starts.map(() => 4096), none, none, none]
    pending.take({ t: 'io', source: 'db:shop', path: '/data', type: 'Documents', kind: 'JournalWrite', file: 'f', c })
    pending.take({ t: 'vital', key: 'cpu.process', ticks: starts, values: durations.map((each) => each / 300) })
    await fold(folder, NODE, pending, day + 1)
  }
  return folder
}

async function startsOf({ manifest }: Folder, ...tables: readonly string[]): Promise<number[]> {
  const rows = await Promise.all(
    manifest.files
      .filter(({ table }) => tables.includes(table))
      .map(({ path: at }) =>
        parquetReadObjects({
          file: Uint8Array.from(readFileSync(join(path, at))).buffer,
          compressors: { GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)) },
        }),
      ),
  )
  return rows
    .flat()
    .map((row) => Number(((row['start_ticks'] ?? row['at_ticks']) as bigint) / 10_000n) - msFromTicks(FIRST))
    .toSorted((a, b) => a - b)
}

const bytesOf = ({ manifest }: Folder, name: RetainedClass): number =>
  manifest.files.reduce((sum, file) => sum + (classOf(file) === name ? file.bytes : 0), 0)

const eventsIn = async (folder: Folder): Promise<number> => (await startsOf(folder, 'io')).length

test.each(isGate ? [3.25] : [2, 3.25])(
  'rows of the last %s days stay, and one in a hundred of them is older at most',
  async (days) => {
    const folder = await filled()
    const keepMs = days * DAY_MS
    await new Retaining(folder, () => undefined).run(limits({ rest: { keepMs }, events: { keepMs } }), NOW_MS)
    for (const table of ['vitals', 'io']) {
      const starts = await startsOf(folder, table)
      expect(starts.length).toBeGreaterThanOrEqual(Math.floor(days * ROWS))
      expect(starts.length).toBeLessThanOrEqual(Math.ceil(days * ROWS * 1.01))
      expect(starts.at(-1)).toBe(Math.floor(msFromTicks(((DAYS * ROWS - 1) * STEP) as Ticks) - msFromTicks(0 as Ticks)))
    }
    const sums = await parquetSum(folder, 'io-minutes')
    expect(sums + (await eventsIn(folder))).toBe(DAYS * ROWS)
  },
)

const parquetSum = async ({ manifest }: Folder, table: string): Promise<number> => {
  let sum = 0
  for (const file of manifest.files.filter((each) => each.table === table)) {
    const bytes = Uint8Array.from(readFileSync(join(path, file.path))).buffer
    const rows = await parquetReadObjects({
      file: bytes,
      compressors: { GZIP: (packed) => new Uint8Array(gunzipSync(packed)) },
    })
    sum += rows.reduce((all, row) => all + Number(row['events']), 0)
  }
  return sum
}

test.each(isGate ? [0.77] : [0.21, 0.77])(
  'a class takes %s of its bytes, to one in a hundred, and the newest rows stay',
  async (part) => {
    const folder = await filled()
    const [events, rest] = [bytesOf(folder, 'events'), bytesOf(folder, 'rest')].map((bytes) => Math.floor(bytes * part))
    const retaining = new Retaining(folder, () => undefined)
    const retention = limits({ rest: { maxBytes: rest ?? 0 }, events: { maxBytes: events ?? 0 } })
    await retaining.run(retention, NOW_MS)
    for (const [name, most = 0] of [
      ['events', events],
      ['rest', rest],
    ] as const) {
      expect(bytesOf(folder, name)).toBeLessThanOrEqual(most)
      expect(bytesOf(folder, name)).toBeGreaterThanOrEqual(most * 0.99)
    }
    for (const table of ['vitals', 'io']) {
      const starts = await startsOf(folder, table)
      const last = Array.from({ length: starts.length }, (_, i) => DAYS * ROWS - starts.length + i)
      expect(starts).toEqual(last.map((i) => Math.floor(msFromTicks((FIRST + i * STEP) as Ticks)) - msFromTicks(FIRST)))
    }
    expect((await parquetSum(folder, 'io-minutes')) + (await eventsIn(folder))).toBe(DAYS * ROWS)
    const before = folder.manifest
    await retaining.run(retention, NOW_MS)
    expect(folder.manifest).toBe(before)
  },
)

test('of rows that began at one moment no more go than have to', async () => {
  const folder = await Folder.open(path)
  const pending = new Pending()
  const ticks = Array.from({ length: 20 }, (_, i) => FIRST + i * STEP)
  for (let key = 0; key < 50; key++) {
    const values = ticks.map((_, i) => ((key * 20 + i) * SEVENTH) % 30_000)
    pending.take({ t: 'vital', key: `key ${String(key)}`, ticks, values })
  }
  await fold(folder, NODE, pending, 1)
  const maxBytes = Math.floor(bytesOf(folder, 'rest') * 0.997)
  await new Retaining(folder, () => undefined).run(limits({ rest: { maxBytes } }), NOW_MS)
  expect(await startsOf(folder, 'vitals')).toHaveLength(50 * 19)
})

test('all together take no more than they may: the oldest rows go, sums by minute last', async () => {
  const folder = await filled()
  const retaining = new Retaining(folder, () => undefined)
  await retaining.run(limits({ events: { keepMs: 3 * DAY_MS } }), NOW_MS)
  const minutes = bytesOf(folder, 'minutes')
  folder.journalBytes.set('journal/a_8080.9.journal', 500)
  const most = minutes + Math.floor((folder.bytes - minutes) / 3)
  expect((await retaining.run(limits({}, most), NOW_MS)).bytes).toBeGreaterThan(0)
  expect(folder.bytes).toBeLessThanOrEqual(most)
  expect(folder.bytes).toBeGreaterThanOrEqual(most * 0.99)
  expect(bytesOf(folder, 'minutes')).toBe(minutes)
  await retaining.run(limits({}, 500 + Math.floor(minutes / 2)), NOW_MS)
  expect(new Set(folder.manifest.files.map(classOf))).toEqual(new Set(['minutes']))
  expect(folder.bytes).toBeLessThanOrEqual(500 + Math.floor(minutes / 2))
  expect(folder.manifest.files.every(({ path: at }) => existsSync(join(path, at)))).toBe(true)
})

test('a file that cannot be read stays as long as other rows, and goes as a whole', async () => {
  const folder = await filled()
  const broken = folder.manifest.files.find(({ table }) => table === 'io')
  writeFileSync(join(path, broken?.path ?? ''), 'no parquet')
  const said: string[] = []
  const retaining = new Retaining(folder, (sentence) => said.push(sentence))
  await retaining.run(limits({ events: { keepMs: 2 * DAY_MS }, rest: { keepMs: 9 * DAY_MS } }), NOW_MS)
  expect(said).toEqual([expect.stringContaining(broken?.path ?? '')])
  expect(folder.manifest.files).toContain(broken)
  await retaining.run(limits({ events: { keepMs: 2 * DAY_MS }, rest: { keepMs: 9 * DAY_MS } }), NOW_MS + 5 * DAY_MS)
  expect(folder.manifest.files).not.toContain(broken)
})
