// @ts-check
/** The stand-alone server in front of several servers: each below its path, as who one is there, and none reaches another. */
import { once } from 'node:events'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { KEY_HEADER, KEY_PARAMETER } from '../src/base/http/stand-alone.mjs'
import { createAuthority } from './certificates/certificates.mjs'
import { serveStudio } from './serve.mjs'

const authority = createAuthority('an authority')
const shown = authority.issue('localhost', { usage: 'server', hosts: ['127.0.0.1'] })
const admin = authority.issue('admin', { usage: 'client' })

let dir = ''
/** @type {http.Server[]} */
const targets = []
/** @type {string[]} requests, with the name of the server that received them and of the client */
const requested = []
/** @type {import('./serve.mjs').StudioServer} */
let studio
/** Identities by the name of a server. */
const ids = new Map([['plain', 'one']])
let plain = ''
let secured = ''
let key = ''
let opened = ''

/**
 * @param {string} name
 * @param {(listener: http.RequestListener) => http.Server} create
 * @returns {Promise<string>} host
 */
async function target(name, create) {
  const server = create((request, response) => {
    requested.push(`${name} ${request.method} ${request.url} ${request.headers.cookie ?? ''}`.trim())
    if (request.url === '/debug/server-id') response.end(JSON.stringify({ ServerId: ids.get(name) }))
    else if (request.url === '/build/version') response.end(JSON.stringify({ FullVersion: `7.1.5-${name}` }))
    else if (request.url === '/moved') response.writeHead(302, { location: '/there' }).end()
    else {
      response.setHeader('set-cookie', ['2fa-cookie=a; Path=/; HttpOnly', 'b=c; domain=x; path=/databases'])
      response.setHeader('clear-site-data', '"*"')
      response.end(`<script>${name}</script>`)
    }
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (ws) => ws.send(`${name} ${request.url}`)),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  targets.push(server)
  return `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rookery-several-'))
  mkdirSync(join(dir, 'dist'))
  writeFileSync(join(dir, 'dist', 'index.html'), '<title>studio</title>')
  plain = await target('plain', (listener) => http.createServer(listener))
  const options = { cert: shown.cert, key: shown.key, ca: authority.cert, requestCert: true, rejectUnauthorized: true }
  secured = await target('secured', (listener) => https.createServer(options, listener))
  const identity = { cert: admin.cert, key: admin.key, ca: authority.cert }
  studio = await serveStudio({
    dist: join(dir, 'dist'),
    servers: [
      { target: `http://${plain}`, allowChanges: true },
      { target: `https://${secured}`, identity },
      { target: 'http://127.0.0.1:9' },
    ],
  })
  // Each reports its version once, the secured one late on a busy machine.
  await vi.waitUntil(() => requested.filter((line) => line.includes('/build/version')).length === 2, 20_000)
  opened = await (await fetch(studio.page())).text()
  key = /setItem\("rookery\.key", "([\w-]+)"\)/.exec(opened)?.[1] ?? ''
})

afterAll(async () => {
  await studio.close()
  for (const each of targets) {
    each.closeAllConnections()
    each.close()
  }
  rmSync(dir, { recursive: true })
})

/**
 * @param {string} path sent as it is
 * @param {{ method?: string, headers?: http.OutgoingHttpHeaders }} [options]
 */
async function send(path, { method = 'GET', headers = {} } = {}) {
  const { hostname: host, port } = new URL(studio.url)
  const request = http.request({ host, port, path, agent: false, method, headers: { [KEY_HEADER]: key, ...headers } })
  request.end()
  const [response] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'))
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

test('each server is below its path, as who one is there', async () => {
  requested.length = 0
  expect(opened).toContain(`location.replace("/servers/${plain}/studio/index.html"`)
  for (const host of [plain, secured]) {
    expect(await send(`/servers/${host}/studio/index.html`)).toMatchObject({
      status: 200,
      body: '<title>studio</title>',
    })
    expect((await send(`/servers/${host}/`)).headers.location).toBe(`/servers/${host}/studio/index.html`)
    expect((await send(`/servers/${host}/databases?start=0&pageSize=1`)).status).toBe(200)
  }
  expect(requested).toEqual(['plain', 'secured'].map((name) => `${name} GET /databases?start=0&pageSize=1`))
  expect((await send('/')).headers.location).toBe(`/servers/${plain}/studio/index.html`)
})

test('changes are allowed of the one and refused of the other', async () => {
  requested.length = 0
  expect((await send(`/servers/${plain}/databases/x/docs?id=1`, { method: 'DELETE' })).status).toBe(200)
  expect(await send(`/servers/${secured}/databases/x/docs?id=1`, { method: 'DELETE' })).toMatchObject({
    status: 403,
    headers: { 'rookery-view-only': 'on' },
  })
  expect(requested).toEqual(['plain DELETE /databases/x/docs?id=1'])
})

test('what a server sends becomes no page of the origin, and its cookies are its own', async () => {
  const { headers } = await send(`/servers/${plain}/databases?start=0&pageSize=1`)
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'set-cookie': [`2fa-cookie=a; HttpOnly; Path=/servers/${plain}/`, `b=c; Path=/servers/${plain}/`],
  })
  expect(headers).not.toHaveProperty('clear-site-data')
  expect((await send(`/servers/${plain}/moved`)).headers.location).toBe(`/servers/${plain}/there`)
})

test.each([
  '/databases',
  '/build/version',
  '/servers',
  '/servers/',
  '/servers/other:1/build/version',
  '/SERVERS/x/build/version',
  '/servers/%31/build/version',
  '//servers/x/build/version',
])('%s belongs to none of them', async (path) => {
  requested.length = 0
  expect((await send(path)).status).toBeGreaterThanOrEqual(400)
  expect(requested).toEqual([])
})

test('no address below the path of one leads to another, or to the page of the key', async () => {
  requested.length = 0
  for (const rest of [`/../${secured}/databases`, `/%2e%2e/${secured}/databases`, '//databases', `/..%2f${secured}/x`])
    expect((await send(`/servers/${plain}${rest}`)).status).toBe(400)
  expect(requested).toEqual([])
  expect((await send(`/servers/${plain}/rookery/open?key=x`)).body).toBe('<script>plain</script>')
  expect((await send(`/servers/${secured}/rookery/open?key=x`)).status).toBe(403)
})

test('without the key nothing is forwarded or listed, to the server without a certificate either', async () => {
  requested.length = 0
  for (const path of [
    `/servers/${plain}/databases`,
    `/servers/${secured}/databases?start=0&pageSize=1`,
    '/rookery/servers',
  ])
    expect((await send(path, { headers: { [KEY_HEADER]: '' } })).status).toBe(403)
  const evil = await send('/rookery/servers', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(evil.status).toBe(403)
  expect(requested).toEqual([])
})

test('a websocket goes to its server', async () => {
  for (const [host, name] of [
    [plain, 'plain'],
    [secured, 'secured'],
  ]) {
    const url = `${studio.url.replace('http', 'ws')}/servers/${host}/threads-info/watch?${KEY_PARAMETER}=${key}`
    const socket = new WebSocket(url, { origin: studio.url })
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe(`${name} /threads-info/watch`)
    socket.close()
  }
  const none = new WebSocket(`${studio.url.replace('http', 'ws')}/threads-info/watch?${KEY_PARAMETER}=${key}`)
  expect(String((await once(none, 'error'))[0])).toContain('403')
})

test('lists which servers answer, and why one does not, since when', async () => {
  const list = async () => JSON.parse((await send('/rookery/servers')).body).Servers
  await expect
    .poll(async () => (await list()).map((/** @type {any} */ each) => each.state))
    .toEqual(['answers', 'answers', 'silent'])
  const [first, second, third] = await list()
  expect(first).toMatchObject({ path: `/servers/${plain}`, url: `http://${plain}`, version: '7.1.5-plain', why: '' })
  expect(second).toMatchObject({ url: `https://${secured}`, version: '7.1.5-secured' })
  expect(first.tookMs).toBeGreaterThanOrEqual(0)
  expect(third).toMatchObject({
    answeredMs: null,
    tookMs: null,
    why: expect.stringContaining('127.0.0.1:9 does not answer'),
  })
  expect(third.sinceMs).toBeGreaterThan(Date.now() - 60_000)
  expect((await send('/rookery/servers')).headers).not.toHaveProperty('date')
})

test('lists a server as another one than before once its identity changed, and how long one has not answered', async () => {
  const first = async () => JSON.parse((await send('/rookery/servers')).body).Servers[0]
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(Date.now() + 10_000)
    expect((await first()).waitingMs).toBe(0)
    await vi.waitFor(async () => expect((await first()).waitingMs).toBe(null))
    expect((await first()).replacedMs).toBe(null)
    ids.set('plain', 'two')
    // A server that is replaced ends its connections.
    for (const each of targets) each.closeIdleConnections()
    vi.setSystemTime(Date.now() + 10_000)
    const from = Date.now()
    await vi.waitFor(async () => expect((await first()).replacedMs).toBeGreaterThanOrEqual(from))
    vi.setSystemTime(Date.now() + 3_700_000)
    expect((await first()).replacedMs).toBe(null)
  } finally {
    vi.useRealTimers()
  }
})
