import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CssPx } from '../../../base/brand.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { readDocument } from '../../../capture/reading/document.ts'
import { sniffPaths } from '../../../capture/reading/sniff.ts'
import { listZip, openZipEntry } from '../../../capture/reading/zip.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { recordedText } from '../../../testing/recorded.ts'
import { IndexingFeed } from './feed.ts'
import { humaneBytes } from '../../../ravendb/humane-bytes.ts'

const signal = new AbortController().signal
const GIB = 1024 ** 3

/** As the host reads a document; false: the feed does not know it. */
async function open(feed: IndexingFeed, source: SourceId, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const paths = sniffPaths(bytes.subarray(0, 65_536))
  if (!feed.recognises(paths)) return false
  await readDocument(new Blob([bytes]).stream(), {
    choose: (seen) => feed.reader(source, new GapLog(), () => {}, seen),
    mismatch: () => {},
    progress: () => {},
    signal,
    turn: () => Promise.resolve(),
    now: () => 0,
  })
  return true
}

const openText = (feed: IndexingFeed, source: SourceId, text: string): Promise<boolean> =>
  open(feed, source, new TextEncoder().encode(text))

async function openPackage(order: (names: readonly string[]) => readonly string[]): Promise<IndexingFeed> {
  const feed = new IndexingFeed()
  const file = join(import.meta.dirname, '../../../testing/recorded/7.1/debug-info-package.zip')
  const zip = new Blob([readFileSync(file)])
  const entries = new Map((await listZip(zip))?.map((entry) => [entry.name, entry]))
  for (const name of order([...entries.keys()])) {
    const entry = entries.get(name)!
    if (!name.endsWith('.json') || entry.bytes === 0) continue
    const bytes = new Uint8Array(await new Response(await openZipEntry(zip, entry)).arrayBuffer())
    await open(feed, `file:pkg.zip/${name.slice(0, name.lastIndexOf('/'))}`, bytes)
  }
  return feed
}

describe('a debug package', () => {
  test.each([
    ['in its order', (names: readonly string[]) => names],
    ['in the opposite one', (names: readonly string[]) => names.toReversed()],
  ])('%s reports indexes, their threads and the machine', async (_, order) => {
    const feed = await openPackage(order)
    const sources = ['file:pkg.zip/northwind']
    const { indexes, reportsMemory } = feed.responses['indexing.indexes']({ sources })
    expect(reportsMemory).toBe(true)
    expect(indexes.length).toBeGreaterThan(3)
    for (const { facts, counts } of indexes) {
      expect(facts).toMatchObject({ status: 'Running', searchEngine: 'Corax', isStale: false })
      expect([facts?.threadAllocationBytes, facts?.budgetBytes]).toEqual([null, null])
      expect(counts.batches).toBeGreaterThan(0)
    }
    const atTicks = parseTicks('2026-11-20T04:12:54.8000000Z')
    expect(feed.extent()!.endTicks).toBeGreaterThan(atTicks - 10_000_000)
    const { responses } = await feed.later()
    const bar = responses['indexing.bar']({ sources, atTicks: feed.extent()!.endTicks })
    expect(bar.bar?.physicalBytes).toBeGreaterThan(GIB)
    expect(bar.bar?.severity).toBeNull()
    expect(bar.indexes.filter(({ nowBytes }) => nowBytes !== null).length).toBeGreaterThan(0)
    expect(bar.indexes.every(({ grantedBytes }) => grantedBytes === null)).toBe(true)
    expect(feed.watchdog.findings).toEqual([])
  })

  test('is another machine than the server that is watched', async () => {
    const feed = await openPackage((names) => names)
    expect(feed.memory.length).toBe(0)
    expect(feed.responses['indexing.indexes']({ sources: ['db:northwind'] }).reportsMemory).toBe(false)
    const pieces = [{ ...feed.extent()!, startPx: 0 as CssPx, endPx: 100 as CssPx }]
    const { responses } = await feed.later()
    const of = (source: SourceId): number => responses['indexing.memory']({ sources: [source], pieces }).length
    expect([of('db:northwind'), of('file:pkg.zip/northwind'), of('file:other.zip/northwind')]).toEqual([0, 1, 0])
  })
})

describe('single files', () => {
  test('indexes/stats of 5.4 shows what each index holds and may hold, at the moment it was written', async () => {
    const feed = new IndexingFeed()
    expect(await openText(feed, 'file:stats.json', recordedText('5.4', 'indexes-stats.json'))).toBe(true)
    const { indexes } = feed.responses['indexing.indexes']({ sources: ['file:stats.json'] })
    expect(indexes.length).toBeGreaterThan(3)
    const healthy = indexes.filter(({ trouble }) => trouble === null)
    expect(indexes.filter(({ trouble }) => trouble === 'error').map(({ name }) => name)).toEqual(['Events/Faulty'])
    expect(healthy.every(({ facts }) => facts?.budgetBytes === 32 * 2 ** 20)).toBe(true)
    const at = indexes[0]!.facts!.atTicks
    expect(feed.extent()).toEqual({ startTicks: at - 1e8, endTicks: at + 1 + 1e8 })
    const pieces = [{ startTicks: at, endTicks: (at + 1000) as Ticks, startPx: 0 as CssPx, endPx: 1 as CssPx }]
    const keys = healthy.map(({ key }) => key)
    const { responses } = await feed.later()
    const { rows } = await responses['indexing.budgets']({ indexes: keys, pieces }, null as never, signal)
    expect(
      rows.every(
        ({ thread, nowBytes, grantedBytes }) => thread === 'known' && nowBytes[0]! >= 0 && grantedBytes[0]! > 0,
      ),
    ).toBe(true)
  })

  test.each(['7.1', '5.4'] as const)('indexes/progress and the low-memory log of %s', async (version) => {
    const feed = new IndexingFeed()
    const source = 'file:a.json'
    await openText(feed, source, recordedText(version, 'indexes-stats.json'))
    await openText(feed, source, recordedText(version, 'indexes-progress.json'))
    await openText(feed, 'file:log.json', recordedText(version, 'memory-low-mem-log.json'))
    const { indexes } = feed.responses['indexing.indexes']({ sources: [source] })
    for (const { progress } of indexes) if (progress !== null) expect(progress.itemsLeft).toBeGreaterThan(0)
    const { endTicks } = feed.extent()!
    const pieces = [
      { startTicks: 0 as Ticks, endTicks: (endTicks + 1e12) as Ticks, startPx: 0 as CssPx, endPx: 10 as CssPx },
    ]
    const { responses } = await feed.later()
    const { lowMemory } = responses['indexing.memory']({ sources: ['file:log.json'], pieces })
    expect(lowMemory.some(({ isLow }) => isLow)).toBe(true)
  })

  test('one that is cut off keeps the records that are whole', async () => {
    const feed = new IndexingFeed()
    const text = recordedText('7.1', 'indexes-stats.json')
    await openText(feed, 'file:cut.json', text.slice(0, text.length * 0.6))
    const { indexes } = feed.responses['indexing.indexes']({ sources: ['file:cut.json'] })
    expect(indexes.length).toBeGreaterThan(0)
    expect(indexes.some(({ trouble }) => trouble === 'gone')).toBe(false)
  })

  test('other documents are not read', async () => {
    expect(await openText(new IndexingFeed(), 'file:x.json', '{"Results":[]}')).toBe(false)
    expect(await openText(new IndexingFeed(), 'file:x.json', '{"Results":[{"Name":"a"}]}')).toBe(false)
  })
})

test.each([
  ['1.859 GBytes', 1.859 * GIB],
  ['192 KBytes', 192 * 1024],
  ['0 Bytes', 0],
  ['1,023.5 MBytes', 1023.5 * 1024 ** 2],
  ['-2 Bytes', Number.NaN],
  ['lots', Number.NaN],
  [12, Number.NaN],
])('%j in bytes', (text, bytes) => expect(humaneBytes(text)).toBe(Math.round(bytes)))
