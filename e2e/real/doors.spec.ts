import net from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createDatabase, databasePath, deleteDatabase, json, putIndexes } from '../../tools/ravendb/client.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { BY_N } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'

/* The stand-alone server that only looks, in front of a real server: what a hostile client sends, and what the studio reads. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the stand-alone server.')

const NAME = 'doors'
const PATH = databasePath(NAME)
const DIST = resolve(import.meta.dirname, '../../dist')

test('lets no client write, however it writes its request', async ({ raven }) => {
  await createDatabase(raven.url, NAME)
  const served = await serveStudio({ dist: DIST, target: raven.url, allowChanges: false })
  const port = Number(new URL(served.url).port)
  const sent = async (head: string, body: string): Promise<string> => {
    const client = net.connect(port, '127.0.0.1')
    client.write(`${head}\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    return text(client)
  }
  try {
    const command = { Id: 'written/1', Type: 'PUT', Document: { N: 1 }, ChangeVector: null }
    const commands = JSON.stringify({ Commands: [command] })
    const smuggled = `PUT ${PATH}/docs?id=smuggled/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"N":1}`
    const answers = [
      await sent(`POST ${PATH}/docs#/../bulk_docs HTTP/1.1\r\nContent-Type: application/json`, commands),
      await sent('GET /build/version HTTP/1.1\r\nConnection: keep-alive, content-length', smuggled),
      await sent('GET /build/version HTTP/1.1', smuggled),
      await sent('GET /build/version HTTP/1.1\r\nTransfer-Encoding: gzip, chunked', '0\r\n\r\n'),
    ]
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i)
    const changing = [
      '/admin/memory/gc',
      '/admin/debug/node/clear-http-clients-pool',
      '/admin/debug/node/ping?url=http%3A%2F%2F127.0.0.1%3A1',
      '/admin/debug/memory/allocations',
      '/admin/studio-tasks/offline-migration-test?mode=dataDirectory&path=%2Ftmp',
      `${PATH}/hilo/next?tag=things`,
      '/BUILD/version',
    ]
    for (const path of changing) expect([path, (await fetch(served.url + path)).status]).toEqual([path, 403])
    // The refused requests left no data on a connection to the server.
    expect(await (await fetch(`${served.url}/build/version`)).json()).toMatchObject({ FullVersion: /^7\.1/ })
    const { Results: documents } = (await json(raven.url, `${PATH}/docs?start=0&pageSize=9`)) as { Results: unknown[] }
    expect(documents).toEqual([])
  } finally {
    await served.close()
    await deleteDatabase(raven.url, NAME)
  }
})

const PLACES = [
  'triage',
  'databases',
  'databases?v=1&databases.open=doors',
  'server',
  'server?v=1&server.view=alerts',
  'io?v=1&s=db:doors&s=server',
  'stalls?v=1&s=db:doors',
  'compare?v=1&s=db:doors',
  'indexing?v=1&s=db:doors&indexing.view=indexes',
  'indexing?v=1&s=db:doors&indexing.view=errors',
  'cluster-log',
  'activity?v=1&activity.view=operations',
  'activity?v=1&activity.view=queries',
  'files',
]

test('lets everything pass that the studio reads, on each panel', async ({ page, raven }) => {
  test.setTimeout(240_000)
  await createDatabase(raven.url, NAME)
  await putIndexes(raven.url, NAME, [BY_N])
  const served = await serveStudio({ dist: DIST, target: raven.url, allowChanges: false })
  const refused: string[] = []
  const requested = new Set<string>()
  page.on('response', (response) => {
    requested.add(new URL(response.url()).pathname)
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  // A socket that is refused has no frames.
  const silent = new Set<string>()
  page.on('websocket', (socket) => {
    silent.add(socket.url())
    socket.on('framereceived', () => silent.delete(socket.url()))
    socket.on('socketerror', (error) => refused.push(`${error} ${socket.url()}`))
  })
  try {
    await page.goto(`${served.url}/studio/index.html`)
    await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText('connected')
    for (const place of [...PLACES, 'stacks?v=1&s=server']) {
      await page.evaluate(async (hash) => {
        location.hash = hash
        await globalThis.rookery.idle()
      }, `#/${place}`)
      await expect(page.getByRole('main')).not.toBeEmpty()
    }
    await page.getByRole('button', { name: 'Take stack snapshot' }).click()
    await expect.poll(() => requested.has('/admin/debug/threads/stack-trace'), { timeout: 60_000 }).toBe(true)
    expect(refused).toEqual([])
    expect(requested.size).toBeGreaterThan(30)
  } finally {
    await page.goto('about:blank')
    await served.close()
    await deleteDatabase(raven.url, NAME)
  }
})
