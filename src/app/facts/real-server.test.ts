/**
 * Two real servers behind one stand-alone server, watched by their paths. Needs ROOKERY_TEST_SERVER, such as `7.1.5`.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import WebSocket from 'ws'
import { json } from '../../../tools/ravendb/client.mjs'
import { startRavenDb, type RunningRavenDb } from '../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../tools/ravendb/thrifty.mjs'
import { serveStudio, type StudioServer } from '../../../tools/serve.mjs'
import { Governor } from '../../ravendb/governor/governor.ts'
import { realEnv, type GovernorEnv } from '../../ravendb/env.ts'
import { serversResponses } from '../../features/servers/data/servers.ts'
import type { ServerRow } from '../../features/servers/contract.ts'
import { isGate } from '../../testing/gate.ts'
import { LONG_MS, realServer, version } from '../../testing/server/real-server.ts'
import { watchServer } from './watched-server.ts'

/** The first is that of all tests, the second is stopped. */
let urls: readonly string[] = []
let second: RunningRavenDb
let served: StudioServer
let governor: Governor

const SOCKETS = { WebSocket: WebSocket as never, tabs: null }

const { create, until } = realServer(() => second.url)

/** The gate has a test in a browser of several servers, of which one ends. */
describe.runIf(version !== '' && !isGate)(`two servers on RavenDB ${version}`, { timeout: 180_000 }, () => {
  beforeAll(async () => {
    second = await startRavenDb({ version, env: THRIFTY })
    urls = [inject('serverUrl'), second.url]
    served = await serveStudio({ dist: '/nowhere', servers: urls.map((target) => ({ target })) })
    governor = new Governor(envOf(pathOf(0)))
  }, 300_000)

  afterAll(async () => {
    governor.close()
    await served.close()
    await second.stop()
  }, 60_000)

  const pathOf = (i: number): string => `/servers/${new URL(urls[i] ?? '').host}`
  const envOf = (path: string): GovernorEnv => ({
    ...realEnv(served.url + path),
    ...SOCKETS,
  })

  it('has a row with figures of each, of its own server, and says since when one does not answer', async () => {
    const { responses } = serversResponses({ envOf: (url) => ({ ...realEnv(url), ...SOCKETS }), watch: watchServer })
    let rows: readonly ServerRow[] = []
    const request = async (): Promise<readonly ServerRow[]> =>
      (rows = (await responses['servers.list']?.(null, governor, new AbortController().signal)) ?? [])
    const own = (path: string): ServerRow | undefined => rows.find((row) => row.path === path)
    await create('only-on-the-second')
    const isWhole = ({ figures, findings, disk }: ServerRow): boolean =>
      figures?.cpu != null &&
      figures.memory !== null &&
      figures.databases !== null &&
      findings !== null &&
      disk !== null
    await until('figures', async () => (await request()).length === 2 && rows.every(isWhole), 90_000)
    await until('database', async () => (await request(), own(pathOf(1))?.figures?.databases?.total === 1), LONG_MS)
    expect(own(pathOf(0))).toMatchObject({ isOwn: true, version, state: 'answers' })
    // Those of other tests come and go.
    const listed = async (): Promise<number> =>
      ((await json(urls[0] ?? '', '/databases')) as { Databases: unknown[] }).Databases.length
    await until(
      'databases of the other',
      async () => {
        const there = await listed()
        return (await request(), own(pathOf(0))?.figures?.databases?.total === there)
      },
      LONG_MS,
    )
    expect(own(pathOf(1))).toMatchObject({ isOwn: false, nodeTag: 'A' })

    const stoppedMs = Date.now()
    await second.stop()
    await until('silence', async () => (await request(), own(pathOf(1))?.state === 'silent'), LONG_MS)
    expect(rows[0]).toMatchObject({ path: pathOf(1), figures: null, findings: null })
    expect(rows[0]?.sinceMs).toBeGreaterThanOrEqual(stoppedMs - 15_000)
    expect(rows[0]?.answeredMs).toBeLessThanOrEqual(Date.now())
    await until('the other answers', async () => (await request(), own(pathOf(0))?.state === 'answers'), LONG_MS)
  })

  it('asks nothing any more of a server that is closed', async () => {
    let requests = 0
    const env: GovernorEnv = {
      ...envOf(pathOf(0)),
      fetch: (url, init) => {
        requests++
        return fetch(url, init)
      },
    }
    const watched = watchServer(env, governor)
    await until('CPU', () => watched.figures().now.cpu !== null, LONG_MS)
    watched.close()
    const before = requests
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(requests).toBe(before)
  })
})
