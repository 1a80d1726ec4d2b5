/**
 * Each action of the table on a real server of the version that ROOKERY_TEST_SERVER names: its request as the page sends it,
 * the state that is read at its end against what another client reads, and what undoes it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import WebSocket from 'ws'
import { bulk, databasePath, json, put, putIndexes } from '../../tools/ravendb/client.mjs'
import { Governor } from '../ravendb/governor/governor.ts'
import { realEnv } from '../ravendb/env.ts'
import { isLeftToNewest, LONG_MS, realServer, version } from '../testing/server/real-server.ts'
import type { ActivityEntry } from './client/activity-entry.ts'
import { definitionKey } from './rows/index-definitions.ts'
import { actionById, ACTIONS } from './table.ts'
import { readBackups } from './worker/backups.ts'
import type { ActionCall, ActionFacts, ActionTarget } from './model.ts'
import { actionDesk, type ActionDesk } from '../testing/server/action-desk.ts'
import { failByName, failCreation, failRestores } from '../testing/server/failures.ts'

const isOld = version.startsWith('5.4')
const NAME = 'acts'
const INDEX = 'Things/ByN'
const PATH = databasePath(NAME)
const REPLACEMENT = `ReplacementOf/${INDEX}`

const url = inject('serverUrl')
let governor: Governor
/** Addresses of the requests that the server has answered. */
const answered: string[] = []
let desk: ActionDesk
let folder = ''
/** Ids of actions that were executed. */
const seen = new Set<string>()

const { createSleepy, until } = realServer(() => url)
const get = (path: string): Promise<unknown> => json(url, path)
const post = (path: string, body?: object): Promise<unknown> =>
  json(url, path, { method: 'POST', ...(body === undefined ? {} : { body }) })

interface Stats {
  readonly Name: string
  readonly State: string
  readonly Status: string
  readonly Priority: string
  readonly LockMode: string
  readonly CreatedTimestamp: string
  readonly ErrorsCount: number
}
const statsOf = async (name = INDEX): Promise<Stats | undefined> =>
  ((await get(`${PATH}/indexes/stats`)) as { Results: Stats[] }).Results.find(({ Name }) => Name === name)

interface Listed {
  readonly Name: string
  readonly Disabled: boolean
  readonly LockMode: string
  readonly UpTime: string | null
}
const listed = async (name = NAME): Promise<Listed | undefined> =>
  ((await get('/databases')) as { Databases: Listed[] }).Databases.find(({ Name }) => Name === name)

const index = (name = INDEX): ActionTarget => ({ kind: 'index', database: NAME, name })
const database = (name = NAME): ActionTarget => ({ kind: 'database', database: name, name: null })
const SERVER: ActionTarget = { kind: 'server', database: null, name: null }

async function act(
  action: string,
  target: ActionTarget,
  inputs: ActionCall['inputs'] = {},
  facts: ActionFacts = {},
  side: Parameters<ActionDesk['act']>[1] = {},
): Promise<ActivityEntry> {
  seen.add(action)
  return desk.act({ action, target, inputs, facts }, side)
}

/** Runs an action that ends as done. */
async function done(...given: Parameters<typeof act>): Promise<ActivityEntry> {
  const entry = await act(...given)
  expect([given[0], entry.state, entry.text]).toEqual([given[0], 'done', expect.any(String)])
  return entry
}

/** Runs the inverse that the table names, which ends as done. */
async function undone({ call }: ActivityEntry): Promise<void> {
  const inverse = actionById(call.action)?.inverse?.(call)
  if (inverse == null) throw new Error(`${call.action} has no inverse.`)
  await done(inverse.action, call.target, inverse.inputs)
}

const write = (from: number, count: number): Promise<unknown> =>
  bulk(
    url,
    NAME,
    Array.from({ length: count }, (_, i) => put(`things/${from + i}`, 'Things', { N: i })),
  )

describe.runIf(version !== '')(`actions on RavenDB ${version}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    // A page has this; activity is kept for as long as it lives.
    vi.stubGlobal('addEventListener', () => undefined)
    // 5.4 numbers backups for the whole server and other operations by database: one whose number an older one has is not known
    // any more when it has ended. These numbers are above those of any database here.
    if (isOld) for (let left = 50; left > 0; left--) await get('/admin/operations/next-operation-id')
    folder = await mkdtemp(join(tmpdir(), 'rookery-actions-'))
    governor = new Governor({
      ...realEnv(url),
      fetch: async (address, init) => {
        const response = await fetch(address, init)
        answered.push(address)
        return response
      },
      WebSocket: WebSocket as never,
      // Node has no XMLHttpRequest.
      upload: (url, body, options) => fetch(url, { ...options, body }),
    })
    governor.setViewOnly(false)
    desk = await actionDesk(governor, url)
    await done('server.create-database', SERVER, { name: NAME })
    await write(0, 2000)
    await putIndexes(url, NAME, [
      { Name: INDEX, Maps: ['from t in docs.Things select new { t.N }'] },
      { Name: 'Things/Broken', Maps: ['from t in docs.Things select new { N = 1 / (t.N - t.N) }'] },
    ])
  }, 300_000)

  afterAll(async () => {
    desk.close()
    governor.close()
    await rm(folder, { recursive: true, force: true })
    vi.unstubAllGlobals()
  }, 60_000)

  it('a document is saved with the version it was read at, gets an attachment, and is deleted', async () => {
    const document: ActionTarget = { kind: 'document', database: NAME, name: 'odd/id?&#%\n"<b>é' }
    const place = `${PATH}/docs?id=${encodeURIComponent(document.name ?? '')}`
    const now = async (): Promise<string> => (await fetch(url + place)).text()
    const save = (text: string, expected: string): Promise<ActivityEntry> =>
      act('document.save', document, { expected }, {}, { payload: new Blob([text]) })
    const created = await save('{"N":1.10,"@metadata":{"@collection":"Odd"}}', '')
    expect(created).toMatchObject({ state: 'done', accepted: { ChangeVector: expect.any(String) as string } })
    expect(await now()).toContain('{"N":1.10,')
    expect(JSON.stringify(created)).not.toContain('1.10')
    const taken = await save('{"N":2}', '')
    expect(taken).toMatchObject({ state: 'failed', error: { status: 409 } })
    const { ChangeVector: expected } = created.accepted as { ChangeVector: string }
    const saved = await save('{"N":12345678901234567890,"@metadata":{"@collection":"Odd"}}', expected)
    expect(saved.state).toBe('done')
    expect(await save('{"N":3}', expected)).toMatchObject({ state: 'failed', error: { status: 409 } })
    expect(await now()).toContain('{"N":12345678901234567890,')
    const attachment = { attachment: 'a/b ü.txt', type: 'text/plain' }
    expect((await act('document.attach', document, attachment, {}, { payload: new Blob(['held']) })).state).toBe('done')
    const file = `${PATH}/attachments?id=${encodeURIComponent(document.name ?? '')}&name=${encodeURIComponent(attachment.attachment)}`
    expect(await (await fetch(url + file)).text()).toBe('held')
    await done('document.detach', document, attachment)
    expect((await fetch(url + file)).status).toBe(404)
    await done('document.delete', document)
    expect((await fetch(url + place)).status).toBe(404)
    expect((await act('document.delete', document)).state).toBe('gone')
    // An id that the server completes.
    const completed: ActionTarget = { kind: 'document', database: NAME, name: 'odd/' }
    const made = await act('document.save', completed, { expected: '' }, {}, { payload: new Blob(['{"N":4}']) })
    expect(made).toMatchObject({ state: 'done', accepted: { Id: expect.stringMatching(/^odd\/\d+-/) as string } })
    // Words of a refusal, without the text that the server repeats in them.
    const refused = await act('document.save', completed, { expected: '' }, {}, { payload: new Blob(['{"N":1e400}']) })
    expect(refused.state).toBe('failed')
    expect(JSON.stringify(refused)).not.toContain('{"N')
    const { Id } = made.accepted as { readonly Id: string }
    await done('document.delete', { ...completed, name: Id })
  })

  it('an index is paused and resumed, disabled and enabled, each by what undoes the other', async () => {
    // Made by the action.
    expect(await listed()).toMatchObject({ Name: NAME, Disabled: false })
    const paused = await done('index.pause', index())
    expect(await statsOf()).toMatchObject({ Status: 'Paused' })
    await undone(paused)
    expect(await statsOf()).toMatchObject({ Status: 'Running' })
    const disabled = await done('index.disable', index())
    expect(await statsOf()).toMatchObject({ State: 'Disabled' })
    await undone(disabled)
    expect(await statsOf()).toMatchObject({ State: 'Normal' })
  })

  it('priority and lock mode of an index change, and change back', async () => {
    const low = await done('index.priority', index(), { priority: 'Low' }, { priority: 'Normal' })
    expect(await statsOf()).toMatchObject({ Priority: 'Low' })
    await undone(low)
    expect(await statsOf()).toMatchObject({ Priority: 'Normal' })
    const locked = await done('index.lock', index(), { mode: 'LockedIgnore' }, { lock: 'Unlock' })
    expect(await statsOf()).toMatchObject({ LockMode: 'LockedIgnore' })
    await undone(locked)
    expect(await statsOf()).toMatchObject({ LockMode: 'Unlock' })
  })

  it('an index is reset in place, and its errors are cleared', async () => {
    const { CreatedTimestamp: createdAt = '' } = (await statsOf()) ?? {}
    await done('index.reset', index(), {}, { createdAt })
    expect((await statsOf())?.CreatedTimestamp).not.toBe(createdAt)
    await until('errors', async () => ((await statsOf('Things/Broken'))?.ErrorsCount ?? 0) > 0, LONG_MS)
    await done('index.clear-errors', index('Things/Broken'))
    expect((await statsOf('Things/Broken'))?.ErrorsCount).toBe(0)
    await done('index.delete', index('Things/Broken'))
    expect(await statsOf('Things/Broken')).toBeUndefined()
  })

  it.skipIf(isOld)('a reset side by side is discarded by what undoes it, swapped in, and left to end', async () => {
    const facts = { createdAt: (await statsOf())?.CreatedTimestamp ?? '' }
    const call = { action: 'index.reset-side-by-side', target: index(), inputs: {}, facts }
    const build = async (): Promise<void> => {
      // Without pauses it would be built before anything could be done to it.
      await post(`${PATH}/admin/indexes/stop`)
      await json(url, `${PATH}/indexes?name=${INDEX}&mode=SideBySide`, { method: 'RESET' })
      await until('built', async () => (await statsOf(REPLACEMENT)) !== undefined, LONG_MS)
    }
    await build()
    for (const id of ['index.delete', 'index.disable'])
      expect(await act(id, index())).toMatchObject({
        state: 'failed',
        text: expect.stringContaining('has a replacement') as string,
      })
    await done('index.discard-replacement', index(), actionById(call.action)?.inverse?.(call)?.inputs)
    expect(await statsOf(REPLACEMENT)).toBeUndefined()
    await build()
    await done('index.swap', index())
    expect(await statsOf(REPLACEMENT)).toBeUndefined()
    expect((await statsOf())?.CreatedTimestamp).not.toBe(facts.createdAt)
    await post(`${PATH}/admin/indexes/start`)
    const createdAt = (await statsOf())?.CreatedTimestamp ?? ''
    // A busy server applies an earlier change late, and discards the replacement: nothing has changed then.
    const isReset = async (): Promise<boolean> => {
      const { state, text } = await act('index.reset-side-by-side', index(), {}, { createdAt })
      expect([state, text]).toEqual([expect.stringMatching(/^(?:done|nothing)$/), expect.any(String)])
      return state === 'done'
    }
    await until('reset', isReset, LONG_MS)
    expect((await statsOf())?.CreatedTimestamp).not.toBe(createdAt)
  })

  it('a database is disabled and enabled, locked and unlocked, restarted, and loaded', async () => {
    const disabled = await done('database.disable', database())
    expect(await listed()).toMatchObject({ Disabled: true })
    await undone(disabled)
    expect(await listed()).toMatchObject({ Disabled: false })
    const locked = await done('database.lock', database(), { mode: 'PreventDeletesError' }, { lock: 'Unlock' })
    expect(await listed()).toMatchObject({ LockMode: 'PreventDeletesError' })
    await undone(locked)
    expect(await listed()).toMatchObject({ LockMode: 'Unlock' })
    await done('database.restart', database())
    // The database was loaded a moment ago.
    await done('database.restart', database(), {}, { state: 'online' })
    expect((await listed())?.UpTime).not.toBeNull()
    await createSleepy('sleepy')
    await until('unloaded', async () => (await listed('sleepy'))?.UpTime === null, LONG_MS)
    await done('database.load', database('sleepy'))
    expect((await listed('sleepy'))?.UpTime).not.toBeNull()
  })

  it('its journals are flushed and its data file synced where the server reports it, or nothing is said to be done', async () => {
    const journals = async (): Promise<number> => {
      const report = (await get(`${PATH}/debug/storage/environment/report?name=${NAME}&type=Documents`)) as {
        Report: { Journals: { LastFlushedTransaction: number } }
      }
      return report.Report.Journals.LastFlushedTransaction
    }
    await write(0, 500)
    expect(['done', 'nothing']).toContain((await act('database.sync', database(), { index: '' })).state)
    // The server flushes by itself, too, right before the action or after it: then nothing is said to be done, and something was.
    const flushed = async (): Promise<string> => {
      await write(0, 500)
      const before = await journals()
      const { state } = await act('database.flush', database(), { index: '' })
      const isMoved = (await journals()) > before
      if (state === 'done') expect(isMoved).toBe(true)
      return isMoved && state === 'nothing' ? 'by itself' : state
    }
    let state = await flushed()
    for (let left = 5; left > 0 && state === 'by itself'; left--) state = await flushed()
    expect(['done', 'nothing']).toContain(state)
  })

  it('a backup becomes a database, and an export is imported into it', async () => {
    await done('database.backup', database(), { folder })
    const [backup] = await readBackups(governor, folder)
    await done('server.restore-database', SERVER, { file: backup?.file ?? '', name: 'restored', tasks: 'Disabled' })
    const count = async (): Promise<unknown> =>
      ((await get(`${databasePath('restored')}/stats`)) as { CountOfDocuments: number }).CountOfDocuments
    expect(await count()).toBe(2000)
    const what = { what: 'Documents only' }
    const exported: Uint8Array<ArrayBuffer>[] = []
    await done('database.export', database(), what, {}, { received: (bytes) => void exported.push(bytes) })
    await json(url, `${databasePath('restored')}/docs?id=things/1`, { method: 'DELETE' }).catch(() => undefined)
    expect(await count()).toBe(1999)
    const file = new File(exported, 'acts.ravendbdump')
    await done('database.import', database('restored'), { ...what, file: file.name }, {}, { file })
    expect(await count()).toBe(2000)
  })

  it.skipIf(isLeftToNewest)('an import that is cancelled ends on the server', async () => {
    const documents = Array.from(
      { length: 150_000 },
      (_, i) =>
        `{"N":${String(i)},"Text":"${'x'.repeat(40)}","@metadata":{"@collection":"Big","@id":"big/${String(i)}"}}`,
    )
    const file = new File([`{"BuildVersion":54000,"Docs":[${documents.join(',')}]}`], 'big.ravendbdump')
    await done('server.create-database', SERVER, { name: 'partly' })
    const inputs = { what: 'Documents only', file: file.name }
    const cancelWhen = ({ text }: ActivityEntry): boolean => text.includes('documents read')
    const { state, text } = await act('database.import', database('partly'), inputs, {}, { file, cancelWhen })
    expect(state).toBe('failed')
    expect(text).toMatch(
      /^It was cancelled\. \(What it had imported until then stays\.\) Last reading: [\d,]+ documents read\./,
    )
    const { Results } = (await get(`${databasePath('partly')}/operations`)) as {
      readonly Results: readonly { readonly State: { readonly Status: string } }[]
    }
    expect(Results.map(({ State }) => State.Status)).toEqual(['Canceled'])
    const { CountOfDocuments } = (await get(`${databasePath('partly')}/stats`)) as { readonly CountOfDocuments: number }
    expect(CountOfDocuments).toBeGreaterThan(0)
    expect(CountOfDocuments).toBeLessThan(documents.length)
  })

  it.skipIf(isLeftToNewest).each(['deleted', 'disabled'])(
    'a file in transfer says that its database was %s by another client',
    async (how) => {
      const rows = Array.from({ length: 150_000 }, (_, i) => `rows/${String(i)},${'x'.repeat(40)}`)
      const file = new File([`@id,Text\n${rows.join('\n')}`], 'rows.csv')
      const name = `lost-${how}`
      await done('server.create-database', SERVER, { name })
      const lost: Promise<unknown>[] = []
      const cancelWhen = ({ text }: ActivityEntry): boolean => {
        if (!text.includes('documents read') || lost.length > 0) return false
        lost.push(
          how === 'deleted'
            ? json(url, '/admin/databases', { method: 'DELETE', body: { DatabaseNames: [name], HardDelete: true } })
            : post('/admin/databases/disable', { DatabaseNames: [name] }),
        )
        return false
      }
      const inputs = { file: file.name, collection: 'Rows', delimiter: 'Comma' }
      const { state, text } = await act('database.import-csv', database(name), inputs, {}, { file, cancelWhen })
      expect(await Promise.all(lost)).toHaveLength(1)
      const kept = how === 'deleted' ? '' : ' (What it had imported until then stays.)'
      expect(state).toBe('failed')
      expect(text.replace(/ Last reading: [\d,]+ documents read\..*$/, '')).toBe(
        `The database was ${how} before the import had ended.${kept}`,
      )
      expect(text).toContain('documents read')
    },
  )

  it.skipIf(isLeftToNewest)(
    'what fails leaves behind what the rows say; a restore over an existing name is not sent',
    async () => {
      const [backup] = await readBackups(governor, folder)
      const file = backup?.file ?? ''
      const refused = await act('server.restore-database', SERVER, {
        file,
        name: NAME.toUpperCase(),
        tasks: 'Disabled',
      })
      expect([refused.state, refused.text]).toEqual(['failed', expect.stringContaining('exists: the server')])
      expect(await listed()).toBeDefined()
      const relative = await act('database.backup', database(), { folder: 'relative/x' })
      expect([relative.state, relative.text]).toEqual(['failed', expect.stringContaining('is no full path on')])
      await failByName(url, NAME)
      await failRestores(url, file, isOld)
      await failCreation(url)
    },
  )

  it('a database is compacted, and deleted with its files', async () => {
    await done('database.compact', database('restored'), { indexes: '' })
    expect((await listed('restored'))?.Disabled).toBe(false)
    await done('database.delete', database('restored'), { files: 'remove' })
    expect(await listed('restored')).toBeUndefined()
  })

  it('a query that waits is killed, and an operation that runs is cancelled', async () => {
    await post(`${PATH}/admin/indexes/stop`)
    await write(0, 1)
    const query = {
      Query: `from index '${INDEX}'`,
      WaitForNonStaleResults: true,
      WaitForNonStaleResultsTimeout: '00:00:20',
    }
    const requested = post(`${PATH}/queries`, query).catch(() => null)
    const running = async (): Promise<{ readonly QueryId: number } | undefined> =>
      ((await get(`${PATH}/debug/queries/running`)) as Record<string, { QueryId: number }[]>)[INDEX]?.[0]
    await until('running', async () => (await running()) !== undefined, LONG_MS)
    const killed = act('query.kill', { kind: 'query', database: NAME, name: `${(await running())?.QueryId} ${INDEX}` })
    // A query that waits for its index goes on until the wait ends.
    await until('sent', () => Promise.resolve(answered.some((each) => each.includes('/queries/kill'))), LONG_MS)
    await post(`${PATH}/admin/indexes/start`)
    expect((await killed).state).toBe('done')
    await requested
    expect(await running()).toBeUndefined()

    // Some milliseconds a document in few steps, of which a script has 10,000.
    const patch = "from Things update { this.s = 'x'.repeat(30000).split('').sort().length }"
    const body = { Query: { Query: patch } }
    const begun = (await json(url, `${PATH}/queries`, { method: 'PATCH', body })) as {
      readonly OperationId: number
    }
    const id = String(begun.OperationId)
    await done('operation.kill', { kind: 'operation', database: NAME, name: id })
    const { Status: status } = (await get(`${PATH}/operations/state?id=${id}`)) as { Status: string }
    expect(status).toBe('Canceled')
  })

  it('a query gets the index that it needs', async () => {
    const query = 'from Things where Q > 1'
    const entry = await act('database.create-auto-index', database(NAME), { query, parameters: '' })
    expect(entry.state).toBe('done')
    expect(await statsOf('Auto/Things/ByQ')).toBeDefined()
  })

  it('a definition of an index is saved in either language', async () => {
    const save = (action: string, name: string, map: string) =>
      act(
        action,
        { kind: 'index', database: NAME, name },
        { definition: definitionKey([map], null) },
        {},
        { payload: new Blob([JSON.stringify({ Indexes: [{ Name: name, Maps: [map] }] })]) },
      )
    expect((await save('index.save', 'Saved/ByM', 'from t in docs.Things select new { t.M }')).state).toBe('done')
    const script = "map('Things', t => ({ M: t.M }))"
    expect((await save('index.save-script', 'Saved/Script', script)).state).toBe('done')
    expect(await statsOf('Saved/ByM')).toBeDefined()
    expect(await statsOf('Saved/Script')).toBeDefined()
    const refused = await save('index.save', 'Saved/Wrong', 'from t in docs.Things select new { A = Foo(t) }')
    expect(refused).toMatchObject({
      state: 'failed',
      error: { serverMessage: expect.stringContaining('▸Foo') as unknown },
    })
  })

  it('counters and time series of a document are changed to the digit', async () => {
    const id = 'odd/parts "é'
    const document: ActionTarget = { kind: 'document', database: NAME, name: id }
    const docId = `docId=${encodeURIComponent(id)}`
    const text = async (part: string): Promise<string> => (await fetch(url + PATH + part)).text()
    await bulk(url, NAME, [put(id, 'Odd', { N: 1 })])
    const counter = 'likes "é'
    expect((await done('document.count', document, { counter, delta: '9007199254740993' })).text).toContain(
      'has the counter.',
    )
    await done('document.count', document, { counter, delta: '-2' })
    expect(await text(`/counters?${docId}`)).toContain('"TotalValue":9007199254740991')
    const wrong = await act('document.count', document, { counter, delta: '1.5' })
    expect([wrong.state, wrong.error?.message]).toEqual(['failed', expect.stringContaining('whole number')])
    await done('document.uncount', document, { counter })
    expect(await text(`/counters?${docId}`)).not.toContain('TotalValue')

    const series = 'Rates é'
    const at = '2026-11-27T01:02:03.004Z'
    await done('document.append', document, { series, at, values: '1.10, -2e3', tag: 'a "b"' })
    await done('document.append', document, { series, at: '2026-11-27T01:02:04Z', values: '3', tag: '' })
    const page = `/timeseries?${docId}&name=${encodeURIComponent(series)}&start=0&pageSize=9`
    expect(await text(page)).toMatch(/"Timestamp":"2026-11-27T01:02:03\.0040000Z".*"Values":\[1\.1,-2000(?:\.0)?\]/)
    const none = await act('document.append', document, { series, at: 'now', values: '1', tag: '' })
    expect(none.state).toBe('failed')
    await done('document.delete-entries', document, { series, from: at, to: at })
    expect(JSON.parse(await text(page))).toMatchObject({ Entries: [{ Timestamp: '2026-11-27T01:02:04.0000000Z' }] })
  })

  it('a document that was chosen from a list is not deleted where another client has changed it since', async () => {
    const document: ActionTarget = { kind: 'document', database: NAME, name: 'odd/chosen' }
    const read = async (): Promise<string> => {
      const response = (await get(`${PATH}/docs?id=odd/chosen`)) as {
        Results: { '@metadata': Record<string, string> }[]
      }
      return response.Results[0]?.['@metadata']['@change-vector'] ?? ''
    }
    await bulk(url, NAME, [put('odd/chosen', 'Odd', { N: 1 })])
    const changeVector = await read()
    await bulk(url, NAME, [put('odd/chosen', 'Odd', { N: 2 })])
    const kept = await act('document.delete', document, {}, { changeVector })
    expect([kept.state, kept.error?.status]).toEqual(['failed', 409])
    expect(await read()).not.toBe('')
    await done('document.delete', document, {}, { changeVector: await read() })
  })

  it('CSV and sample data become documents of a new database', async () => {
    const counts = async (name: string): Promise<Readonly<Record<string, number>>> =>
      ((await get(`${databasePath(name)}/collections/stats`)) as { Collections: Record<string, number> }).Collections
    const fresh: ActionFacts = { state: 'unloaded', documents: 0 }
    await done('server.create-database', SERVER, { name: 'csv' })
    const file = new File(['\uFEFF@id;Name;Price\nthings/1;"A; ""é""";1.10\nthings/2;B;2\n'], 'Things é.csv')
    const inputs = { file: file.name, collection: 'Things é', delimiter: 'Semicolon' }
    const imported = await done('database.import-csv', database('csv'), inputs, fresh, { file })
    expect(imported.text).toContain('2 documents imported')
    expect(await counts('csv')).toMatchObject({ 'Things é': 2 })
    const text = await (await fetch(`${url}${databasePath('csv')}/docs?id=things/1`)).text()
    expect(text).toContain('"Name":"A; \\"é\\""')
    await done('server.create-database', SERVER, { name: 'sample' })
    await done('database.sample-data', database('sample'), {}, fresh)
    expect((await counts('sample'))['Orders']).toBe(830)
    for (const name of ['csv', 'sample']) await done('database.delete', database(name), { files: 'remove' })
  })

  it('documents are patched and deleted by a query, as many as were counted', async () => {
    await post(`${PATH}/bulk_docs`, {
      Commands: [1, 2, 3].map((n) => put(`spare/${n}`, 'Spares', { N: n })),
    })
    const by = (action: string, query: string) => act(action, database(NAME), { query, parameters: '', count: '3' })
    const patched = await by('database.patch-by-query', 'from Spares update { this.M = this.N }')
    expect(patched).toMatchObject({ state: 'done', text: '3 documents patched.' })
    const [spare] = ((await get(`${PATH}/docs?id=spare/2`)) as { Results: { M: number }[] }).Results
    expect(spare?.M).toBe(2)
    const refused = await by('database.patch-by-query', 'from Spares where Nope = 1 update { this.M = 9 }')
    expect(refused.state).toBe('failed')
    const deleted = await by('database.delete-by-query', 'from Spares')
    expect(deleted).toMatchObject({ state: 'done', text: '3 documents deleted.' })
  })

  it('notifications are postponed and dismissed, and garbage is collected', async () => {
    const [alert = ''] = desk.serverAlerts()
    await done('notification.postpone', { kind: 'notification', database: null, name: alert }, { seconds: '3600' })
    expect(desk.serverAlerts().has(alert)).toBe(false)
    const all = async (): Promise<readonly string[]> =>
      ((await get(`${PATH}/notifications`)) as { Results: { Id: string }[] }).Results.map(({ Id }) => Id)
    await until('a notification', async () => (await all()).length > 0, LONG_MS)
    const [name = ''] = await all()
    await done('notification.dismiss', { kind: 'notification', database: NAME, name })
    expect(await all()).not.toContain(name)
    await done('server.gc', SERVER)
  })

  it('no action of the table is left out', () => {
    const since = ACTIONS.filter(({ id }) => !seen.has(id)).map(({ id }) => id)
    expect(since).toEqual(isOld ? ['index.reset-side-by-side', 'index.swap', 'index.discard-replacement'] : [])
  })
})
