import { afterEach, expect, test } from 'vitest'
import { recordedJson } from '../../../testing/recorded.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { wireBatch, wireDocument, type BatchParts } from '../../../testing/generated/generated-batches.ts'
import { IndexingFeed } from './feed.ts'
import { indexKey } from './index-table.ts'
import { FURTHER_INDEXES, INDEX_LIMITS } from '../contract/limits.ts'
import { readBatches } from './reading/decode.ts'
import { readIndexStats } from './watching/server-wire.ts'

const LIMITS = { ...INDEX_LIMITS }
afterEach(() => void Object.assign(INDEX_LIMITS, LIMITS))

const NAMES = 1000

function ingest(feed: IndexingFeed, parts: Partial<BatchParts> = {}) {
  const batch = { id: 1, atMs: 0, ms: 10, documents: 5, ...parts }
  const names = Array.from({ length: NAMES }, (_, i) => [`Index ${i}`, [wireBatch(batch)]] as const)
  const own = feed.store.begin('file:a', Number.NaN)
  expect(readBatches(bytesOf(wireDocument(Object.fromEntries(names))), feed.store.names, own.take).count).toBe(0)
  return own.end(true)
}

const batches = (feed: IndexingFeed): number => feed.summary().reduce((sum, { count }) => sum + count, 0)

test('indexes beyond the limit are one, and every batch of them counts once, though all are alike', () => {
  INDEX_LIMITS.indexes = 10
  const feed = new IndexingFeed()
  expect(ingest(feed)).toMatchObject({ added: NAMES, losses: [] })
  expect(ingest(feed)).toMatchObject({ added: 0, losses: [] })
  expect(batches(feed)).toBe(NAMES)
  const { indexes, further } = feed.responses['indexing.indexes']({ sources: ['file:a'] })
  expect([indexes.length, further]).toEqual([11, NAMES - 10])
  expect(indexes.find(({ name }) => name === FURTHER_INDEXES)!.counts.batches).toBe(NAMES - 10)
})

test('batches that never completed are bounded in what represents many indexes, while it is read too', () => {
  INDEX_LIMITS.indexes = 10
  const feed = new IndexingFeed()
  let most = 0
  feed.store.onBatch = (table) => (most = Math.max(most, table.open.size))
  ingest(feed, { isOpen: true, reason: null })
  expect(most).toBeLessThanOrEqual(512)
  expect(feed.store.indexes.get(indexKey('file:a', FURTHER_INDEXES))!.open.size).toBeLessThanOrEqual(256)
})

test('states of indexes beyond the limit are not kept, and it is reported how many these are', () => {
  INDEX_LIMITS.indexes = 10
  const feed = new IndexingFeed()
  const [row] = readIndexStats(recordedJson('7.1', 'indexes-stats.json'))
  const rows = Array.from({ length: NAMES }, (_, i) => Object.assign({}, row, { name: `Index ${i}` }))
  for (let again = 0; again < 2; again++) feed.facts.takeStats('file:a', rows, 0)
  expect([...feed.facts.keys()]).toHaveLength(10)
  expect(feed.responses['indexing.indexes']({ sources: ['file:a'] }).further).toBe(NAMES - 10)
})
