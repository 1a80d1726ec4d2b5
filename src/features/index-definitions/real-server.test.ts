/** Definitions of indexes on a real server of the version that ROOKERY_TEST_SERVER names, as the panel reads and tests them. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createDatabase, put } from '../../../tools/ravendb/client.mjs'
import { startRavenDb, type RunningRavenDb } from '../../../tools/ravendb/run.mjs'
import { Governor } from '../../ravendb/budget/governor.ts'
import { realEnv } from '../../ravendb/env.ts'
import { realServer } from '../../testing/server/real-server.ts'
import { definitionResponses } from './data/responses.ts'
import { definitionJson, faultsOf } from './definition-text.ts'
import type { DefinitionText } from './contract.ts'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
const isOld = version.startsWith('5.4')
const NAME = 'Orders/ByN'

let server: RunningRavenDb
let governor: Governor
const { api } = realServer(() => server.url)
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

describe.runIf(version !== '')(`RavenDB ${version}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startRavenDb({ version })
    governor = new Governor({ ...realEnv(server.url), WebSocket: WebSocket as never })
    governor.setViewOnly(false)
    await createDatabase(server.url, 'q')
    const Commands = [1, 2, 3].map((n) => put(`orders/${n}`, 'Orders', { N: n }))
    await api('POST', '/databases/q/bulk_docs', { Commands })
    const definition = definitionJson(NAME, of('from o in docs.Orders\r\nselect new { o.N }'))
    await api('PUT', '/databases/q/admin/indexes', JSON.parse(`{"Indexes":[${definition}]}`))
  }, 300_000)

  afterAll(async () => {
    governor.close()
    await server.stop()
  }, 60_000)

  it('reads a definition as it was written, and knows one that there is not', async () => {
    const read = async (index: string) => responses['definitions.read']!({ database: 'q', index }, governor, signal)
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
      path: '/databases/q/admin/indexes',
      route: '/databases/{database}/admin/indexes',
      body: JSON.parse(`{"Indexes":[${definitionJson('Bad', WRONG)}]}`),
      right: 'DatabaseAdmin',
      database: 'q',
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
      responses['definitions.test']!({ database: 'q', definition, documents: 10 }, governor, signal)
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
    const names = await fetch(`${server.url}/databases/q/indexes?namesOnly=true`)
    expect(await names.json()).toMatchObject({ Results: [NAME] })
  })
})
