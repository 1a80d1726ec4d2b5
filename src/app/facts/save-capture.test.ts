import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import type { Bytes } from '../../base/brand.ts'
import { tableRowsOf } from '../../capture/archive/record-rows.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import { placedIn, placesOf } from '../../capture/archive/saved-capture.ts'
import type { FileState, Gap } from '../../capture/client/state.ts'
import type { NewGap } from '../../capture/worker/gap-log.ts'
import { GapLog } from '../../capture/worker/gap-log.ts'
import { Files } from '../../capture/reading/files.ts'
import { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { ServerFeed } from '../../feeds/server/data/feed.ts'
import { StacksFeed } from '../../feeds/stacks/data/feed.ts'
import { snapshotsOf } from '../../features/stacks/view/choice.ts'
import { contentsOf, documentOf, runExport, testCapture, type Exported } from '../../testing/exported.ts'
import { recordedText } from '../../testing/recorded.ts'
import { readInto } from '../../testing/filled-feeds.ts'
import { archiveFeed } from '../../features/archive/data/feed.ts'
import { stallSourceOf } from './stall-source.ts'
import { createArchives } from './archives.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const RANGE = { startTicks: at(0), endTicks: at(60) }

/** The feeds of a page that a saved capture is made of, and that it fills. */
function page() {
  const io = new IoFeed()
  const indexing = new IndexingFeed()
  const server = new ServerFeed({ tabs: null })
  const stacks = new StacksFeed({ tabs: null })
  const archives = createArchives({ io, indexing, server, stacks, ofStalls: stallSourceOf(io, server) })
  const gapLog = new GapLog()
  const feeds = [io, indexing, stacks, archiveFeed(() => Promise.resolve(archives))]
  const open = async (bytes: Uint8Array, name: string): Promise<FileState> => {
    const files = new Files({ feeds, gapLog })
    files.open(new File([Uint8Array.from(bytes)], name))
    await files.rest()
    return files.states[0] as FileState
  }
  const save = (sources: readonly string[], gaps: readonly Gap[] = []): Promise<Exported> =>
    runExport(archives.exporters, 'archive.capture', {
      address: '#/io?v=2',
      presets: JSON.stringify({ presets: [{ name: 'token=hunter2 of Monday', lanes: 'io' }] }),
      places: placesOf(sources, 'db1.local:8080'),
      gaps,
      range: RANGE,
    })
  return { io, indexing, server, stacks, archives, gapLog, open, save }
}

const GAP: NewGap = {
  source: 'db:shop',
  lane: 'db:shop|/data/shop',
  kind: 'JournalWrite',
  reason: 'ring-lapped',
  startTicks: at(1),
  endTicks: at(2),
  missingCount: 12,
  missingBytes: 4096 as Bytes,
  detail: 'The server reported: token=hunter2.',
}

test('all rows of I/O come back to the tick and the byte, whatever their names are', async () => {
  await fc.assert(
    fc.asyncProperty(testCapture, async (capture) => {
      const before = page()
      before.io.store.ingest('db:shop', documentOf(capture), true)
      const { bytes, planned, rows } = await before.save(['db:shop'])
      const after = page()
      expect(await after.open(bytes, 'mine.rookery')).toMatchObject({
        phase: 'read',
        picture: {
          address: '#/io?v=2',
          presets: '{"presets":[{"name":"token=[removed] of Monday","lanes":"io"}]}',
        },
      })
      const own = (of: typeof before): unknown =>
        contentsOf(of.io.store).map(({ path, tracks }) => [
          path,
          tracks.map((track) => [track.totals, track.rows.length, track.rollUps.length]),
        ])
      expect(own(after)).toEqual(own(before))
      expect(rows).toBe(planned)
    }),
    { numRuns: 20 },
  )
})

test('batches, gaps, figures and facts of live and recorded servers come back under their own servers', async () => {
  const before = page()
  const performance = recordedText('7.1', 'indexes-performance-map.json')
  readInto(before.indexing, 'db:shop', performance.replace(/"Completed": ?"[^"]*"/, '"Completed": null'))
  expect([...before.indexing.store.indexes.values()].map(({ open }) => open.size)).toContain(1)
  before.server.model.series.append('cpu.machine', at(10), 25)
  before.server.model.series.append('cpu.machine', at(11), 35)
  const records: readonly ArchiveRecord[] = [
    { t: 'vital', key: 'cpu.process', ticks: [at(3), at(4)], values: [1, 2] },
    { t: 'finding', id: 'f', level: 'warning', title: 'Found', startTicks: at(3), endTicks: at(5), json: '{}' },
    {
      t: 'query',
      id: 'q',
      startTicks: at(1),
      endTicks: at(9),
      json: JSON.stringify({ query: "from X where password='hunter2'", lastTicks: at(9), startTicks: at(1) }),
    },
  ]
  for (const record of records) {
    const rows = tableRowsOf(record)
    if (rows !== null) before.archives.servers.takeRows(rows, () => 'file:nightly/b_8080/server')
  }
  const id = before.gapLog.add(GAP)
  const gap = before.gapLog.get(id) as Gap
  const sources = ['server', 'db:shop', 'file:nightly/b_8080/server']
  for (const [coverage, reason] of [
    [before.server.model.coverage, 'server-stopped'],
    [before.server.model.detailCoverage, 'tab-hidden'],
  ] as const) {
    coverage.received(at(10))
    coverage.ended(reason, 'password=hunter2')
    coverage.received(at(20))
  }
  const { bytes, planned, rows } = await before.save(sources, [gap])
  expect(rows).toBe(planned)

  const after = page()
  const { sources: opened } = await after.open(bytes, 'copy.rookery')
  const [server = '', shop = '', other = ''] = placesOf(sources, 'db1.local:8080').map((place) =>
    placedIn('copy.rookery', place),
  )
  expect(new Set(opened)).toEqual(new Set([server, shop, other]))
  expect(after.gapLog.snapshot(null).slice(0, 1)).toMatchObject([
    { ...GAP, source: shop, lane: `${shop}|/data/shop`, detail: 'The server reported: token=[removed]' },
  ])
  const batchesOf = ({ indexing }: typeof before): unknown =>
    [...indexing.store.indexes.values()].map(({ name, tables, open }) => [
      name,
      Object.values(tables).map(({ length, totals }) => [length, totals.busy]),
      Array.from(open.values(), ({ id, startTicks, batch }) => [id, startTicks, batch.durationMs]),
    ])
  expect(batchesOf(after)).toEqual(batchesOf(before))
  const valuesOf = (source: string, key: string): number[] =>
    [...(after.archives.servers.seriesOf([source]).get(key)?.parts(10) ?? [])].flatMap(({ values }) => values)
  expect(valuesOf(server, 'cpu.machine')).toEqual([25, 35])
  expect(valuesOf(other, 'cpu.process')).toEqual([1, 2])
  const figures = after.archives.servers.responses['archive.series']({
    ...RANGE,
    sources: [server],
    keys: [],
    maxPoints: 1,
  })
  const silence = { startTicks: at(10), endTicks: at(20), detail: 'password=[removed]' }
  expect(figures.gaps).toEqual([
    { ...silence, reason: 'server-stopped' },
    { ...silence, reason: 'tab-hidden', isOfDetails: true },
  ])
  const facts = after.archives.servers.responses['archive.facts']({ sources: [other] })
  expect(facts.findings.map(({ title, startTicks }) => [title, startTicks])).toEqual([['Found', at(3)]])
  expect(facts.queries.map(({ query }) => query)).toEqual(['from X where password=[removed]'])
})

test('stack snapshots come back with the same threads and stacks, below the server of the recording', async () => {
  const before = page()
  for (const file of ['stack-trace-indexing.json', 'stack-trace-writing.json'])
    readInto(before.stacks, 'server', recordedText('7.1', file))
  const zip = readFileSync(join(import.meta.dirname, '../../testing/recorded/7.1/debug-info-package.zip'))
  await before.open(zip, 'mail.zip')
  const sources = ['db:shop', 'server', 'file:mail.zip/server-wide']
  const { bytes, planned, rows } = await before.save(sources)
  expect(rows).toBe(planned)
  const after = page()
  const opened = await after.open(bytes, 'copy.rookery')
  const places = placesOf(sources, 'db1.local:8080')
  const [shop = '', server = '', packaged = ''] = places.map((place) => placedIn('copy.rookery', place))
  expect(opened.sources).toEqual(expect.arrayContaining([server, packaged]))
  const moved = new Map([
    ['server', server],
    ['file:mail.zip/server-wide', packaged],
  ])
  const snapshotsIn = ({ stacks: { store } }: typeof before, sourceOf: (source: string) => string): unknown =>
    Array.from(
      store.snapshots.values(),
      ({ info: { source, atTicks, nodeTag, sampled, threads, problems }, rows }) => ({
        info: { source: sourceOf(source), atTicks, nodeTag, sampled, threads, problems },
        rows: Array.from({ length: rows.length }, (_, row) => [
          store.identities[rows.identity[row] ?? -1],
          store.stacks.path(rows.node[row] ?? 0).map((frame) => store.frames.text(frame)),
          store.job(rows.job[row] ?? 0).key,
          [rows.wait, rows.waitRule, rows.flags, rows.cpuPercent, rows.totalCpuMs, rows.userCpuMs].map((of) => of[row]),
          [rows.state, rows.priority, rows.waitReason].map((of) => store.words[of[row] ?? 0]),
        ]),
      }),
    )
  expect(snapshotsIn(after, (source) => source)).toEqual(snapshotsIn(before, (source) => moved.get(source) ?? source))
  const all = Array.from(after.stacks.store.snapshots.values(), ({ info }) => info)
  expect(snapshotsOf(all, [shop]).map(({ id }) => id)).toEqual([1, 2])
  expect(snapshotsOf(all, [packaged]).map(({ sampled }) => sampled)).toEqual([32, 0])
})

test('lines of a log come back without what looks like a secret', async () => {
  const before = page()
  const line = { level: 'warn', resource: 'shop', logger: 'Raven.Server', component: 'x' }
  const rows = tableRowsOf({ t: 'log', atTicks: at(3), ...line, message: 'Refused, token=hunter2' })
  if (rows !== null) before.archives.servers.takeRows(rows, () => 'file:nightly/b_8080/server')
  const sources = ['file:nightly/b_8080/server']
  const saved = await before.save(sources)
  expect([saved.rows, saved.planned]).toEqual([1, 1])
  const after = page()
  await after.open(saved.bytes, 'copy.rookery')
  const facts = after.archives.servers.responses['archive.facts']({ sources: ['file:copy.rookery/b_8080/server'] })
  expect(facts.log).toEqual([
    {
      node: 'b_8080',
      atTicks: at(3),
      level: 'warn',
      resource: 'shop',
      logger: 'Raven.Server',
      message: 'Refused, token=[removed]',
    },
  ])
})

test('a file that is cut or of a later version ends in a sentence', async () => {
  const before = page()
  before.io.store.ingest('db:shop', documentOf(fc.sample(testCapture, { numRuns: 1, seed: 3 })[0] as never), true)
  const { bytes } = await before.save(['db:shop'])
  for (const length of [1600, bytes.length - 2048]) {
    const cut = await page().open(bytes.subarray(0, length), 'cut.rookery')
    expect(cut).toMatchObject({ phase: 'broken', message: 'The file is cut: what was saved last is missing.' })
  }
  const text = Buffer.from(bytes).toString('latin1').replace('"version":1', '"version":2')
  const newer = await page().open(Buffer.from(text, 'latin1'), 'newer.rookery')
  expect(newer).toMatchObject({
    phase: 'refused',
    message: expect.stringMatching(/version 2.*use a newer one/) as string,
  })
})

test('each source has a place of its own, and each server a folder of its own', () => {
  const places = placesOf(
    [
      'file:rec/h_1/shop',
      'server',
      'db:a/b',
      'file:x.json',
      'file:n/a_1/shop',
      'file:m/a_1/lab',
      'file:m/a_1/server',
      'file:m/a_1_2/server',
      'file:n/a_1/server',
    ],
    'h:1',
  )
  expect(places.map(({ node, own }) => `${node} ${own}`)).toEqual([
    'h_1 db:shop',
    'h_1_2 server',
    'h_1_2 db:a/b',
    'files db:x.json',
    'a_1 db:shop',
    'a_1_2 db:lab',
    'a_1_2 server',
    'a_1_2_2 server',
    'a_1 server',
  ])
})
