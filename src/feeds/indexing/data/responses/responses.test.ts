import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Bytes, CssPx } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import { inGate } from '../../../../testing/gate.ts'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import {
  coraxTree,
  generatedTime,
  operation,
  wireBatch,
  wireDocument,
  type BatchParts,
} from '../../../../testing/generated/generated-batches.ts'
import { seededRandom } from '../../../../base/random.ts'
import { readKernelMemory } from '../../../../ravendb/machine/kernel-memory.ts'
import { recordedFrames, recordedJson, recordedText } from '../../../../testing/recorded.ts'
import type { Responder } from '../../../../capture/worker/feed.ts'
import { IndexingFeed } from '../feed.ts'
import type { IndexingRequests } from '../../contract.ts'
import type { BatchFilter, BatchRow, BatchSort } from '../../contract/batches.ts'
import { BATCH_STATES, NO_FILTER } from '../../contract/batches.ts'
import { kernelSample, readMemoryFrame } from '../watching/server-wire.ts'
import { readBatches } from '../reading/decode.ts'

const MIB = 2 ** 20
const ms = (value: number): number => Math.round(value * 10_000)
const at = (milliseconds: number): Ticks => generatedTime(milliseconds)
const signal = new AbortController().signal

async function request<Name extends keyof IndexingRequests>(
  feed: IndexingFeed,
  name: Name,
  params: IndexingRequests[Name]['params'],
): Promise<IndexingRequests[Name]['response']> {
  const responses: Responder['responses'] = { ...feed.responses, ...(await feed.later()).responses }
  return responses[name]!(params, null as never, signal)
}

function put(feed: IndexingFeed, document: unknown, reportedMs = Number.NaN, source = 'db:a'): void {
  const own = feed.store.begin(source, Number.isNaN(reportedMs) ? Number.NaN : at(reportedMs))
  expect(readBatches(bytesOf(document), feed.store.names, own.take).count).toBe(0)
  own.end(true)
}

const wire = (indexes: Readonly<Record<string, readonly BatchParts[]>>) =>
  wireDocument(Object.fromEntries(Object.entries(indexes).map(([name, rows]) => [name, rows.map(wireBatch)])))

/** Three indexes with 3,000 batches that follow each other, of all kinds. */
function busyFeed() {
  const feed = new IndexingFeed()
  const chance = seededRandom(7)
  const all: (BatchParts & { index: string })[] = []
  const cursor = { X: 0, Y: 0, Z: 0 }
  for (let id = 1; id <= 3000; id++) {
    const name = (['X', 'Y', 'Z'] as const)[Math.floor(chance() * 3)]!
    const took = Math.round(chance() ** 4 * 900_000) / 100
    const kind = chance()
    const documents = kind < 0.4 ? 0 : Math.floor(chance() * 5000)
    const failed = kind > 0.97 ? Math.ceil(documents / 10) : 0
    const parts = { id, atMs: cursor[name], ms: took, documents, failed, details: coraxTree(id, took, 3) }
    cursor[name] = Math.ceil(cursor[name] + took + chance() * 3000)
    all.push({ ...parts, index: name })
  }
  const document = wireDocument(
    Object.fromEntries(['X', 'Y', 'Z'].map((name) => [name, all.filter(({ index }) => index === name).map(wireBatch)])),
  )
  put(feed, document)
  return { feed, all, endMs: Math.max(...Object.values(cursor)) }
}

const KEYS = ['db:a|X', 'db:a|Y', 'db:a|Z']
const piece = (startMs: number, endMs: number, widthPx: number, startPx = 0) => ({
  startTicks: at(startMs),
  endTicks: at(endMs),
  startPx: startPx as CssPx,
  endPx: (startPx + widthPx) as CssPx,
})

describe('lanes', () => {
  let busy: ReturnType<typeof busyFeed>
  beforeAll(() => {
    busy = busyFeed()
  })

  test('at most one mark a pixel, the longest as itself, and every batch counted once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 1500 }),
        fc.boolean(),
        async (from, length, widthPx, hideEmpty) => {
          const [startMs, endMs] = [(from / 100) * busy.endMs, ((from + length) / 100) * busy.endMs]
          const { rows } = await request(busy.feed, 'indexing.marks', {
            indexes: KEYS,
            pieces: [piece(startMs, endMs, widthPx)],
            filter: { ...NO_FILTER, hideEmpty },
          })
          const perPx = (endMs - startMs) / widthPx
          for (const [i, key] of KEYS.entries()) {
            const marks = rows[i]!
            const inside = busy.all.filter(
              (batch) =>
                `db:a|${batch.index}` === key &&
                batch.atMs >= startMs &&
                batch.atMs < endMs &&
                !(hideEmpty && batch.documents === 0),
            )
            const reaching = Array.from(marks.startTicks).filter((start) => start < at(startMs)).length
            expect(marks.count.reduce((sum, count) => sum + count, 0)).toBe(inside.length + reaching)
            for (let mark = reaching; mark < marks.length; mark++) {
              const px = Math.floor((marks.startTicks[mark]! - at(startMs)) / ms(perPx))
              const own = inside.filter((batch) => Math.floor((at(batch.atMs) - at(startMs)) / ms(perPx)) === px)
              if (own.length === 0) continue
              expect(marks.durationTicks[mark]).toBeGreaterThanOrEqual(Math.min(...own.map((batch) => ms(batch.ms))))
            }
            const longest = Math.max(0, ...inside.map((batch) => ms(batch.ms)))
            if (inside.length > 0) expect(Math.max(...marks.durationTicks)).toBeGreaterThanOrEqual(longest)
          }
        },
      ),
      { numRuns: inGate(6, 30) },
    )
  })

  test('a failed batch is never hidden by a longer one', async () => {
    const { rows } = await request(busy.feed, 'indexing.marks', {
      indexes: KEYS,
      pieces: [piece(0, busy.endMs, 20)],
      filter: NO_FILTER,
    })
    const failedBit = 1 << BATCH_STATES.indexOf('failed')
    for (const [i, name] of ['X', 'Y', 'Z'].entries()) {
      const failed = busy.all.filter((batch) => batch.index === name && (batch.failed ?? 0) > 0)
      const pixels = new Set(failed.map((batch) => Math.floor((batch.atMs / busy.endMs) * 20)))
      expect(Array.from(rows[i]!.states).filter((states) => (states & failedBit) !== 0)).toHaveLength(pixels.size)
    }
  })

  test('what reaches into the view is there; unknown indexes have no marks', async () => {
    const feed = new IndexingFeed()
    put(feed, wire({ X: [{ id: 1, atMs: 0, ms: 60_000, documents: 5 }] }))
    const { rows } = await request(feed, 'indexing.marks', {
      indexes: ['db:a|X', 'db:a|None'],
      pieces: [piece(30_000, 40_000, 100)],
      filter: NO_FILTER,
    })
    expect(Array.from(rows[0]!.startTicks)).toEqual([at(0)])
    expect(rows[1]!.length).toBe(0)
  })

  test('running, waiting and lost ones are distinguished', async () => {
    const feed = new IndexingFeed()
    const wait = operation('Indexing', 10, [operation('Wait/ConcurrentlyRunningIndexesLimit', 9)])
    put(
      feed,
      wire({
        X: [{ id: 1, atMs: 0, ms: 10, documents: 1, isOpen: true, reason: null }],
        Y: [{ id: 2, atMs: 0, ms: 10, documents: 0, isOpen: true, details: wait }],
      }),
      20,
    )
    put(feed, wire({ X: [{ id: 3, atMs: 100, ms: 10, documents: 1, isOpen: true, reason: null }] }), 120)
    const { rows } = await request(feed, 'indexing.marks', {
      indexes: ['db:a|X', 'db:a|Y'],
      pieces: [piece(0, 200, 200)],
      filter: NO_FILTER,
    })
    const states = rows.map((row) => Array.from(row.state, (state) => BATCH_STATES[state]))
    expect(states).toEqual([['lost', 'running'], ['waiting']])
    expect(rows[1]!.waitTicks[0]).toBe(ms(9))
    const { indexes } = await request(feed, 'indexing.indexes', { sources: ['db:a'] })
    expect(indexes.map(({ name, runningState }) => [name, runningState])).toEqual([
      ['X', 'running'],
      ['Y', 'waiting'],
    ])
  })

  test('the overview sums to the busy time', async () => {
    const response = await request(busy.feed, 'indexing.overview', {
      indexes: KEYS,
      startTicks: at(0),
      endTicks: at(busy.endMs),
      widthPx: 500 as CssPx,
    })
    const busyTicks = response.busyShare.reduce((sum, share) => sum + share, 0) * (ms(busy.endMs) / 500)
    const wanted = busy.all.reduce((sum, batch) => sum + ms(batch.ms), 0)
    expect(busyTicks / wanted).toBeCloseTo(1, 2)
    expect(response.failed.reduce((sum, count) => sum + count, 0)).toBe(busy.all.filter(({ failed }) => failed).length)
  })
})

describe('the tree of a batch', () => {
  test('children lie end to end inside their parents, and the rest is other', async () => {
    const feed = new IndexingFeed()
    const details = operation('Indexing', 100, [
      operation('Map', 60, [operation('Linq', 20), operation('Linq', 10)]),
      operation('Storage/Commit', 25),
    ])
    put(feed, wire({ X: [{ id: 4, atMs: 0, ms: 100, documents: 5, details }] }))
    const response = await request(feed, 'indexing.icicle', {
      index: 'db:a|X',
      pieces: [piece(0, 200, 200)],
      minPx: 4 as CssPx,
      filter: NO_FILTER,
    })
    const name = (id: number) => response.names.find(({ nameId }) => nameId === id)?.name ?? 'other'
    const rows = Array.from({ length: response.length }, (_, i) => [
      name(response.nameId[i]!),
      response.depth[i],
      (response.startTicks[i]! - at(0)) / 10_000,
      response.durationTicks[i]! / 10_000,
    ])
    expect(rows).toEqual([
      ['Indexing', 0, 0, 100],
      ['Map', 1, 0, 60],
      ['Linq', 2, 0, 20],
      ['Linq', 2, 20, 10],
      ['other', 2, 30, 30],
      ['Storage/Commit', 1, 60, 25],
      ['other', 1, 85, 15],
    ])
  })

  test('laws on recorded batches: inside the parent, no overlap, widths sum', async () => {
    const feed = new IndexingFeed()
    put(feed, recordedJson('7.1', 'indexes-performance-low-memory.json'))
    for (const frame of recordedFrames('7.1', 'indexes-performance-live.ndjson')) put(feed, JSON.parse(frame))
    const { startTicks, endTicks } = feed.extent()!
    let rectangles = 0
    for (const index of feed.store.indexes.keys()) {
      const response = await request(feed, 'indexing.icicle', {
        index,
        pieces: [{ startTicks, endTicks, startPx: 0 as CssPx, endPx: 1e6 as CssPx }],
        minPx: 0 as CssPx,
        filter: NO_FILTER,
      })
      rectangles += response.length
      const ends = new Map<string, number>()
      for (let i = 0; i < response.length; i++) {
        const end = response.startTicks[i]! + response.durationTicks[i]!
        const batch = `${response.id[i]} ${response.batchTicks[i]}`
        if (response.depth[i] === 0) ends.set(batch, end)
        expect(response.startTicks[i]).toBeGreaterThanOrEqual(response.batchTicks[i]!)
        expect(end).toBeLessThanOrEqual((ends.get(batch) ?? 0) + 1)
      }
    }
    expect(rectangles).toBeGreaterThan(1500)
  })

  test('a batch that is too narrow is counted and not expanded', async () => {
    const { feed, endMs } = busyFeed()
    const response = await request(feed, 'indexing.icicle', {
      index: 'db:a|X',
      pieces: [piece(0, endMs, 1000)],
      minPx: 1e6 as CssPx,
      filter: NO_FILTER,
    })
    expect([response.length, response.narrow]).toEqual([0, feed.store.indexes.get('db:a|X')!.length])
  })
})

describe('summary', () => {
  let busy: ReturnType<typeof busyFeed>
  beforeAll(() => {
    busy = busyFeed()
  })
  const whole = (filter: BatchFilter = NO_FILTER) => ({
    indexes: KEYS,
    startTicks: at(0),
    endTicks: at(busy.endMs + 1),
    filter,
  })

  test('equals a count by hand', async () => {
    const response = await request(busy.feed, 'indexing.summary', { ...whole(), largestLimit: 5 })
    for (const {
      index,
      counts,
      busyTicks,
      documentsIn,
      documentsFailed,
      bytes,
      p50Ticks,
      p99Ticks,
    } of response.indexes) {
      const own = busy.all.filter((batch) => `db:a|${batch.index}` === index)
      const worked = own
        .filter((batch) => batch.documents > 0)
        .map((batch) => ms(batch.ms))
        .toSorted((a, b) => a - b)
      expect(counts.batches).toBe(own.length)
      expect(counts.empty).toBe(own.length - worked.length)
      expect(counts.failed).toBe(own.filter(({ failed }) => (failed ?? 0) > 0).length)
      expect(busyTicks).toBe(own.reduce((sum, batch) => sum + ms(batch.ms), 0))
      expect(documentsIn).toBe(own.reduce((sum, { documents }) => sum + documents, 0))
      expect(documentsFailed).toBe(own.reduce((sum, { failed }) => sum + (failed ?? 0), 0))
      expect(bytes).toBe(documentsIn * 300)
      expect(p50Ticks).toBe(worked[Math.ceil(worked.length * 0.5) - 1])
      expect(p99Ticks).toBe(worked[Math.ceil(worked.length * 0.99) - 1])
    }
    const longest = busy.all.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
    expect(response.largest.map(({ id }) => id)).toEqual(longest.map(({ id }) => id))
    const { total } = response
    expect(total.busyShare).toBeCloseTo(total.busyTicks / (ms(busy.endMs) + 1), 2)
    expect(total.documentsPerBusySecond).toBeCloseTo(total.documentsIn / (total.busyTicks / TICKS_PER_SECOND), 6)
    expect(total.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(3000)
  })

  test('rates are of the time of which batches are known: a full ring of the server has dropped others', async () => {
    const feed = new IndexingFeed()
    const batch = (id: number, atMs: number): BatchParts => ({ id, atMs, ms: 100, documents: 10 })
    put(
      feed,
      wire({
        Rare: [batch(1, 0), batch(2, 50_000)],
        Busy: Array.from({ length: 25 }, (_, i) => batch(10 + i, 95_000 + i * 200)),
      }),
    )
    const indexes = [...feed.store.indexes.keys()]
    const range = { startTicks: at(0), endTicks: at(100_000) }
    const { indexes: summaries } = await request(feed, 'indexing.summary', {
      ...range,
      indexes,
      filter: NO_FILTER,
      largestLimit: 0,
    })
    const [rare, busy] = summaries
    expect(rare).toMatchObject({ knownTicks: ms(100_000), documentsPerSecond: 0.2 })
    expect(rare?.busyShare).toBeCloseTo(0.002)
    expect(busy).toMatchObject({ knownTicks: ms(5000) })
    expect(busy?.documentsPerSecond).toBeCloseTo(50)
    expect(busy?.busyShare).toBeCloseTo(0.5)
  })

  test('time by operation sums to the busy time, at every level', async () => {
    const { total } = await request(busy.feed, 'indexing.summary', { ...whole(), largestLimit: 0 })
    const { operations, otherTicks, busyTicks, batches, longestTicks } = await request(
      busy.feed,
      'indexing.operations',
      whole(),
    )
    expect({ busyTicks, batches, longestTicks }).toEqual({
      busyTicks: total.busyTicks,
      batches: total.counts.batches,
      longestTicks: total.maxTicks,
    })
    expect(operations.reduce((sum, { selfTicks }) => sum + selfTicks, 0) + otherTicks).toBe(total.busyTicks)
    for (const [i, { totalTicks, selfTicks }] of operations.entries()) {
      const children = operations.filter(({ parent }) => parent === i)
      expect(selfTicks + children.reduce((sum, child) => sum + child.totalTicks, 0)).toBe(totalTicks)
    }
    expect(operations.find(({ path }) => path === 'Map › Collection_Orders › Linq')?.batches).toBe(3000)
  })

  test('a filter counts what it lets through', async () => {
    const filter = { ...NO_FILTER, minTicks: ms(1000) as TickSpan, minDocuments: 100 }
    const { total } = await request(busy.feed, 'indexing.summary', { ...whole(filter), largestLimit: 0 })
    expect(total.counts.batches).toBe(
      busy.all.filter((batch) => ms(batch.ms) >= ms(1000) && batch.documents >= 100).length,
    )
    const unmet = whole({ ...NO_FILTER, reason: 'low-memory' })
    const none = await request(busy.feed, 'indexing.summary', { ...unmet, largestLimit: 3 })
    expect([none.total.counts.batches, none.largest]).toEqual([0, []])
    expect((await request(busy.feed, 'indexing.operations', unmet)).operations).toEqual([])
    expect(none.total.p50Ticks).toBeNaN()
    expect(none.total.documentsPerBusySecond).toBeNaN()
  })

  test('stop reasons of recorded batches are counted by what they mean', async () => {
    const feed = new IndexingFeed()
    put(feed, recordedJson('7.1', 'indexes-performance-low-memory.json'))
    const { startTicks, endTicks } = feed.extent()!
    const indexes = [...feed.store.indexes.keys()]
    const { total } = await request(feed, 'indexing.summary', {
      indexes,
      startTicks,
      endTicks,
      filter: NO_FILTER,
      largestLimit: 1,
    })
    expect(total.reasons.map(({ code, count }) => [code, count])).toEqual([
      ['no-more-documents', 3],
      ['low-memory', 3],
      ['index-disabled', 1],
    ])
    expect(total.reasons[1]?.words).toContain('128 documents')
  })

  test('two ranges of one index, and two indexes, are compared by operation', async () => {
    const half = Math.floor(busy.endMs / 2)
    const side = (index: string, fromMs: number, toMs: number) => ({
      index,
      startTicks: at(fromMs),
      endTicks: at(toMs),
    })
    const ranges = await request(busy.feed, 'indexing.compare', {
      a: side('db:a|X', 0, half),
      b: side('db:a|X', half, busy.endMs + 1),
      filter: NO_FILTER,
    })
    expect(ranges.a.counts.batches + ranges.b.counts.batches).toBe(busy.all.filter(({ index }) => index === 'X').length)
    const linq = ranges.operations.find(({ path }) => path.endsWith('Linq'))!
    expect(linq.aPerDocument).toBeCloseTo(linq.aTicks / ranges.a.documentsIn, 9)
    const indexes = await request(busy.feed, 'indexing.compare', {
      a: side('db:a|X', 0, busy.endMs),
      b: side('db:a|None', 0, busy.endMs),
      filter: NO_FILTER,
    })
    expect(indexes.operations.every(({ bTicks }) => Number.isNaN(bTicks))).toBe(true)
    expect(indexes.operations.some(({ path }) => path === 'Map › Collection_… › Linq')).toBe(true)
  })
})

describe('rows', () => {
  test('windows of every order equal a sort by hand', async () => {
    const { feed, all, endMs } = busyFeed()
    const keys: Partial<Record<BatchSort, (row: BatchRow) => number>> = {
      start: (row) => row.startTicks,
      duration: (row) => row.durationTicks,
      documents: (row) => row.documentsIn,
      failed: (row) => row.documentsFailed,
      id: (row) => row.id,
    }
    for (const sort of Object.keys(keys) as BatchSort[])
      for (const descending of [false, true]) {
        const question = {
          indexes: KEYS,
          startTicks: at(0),
          endTicks: at(endMs + 1),
          filter: NO_FILTER,
          sort,
          descending,
        }
        const first = await request(feed, 'indexing.rows', { ...question, offset: 0, limit: 700 })
        const rest = await request(feed, 'indexing.rows', { ...question, offset: 700, limit: 10_000 })
        const rows = [...first.rows, ...rest.rows]
        expect(first.total).toBe(all.length)
        expect(new Set(rows.map(({ id }) => id)).size).toBe(all.length)
        const values = rows.map((row) => keys[sort]!(row) * (descending ? -1 : 1))
        expect(values).toEqual(values.toSorted((a, b) => a - b))
      }
  })

  test('what was not reported comes last either way; names sort by name', async () => {
    const feed = new IndexingFeed()
    put(
      feed,
      wire({
        B: [{ id: 1, atMs: 0, ms: 1, documents: 1, allocated: 9 }],
        A: [{ id: 2, atMs: 5, ms: 1, documents: 1 }],
      }),
    )
    const order = async (sort: BatchSort, descending: boolean) =>
      (
        await request(feed, 'indexing.rows', {
          indexes: ['db:a|A', 'db:a|B'],
          startTicks: at(0),
          endTicks: at(10),
          filter: NO_FILTER,
          sort,
          descending,
          offset: 0,
          limit: 10,
        })
      ).rows.map(({ indexName }) => indexName)
    expect([await order('allocated', false), await order('allocated', true)]).toEqual([
      ['B', 'A'],
      ['B', 'A'],
    ])
    expect([await order('index', false), await order('index', true)]).toEqual([
      ['A', 'B'],
      ['B', 'A'],
    ])
  })
})

describe('the card', () => {
  test('shows all of a recorded batch, and reproduces its document', async () => {
    const feed = new IndexingFeed()
    const document = recordedJson('6.2', 'indexes-performance-low-memory.json') as {
      Results: { Name: string; Performance: Record<string, unknown>[] }[]
    }
    put(feed, document)
    const index = feed.store.indexes.get('db:a|Events/Lines/FanOut')!
    // The recording has it while it runs.
    const { id, startTicks } = [...index.open.values()][0]!
    const ref = { index: index.key, startTicks: startTicks as Ticks, id }
    const card = (await request(feed, 'indexing.card', { ref }))!
    expect(card).toMatchObject({
      documentsIn: 59_744,
      state: 'running',
      endTicks: null,
      memory: { allocatedBytes: 207_918_144, budgetBytes: 238_396_480, processPrivateBytes: 582_960_648 },
      tombstones: null,
      merges: null,
      reason: { code: 'no-more-documents' },
    })
    expect(card.operations[0]).toMatchObject({ name: 'Indexing', parent: -1, depth: 0 })
    const again = new IndexingFeed()
    put(again, { Results: [{ Name: index.name, Performance: [JSON.parse(card.json)] }] })
    const copy = await request(again, 'indexing.card', { ref })
    expect(copy?.operations).toEqual(card.operations)
    expect(copy?.memory).toEqual(card.memory)
  })

  test('one that is not there is null', async () => {
    const feed = new IndexingFeed()
    expect(await request(feed, 'indexing.card', { ref: { index: 'db:a|X', startTicks: at(0), id: 1 } })).toBeNull()
  })
})

describe('budgets and memory', () => {
  const memory = (second: number, availableBytes: number) =>
    readMemoryFrame({
      Id: 1,
      Data: {
        Type: 'MemoryUsage',
        Date: new Date(Date.parse('2026-11-20T04:00:00Z') + second * 1000).toISOString(),
        LowMemorySeverity: second > 20 ? 'Low' : 'None',
        PhysicalMemory: 4096 * MIB,
        WorkingSet: 900 * MIB,
        ManagedAllocations: 300 * MIB,
        UnmanagedAllocations: 200 * MIB,
        DirtyMemory: 50 * MIB,
        AvailableMemory: availableBytes / 2,
        AvailableMemoryForProcessing: availableBytes,
      },
    })!

  /** Batch of 40 s that is reported every 3 s, and requests a budget at 9 s and at 21 s. */
  function story() {
    const feed = new IndexingFeed()
    const batch = (second: number, isOpen: boolean): BatchParts => ({
      id: 5,
      atMs: 0,
      ms: second * 1000,
      documents: second * 10,
      isOpen,
      reason: isOpen ? null : 'Cannot budget additional memory for batch',
      allocated: second * 4 * MIB,
      budget: second >= 21 ? 100 * MIB : second >= 9 ? 52 * MIB : 0,
    })
    for (let second = 3; second < 40; second += 3) put(feed, wire({ X: [batch(second, true)] }), second * 1000)
    put(feed, wire({ X: [batch(40, false)] }), 42_000)
    for (let second = 0; second < 60; second += 5) feed.memory.add(memory(second, (1000 - second * 10) * MIB))
    for (let second = 0; second < 60; second++)
      feed.budgets.of('db:a|X').threads.add(at(second * 1000), second * 4 * MIB, 30_000_000)
    return feed
  }

  test('budget by pixel: not measured before it asked, then as granted, nothing after', async () => {
    const response = await request(story(), 'indexing.budgets', { indexes: ['db:a|X'], pieces: [piece(0, 60_000, 60)] })
    const [row] = response.rows
    expect(response.xPx).toHaveLength(60)
    expect(row!.grantedBytes[5]).toBeNaN()
    expect([row!.ran[5], row!.ran[45]]).toEqual([1, 0])
    expect([row!.grantedBytes[10], row!.grantedBytes[30], row!.grantedBytes[50]]).toEqual([
      52 * MIB,
      100 * MIB,
      Number.NaN,
    ])
    expect(row!.checkedBytes[39]).toBe(160 * MIB)
    expect(row!.nowBytes[7]).toBe(28 * MIB)
    expect(
      response.steps.map(({ kind, atTicks, fromBytes, toBytes }) => [
        kind,
        (atTicks - at(0)) / 1e7,
        fromBytes,
        toBytes,
      ]),
    ).toEqual([
      ['grant', 9, null, 52 * MIB],
      ['grant', 21, 52 * MIB, 100 * MIB],
      ['refusal', 40, 100 * MIB, null],
    ])
  })

  test('the bar sums to the machine; clean pages do not count; nothing is shown far from a sample', async () => {
    const feed = story()
    const response = await request(feed, 'indexing.bar', { sources: ['db:a'], atTicks: at(22_000) })
    const { bar, indexes } = response
    expect(bar!.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(4096 * MIB)
    expect(bar!.parts.find(({ part }) => part === 'clean')).toMatchObject({ bytes: 400 * MIB })
    // The server's own figures split nothing: what is in use is one part. A tenth of the memory is its limit.
    expect(bar!.parts.map(({ part }) => part)).toEqual(['other', 'clean', 'free'])
    expect([bar!.lowLimitBytes, bar!.ageTicks, bar!.severity]).toEqual([409.6 * MIB, 2e7, 'None'])
    expect(indexes).toMatchObject([{ name: 'X', grantedBytes: 100 * MIB, nowBytes: 88 * MIB }])
    expect((await request(feed, 'indexing.bar', { sources: ['db:a'], atTicks: at(100_000) })).bar).toBeNull()
    expect((await request(feed, 'indexing.bar', { sources: ['db:b'], atTicks: at(0) })).indexes).toEqual([])
  })

  test('private memory is a part where the kernel reported it, with the limit that is set', async () => {
    const feed = new IndexingFeed()
    const kernel = readKernelMemory(recordedText('7.1', 'proc-status.txt'), recordedText('7.1', 'proc-meminfo.txt'))
    const limit = { bytes: (512 * MIB) as Bytes, from: 'configured' } as const
    feed.memory.add(kernelSample(kernel, at(0), limit))
    feed.memory.lowLimit = limit
    const { bar } = await request(feed, 'indexing.bar', { sources: ['db:a'], atTicks: at(0) })
    const bytes = (name: string) => bar!.parts.find(({ part }) => part === name)!.bytes
    expect(bytes('private')).toBe(kernel.process.anonymousBytes + kernel.process.sharedBytes)
    expect(bytes('clean') + bytes('free')).toBe(kernel.availableBytes)
    expect(bytes('free')).toBe(kernel.freeBytes)
    expect(bar!.parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(kernel.totalBytes)
    expect(bar).toMatchObject({ lowLimitBytes: 512 * MIB, severity: 'None' })
  })

  test('memory: one sample a pixel, the one with the least available', async () => {
    const response = await request(story(), 'indexing.memory', { sources: ['db:a'], pieces: [piece(0, 60_000, 3)] })
    expect(Array.from(response.availableForProcessingBytes, (bytes) => bytes / MIB)).toEqual([850, 650, 450])
  })

  test('the steps of six indexes in nine hours reach to the end', async () => {
    const feed = new IndexingFeed()
    const rows = Array.from({ length: 1400 }, (_, i): BatchParts => ({
      id: i,
      atMs: i * 23_000,
      ms: 20_000,
      documents: 900,
      allocated: 84 * MIB,
      budget: 100 * MIB,
      reason: i % 3 === 0 ? 'Cannot budget additional memory for batch' : 'No more documents to index',
    }))
    put(feed, wire({ A: rows, B: rows, C: rows, D: rows, E: rows, F: rows }))
    const range = { startTicks: at(0), endTicks: at(33_000_000) }
    const indexes = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `db:a|${name}`)
    const pieces = [{ ...range, startPx: 0 as CssPx, endPx: 800 as CssPx }]
    const { steps, stepsLeft } = await request(feed, 'indexing.budgets', { indexes, pieces })
    expect(steps.length + stepsLeft).toBe(16_800)
    expect(steps.findLast(({ kind }) => kind === 'refusal')?.atTicks).toBe(at(1398 * 23_000 + 20_000))
  })

  test('findings are of the sources that are asked, and say what was not checked', async () => {
    const feed = new IndexingFeed()
    put(feed, wire({ X: [{ id: 1, atMs: 0, ms: 10, documents: 5, allocated: 300 * MIB }] }), 20)
    const response = await request(feed, 'indexing.findings', { sources: ['db:a'] })
    expect(response.findings).toMatchObject([{ kind: 'grew-unasked', indexes: ['db:a|X'] }])
    expect(response.finished).toMatchObject({ batches: 1, judgedIndexes: 0, physicalBytes: null })
    expect((await request(feed, 'indexing.findings', { sources: ['db:b'] })).findings).toEqual([])
  })

  test('a file of finished batches is judged, index by index as it comes: C and F keep what B is granted again', async () => {
    const feed = new IndexingFeed()
    const minutes = Array.from({ length: 540 }, (_, minute) => minute)
    const rows = (of: (minute: number) => { allocated: number; budget: number }): BatchParts[] =>
      minutes.map((minute) => {
        const { allocated, budget } = of(minute)
        return { id: minute, atMs: minute * 60_000, ms: 20_000, documents: 900, allocated, budget }
      })
    const holder = (mib: number) =>
      rows((minute) => ({ allocated: (minute < 45 ? mib - 16 : 200) * MIB, budget: mib * MIB }))
    const healthy = rows((minute) => ({ allocated: (60 + (minute % 7)) * MIB, budget: (76 + (minute % 7)) * MIB }))
    const grower = rows((minute) => ({ allocated: (100 + 4 * minute) * MIB, budget: (116 + 4 * minute) * MIB }))
    put(
      feed,
      wire({ A: healthy, B: grower, C: holder(640), D: healthy, E: healthy, F: holder(720) }),
      Number.NaN,
      'file:9h',
    )
    const { findings, finished, checked } = await request(feed, 'indexing.findings', { sources: ['file:9h'] })
    expect(findings).toMatchObject([
      {
        kind: 'budget-held',
        indexes: ['file:9h|F', 'file:9h|C'],
        atTicks: at(45 * 60_000),
        excessBytes: 960 * MIB,
        grewInto: [{ index: 'file:9h|B' }],
      },
    ])
    expect(findings[0]?.words).toMatch(/^F keeps 720 MiB and uses at most 200 MiB; C keeps 640 MiB .* 960 MiB reserved/)
    expect(checked).toBe(3240)
    expect(finished).toMatchObject({ batches: 3240, indexes: 6, judgedIndexes: 6, physicalBytes: null })
  })
})
