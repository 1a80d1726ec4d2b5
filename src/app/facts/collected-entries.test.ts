import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { Bytes } from '../../base/brand.ts'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import type { Gap } from '../../capture/client/state.ts'
import { Files } from '../../capture/reading/files.ts'
import { GapLog } from '../../capture/worker/gap-log.ts'
import { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { packageExporters } from '../../feeds/server/data/package-export.ts'
import { contentsOf, documentOf, runExport, testCapture, type Exported } from '../../testing/exported.ts'
import { readInto } from '../../testing/filled-feeds.ts'
import { recordedText } from '../../testing/recorded.ts'
import { collectedEntriesOf } from './collected-entries.ts'

const AT = parseTicks('2026-11-27T02:00:00.0000000Z')
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** The feeds that a package is written from, and that it fills. */
function page() {
  const io = new IoFeed()
  const indexing = new IndexingFeed()
  const gapLog = new GapLog()
  const ring = { entry: 'io-metrics', database: 'shop', bytes: encode({ Environments: [] }), atMs: 0 }
  const version = { entry: 'build.version', database: null, bytes: encode({ FullVersion: '7.1.5' }), atMs: 0 }
  const exporters = packageExporters({
    newest: () => [ring, version],
    collected: collectedEntriesOf(io, indexing),
    nowMs: () => 0,
    ticksAt: () => AT,
    nodeTag: () => 'A',
  })
  const save = (gaps: readonly Gap[] = []): Promise<Exported> => runExport(exporters, 'server.package', { gaps })
  const open = async (bytes: Uint8Array): Promise<void> => {
    const files = new Files({ feeds: [io, indexing], gapLog })
    files.open(new File([Uint8Array.from(bytes)], 'copy.zip'))
    await files.rest()
    expect(files.states).toMatchObject([{ phase: 'read' }])
  }
  return { io, indexing, gapLog, save, open }
}

const tracksOf = ({ io }: ReturnType<typeof page>): unknown =>
  contentsOf(io.store).map(({ path, tracks }) => [
    path,
    tracks.map(({ totals, rows, rollUps }) => [totals, rows.length, rollUps.length]),
  ])

test('a package has the I/O that was collected, to the tick and the byte, whatever its names are', async () => {
  await fc.assert(
    fc.asyncProperty(testCapture, async (capture) => {
      const before = page()
      before.io.store.ingest('db:shop', documentOf(capture), true)
      const { bytes, planned, rows } = await before.save()
      expect(rows).toBe(planned)
      const after = page()
      await after.open(bytes)
      expect(tracksOf(after)).toEqual(tracksOf(before))
    }),
    { numRuns: 20 },
  )
})

test('server and databases keep their own I/O, batches and gaps; other files are left out, and so are secrets', async () => {
  const before = page()
  const path = '/mnt/Password=hunter2/shop'
  const io = recordedText('7.1', 'io-metrics.json')
  const {
    Environments: [first],
  } = JSON.parse(io) as { Environments: { Path: string }[] }
  readInto(before.io, 'db:shop', io.replaceAll(JSON.stringify(first?.Path), JSON.stringify(path)))
  readInto(before.io, 'server', recordedText('7.1', 'admin-io-metrics.json'))
  readInto(before.io, 'file:other.json', io)
  const performance = recordedText('7.1', 'indexes-performance-map.json')
  readInto(before.indexing, 'db:shop', performance.replace(/"Completed": ?"[^"]*"/, '"Completed": null'))
  readInto(before.indexing, 'file:other.json', performance)
  const gap: Gap = {
    id: 1,
    source: 'db:shop',
    lane: null,
    kind: null,
    reason: 'socket-closed',
    startTicks: AT,
    endTicks: (AT + TICKS_PER_SECOND) as Ticks,
    missingCount: 3,
    missingBytes: 12 as Bytes,
    detail: 'token=hunter2',
  }
  const { bytes, rows, planned } = await before.save([gap])
  expect(rows).toBe(planned)
  const entries = unzipSync(bytes)
  expect(Object.keys(entries).toSorted()).toEqual([
    'server-wide/admin.io-metrics.json',
    'server-wide/build.version.json',
    'shop/indexes.performance.json',
    'shop/io-metrics.json',
  ])
  const text = Object.values(entries)
    .map((entry) => new TextDecoder().decode(entry))
    .join('\n')
  expect(text).not.toContain('hunter2')
  expect(JSON.parse(new TextDecoder().decode(entries['shop/indexes.performance.json']))).toMatchObject({
    '@metadata': { DateTime: '2026-11-27T02:00:00.0000000Z', NodeTag: 'A' },
    Results: expect.any(Array) as unknown[],
  })

  const after = page()
  await after.open(bytes)
  const sumsOf = ({ io, indexing }: typeof before, places: Readonly<Record<string, string>>): unknown =>
    [...io.summary(), ...indexing.summary()]
      .filter(({ source }) => source in places)
      .map(({ source, environmentPath, ...row }) => [
        places[source],
        environmentPath.replace(`${source}|`, '').replace(path, '/mnt/Password=[removed]'),
        row,
      ])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const saved = sumsOf(before, { 'db:shop': 'shop', server: 'server' })
  expect(sumsOf(after, { 'file:copy.zip/shop': 'shop', 'file:copy.zip/server-wide': 'server' })).toEqual(saved)
  expect(saved).not.toEqual([])
  const runningOf = ({ indexing }: typeof before, source: string): number[] =>
    [...indexing.store.indexes.values()].filter((each) => each.source === source).map(({ open }) => open.size)
  expect(runningOf(after, 'file:copy.zip/shop')).toEqual(runningOf(before, 'db:shop'))
  expect(after.gapLog.snapshot(null)).toMatchObject([
    { source: 'file:copy.zip/shop', reason: 'socket-closed', missingCount: 3, detail: 'token=[removed]' },
  ])
})
