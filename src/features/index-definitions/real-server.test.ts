/** Definitions of indexes on a real server of the version that ROOKERY_TEST_SERVER names, as the panel reads and tests them. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import WebSocket from 'ws'
import { createDatabase, put as putCommand } from '../../../tools/ravendb/client.mjs'
import { Governor } from '../../ravendb/governor/governor.ts'
import { realEnv } from '../../ravendb/env.ts'
import { isLeftToNewest, LONG_MS, realServer, version } from '../../testing/server/real-server.ts'
import { definitionResponses } from './data/responses.ts'
import { crossedBy, refusalBeforeSave } from './before-save.ts'
import { definitionJson, definitionProblem, faultsOf } from './definition-text.ts'
import type { DefinitionText } from './contract.ts'

const isOld = version.startsWith('5.4')
const NAME = 'Orders/ByN'

const url = inject('serverUrl')
let governor: Governor
const { api, until } = realServer(() => url)
const { responses } = definitionResponses()
const { signal } = new AbortController()

const of = (map: string, more: Partial<DefinitionText> = {}): DefinitionText => ({
  maps: [map],
  reduce: '',
  sources: [],
  options: '{"Fields":{"N":{"Storage":"Yes"}}}',
  ...more,
})
const WRONG = of('from o in docs.Orders\nselect new\n{\n    o.N,\n    X = Foo(o.Company)\n}')

describe.runIf(version !== '')(`RavenDB ${version}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
    governor.setViewOnly(false)
    await createDatabase(url, 'definitions')
    const Commands = [1, 2, 3].map((n) => putCommand(`orders/${n}`, 'Orders', { N: n }))
    await api('POST', '/databases/definitions/bulk_docs', { Commands })
    const definition = definitionJson(NAME, of('from o in docs.Orders\r\nselect new { o.N }'))
    await api('PUT', '/databases/definitions/admin/indexes', JSON.parse(`{"Indexes":[${definition}]}`))
  }, 300_000)

  afterAll(() => governor.close())

  it('reads a definition as it was written, and knows one that there is not', async () => {
    const read = async (index: string) =>
      responses['definitions.read']!({ database: 'definitions', index }, governor, signal)
    expect(await read(NAME)).toMatchObject({
      loaded: true,
      definition: { maps: ['from o in docs.Orders\r\nselect new { o.N }'], reduce: '' },
    })
    const found = await read(NAME)
    const options = found.loaded ? found.definition?.options : ''
    expect(JSON.parse(options ?? '')).toMatchObject({ Fields: { N: { Storage: 'Yes' } } })
    expect(await read('Nope')).toMatchObject({ definition: null })
  })

  it('says where a refused definition does not compile, as the activity has it too', async () => {
    const refused = governor.write({
      method: 'PUT',
      path: '/databases/definitions/admin/indexes',
      route: '/databases/{database}/admin/indexes',
      body: JSON.parse(`{"Indexes":[${definitionJson('Bad', WRONG)}]}`),
      right: 'DatabaseAdmin',
      database: 'definitions',
      timeoutMs: 60_000,
    })
    const words = await refused.then(
      () => '',
      (error: { readonly serverMessage: string }) => error.serverMessage,
    )
    const [fault] = faultsOf(words, WRONG)
    expect(fault).toMatchObject({ part: 0, message: expect.stringContaining('CS0103') as unknown })
    expect(WRONG.maps[0]?.slice(fault?.place?.from, fault?.place?.to)).toBe('Foo')
  })

  it('tests a definition without saving it, since 6.2', async () => {
    const test = async (definition: DefinitionText) =>
      responses['definitions.test']!({ database: 'definitions', definition, documents: 10 }, governor, signal)
    const right = test(of('from o in docs.Orders select new { o.N }'))
    if (isOld) return expect(right).rejects.toMatchObject({ kind: 'route-missing' })
    expect(await right).toMatchObject({ outcome: 'tested', isStale: false })
    const outcome = await right
    expect(outcome.outcome === 'tested' ? outcome.entries : []).toHaveLength(3)
    const wrong = await test(WRONG)
    const [fault] = wrong.outcome === 'faults' ? wrong.faults : []
    expect(WRONG.maps[0]?.slice(fault?.place?.from, fault?.place?.to)).toBe('Foo')
    const script = of('map("Orders", o => {\n return { N: o.N \n; })')
    expect(await test(script)).toMatchObject({ outcome: 'faults' })
    const names = await fetch(`${url}/databases/definitions/indexes?namesOnly=true`)
    expect(await names.json()).toMatchObject({ Results: [NAME] })
  })

  const put = (name: string, map: string, more: object = {}) =>
    api('PUT', '/databases/definitions/admin/indexes', { Indexes: [{ Name: name, Maps: [map], ...more }] })
  const read = async (index: string) => {
    const found = await responses['definitions.read']!({ database: 'definitions', index }, governor, signal)
    return found.loaded ? found.definition : null
  }
  const pastOf = async (index: string) => {
    const found = await responses['definitions.history']!({ database: 'definitions', index }, governor, signal)
    return found.loaded ? found.past : []
  }
  const indexed = (name: string) =>
    until(
      `${name} is indexed`,
      async () => {
        const stale = await fetch(`${url}/databases/definitions/indexes/staleness?name=${encodeURIComponent(name)}`)
        return stale.ok && !((await stale.json()) as { readonly IsStale: boolean }).IsStale
      },
      LONG_MS,
    )

  it.skipIf(isLeftToNewest)('lets no save go over what another client changed, or has being built', async () => {
    await put('Race', 'from o in docs.Orders select new { A = o.N }')
    await indexed('Race')
    const seen = await read('Race')
    expect(refusalBeforeSave('Race', seen, await read('Race'))).toBeNull()
    // Built beside the old one, and held there.
    await fetch(`${url}/databases/definitions/admin/indexes/stop`, { method: 'POST' })
    await put('Race', 'from o in docs.Orders select new { B = o.N }')
    const now = await read('Race')
    expect(refusalBeforeSave('Race', seen, now)).toContain('being built')
    expect(now?.replacement?.maps ?? now?.maps).toEqual(['from o in docs.Orders select new { B = o.N }'])
    expect(refusalBeforeSave('Race', now, await read('Race'))).toBeNull()
    await fetch(`${url}/databases/definitions/admin/indexes/start`, { method: 'POST' })
    await until('it is swapped', async () => (await read('Race'))?.maps[0]?.includes('B =') === true, LONG_MS)
    expect(refusalBeforeSave('Race', seen, await read('Race'))).toContain('another definition')
    // The server renames and moves the new index after it shows its definition. An index that is deleted meanwhile blocks
    // the database for good: the two wait for each other. Another index is put when the swap has ended.
    await put('Beside', 'from o in docs.Orders select new { o.N }')
    await api('DELETE', '/databases/definitions/indexes?name=Race', undefined)
    expect(refusalBeforeSave('Race', seen, await read('Race'))).toContain('was deleted')
  })

  it.skipIf(isLeftToNewest)('finds in the history what another client saved in the moment of a save', async () => {
    const maps = ['A', 'B', 'C'].map((field) => `from o in docs.Orders select new { ${field} = o.N }`)
    await put('Crossed', maps[0] ?? '')
    const before = await pastOf('Crossed')
    expect(before.map(({ definition }) => definition.maps)).toEqual([[maps[0]]])
    await put('Crossed', maps[1] ?? '')
    await put('Crossed', maps[2] ?? '')
    const after = await pastOf('Crossed')
    expect(after.map(({ definition }) => definition.maps[0])).toEqual([maps[2], maps[1], maps[0]])
    expect(crossedBy(before, after, of(maps[2] ?? ''))).toMatchObject({ wasFirst: true, past: { at: after[1]?.at } })
  })

  it('finds the field of a map that fails on a document, since 6.2', async () => {
    await put('Failing', 'from o in docs.Orders select new { o.N, Share = 6 / (o.N - 1) }')
    await indexed('Failing')
    const failing = async (): Promise<string | undefined> => {
      const errors = await fetch(`${url}/databases/definitions/indexes/errors?name=Failing`)
      const { Results } = (await errors.json()) as {
        readonly Results: readonly { readonly Errors: readonly { readonly Document: string }[] }[]
      }
      return Results[0]?.Errors[0]?.Document
    }
    // The server stores errors when it has committed the batch.
    await until('an error', async () => (await failing()) !== undefined, LONG_MS)
    expect(await failing()).toBe('orders/1')
    const definition = (await read('Failing')) ?? of('')
    const probe = async (id: string, text = definition) =>
      responses['definitions.probe']!({ database: 'definitions', definition: text, map: 0, id }, governor, signal)
    if (isOld) return expect(probe('orders/1')).rejects.toMatchObject({ kind: 'route-missing' })
    expect(await probe('orders/1')).toMatchObject({
      outcome: 'probed',
      fields: [
        { name: 'N', text: '1', fails: false },
        { name: 'Share', text: 'System.DivideByZeroException: Attempted to divide by zero.', fails: true },
      ],
    })
    const right = await probe('orders/2')
    expect(right.outcome === 'probed' ? right.fields.map(({ text }) => text) : right).toEqual(['2', '6'])
    expect(await probe('orders/none')).toEqual({ outcome: 'not-reached' })
    const let1 = { ...definition, maps: ['from o in docs.Orders let x = 6 / (o.N - 1) select new { o.N }'] }
    expect(await probe('orders/1', let1)).toEqual({ outcome: 'before' })
    const lambda = { ...definition, maps: ['docs.Orders.Select(o => new { Share = 6 / (o.N - 1) })'] }
    expect(await probe('orders/1', lambda)).toMatchObject({ fields: [{ name: 'Share', fails: true }] })
    const names = await fetch(`${url}/databases/definitions/indexes?namesOnly=true`)
    expect(((await names.json()) as { readonly Results: readonly string[] }).Results).not.toContain('Test')
  })

  it.skipIf(isLeftToNewest)('has the entries of a document, and the trees of its keys', async () => {
    const ofDocument = async (index: string, id: string, isReduce = false) =>
      responses['definitions.ofDocument']!({ database: 'definitions', index, id, isReduce }, governor, signal)
    await indexed(NAME)
    const found = await ofDocument(NAME, 'orders/2')
    expect(found.kind === 'entries' ? found.entries : []).toHaveLength(1)
    expect(await ofDocument(NAME, 'orders/none')).toEqual({ kind: 'entries', entries: [] })
    await put('Sums', 'from o in docs.Orders select new { Key = "k", o.N }', {
      Reduce: 'from r in results group r by r.Key into g select new { Key = g.Key, N = g.Sum(x => x.N) }',
    })
    await indexed('Sums')
    const trees = await ofDocument('Sums', 'orders/2', true)
    expect(trees).toMatchObject({ kind: 'trees', trees: [{ entries: '3', depth: '1' }] })
    const [tree] = trees.kind === 'trees' ? trees.trees : []
    expect(JSON.parse(tree?.root?.result ?? 'null')).toMatchObject({ Key: 'k', N: 6 })
    expect(tree?.root?.entries.filter(({ source }) => source !== null)).toMatchObject([{ source: 'orders/2' }])
    expect(await ofDocument('Sums', 'orders/none', true)).toEqual({ kind: 'trees', trees: [] })
  })

  it('converts an automatic index to a static one, since 6.2, and saves nothing', async () => {
    await api('POST', '/databases/definitions/queries', { Query: 'from Orders where N = 1' })
    const convert = async () =>
      responses['definitions.convert']!({ database: 'definitions', index: 'Auto/Orders/ByN' }, governor, signal)
    if (isOld) return expect(convert()).rejects.toMatchObject({ kind: 'route-missing' })
    const { name, definition } = await convert()
    expect(definition.maps[0]).toContain('docs.Orders')
    expect(definitionProblem(name, definition)).toBeNull()
    const names = await fetch(`${url}/databases/definitions/indexes?namesOnly=true`)
    expect(((await names.json()) as { readonly Results: readonly string[] }).Results).not.toContain(name)
    await api(
      'PUT',
      '/databases/definitions/admin/indexes',
      JSON.parse(`{"Indexes":[${definitionJson(name, definition)}]}`),
    )
    expect((await read(name))?.maps).toEqual(definition.maps)
  })
})
