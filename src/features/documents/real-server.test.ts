/** Documents as text on a real server of the version that ROOKERY_TEST_SERVER names: what is not changed stays, to the byte. */
import process from 'node:process'
import fc from 'fast-check'
import WebSocket from 'ws'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, databasePath } from '../../../tools/ravendb/client.mjs'
import { exactBytes, exactText } from '../../base/text/exact-text.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { realEnv } from '../../ravendb/env.ts'
import { isLeftToNewest, version } from '../../testing/server/real-server.ts'
import { ReferenceSearches } from './data/references.ts'
import { readDocument } from './data/document-text.ts'
import { attachmentVersion } from './data/attachment-version.ts'
import { seriesGroups } from './data/series-groups.ts'

const NAME = 'exact'
/** Number of random documents: 10,000 of them in the full run. */
const DOCUMENTS = Number(process.env['EXACT_DOCUMENTS'] ?? (isLeftToNewest ? 40 : 200))
/** Documents that are saved side by side. */
const AT_ONCE = 200

/** Tokens as the server keeps them: half a pair of a string as the bytes that it was stored with. */
const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[1-9][0-9]{${String(least - 1)},${String(most - 1)}}$`))
const number = fc.oneof(
  digits(1, 30),
  digits(1, 30).map((text) => `-${text}`),
  fc.tuple(digits(1, 6), fc.stringMatching(/^[0-9]{1,30}$/)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.tuple(digits(1, 3), fc.nat(200)).map(([whole, power]) => `${whole}.50e-${String(power)}`),
  fc.constantFrom('0', '-0.0', '1E+2', '9223372036854775808', '1.7976931348623157e308', '0.10'),
)
const text = fc.oneof(
  fc.string({ maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"\udced\udca0\udc80"', '"\udcff"', '"\u202e<b>"', '"\\u0000"', '"é😀"'),
)
const word = fc.constantFrom('null', 'true', 'false')
const name = fc.constantFrom('A', 'b', 'Name', 'Longer name', 'ü', '$type', 'with.dot')
const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 4 })
    .map((pairs) => `{${pairs.map(([key, held]) => `${JSON.stringify(key)}:${held}`).join(',')}}`),
  array: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  value: fc.oneof({ maxDepth: 3 }, number, text, word, tie('object'), tie('array')),
}))

describe.runIf(version !== '')(`documents of RavenDB ${version}`, { timeout: 300_000 }, () => {
  const url = inject('serverUrl')
  const place = (id: string): string => `${url}${databasePath(NAME)}/docs?id=${encodeURIComponent(id)}`
  const put = async (id: string, body: string): Promise<void> => {
    const response = await fetch(place(id), { method: 'PUT', body: exactBytes(body) })
    expect(response.status, `${body}\n${await response.text()}`).toBe(201)
  }
  const get = async (id: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(place(id))).arrayBuffer())
  /** Text without the metadata that the server writes at each save. */
  const lasting = (bytes: Uint8Array): string =>
    exactText(bytes).replaceAll(/"@change-vector":"[^"]*"|"@last-modified":"[^"]*"/g, '""')

  beforeAll(() => createDatabase(url, NAME), 300_000)

  it('a save of one changed value leaves every other byte', async () => {
    const drawn = fc.sample(fc.tuple(value, value), {
      numRuns: DOCUMENTS,
      seed: Number(process.env['EXACT_SEED'] ?? 40),
    })
    const changeOne = async ([before, after]: readonly [string, string], id: string) => {
      await put(id, `{"Before":${before},"Changed":1,"After":${after},"@metadata":{"@collection":"Exact","Own":1.50}}`)
      const stored = await get(id)
      // As the panel reads, edits and saves it.
      const shown = readDocument(stored)?.text ?? ''
      await put(id, shown.replace('"Changed": 1,', '"Changed": 12345678901234567890.10,'))
      const wanted = lasting(stored).replace('"Changed":1,', '"Changed":12345678901234567890.10,')
      return { wanted, found: lasting(await get(id)) }
    }
    const changed: { readonly wanted: string; readonly found: string }[] = []
    for (let from = 0; from < drawn.length; from += AT_ONCE) {
      const part = drawn.slice(from, from + AT_ONCE)
      changed.push(...(await Promise.all(part.map((each, i) => changeOne(each, `exact/${String(from + i)}`)))))
    }
    expect(changed).toHaveLength(DOCUMENTS)
    for (const { wanted, found } of changed) expect(found).toBe(wanted)
  })

  it('reads the version of an attachment that the server then replaces or deletes, and no other', async () => {
    const id = 'files/ü?#%/1'
    const name = 'a&b #1.txt'
    await put(id, '{"@metadata":{"@collection":"Files"}}')
    const file = `${url}${databasePath(NAME)}/attachments?id=${encodeURIComponent(id)}&name=${encodeURIComponent(name)}`
    const send = async (method: string, body: string | null, expected?: string): Promise<number> => {
      const headers = expected === undefined ? {} : { 'If-Match': `"${expected}"` }
      return (await fetch(file, { method, body, headers })).status
    }
    const governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
    const read = (of = name) =>
      attachmentVersion(governor, { database: NAME, id, name: of }, new AbortController().signal)
    expect(await read()).toBeNull()
    expect(await send('PUT', 'first')).toBe(201)
    const first = await read(name.toUpperCase())
    expect(first).toMatchObject({ name, bytes: 5 })
    expect(await send('PUT', 'other')).toBe(201)
    const expected = first?.changeVector ?? ''
    expect(await send('PUT', 'mine', expected)).toBe(409)
    expect(await send('DELETE', null, expected)).toBe(409)
    const second = await read()
    expect(second?.hash).not.toBe(first?.hash)
    expect(await send('PUT', 'mine', second?.changeVector)).toBe(201)
    expect(await send('DELETE', null, (await read())?.changeVector)).toBe(204)
    expect(await read()).toBeNull()
  })

  it('groups a time series of any name by spans, with the lowest and highest of each', async () => {
    const names = ['Air', "it's", String.raw`a\b`, '"quoted"', ' spaced', 'ünï/😀', 'x) where']
    if (isLeftToNewest) names.splice(2)
    await put('rooms/1', '{"@metadata":{"@collection":"Rooms"}}')
    const governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
    const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z']
    for (const name of names) {
      const Appends = Array.from({ length: 3601 }, (_, i) => ({
        Timestamp: new Date(Date.parse(from) + i * 1000).toISOString(),
        Values: [i, -i / 2],
        Tag: null,
      }))
      await fetch(`${url}${databasePath(NAME)}/timeseries?docId=rooms/1`, {
        method: 'POST',
        body: JSON.stringify({ Name: name, Appends }),
      })
      const of = { database: NAME, id: 'rooms/1', name, from, to }
      const { spanMs, groups } = await seriesGroups(governor, of, new AbortController().signal)
      expect(spanMs).toBe(8000)
      expect(groups).toHaveLength(451)
      expect([groups[1]?.lowest.map(Number), groups[1]?.highest.map(Number)]).toEqual([
        [8, -7.5],
        [15, -4],
      ])
    }
    expect(await (await fetch(`${url}${databasePath(NAME)}/indexes?namesOnly=true`)).json()).toMatchObject({
      Results: [],
    })
  })

  it.skipIf(isLeftToNewest)('finds each document that refers to one, and creates no index', async () => {
    const database = 'references'
    await createDatabase(url, database)
    const api = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await fetch(`${url}${databasePath(database)}${path}`, init)).json()
    const referring = (n: number): boolean => n % 7 === 0
    const commands = Array.from({ length: 3000 }, (_, n) => ({
      Id: `orders/${String(n)}`,
      Type: 'PUT',
      Document: {
        Employee: n % 14 === 0 ? 'EMPLOYEES/1-a' : 'employees/2-A',
        Lines: referring(n) && n % 14 !== 0 ? [{ By: 'employees/1-A' }] : [],
        Note: 'employees/1-A is in a longer text',
        '@metadata': { '@collection': n < 2000 ? 'Orders' : "Odd 'name\\" },
      },
    }))
    await api('/bulk_docs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Commands: commands }),
    })
    const governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
    const searches = new ReferenceSearches()
    const search = (collections: readonly string[], signal = new AbortController().signal, name = 'a') =>
      searches.run(governor, { search: name, database, id: 'employees/1-A' }, collections, signal)
    const all = await search(['Orders', "Odd 'name\\", 'None'])
    expect(all.read).toBe(3000)
    expect(new Set(all.found.map(({ id }) => id))).toEqual(
      new Set(commands.filter((_, n) => referring(n)).map(({ Id }) => Id)),
    )
    expect(all.found.find(({ id }) => id === 'orders/7')).toEqual({
      id: 'orders/7',
      collection: 'Orders',
      fields: ['Lines[].By'],
    })
    expect(await api('/indexes?namesOnly=true')).toMatchObject({ Results: [] })

    const abort = new AbortController()
    const stopped = search(['Orders', "Odd 'name\\"], abort.signal, 'b')
    expect(searches.soFar('b')).toMatchObject({ read: 0 })
    abort.abort()
    await expect(stopped).rejects.toThrow('cancelled')
    expect(searches.soFar('b')).toBeNull()
  })
})
