import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { msFromTicks, parseTicks, type Ticks } from '../base/ticks.ts'
import { CLASSES, HOUR_TICKS, isThinned, lastThinnedDay, type RetainedClass } from '../capture/archive/manifest.ts'
import { hoursOf } from '../capture/archive/recordings.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { Pending } from './pending.ts'
import { type Limit, Retaining } from './retain.ts'
import { FileTidier } from './tidy.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const FIRST = parseTicks('2026-10-01T00:00:00.0000000Z')
const DAY = 24 * HOUR_TICKS
const DAY_MS = 86_400_000
const SECOND = 10_000_000
const EVENTS_A_DAY = 150
const retentionOf = (days: Partial<Record<RetainedClass, number>>) => ({
  classes: Object.fromEntries(
    CLASSES.map((name) => [name, { keepMs: (days[name] ?? 3650) * DAY_MS, maxBytes: null }]),
  ) as Record<RetainedClass, Limit>,
  maxBytes: null,
})
const quiet = (): void => undefined

let path = ''
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'archive-'))))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(path, { recursive: true, force: true })
})

/** Events of a day: two a second or so; each fortieth is slow, and one of each day is the slowest of what is fast. */
const eventsOf = (day: number) =>
  Array.from({ length: EVENTS_A_DAY }, (_, i) => ({
    kind: i % 3 === 0 ? 'DataSync' : 'JournalWrite',
    start: FIRST + day * DAY + Math.floor(i * 0.45 * SECOND) + 3,
    duration: i % 40 === 7 ? 100_000 + i : 10 * (i + 1),
    size: 4096 * (i % 5),
  }))

async function foldDay(folder: Folder, day: number): Promise<void> {
  const pending = new Pending()
  for (const { kind, start, duration, size } of eventsOf(day))
    pending.take({
      t: 'io',
      source: 'db:shop',
      path: '/data',
      type: 'Documents',
      kind,
      file: 'f',
      c: [[start], [duration], [size], [-1], [-1], [-1]],
    })
  await fold(folder, NODE, pending, day + 1)
}

async function rowsOf({ manifest }: Folder, table: string, day?: string): Promise<Record<string, unknown>[]> {
  const files = manifest.files.filter((file) => file.table === table && (day === undefined || file.day === day))
  const rows = await Promise.all(
    files.map(({ path: at }) =>
      parquetReadObjects({
        file: Uint8Array.from(readFileSync(join(path, at))).buffer,
        compressors: { GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)) },
      }),
    ),
  )
  return rows.flat()
}

const daysOf = ({ manifest }: Folder, table: string): string[] =>
  manifest.files.filter((file) => file.table === table).map(({ day }) => day)
const dayAt = (day: number): string => new Date(msFromTicks((FIRST + day * DAY) as Ticks)).toISOString().slice(0, 10)
const days = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => dayAt(from + i))

test('half a month has events of three days, slow ones and seconds of eight, and minutes of all, with the sums of all events', async () => {
  const folder = await Folder.open(path)
  const tidier = new FileTidier(folder, quiet)
  const retaining = new Retaining(folder, quiet)
  const retention = retentionOf({ rest: 8, slow: 8, seconds: 8, minutes: 365, events: 3 })
  for (let day = 0; day < 16; day++) {
    await foldDay(folder, day)
    const nowMs = msFromTicks((FIRST + (day + 1) * DAY) as Ticks)
    await retaining.run(retention, nowMs)
    await tidier.run(nowMs)
  }
  expect(daysOf(folder, 'io')).toEqual(days(13, 16))
  expect(daysOf(folder, 'io-slow')).toEqual(days(8, 13))
  expect(daysOf(folder, 'io-seconds')).toEqual(days(8, 13))
  expect(daysOf(folder, 'io-minutes')).toEqual(days(0, 13))
  expect(folder.manifest.files.every(({ path: at }) => existsSync(join(path, at)))).toBe(true)
  expect(lastThinnedDay(folder.manifest)).toBe(dayAt(12))
  expect(hoursOf(folder.manifest)).toHaveLength(3)
  expect(folder.manifest.hours?.reduce((sum, { events }) => sum + events, 0)).toBe(16 * EVENTS_A_DAY)

  const events = eventsOf(10)
  for (const [table, ticks] of [
    ['io-seconds', SECOND],
    ['io-minutes', 60 * SECOND],
  ] as const)
    for (const row of await rowsOf(folder, table, dayAt(10))) {
      const start = Number((row['start_ticks'] as bigint) - BigInt(Date.UTC(2020, 0)) * 10_000n)
      const own = events.filter((each) => each.kind === row['kind'] && Math.floor(each.start / ticks) * ticks === start)
      expect(own.length).toBeGreaterThan(0)
      expect(row).toMatchObject({
        events: BigInt(own.length),
        size_bytes: BigInt(own.reduce((sum, { size }) => sum + size, 0)),
        busy_ticks: BigInt(own.reduce((sum, { duration }) => sum + duration, 0)),
        max_duration_ticks: BigInt(Math.max(...own.map(({ duration }) => duration))),
      })
    }
  for (const table of ['io-seconds', 'io-minutes']) {
    const rows = await rowsOf(folder, table, dayAt(10))
    expect(rows.reduce((sum, row) => sum + Number(row['events']), 0)).toBe(EVENTS_A_DAY)
  }
  const slow = await rowsOf(folder, 'io-slow', dayAt(10))
  expect(slow.map((row) => Number(row['duration_ticks'])).toSorted((a, b) => a - b)).toEqual(
    events.flatMap(({ duration }) => (duration >= 100_000 ? duration : [])).toSorted((a, b) => a - b),
  )
})

test.each(['write', 'supersede', 'remove'] as const)(
  'a crash at the step “%s” of thinning loses and doubles nothing',
  async (step) => {
    const folder = await Folder.open(path)
    await foldDay(folder, 0)
    const nowMs = msFromTicks((FIRST + 9 * DAY) as Ticks)
    const real = folder[step].bind(folder) as (...args: unknown[]) => unknown
    let calls = 0
    vi.spyOn(folder, step).mockImplementation((...args: unknown[]) => {
      // The second of three files is where it ends.
      if (step !== 'write' || ++calls === 2) throw new Error('killed')
      return real(...args)
    })
    await new Retaining(folder, quiet).run(retentionOf({ events: 3 }), nowMs)
    const again = await Folder.open(path)
    const count = async (table: string, name: string): Promise<number> =>
      (await rowsOf(again, table)).reduce((sum, row) => sum + Number(row[name] ?? 1), 0)
    expect([await count('io', ''), await count('io-minutes', 'events'), await count('io-seconds', 'events')]).toEqual(
      step === 'remove' ? [0, EVENTS_A_DAY, EVENTS_A_DAY] : [EVENTS_A_DAY, 0, 0],
    )
    expect(again.manifest.files.every(({ path: at }) => existsSync(join(path, at)))).toBe(true)
    await new Retaining(again, quiet).run(retentionOf({ events: 3 }), nowMs)
    expect(await count('io-minutes', 'events')).toBe(EVENTS_A_DAY)
    expect(again.manifest.files.every(isThinned)).toBe(true)
  },
)

test('an event of a lane is kept that is longer than the 99th percentile as ClickHouse ranks it', async () => {
  const folder = await Folder.open(path)
  const pending = new Pending()
  for (const [source, count] of [
    ['db:hundred', 100],
    ['db:more', 101],
    ['db:twice', 200],
  ] as const)
    pending.take({
      t: 'io',
      source,
      path: '/data',
      type: 'Documents',
      kind: 'JournalWrite',
      file: 'f',
      c: [
        Array.from({ length: count }, (_, i) => FIRST + i * SECOND),
        Array.from({ length: count }, (_, i) => 10 * (i + 1)),
        ...Array.from({ length: 4 }, () => Array.from({ length: count }, () => -1)),
      ],
    })
  await fold(folder, NODE, pending, 1)
  await new Retaining(folder, quiet).run(retentionOf({ events: 3 }), msFromTicks((FIRST + 9 * DAY) as Ticks))
  const slow = await rowsOf(folder, 'io-slow')
  // `quantileExact(0.99)` of 100 is the longest: `SELECT quantileExact(0.99)(number) FROM numbers(100)` is 99.
  expect(slow.map((row) => `${String(row['source'])} ${String(row['duration_ticks'])}`)).toEqual([
    'db:more 1010',
    'db:twice 2000',
  ])
})
