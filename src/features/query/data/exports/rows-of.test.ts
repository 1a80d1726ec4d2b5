import { describe, expect, it } from 'vitest'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../../testing/fake-raven.ts'
import { readPage } from '../answer.ts'
import { openStream, sendPage } from '../run.ts'
import { rowsOf } from './rows-of.ts'

const ROW = '{"N":9007199254740993,"Name":"🦆 ü","@metadata":{"@id":"a"}}'
const text = (rows: number, stated = rows): string =>
  `{"Stats":{"TotalResults":${stated}}}\r\n${`{"Item":${ROW}}\r\n`.repeat(rows)}`

/** Body whose parts end anywhere, also within a character. */
function inParts(body: string, size = 60_001): Response {
  const bytes = new TextEncoder().encode(body)
  let at = 0
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + size))
        at += size
      },
    }),
  )
}

interface Setup {
  readonly index: string
  readonly total: number
  readonly stream?: () => Response
  readonly outputs?: number
  /** Version of the results at each page; always the same by default. */
  readonly versions?: readonly string[]
  /** Total of a page that is read after the stream; `total` by default. */
  readonly later?: number
}

function setup({
  index,
  total,
  later = total,
  outputs = 1,
  versions = [],
  stream = () => inParts(text(total)),
}: Setup) {
  const raven = new FakeRaven()
  raven.databases.set('Shop', 'loaded')
  let pages = 0
  raven.on(/\/queries\?disable/, () => {
    const TotalResults = raven.paths(/\/streams\//).length === 0 ? total : later
    const etag = versions[pages++] ?? '1'
    return json({ Results: [{ N: 1 }], TotalResults, IndexName: index }, 200, { etag })
  })
  raven.on(/\/streams\/queries/, stream)
  raven.on(/\/indexes\/stats/, () => ({ Results: [{ Name: index, MaxNumberOfOutputsPerDocument: outputs }] }))
  const governor = new Governor(raven.env)
  governor.setViewOnly(false)
  const changed: boolean[] = []
  const rows = async (query: string): Promise<readonly string[]> => {
    const of = { database: 'Shop', text: query, parameters: '' }
    const { signal } = new AbortController()
    const first = readPage(await sendPage(governor, { ...of, start: 0, pageSize: 1 }, signal), 0)
    const all: string[] = []
    const read = await rowsOf(governor, of, first, signal)
    for (;;) {
      const { done, value } = await read.next()
      if (done === true) {
        changed.push(value)
        return all
      }
      all.push(...value)
    }
  }
  return { governor, changed, rows, streams: () => raven.paths(/\/streams\//).length }
}

describe('the rows of an export', () => {
  it('come as one stream, exact wherever its parts end', async () => {
    const { rows, streams } = setup({ index: 'collection/Orders', total: 30_000 })
    const all = await rows('from Orders')
    expect(all).toHaveLength(30_000)
    expect(new Set(all)).toEqual(new Set([ROW]))
    expect(streams()).toBe(1)
  })

  it('come as a stream where a time series is included only', async () => {
    const { rows, streams } = setup({ index: 'collection/Orders', total: 3 })
    expect(await rows("from Orders include timeseries('Heart', $from, $to)")).toHaveLength(3)
    expect(streams()).toBe(1)
  })

  it('come as a stream of an index by name, whatever the case of the name', async () => {
    const { rows, streams } = setup({ index: 'Orders/ByN', total: 3 })
    expect(await rows("from index 'orders/byn' where N > 1")).toHaveLength(3)
    expect(streams()).toBe(1)
  })

  it('are as many as the stream states, where they changed since the first page', async () => {
    const { rows } = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(text(4)) })
    expect(await rows('from Orders')).toHaveLength(4)
  })

  it('are as many as the first page states, where the query limits them', async () => {
    const { rows } = setup({ index: 'collection/Orders', total: 2, stream: () => inParts(text(2, 700)) })
    expect(await rows('from Orders limit 2')).toHaveLength(2)
  })

  it.each([
    ['from Orders', 2, 4, 4, 2],
    ['from Orders limit 5', 3, 9, 5, 2],
    ["from index 'Orders/ByN'", 3, 1, 4, 5],
    ["from Orders where id() in ('a', 'b')", 2, 9, 2, 1],
  ])('of %j are an error if their number is that of no moment', async (query, total, stated, later, sent) => {
    const index = query.includes('index') ? 'Orders/ByN' : 'collection/Orders'
    const { rows } = setup({ index, total, later, stream: () => inParts(text(sent, stated)) })
    await expect(rows(query)).rejects.toThrow(`${sent} results came, and the server counted ${later}`)
  })

  it.each([
    ['a limited collection that grows', 'from Orders limit 5', 3, 9, 5, 4],
    ['an index in Corax, whose statistics state less', "from index 'Orders/ByN'", 3, 1, 5, 4],
    ['named documents of which one was deleted', "from Orders where id() in ('a', 'b')", 2, 9, 1, 1],
    [
      'a function that returns lists',
      'declare function f(o) { return [o, o] } from Orders as o select f(o)',
      3,
      3,
      3,
      6,
    ],
  ])('come of %s', async (_, query, total, stated, later, sent) => {
    const index = query.includes('index') ? 'Orders/ByN' : 'collection/Orders'
    const { rows } = setup({ index, total, later, stream: () => inParts(text(sent, stated)) })
    expect(await rows(query)).toHaveLength(sent)
  })

  it('are an error if some are missing at its end', async () => {
    const { rows } = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(text(2, 4)) })
    await expect(rows('from Orders')).rejects.toThrow('2 results came, and the server counted 4')
  })

  const ERROR = '{"Type":"TimeoutException","Message":"It took too long"}'
  it.each([
    ['an error in place of a row', text(1, 3) + ERROR, ERROR],
    ['an error within a row', `${text(1, 3)}{"Item":{"N":1${ERROR}`, `{"Item":{"N":1${ERROR}`],
    ['the end of a row', text(3).slice(0, -20), '{"Item":'],
    ['an error in place of the statistics', ERROR, ERROR],
  ])('are an error where the stream ends with %s', async (_, body, words) => {
    const { rows } = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(body) })
    await expect(rows('from Orders')).rejects.toThrow(`The server ended the results early: ${words}`)
  })

  it.each([
    ['could create its index again', 'Auto/Orders/ByN', 'from Orders where N > 1', 1],
    ['would be an index by its name alone', 'Auto/Orders/ByN', 'from Orders', 1],
    ['counts entries and not documents', 'Fan', "from index 'Fan'", 3],
    ['asks for facets', 'Orders/ByN', "from index 'Orders/ByN' select facet(N)", 1],
    ['leaves results out', 'collection/Orders', 'from Orders select distinct N', 1],
    ['selects a time series', 'collection/Orders', 'from Orders select timeseries(from Heart)', 1],
    [
      'declares a time series',
      'collection/Orders',
      'declare timeseries h(o) { from o.Heart } from Orders as o select h(o)',
      1,
    ],
  ])('come by page where the query %s', async (_, index, query, outputs) => {
    const { rows, streams } = setup({ index, total: 1, outputs })
    expect(await rows(query)).toEqual(['{"N":1}'])
    expect(streams()).toBe(0)
  })

  it.each([
    [['1', '1', '1', '1'], false],
    [['1', '1', '2', '1'], true],
    // The first one is read for the number of results alone.
    [['0', '1', '1', '1'], false],
  ])('come by page of versions %j: changed meanwhile is %s', async (versions, isChanged) => {
    const { rows, changed } = setup({ index: 'Auto/Orders/ByN', total: 3, versions })
    expect(await rows('from Orders where N > 1')).toHaveLength(3)
    expect(changed).toEqual([isChanged])
  })

  it('come by page where changes are refused or the server refuses the stream', async () => {
    const refused = setup({
      index: 'collection/Orders',
      total: 1,
      stream: () => json({ Type: 'NotSupportedException', Message: 'This is not supported' }, 500),
    })
    expect(await refused.rows('from Orders')).toEqual(['{"N":1}'])
    const forced = setup({ index: 'collection/Orders', total: 1 })
    forced.governor.isViewOnlyForced = true
    const locked = setup({ index: 'collection/Orders', total: 1 })
    locked.governor.setViewOnly(true)
    for (const { rows, streams } of [forced, locked]) {
      expect(await rows('from Orders')).toEqual(['{"N":1}'])
      expect(streams()).toBe(0)
    }
  })

  it('are refused by the governor in view-only mode', async () => {
    const { governor, streams } = setup({ index: 'collection/Orders', total: 1 })
    governor.setViewOnly(true)
    const query = { database: 'Shop', text: 'from Orders', parameters: '' }
    await expect(openStream(governor, query, new AbortController().signal)).rejects.toThrow('View only')
    expect(streams()).toBe(0)
  })
})
