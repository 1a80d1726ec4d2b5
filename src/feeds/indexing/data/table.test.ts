import { describe, expect, test, vi } from 'vitest'
import { EventTable } from '../../../base/columns/event-table.ts'
import { parseTicks } from '../../../base/ticks.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { inGate } from '../../../testing/gate.ts'
import {
  coraxTree,
  generatedTime,
  operation,
  wireBatch,
  wireDocument,
  wireTime,
  type BatchParts,
} from '../../../testing/generated/generated-batches.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../testing/recorded.ts'
import { NO_FILTER } from '../contract/batches.ts'
import { openState } from './responses/parts.ts'
import { CLASSES } from './index-table.ts'
import { BatchStore, type IngestResult } from './table.ts'
import { newTreeView } from './trees.ts'
import { readBatches } from './reading/decode.ts'
import { IndexingFeed } from './feed.ts'

function ingest(
  store: BatchStore,
  indexes: Readonly<Record<string, readonly BatchParts[]>>,
  { whole = true, source = 'db:a', reportedMs = Number.NaN } = {},
): IngestResult {
  const document = wireDocument(
    Object.fromEntries(Object.entries(indexes).map(([name, batches]) => [name, batches.map(wireBatch)])),
  )
  const own = store.begin(source, Number.isNaN(reportedMs) ? Number.NaN : generatedTime(reportedMs))
  expect(readBatches(bytesOf(document), store.names, own.take).count).toBe(0)
  return own.end(whole)
}

const counts = (store: BatchStore, key = 'db:a|X') =>
  CLASSES.map((kind) => store.indexes.get(key)?.tables[kind].length ?? 0)
/** `count` batches, one a second, of that id and every second one from there. */
const series = (firstId: number, count: number, parts: Partial<BatchParts> = {}, fromMs = 0): BatchParts[] =>
  Array.from({ length: count }, (_, i) => ({
    id: firstId + 2 * i,
    atMs: fromMs + i * 1000,
    ms: 10,
    documents: 5,
    ...parts,
  }))

describe('batches', () => {
  test('what is sent again is recognised; empty, worked and failed ones lie apart', () => {
    const store = new BatchStore()
    const batches = [
      { id: 1, atMs: 0, ms: 10, documents: 5 },
      { id: 2, atMs: 100, ms: 1, documents: 0 },
      { id: 3, atMs: 200, ms: 10, documents: 5, failed: 2 },
    ]
    expect(ingest(store, { X: batches })).toMatchObject({ added: 3, losses: [] })
    expect(ingest(store, { X: batches })).toMatchObject({ added: 0, losses: [] })
    expect(counts(store)).toEqual([1, 1, 1, 0])
  })

  test('two databases with an index of one name are two indexes', () => {
    const store = new BatchStore()
    const batches = [{ id: 1, atMs: 0, ms: 10, documents: 5 }]
    ingest(store, { X: batches })
    ingest(store, { X: batches }, { source: 'db:b' })
    expect([...store.indexes.keys()]).toEqual(['db:a|X', 'db:b|X'])
    expect([counts(store), counts(store, 'db:b|X')]).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ])
  })

  test('a running batch is replaced under its id until it completes', () => {
    const store = new BatchStore()
    const running = { id: 9, atMs: 0, documents: 5, isOpen: true, reason: null }
    ingest(store, { X: [{ ...running, ms: 100 }] }, { whole: false })
    ingest(store, { X: [{ ...running, ms: 3100, documents: 50 }] }, { whole: false })
    const index = store.indexes.get('db:a|X')!
    expect([...index.open.values()].map(({ batch }) => batch.durationMs)).toEqual([3100])
    // An older frame that comes late takes nothing back.
    ingest(store, { X: [{ ...running, ms: 100 }] }, { whole: false })
    expect([...index.open.values()].map(({ batch }) => batch.documentsIn)).toEqual([50])
    ingest(store, { X: [{ ...running, ms: 4000, isOpen: false }] }, { whole: false })
    expect([index.open.size, counts(store)]).toEqual([0, [1, 0, 0, 0]])
    ingest(store, { X: [{ ...running, ms: 3100 }] }, { whole: false })
    expect(index.open.size).toBe(0)
  })

  test('one that never completes is lost once a newer one of its index is seen', () => {
    const store = new BatchStore()
    ingest(store, { X: [{ id: 9, atMs: 0, ms: 100, documents: 5, isOpen: true }] })
    const index = store.indexes.get('db:a|X')!
    expect(Array.from(index.open.values(), (open) => openState(store, open))).toEqual(['running'])
    ingest(store, { X: [{ id: 12, atMs: 5000, ms: 100, documents: 5 }] })
    expect(Array.from(index.open.values(), (open) => openState(store, open))).toEqual(['lost'])
  })

  test('a running batch whose newest operation waits is waiting', () => {
    const store = new BatchStore()
    const wait = { Name: 'Wait/ConcurrentlyRunningIndexesLimit', DurationInMs: 9, Operations: [] }
    const details = { Name: 'Indexing', DurationInMs: 10, Operations: [wait] }
    ingest(store, { X: [{ id: 9, atMs: 0, ms: 10, documents: 0, isOpen: true, details }] })
    const index = store.indexes.get('db:a|X')!
    expect(Array.from(index.open.values(), (open) => openState(store, open))).toEqual(['waiting'])
  })
})

describe('loads of a database', () => {
  test('ids that restart are another load, and no duplicates', () => {
    const store = new BatchStore()
    ingest(store, { X: series(101, 5), Y: series(102, 5) })
    const { newLoad, added } = ingest(store, { X: series(1, 5, {}, 60_000), Y: series(2, 5, {}, 60_100) })
    expect([newLoad, added]).toEqual([true, 10])
    const loads = store.loadsOf('db:a')
    expect(loads.starts).toEqual([generatedTime(0), generatedTime(60_000)])
    expect([loads.epochAt(generatedTime(59_000)), loads.epochAt(generatedTime(61_000))]).toEqual([0, 1])
  })

  test('an index that is listed after another and began a little earlier belongs to the same load', () => {
    const store = new BatchStore()
    ingest(store, { X: series(101, 5) })
    ingest(store, { X: series(2, 3, {}, 60_000), Y: series(1, 3, {}, 59_990) })
    expect(store.loadsOf('db:a').starts).toEqual([generatedTime(0), generatedTime(59_990)])
  })

  test('files may come in any order', () => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 5, {}, 60_000) })
    ingest(store, { X: series(101, 5) })
    const loads = store.loadsOf('db:a')
    expect([loads.epochAt(generatedTime(0)), loads.epochAt(generatedTime(60_000))]).toEqual([0, 1])
    expect(loads.starts).toHaveLength(2)
  })
})

describe('rings', () => {
  test('25 new batches that do not reach back are a loss, at most as large as ids allow', () => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 3), Y: series(2, 3) })
    // X continues at id 101; Y's ring reaches back and holds 25 of the ids between.
    const late = 100_000
    const { losses } = ingest(store, {
      X: series(101, 25, {}, late),
      Y: [...series(2, 3), ...series(50, 22, {}, late - 50_000)],
    })
    expect(losses).toMatchObject([
      { index: { name: 'X' }, startTicks: generatedTime(2010), endTicks: generatedTime(late), mostMissing: 95 - 22 },
    ])
  })

  test.each([
    ['that overlap', [...series(3, 2, {}, 1000), ...series(101, 23, {}, 100_000)], []],
    ['that are fewer than a ring holds, and reach back', series(1, 10), []],
    ['whose ids follow each other with those of others', series(7, 25, {}, 100_000), series(6, 25, {}, 99_990)],
  ])('batches %s are none', (_, own, others) => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 3) })
    const { losses } = ingest(store, { X: own, Y: others })
    expect(losses.map(({ index, mostMissing }) => [index.name, mostMissing])).toEqual([])
  })

  test('a ring that restarted in a loaded database lost what its index did before', () => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 3), Y: series(2, 3) })
    const { losses } = ingest(store, {
      X: series(101, 10, {}, 100_000),
      Y: [...series(2, 3), ...series(52, 2, {}, 50_000)],
    })
    expect(losses).toMatchObject([
      { index: { name: 'X' }, endTicks: generatedTime(100_000), mostMissing: 95 - 2, cause: 'restarted' },
    ])
    expect(ingest(store, { X: series(101, 11, {}, 100_000) }).losses).toEqual([])
  })

  test('a ring that restarted after responses without anything new lost nothing before them', () => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 3), Y: series(2, 3) }, { reportedMs: 6000 })
    ingest(store, { X: series(1, 3), Y: series(2, 3) }, { reportedMs: 60_000 })
    const { losses } = ingest(store, { X: series(101, 10, {}, 70_000), Y: series(2, 3) }, { reportedMs: 90_000 })
    expect(losses).toMatchObject([{ startTicks: generatedTime(60_000), endTicks: generatedTime(70_000) }])
  })

  test('of many indexes cost work in proportion to their number', () => {
    const searches = (count: number): number => {
      const store = new BatchStore()
      const rings = (firstId: number, fromMs: number) =>
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`X${i}`, series(firstId + 1000 * i, 25, {}, fromMs + i)]),
        )
      ingest(store, rings(1, 0))
      const search = vi.spyOn(EventTable.prototype, 'lowerBound')
      expect(ingest(store, rings(1_000_001, 100_000)).losses).toHaveLength(count)
      const { length } = search.mock.calls
      search.mockRestore()
      return length
    }
    expect(searches(160)).toBeLessThanOrEqual(2.2 * searches(80))
  })

  describe('of an index that a whole response lacks', () => {
    const other = { Y: series(2, 3) }
    const at = (reportedMs: number) => ({ reportedMs })

    test('are lost between the response that had it and the one that lacks it, and that is all', () => {
      const store = new BatchStore()
      ingest(store, { X: series(1, 3), ...other }, at(3000))
      expect(ingest(store, other, at(6000)).losses).toMatchObject([
        { index: { name: 'X' }, startTicks: generatedTime(3000), endTicks: generatedTime(6000), cause: 'gone' },
      ])
      expect(ingest(store, other, at(9000)).losses).toEqual([])
    })

    test('nothing is lost of one of that name which comes later, while its ring has its first batch', () => {
      const store = new BatchStore()
      ingest(store, { X: series(1, 3), ...other }, at(3000))
      ingest(store, other, at(6000))
      expect(ingest(store, { X: series(101, 10, {}, 7000), ...other }, at(20_000)).losses).toEqual([])
      ingest(store, other, at(30_000))
      expect(ingest(store, { X: series(201, 25, {}, 40_000), ...other }, at(70_000)).losses).toMatchObject([
        { startTicks: generatedTime(30_000), endTicks: generatedTime(40_000), cause: 'lapped' },
      ])
    })

    test('one that came since, and has a full ring, may have lost its first batches', () => {
      const store = new BatchStore()
      ingest(store, other, at(3000))
      expect(ingest(store, { X: series(101, 25, {}, 10_000), ...other }, at(40_000)).losses).toMatchObject([
        { index: { name: 'X' }, startTicks: generatedTime(3000), endTicks: generatedTime(10_000), cause: 'lapped' },
      ])
      // Whatever there was when it was looked at for the first time is history.
      expect(ingest(new BatchStore(), { X: series(101, 25, {}, 10_000) }, at(40_000)).losses).toEqual([])
    })

    test('nothing is lost in a file, in a delta, or of an index that was not there before', () => {
      const store = new BatchStore()
      ingest(store, { X: series(1, 3), ...other })
      expect(ingest(store, other).losses).toEqual([])
      ingest(store, other, at(3000))
      expect(ingest(store, other, at(6000)).losses).toEqual([])
      ingest(store, { X: series(1, 3) }, { reportedMs: 9000, whole: false })
      expect(ingest(store, {}, { reportedMs: 12_000, whole: false }).losses).toEqual([])
    })

    test('a replacement that got its name loses nothing, but what it replaced does', () => {
      const store = new BatchStore()
      const built = series(2, 3)
      ingest(store, { X: series(1, 3), 'ReplacementOf/X': built }, at(3000))
      expect(
        ingest(store, { X: [...built, { id: 9, atMs: 5000, ms: 10, documents: 1 }] }, at(6000)).losses,
      ).toMatchObject([{ index: { name: 'X' }, endTicks: generatedTime(6000), cause: 'replaced' }])
    })
  })

  test('rings that restarted with their database are no losses of single indexes', () => {
    const store = new BatchStore()
    ingest(store, { X: series(501, 3) })
    expect(ingest(store, { X: series(1, 10, {}, 100_000) }).losses).toEqual([])
  })

  test('a delta of the socket is no ring', () => {
    const store = new BatchStore()
    ingest(store, { X: series(1, 3) })
    expect(ingest(store, { X: series(101, 25, {}, 100_000) }, { whole: false }).losses).toEqual([])
  })

  test('after another load it is unknown how many', () => {
    const store = new BatchStore()
    ingest(store, { X: series(501, 3) })
    const { losses } = ingest(store, { X: series(1, 25, {}, 100_000) })
    expect(losses).toMatchObject([{ mostMissing: Number.NaN }])
  })
})

test('a batch of a typical Corax index takes at most 400 bytes, its tree included', () => {
  const store = new BatchStore()
  const batches = inGate(7500, 20_000)
  let jsonBytes = 0
  for (let at = 0; at < batches; at += 500) {
    const own = store.begin('db:a', Number.NaN)
    const names = Array.from({ length: 10 }, (_, i) => `Index${i}`)
    const document = wireDocument(
      Object.fromEntries(
        names.map((name, n) => [
          name,
          Array.from({ length: 50 }, (_, i) => {
            const id = at + i * 10 + n
            const ms = 5 + (id % 977) * 3.17
            return wireBatch({ id, atMs: id * 300, ms, documents: id % 5000, details: coraxTree(id, ms) })
          }),
        ]),
      ),
    )
    jsonBytes += JSON.stringify(document).length
    readBatches(bytesOf(document), store.names, own.take)
    own.end(true)
  }
  let rows = 0
  for (const index of store.indexes.values()) rows += index.length
  const { tables, other } = store.byteLength
  expect(rows).toBe(batches)
  expect(jsonBytes / batches).toBeGreaterThan(8000)
  expect((tables + other) / batches).toBeLessThan(400)
  const view = newTreeView()
  store.trees.read(store.indexes.get('db:a|Index3')!.tables.worked.read(17, 700), view)
  expect(view.length).toBe(55)
})

test('a pass that only trains the dictionary of a Corax index is no batch that indexed or failed', async () => {
  const feed = new IndexingFeed()
  const train = (also: object, operations = [operation('Corax/DictionaryTraining', 1500)]) =>
    wireBatch({
      id: 1,
      atMs: 0,
      ms: 1500,
      documents: 16_384,
      failed: 16_384,
      reason: null,
      details: operation('Indexing', 1500, operations),
      also,
    })
  const own = feed.store.begin('db:a', Number.NaN)
  const both = [operation('Corax/DictionaryTraining', 10), operation('Map', 1400)]
  const rows = [
    train({}),
    train({ Id: 2, Started: wireTime(5000) }, both),
    wireBatch({ id: 3, atMs: 9000, ms: 40, documents: 512 }),
  ]
  readBatches(bytesOf(wireDocument({ X: rows })), feed.store.names, own.take)
  own.end(true)
  // Worked, empty, failed, training: one that mapped as well is a batch like any other.
  expect(counts(feed.store)).toEqual([1, 0, 1, 1])
  const { total } = await feed.responses['indexing.summary'](
    {
      startTicks: generatedTime(0),
      endTicks: generatedTime(60_000),
      indexes: ['db:a|X'],
      filter: NO_FILTER,
      largestLimit: 9,
    },
    null as never,
    new AbortController().signal,
  )
  expect(total).toMatchObject({
    counts: { batches: 2, worked: 1, failed: 1, training: 1 },
    documentsIn: 16_384 + 512,
    documentsFailed: 16_384,
    training: { batches: 1, documents: 16_384, busyTicks: 15_000_000 },
    busyTicks: 15_400_000,
  })
  expect(feed.summary().map(({ kind, count }) => [kind, count])).toEqual([
    ['batch worked', 1],
    ['batch failed', 1],
    ['batch training', 1],
  ])
})

test.each(RECORDED_LINES)('the invariant watch is silent on every recording of %s', (line) => {
  const feed = new IndexingFeed()
  const read = (document: unknown): void => {
    const own = feed.store.begin('db:a', parseTicks('2030-01-01T00:00:00Z'))
    readBatches(bytesOf(document), feed.store.names, own.take)
    own.end(true)
  }
  for (const name of ['map', 'map-reduce', 'capped-and-lucene', 'low-memory'])
    read(recordedJson(line, `indexes-performance-${name}.json`))
  for (const frame of recordedFrames(line, 'indexes-performance-live.ndjson')) read(JSON.parse(frame))
  expect(feed.watchdog.checked).toBeGreaterThan(20)
  expect(feed.watchdog.findings).toEqual([])
})
