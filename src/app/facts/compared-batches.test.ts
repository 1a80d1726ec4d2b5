import { expect, it } from 'vitest'
import { bytesOf } from '../../testing/bytes-of.ts'
import { generatedTime, wireBatch, wireDocument } from '../../testing/generated/generated-batches.ts'
import { comparedBatches } from './compared-batches.ts'
import { readBatches } from '../../feeds/indexing/data/reading/decode.ts'
import { BatchStore } from '../../feeds/indexing/data/table.ts'

it('knows the time up to the end of the last batch, also of one that did nothing, and up to what a live source told', () => {
  const store = new BatchStore()
  const batches = [
    { id: 1, atMs: 0, ms: 10, documents: 5 },
    { id: 2, atMs: 8000, ms: 1, documents: 0 },
  ]
  const ingest = store.begin('db:a', Number.NaN)
  readBatches(bytesOf(wireDocument({ X: batches.map(wireBatch) })), store.names, ingest.take)
  ingest.end(true)
  const [startTicks, endTicks] = [generatedTime(0), generatedTime(10_000)]
  const request = { feed: 'indexing', sources: ['db:a'], lane: null, startTicks, endTicks, unknown: [] } as const
  const { lines, spans } = comparedBatches(store, request, () => null)
  expect(lines.map(({ kind }) => kind)).toEqual(['batch', 'time per document'])
  expect(spans.get('db:a')).toEqual({ startTicks, endTicks: generatedTime(8001) })
  const live = (atMs: number) => comparedBatches(store, request, () => generatedTime(atMs)).spans.get('db:a')
  expect(live(9000)).toEqual({ startTicks, endTicks: generatedTime(9000) })
  expect(live(7000)).toEqual({ startTicks, endTicks: generatedTime(8001) })
})
