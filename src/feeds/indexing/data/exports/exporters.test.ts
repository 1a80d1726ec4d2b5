import { describe, expect, test } from 'vitest'
import { runExport } from '../../../../testing/exported.ts'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import { recordedJson, recordedText } from '../../../../testing/recorded.ts'
import { IndexingFeed } from '../feed.ts'
import { NO_FILTER, type BatchExportId, type BatchExportParams } from '../../contract/batches.ts'
import { readBatches } from '../reading/decode.ts'
import { BATCH_FORMATS } from '../../contract/formats.ts'

const ALL = { sources: ['db:a'], indexes: null, range: null, filter: NO_FILTER }

function feedOf(...documents: unknown[]): IndexingFeed {
  const feed = new IndexingFeed()
  for (const document of documents) {
    const own = feed.store.begin('db:a', Number.NaN)
    expect(readBatches(bytesOf(document), feed.store.names, own.take).count).toBe(0)
    own.end(true)
  }
  return feed
}

const recorded = () =>
  feedOf(
    recordedJson('7.1', 'indexes-performance-map-reduce.json'),
    recordedJson('7.1', 'indexes-performance-capped-and-lucene.json'),
  )

const run = async (feed: IndexingFeed, id: BatchExportId, params: Partial<BatchExportParams> = {}) =>
  runExport((await feed.later()).exporters, id, { ...ALL, ...params })

const summaryOf = (feed: IndexingFeed) => feed.summary().toSorted((a, b) => a.environment.localeCompare(b.environment))

describe('exports', () => {
  test.each(BATCH_FORMATS.map(({ id }) => id))('%s: as many batches as promised', async (id) => {
    const feed = recorded()
    const { planned, rows, bytes } = await run(feed, id)
    expect([planned, rows]).toEqual([75, 75])
    const { rowBytes } = BATCH_FORMATS.find((format) => format.id === id)!
    expect(bytes.length / rows).toBeGreaterThan(rowBytes / 4)
    expect(bytes.length / rows).toBeLessThan(rowBytes * 4)
  })

  test('the list of the official Studio opens again as what it was', async () => {
    const feed = recorded()
    const { text } = await run(feed, 'indexing.json')
    const list = JSON.parse(text) as unknown[]
    // The official Studio checks the first, and then reads the fields of each entry.
    expect(Array.isArray(list)).toBe(true)
    for (const each of list)
      expect(each).toMatchObject({ Name: expect.any(String) as string, Performance: expect.any(Array) as unknown[] })
    const again = feedOf(list)
    expect(summaryOf(again)).toEqual(summaryOf(feed))
    expect((await run(again, 'indexing.json')).text).toBe(text)
  })

  test('NDJSON has what the recording has, field by field', async () => {
    const { text } = await run(recorded(), 'indexing.ndjson')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const source = (
      JSON.parse(recordedText('7.1', 'indexes-performance-map-reduce.json')) as {
        Results: { Name: string; Performance: Record<string, unknown>[] }[]
      }
    ).Results[0]!
    for (const batch of source.Performance) {
      const line = lines.find((each) => each['Index'] === source.Name && each['Id'] === batch['Id'])!
      for (const field of ['Started', 'InputCount', 'OutputCount', 'FailedCount', 'SuccessCount', 'DurationInMs'])
        expect([field, line[field]]).toEqual([field, batch[field]])
    }
  })

  test('CSV: a line a batch, empty where nothing is known', async () => {
    const { text } = await run(recorded(), 'indexing.csv')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(76)
    const head = lines[0]!.split(',')
    expect(lines.slice(1).every((line) => line.split(',')[head.indexOf('budget_bytes')] === '')).toBe(true)
  })

  test('the trace nests: every operation lies in its batch', async () => {
    const { text } = await run(recorded(), 'indexing.trace')
    const { traceEvents } = JSON.parse(text) as {
      traceEvents: { ph: string; name: string; tid: number; ts: number; dur: number }[]
    }
    const batches = traceEvents.filter(({ ph, name }) => ph === 'X' && name.startsWith('Batch '))
    expect(batches).toHaveLength(75)
    let owner = batches[0]!
    for (const event of traceEvents) {
      if (event.ph !== 'X') continue
      if (event.name.startsWith('Batch ')) owner = event
      expect(event.tid).toBe(owner.tid)
      expect(event.ts).toBeGreaterThanOrEqual(owner.ts)
      expect(event.ts + event.dur).toBeLessThanOrEqual(owner.ts + owner.dur + 1e-6)
    }
  })

  test('only what was asked for; nothing is a document too', async () => {
    const feed = recorded()
    const index = [...feed.store.indexes.keys()][0]!
    const one = await run(feed, 'indexing.csv', { indexes: [index], filter: { ...NO_FILTER, hideEmpty: true } })
    expect(one.rows).toBeLessThan(25)
    expect(one.planned).toBe(one.rows)
    const filtered = await run(feed, 'indexing.csv', { filter: { ...NO_FILTER, minDocuments: 1 } })
    expect(filtered.planned).toBe(filtered.rows)
    expect(JSON.parse((await run(feed, 'indexing.json', { sources: ['db:b'] })).text)).toEqual([])
    expect(JSON.parse((await run(feed, 'indexing.trace', { sources: ['db:b'] })).text)).toMatchObject({
      traceEvents: [],
    })
  })
})
