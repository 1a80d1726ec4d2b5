import { describe, expect, it } from 'vitest'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../../testing/fake-raven.ts'
import { readPage } from '../answer.ts'
import { sendPage } from '../run.ts'
import { rowsOf } from './rows-of.ts'

const ROW = '{"N":9007199254740993,"Name":"🦆 ü","@metadata":{"@id":"a"}}'
const text = (rows: number): string => `{"Stats":{"TotalResults":${rows}}}\r\n${`{"Item":${ROW}}\r\n`.repeat(rows)}`

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
}

function setup({ index, total, outputs = 1, stream = () => inParts(text(total)) }: Setup) {
  const raven = new FakeRaven()
  raven.databases.set('Shop', 'loaded')
  raven.on(/\/queries\?disable/, () => ({ Results: [{ N: 1 }], TotalResults: total, IndexName: index }))
  raven.on(/\/streams\/queries/, stream)
  raven.on(/\/indexes\/stats/, () => ({ Results: [{ Name: index, MaxNumberOfOutputsPerDocument: outputs }] }))
  const governor = new Governor(raven.env)
  const rows = async (query: string): Promise<readonly string[]> => {
    const of = { database: 'Shop', text: query, parameters: '' }
    const { signal } = new AbortController()
    const first = readPage(await sendPage(governor, { ...of, start: 0, pageSize: 1 }, signal), 0)
    const all: string[] = []
    for await (const some of await rowsOf(governor, of, first, signal)) all.push(...some)
    return all
  }
  return { governor, rows, streams: () => raven.paths(/\/streams\//).length }
}

describe('the rows of an export', () => {
  it('come as one stream, exact wherever its parts end', async () => {
    const { rows, streams } = setup({ index: 'collection/Orders', total: 30_000 })
    const all = await rows('from Orders')
    expect(all).toHaveLength(30_000)
    expect(new Set(all)).toEqual(new Set([ROW]))
    expect(streams()).toBe(1)
  })

  it('come as a stream of an index by name, whatever the case of the name', async () => {
    const { rows, streams } = setup({ index: 'Orders/ByN', total: 3 })
    expect(await rows("from index 'orders/byn' where N > 1")).toHaveLength(3)
    expect(streams()).toBe(1)
  })

  it('are an error if some are missing at its end', async () => {
    const { rows } = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(text(2)) })
    await expect(rows('from Orders')).rejects.toThrow('2 results came, and the server now has 3')
    const error = '{"Type":"TimeoutException","Message":"It took too long"}'
    const failing = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(text(1) + error) })
    await expect(failing.rows('from Orders')).rejects.toThrow('The server ended the results early: {"Type":"TimeoutE')
    const cut = setup({ index: 'collection/Orders', total: 3, stream: () => inParts(text(3).slice(0, -20)) })
    await expect(cut.rows('from Orders')).rejects.toThrow('The server ended the results early')
  })

  it.each([
    ['could create its index again', 'Auto/Orders/ByN', 'from Orders where N > 1', 1],
    ['would be an index by its name alone', 'Auto/Orders/ByN', 'from Orders', 1],
    ['counts entries and not documents', 'Fan', "from index 'Fan'", 3],
    ['asks for facets', 'Orders/ByN', "from index 'Orders/ByN' select facet(N)", 1],
    ['leaves results out', 'collection/Orders', 'from Orders select distinct N', 1],
  ])('come by page where the query %s', async (_, index, query, outputs) => {
    const { rows, streams } = setup({ index, total: 1, outputs })
    expect(await rows(query)).toEqual(['{"N":1}'])
    expect(streams()).toBe(0)
  })

  it('come by page where changes are refused or the server refuses the stream', async () => {
    const refused = setup({
      index: 'collection/Orders',
      total: 1,
      stream: () => json({ Type: 'NotSupportedException', Message: 'Includes are not supported' }, 500),
    })
    expect(await refused.rows('from Orders include Company')).toEqual(['{"N":1}'])
    const locked = setup({ index: 'collection/Orders', total: 1 })
    locked.governor.isViewOnlyForced = true
    expect(await locked.rows('from Orders')).toEqual(['{"N":1}'])
    expect(locked.streams()).toBe(0)
  })
})
