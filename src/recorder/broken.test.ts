import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFeeds } from '../app/feeds.ts'
import { ALL_TIMES, parseTicks, type Ticks, TICKS_PER_SECOND, type TimeRange } from '../base/ticks.ts'
import { asPackage } from '../capture/archive/as-package.ts'
import { encodeBlock, JOURNAL_MAGIC } from '../capture/archive/journal.ts'
import { type Manifest, newerRowsOf } from '../capture/archive/manifest.ts'
import { openRecording, recordingIn, recordings } from '../capture/archive/recordings.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import type { FileEntry } from '../capture/client/state.ts'
import { Files } from '../capture/reading/files.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import type {} from '../features/archive/contract.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { Pending } from './pending.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const JOURNAL = 'journal/a_8080.2.journal'
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks

const io = (seconds: number): ArchiveRecord => ({
  t: 'io',
  source: 'db:shop',
  path: '/data/shop',
  type: 'Documents',
  kind: 'JournalWrite',
  file: '0.journal',
  c: [[at(seconds)], [20_000], [4096], [-1], [-1], [-1]],
})
const vital = (from: number, seconds: number): ArchiveRecord => {
  const ticks = Array.from({ length: seconds }, (_, second) => at(from + second))
  return { t: 'vital', key: 'cpu.machine', ticks, values: ticks.map(() => 20) }
}
const finding: ArchiveRecord = {
  t: 'finding',
  id: 'f 1',
  level: 'warning',
  title: 'Found',
  startTicks: at(10),
  endTicks: at(20),
  json: '{}',
}

let whole = ''
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'whole-'))
  const folder = await Folder.open(whole)
  for (const [number, records] of [
    [1, [io(0), io(50), vital(0, 60), finding]],
    [2, [io(3600), io(3650), vital(3600, 60)]],
  ] as const) {
    const pending = new Pending()
    for (const record of records) pending.take(record)
    await fold(folder, NODE, pending, number)
  }
  const blocks = [[vital(3660, 30), io(3665)], [io(3690)]].map(encodeBlock)
  writeFileSync(join(whole, JOURNAL), Buffer.concat([JOURNAL_MAGIC, ...blocks]))
})
afterAll(() => rmSync(whole, { recursive: true, force: true }))

/** Opens a copy of the recording, which `damage` has changed, as the page does. */
async function opened(damage: (path: string) => void, range: TimeRange | null = null) {
  const path = mkdtempSync(join(tmpdir(), 'broken-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  cpSync(whole, path, { recursive: true })
  damage(path)
  return new Page().open(path, range)
}

class Page {
  readonly #feeds = createFeeds()
  readonly #gapLog = new GapLog()
  readonly #files = new Files({ feeds: this.#feeds, gapLog: this.#gapLog })
  readonly #entries: FileEntry[][] = []

  /** Takes a folder that is dropped. */
  async open(path: string, range: TimeRange | null = null) {
    const [feeds, gapLog, files] = [this.#feeds, this.#gapLog, this.#files]
    const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const inside = names.map((entry) => {
      const full = join(entry.parentPath, entry.name)
      return { path: full.slice(path.length + 1), blob: new Blob([readFileSync(full)]) }
    })
    const capture = {
      openFiles: (given: readonly File[]) => given.forEach((file) => files.open(file)),
      getState: () => ({
        files: files.states.map((file, at) => ({ ...file, entries: this.#entries[at] ?? [] })) as never,
      }),
    }
    const found = await recordingIn(path.split('/').at(-1) ?? '', inside)
    if (found === null) throw new Error('It has no manifest.')
    const recording = { ...found, journals: [...new Set([JOURNAL, ...found.journals])] }
    await openRecording(capture as never, recording, ALL_TIMES, null)
    await files.rest()
    for (const { file, entries } of files.takeEntries()) this.#entries[file - 1] = [...entries]
    const sources = files.states.flatMap((file) => file.sources)
    const own = (source: string): string => source.slice(`file:${recording.name}/`.length)
    const archive = await feeds.find(({ name }) => name === 'archive')?.later?.()
    const judge = archive?.responses['archive.triage']
    const triage = await judge?.({ sources, range }, null as never, new AbortController().signal)
    return {
      gaps: gapLog
        .snapshot(null)
        .map(
          ({ source, lane, startTicks, endTicks, detail }) =>
            [own(source), lane?.replace(/:.*/, '') ?? null, startTicks, endTicks, detail] as const,
        ),
      unread: (this.#entries.at(-1) ?? []).filter(({ phase }) => phase === 'refused' || phase === 'broken'),
      events: feeds.flatMap((feed) => feed.summary?.() ?? []).reduce((sum, row) => sum + row.count, 0),
      triage,
      lack: recordings.lackOf(recording.name),
      newer: newerRowsOf(recording.manifest),
      journal: this.#entries.at(-1)?.find((entry) => entry.path === JOURNAL),
    }
  }
}

const fileOf = (table: string): string =>
  `${table}/node=a_8080/day=2026-11-26/0200${table === 'findings' ? '10' : '00'}-1.parquet`

test('a whole recording has no gap, and is judged', async () => {
  const { gaps, unread, events, triage, lack } = await opened(() => undefined)
  expect([gaps, unread, events, lack]).toEqual([[], [], 6, null])
  expect(triage?.sentence).toMatch(/^No issues found by \d+ of/)
})

test.each([
  ['is missing', (path: string) => rmSync(path), /^The file is missing\.$/],
  ['is empty', (path: string) => truncateSync(path, 0), /^It has 0 bytes, and the manifest says [\d,]+: it is cut/],
  ['is cut in its rows', (path: string) => truncateSync(path, 40), /^It has 40 bytes, and the manifest/],
  [
    'is cut in its end',
    (path: string) => truncateSync(path, readFileSync(path).length - 3),
    /^It has [\d,]+ bytes, and/,
  ],
  ['has other bytes', (path: string) => writeFileSync(path, readFileSync(path).fill(7)), /cut or damaged/],
  ['has another end', (path: string) => writeFileSync(path, readFileSync(path).fill(7, 4, 60)), /cannot be read/],
])('a file that %s leaves a gap of its rows in its words, and the rest is open', async (_, damage, words) => {
  const { gaps, unread, events, triage, lack } = await opened((path) => damage(join(path, fileOf('io'))))
  expect(unread.map(({ path, message }) => [path, words.test(message)])).toEqual([[fileOf('io'), true]])
  expect(gaps).toEqual([
    ['a_8080/shop', null, at(0), at(50) + 20_000, `${fileOf('io')}: ${String(unread[0]?.message)}`],
  ])
  expect(events).toBe(4)
  expect(triage?.sentence).toMatch(
    /^No issues found in the rest by .* 1 file of this time cannot be read: what was in it is missing\.$/,
  )
  expect(lack === null).toBe(unread[0]?.message !== 'The file is missing.')
})

test('figures and findings that cannot be read are a gap of figures, and no range without a finding', async () => {
  const { gaps, triage } = await opened((path) => {
    truncateSync(join(path, fileOf('vitals')), 50)
    rmSync(join(path, fileOf('findings')))
  })
  expect(gaps.map(([source, lane, from, to]) => [source, lane, from, to])).toEqual([
    ['a_8080/server', 'figures', at(0), at(59)],
  ])
  expect(triage?.sentence).toMatch(/findings of the range are missing\. 2 files of this time cannot be read/)
})

test('a file under the name of another is not taken for it', async () => {
  const { unread, events } = await opened((path) => {
    const [gone, other] = [fileOf('io'), fileOf('findings')].map((name) => join(path, name)) as [string, string]
    writeFileSync(gone, readFileSync(other))
    rmSync(other)
  })
  expect(
    unread.map(({ path, message }) => [path, /^The file is missing|it is cut, or another file\.$/.exec(message)?.[0]]),
  ).toEqual([
    [fileOf('findings'), 'The file is missing'],
    [fileOf('io'), 'it is cut, or another file.'],
  ])
  expect(events).toBe(4)
})

test('files of a server that the manifest does not list are named', async () => {
  const { events, lack } = await opened((path) => {
    cpSync(join(path, 'io/node=a_8080'), join(path, 'io/node=b_8080'), { recursive: true })
  })
  expect(events).toBe(6)
  expect(lack).toBe('The folder has files of b_8080 that manifest.json does not list: they are not opened.')
})

test('a journal that ends within a block has the blocks before it, and hinders no check', async () => {
  const { gaps, events, triage } = await opened((path) => {
    truncateSync(join(path, JOURNAL), readFileSync(join(path, JOURNAL)).length - 9)
  })
  expect(events).toBe(5)
  const detail = `${JOURNAL}: 31 rows. The last block is cut. The last seconds are missing.`
  expect(gaps).toContainEqual(['a_8080/shop', null, at(3689), at(3689), detail])
  expect(gaps).toContainEqual(['a_8080/server', 'figures', at(3689), at(3689), detail])
  expect(triage?.sentence).toMatch(/^No issues found by \d+ of .* ends within a write: its last seconds are missing\.$/)
  expect(triage?.unknown.filter(({ why }) => why.startsWith('Its rows'))).toEqual([])
})

const later = (path: string): void =>
  writeFileSync(
    join(path, 'journal/a_8080.3.journal'),
    Buffer.concat([JOURNAL_MAGIC, encodeBlock([vital(7200, 60), io(7230)])]),
  )

test('what a damaged journal lost reaches to the next journal, and no check is made in it', async () => {
  const damage = (path: string): void => {
    const bytes = readFileSync(join(path, JOURNAL))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(join(path, JOURNAL), bytes)
    later(path)
  }
  const { gaps, triage } = await opened(damage, { startTicks: at(5400), endTicks: at(5700) })
  const places = gaps.map(([source, lane, from, to]) => [source, lane, from, to])
  expect(places).toContainEqual(['a_8080/shop', null, at(3689), at(7200)])
  expect(triage?.sentence).toMatch(/1 file of this time cannot be read/)
  expect(triage?.unknown.find(({ rule }) => rule === 'cpu-busy')?.why).toMatch(/^Its rows are not all here/)
})

test('a damaged block within a journal is a gap between the rows around it, which are there', async () => {
  const damage = (path: string): void => {
    const blocks = [[vital(3660, 30), io(3665)], [io(3690)], [vital(3700, 30), io(3705)]].map(encodeBlock)
    const bytes = Buffer.concat([JOURNAL_MAGIC, ...blocks])
    const at_ = JOURNAL_MAGIC.length + (blocks[0]?.length ?? 0) + 12
    bytes[at_] = (bytes[at_] ?? 0) ^ 1
    writeFileSync(join(path, JOURNAL), bytes)
  }
  const { gaps, events, unread, triage } = await opened(damage, { startTicks: at(3600), endTicks: at(3730) })
  expect(events).toBe(6)
  const detail = `${JOURNAL}: 62 rows. A part is damaged and left out.`
  expect(gaps.filter(([source, lane]) => source === 'a_8080/shop' && lane === null)).toEqual([
    ['a_8080/shop', null, at(3689), at(3700), detail],
  ])
  expect(unread.map(({ path }) => path)).toEqual([JOURNAL])
  expect(triage?.sentence).toMatch(/1 file of this time cannot be read/)
})

test.each([
  ['is missing', (path: string) => rmSync(path), 'The file is missing.'],
  ['is empty', (path: string) => truncateSync(path, 0), '0 rows. It is empty. What follows is not read.'],
  [
    'is damaged from its start',
    (path: string) => writeFileSync(path, readFileSync(path).fill(7, 8)),
    '0 rows. A block is not as written. What follows is not read.',
  ],
])('a journal that %s is a gap from the end of the files to the next journal', async (_, damage, words) => {
  const { gaps, triage, unread, lack } = await opened((path) => {
    damage(join(path, JOURNAL))
    later(path)
  })
  expect(gaps).toContainEqual(['a_8080/server', 'figures', at(3659), at(7200), `${JOURNAL}: ${words}`])
  expect(unread.map(({ path }) => path)).toEqual([JOURNAL])
  expect(triage?.sentence).toMatch(/1 file of this time cannot be read/)
  expect(lack).toBe(words.startsWith('The') ? `The folder lacks ${JOURNAL}.` : null)
})

test.each([
  ['was missing', (path: string) => rmSync(path)],
  ['was cut', (path: string) => truncateSync(path, 40)],
])('a file that %s is read when the folder is dropped again with it', async (_, damage) => {
  const path = mkdtempSync(join(tmpdir(), 'broken-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  cpSync(whole, path, { recursive: true })
  for (const table of ['io', 'findings']) damage(join(path, fileOf(table)))
  const page = new Page()
  expect(await page.open(path)).toMatchObject({ events: 4, gaps: [{}], unread: [{}, {}] })
  cpSync(whole, path, { recursive: true })
  const { events, gaps, lack, triage } = await page.open(path)
  expect([events, gaps, lack]).toEqual([6, [], null])
  expect(triage?.sentence).toMatch(/^No issues found by .*; 1 finding in the range\.$/)
})

test('rows that only a later version knows are skipped and counted, and the rest is open', async () => {
  const later = [{ t: 'session', id: 1 }, { t: 'session', id: 2 }, io(3695)] as never[]
  const { gaps, unread, events, triage, newer, journal } = await opened((path) => {
    const block = encodeBlock(later)
    writeFileSync(join(path, JOURNAL), block, { flag: 'a' })
    const file = 'sessions/node=a_8080/day=2026-11-26/020000-1.parquet'
    mkdirSync(join(path, dirname(file)), { recursive: true })
    cpSync(join(path, fileOf('io')), join(path, file))
    const name = join(path, 'manifest.json')
    const manifest = JSON.parse(readFileSync(name, 'utf8')) as Manifest
    const listed = manifest.files.find(({ table }) => table === 'io')
    writeFileSync(
      name,
      JSON.stringify({ ...manifest, files: [...manifest.files, { ...listed, path: file, table: 'sessions' }] }),
    )
  })
  expect([gaps, unread, events, newer]).toEqual([[], [], 7, 2])
  expect(triage?.sentence).toMatch(/^No issues found by \d+ of/)
  expect(journal).toMatchObject({
    phase: 'read',
    message: '33 rows. 2 rows of a newer version of Rookery were skipped.',
    newerRows: 2,
  })
})

test('a file of a table that only a later version knows says how many rows it has', async () => {
  const gapLog = new GapLog()
  const files = new Files({ feeds: createFeeds(), gapLog })
  const blob = new Blob([readFileSync(join(whole, fileOf('io')))])
  files.open(asPackage('later', [{ path: 'sessions/node=a_8080/day=2026-11-26/020000-1.parquet', blob }]))
  await files.rest()
  expect(files.takeEntries().flatMap(({ entries }) => entries)).toMatchObject([
    { phase: 'listed', feed: null, message: '2 rows of a newer version of Rookery were skipped.' },
  ])
})
