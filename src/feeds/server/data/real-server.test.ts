/**
 * The feed against a server of the version that ROOKERY_TEST_SERVER names: one of its own, which has no database, and so no
 * cluster, at first, and no alert of another test. Takes about a minute. The gate reads what each version reports, on the
 * server that its tests share: a server that starts costs some ten seconds of CPU.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import WebSocket from 'ws'
import { createDatabase } from '../../../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../../tools/ravendb/thrifty.mjs'
import { realEnv } from '../../../ravendb/env.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { LONG_MS, realServer, STAYS_MS, version } from '../../../testing/server/real-server.ts'
import { isGate } from '../../../testing/gate.ts'
import { judgedFeed } from '../../../testing/server/judged-feed.ts'
import { SETTINGS } from '../../../testing/server/version-server.ts'
import { ServerFeed } from './feed.ts'
import { laterResponses } from './later.ts'
import { readProgress } from './wire/work-wire.ts'

const isShared = isGate
/** The second of the own server is one that a database may have of its own. */
const settings = isShared
  ? SETTINGS
  : { 'Databases.FrequencyToCheckForIdleInSec': '1', 'Indexing.MapTimeoutInSec': '3600' }

let server = { url: inject('serverUrl'), stop: (): Promise<void> => Promise.resolve() }
let governor: Governor
let wanting: ReturnType<typeof setInterval>
const feed = new ServerFeed({ store: null, tabs: null })

const want = () => feed.responses['server.want'](null, governor)
const now = () => feed.responses['server.now'](null, governor)
const rows = () => feed.responses['server.databases']({ offset: 0, limit: 500 }, governor).rows

const { api, create, createSleepy, isLoaded, until: reached } = realServer(() => server.url)
const until = (what: string, done: () => boolean | Promise<boolean>, withinMs: number): Promise<void> =>
  reached(what, done, withinMs, want)

describe.runIf(version !== '')(`the server feed on RavenDB ${version}`, { timeout: 180_000 }, () => {
  beforeAll(async () => {
    if (!isShared) server = await startRavenDb({ version, settings, env: THRIFTY })
    governor = new Governor({ ...realEnv(server.url), WebSocket: WebSocket as never })
    want()
    // A busy server takes its time to create a database.
    wanting = setInterval(want, 10_000)
  }, 300_000)

  afterAll(async () => {
    clearInterval(wanting)
    governor.close()
    await server.stop()
  }, 60_000)

  it.skipIf(isShared)('watches a server without a cluster, and continues when it joins one', async () => {
    await until('CPU', () => now().cpu !== null, LONG_MS)
    await create('watched')
    await until('tag', () => now().server.nodeTag === 'A', LONG_MS)
    await until('database', () => rows().some(({ name }) => name === 'watched'), LONG_MS)
    expect(now().watch).toMatchObject({ role: 'leader', phase: 'live' })
  })

  it('reads the settings that are not at their default', async () => {
    const read = laterResponses(feed)['server.settings']
    const found = await read(null, governor, new AbortController().signal)
    for (const [key, value] of Object.entries(settings)) expect(found).toContainEqual({ key, value })
    expect(found.length).toBeLessThan(30)
  })

  it('reads the own settings of databases without secrets, and leaves out those that are not there', async () => {
    const own = { 'Indexing.MapBatchSize': '128', 'Some.Password': 'hunter2-of-the-shop' }
    await createDatabase(server.url, 'tuned', { settings: own })
    const read = laterResponses(feed)['server.databaseSettings']
    const found = await read({ databases: ['missing', 'tuned'] }, governor, new AbortController().signal)
    expect(found.map(({ database }) => database)).toEqual(['tuned'])
    expect(found[0]?.settings).toContainEqual({ key: 'Indexing.MapBatchSize', value: '128' })
    expect(found[0]?.settings.map(({ key }) => key)).toContain('Some.Password')
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('receives every part of it', async () => {
    const parts = ['cpu', 'memory', 'gc', 'traffic', 'indexing', 'network', 'lowMemory', 'databases'] as const
    await until('all parts', () => parts.every((part) => now()[part] !== null), LONG_MS)
    await until('volumes', () => now().volumes.length > 0, LONG_MS)
    await until('tag', () => now().server.nodeTag === 'A', LONG_MS)
    // 5.4 fails with 500 while databases of other tests begin or end.
    await until('whole', () => now().watch.lacking.length === 0, LONG_MS)
    const { server: reported, watch } = now()
    expect(reported.version).toBe(version)
    expect(reported).toMatchObject({ nodeTag: 'A', licence: { expired: false } })
    expect(reported.startTicks).not.toBeNull()
    expect(watch).toMatchObject({ role: 'leader', phase: 'live', lacking: [] })
    const nodes = () => feed.responses['server.cluster']().nodes
    await until('leader', () => nodes()[0]?.state === 'Leader', LONG_MS)
    expect(nodes()).toMatchObject([{ tag: 'A', isOwn: true, figures: 'arriving', state: 'Leader' }])
    // Other tests make findings, and postpone alerts, of the server that they share.
    if (isShared) return
    const triage = judgedFeed(feed)['triage.now'](null, governor)
    expect(triage.items.filter(({ level }) => level === 'critical')).toEqual([])
    expect(feed.responses['server.alerts']().alerts.map(({ kind }) => kind)).toContain('LicenseManager_AGPL3')
  })

  it.skipIf(isShared)('leaves databases to be unloaded on schedule, and unloaded, and sees it happen', async () => {
    await createSleepy('quiet')
    await until('seen', () => rows().some(({ name, online }) => name === 'quiet' && online), LONG_MS)
    await until('unloaded under the open feed', async () => !(await isLoaded('quiet')), LONG_MS)
    await until('seen unloaded', () => rows().some(({ name, online }) => name === 'quiet' && !online), LONG_MS)
    const endMs = Date.now() + STAYS_MS
    while (Date.now() < endMs) {
      want()
      expect(await isLoaded('quiet')).toBe(false)
      await sleep(500)
    }
    expect(rows().find(({ name }) => name === 'quiet')!.changes[0]!.change).toBe('unloaded')
    const { cost, endpoints } = governor.meter()
    expect(cost.databasesLoaded).toBe(0)
    expect(cost.shareOfCore).toBeLessThan(0.01)
    expect(endpoints.map(({ endpoint }) => endpoint).filter((route) => route.startsWith('/databases/{'))).toEqual([])
  })

  it.skipIf(isShared)('hears within seconds that writes fail, and why, and not that they conflict', async () => {
    await create('writes')
    const put = (headers: Record<string, string>, type = 'application/json') =>
      fetch(`${server.url}/databases/writes/bulk_docs`, {
        method: 'POST',
        body: JSON.stringify({ Commands: [{ Type: 'PUT', Id: 'a', Document: { N: 1, '@metadata': {} }, ...headers }] }),
        headers: { 'Content-Type': type },
      })
    const failing = () => feed.model.writes.failing(feed.model.nowTicks(Date.now()) ?? Number.NaN)
    await until('listening', () => feed.model.writes.isKnown, LONG_MS)
    expect((await put({})).status).toBe(201)
    expect((await put({ ChangeVector: 'A:999-xxxxxxxxxxxxxxxxxxxxxx' })).status).toBe(409)
    await sleep(3000)
    expect(failing()).toEqual([])
    // A body of a type that it does not know is an error of the server to all versions. A client tries again; of the
    // requests of tests before, no more may be listened to for some seconds.
    const refused = async () => (await put({}, 'text/plain')).status === 500
    await until('heard', async () => (await refused()) && failing().length > 0, 15_000)
    await until('explained', async () => (await refused()) && failing()[0]?.reason != null, 15_000)
    expect(failing()).toMatchObject([
      { database: 'writes', failed: [{ status: 500, request: 'POST /databases/writes/bulk_docs' }] },
    ])
    expect(failing()[0]?.reason?.message).toContain('text/plain')
  })

  it.skipIf(isShared)(
    'lists stale indexes with their progress, also those that are disabled, paused or in error',
    async () => {
      await create('stopped')
      const path = '/databases/stopped'
      const map = (Name: string, expression: string) => ({
        Name,
        Maps: [`from d in docs.D select new { N = ${expression} }`],
      })
      const Indexes = [map('Off', 'd.N'), map('Held', 'd.N'), map('Broken', '1 / d.N')]
      await api('PUT', `${path}/admin/indexes`, { Indexes })
      const write = (from: number) =>
        api('POST', `${path}/bulk_docs`, {
          Commands: Array.from({ length: 600 }, (_, i) => ({
            Type: 'PUT',
            Id: `d/${String(from + i)}`,
            Document: { N: 0, '@metadata': { '@collection': 'D' } },
          })),
        })
      await write(0)
      const states = async () =>
        JSON.stringify(await governor.json('indexesStats', { database: 'stopped' }, { isFresh: true }))
      await until('in error', async () => (await states()).includes('"Error"'), LONG_MS)
      await api('POST', `${path}/admin/indexes/disable?name=Off`, {})
      await api('POST', `${path}/admin/indexes/stop?name=Held`, {})
      await write(600)
      const progress = readProgress(await governor.json('indexesProgress', { database: 'stopped' }, { isFresh: true }))
      expect(Object.fromEntries(progress.map(({ index, status }) => [index, status]))).toEqual({
        Off: 'Disabled',
        Held: 'Paused',
        Broken: 'Paused',
      })
      for (const { itemsLeft } of progress) expect(itemsLeft).toBeGreaterThanOrEqual(600)
    },
  )

  it.skipIf(isShared)('sees a database disabled, enabled and deleted', async () => {
    const change = () => rows().find(({ name }) => name === 'watched')?.changes[0]?.change
    await api('POST', '/admin/databases/disable', { DatabaseNames: ['watched'] })
    await until('disabled', () => rows().some(({ name, disabled }) => name === 'watched' && disabled), LONG_MS)
    await api('POST', '/admin/databases/enable', { DatabaseNames: ['watched'] })
    await until('enabled', () => change() === 'enabled' || change() === 'loaded', LONG_MS)
    const soon = { HardDelete: true, TimeToWaitForConfirmation: '00:01:00' }
    await api('DELETE', '/admin/databases', { DatabaseNames: ['watched'], ...soon })
    await until('deleted', () => !rows().some(({ name }) => name === 'watched'), LONG_MS)
    expect(rows().map(({ name }) => name)).not.toContain('watched')
  })
})
