// @ts-check
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { fileOf } from './serve/files.mjs'
import { serveStudio } from './serve.mjs'

/** @type {http.Server} */
let target
let targetUrl = ''
/** @type {http.IncomingHttpHeaders} what the target saw last */
let seen = {}
/** @type {import('./serve.mjs').StudioServer} */
let studio
let port = 0
let dir = ''
/** @type {() => void} */
let targetSawClose = () => {}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rookery-serve-'))
  mkdirSync(join(dir, 'dist', 'assets'), { recursive: true })
  writeFileSync(join(dir, 'dist', 'index.html'), '<title>studio</title>')
  writeFileSync(join(dir, 'dist', 'assets', 'a.js'), 'a()')
  writeFileSync(join(dir, 'dist', 'Raven.Studio.zip'), 'zip')
  writeFileSync(join(dir, 'dist', '.hidden.js'), 'hidden')
  writeFileSync(join(dir, 'secret.js'), 'secret')

  target = http.createServer((request, response) => {
    seen = request.headers
    if (request.url === '/moved') response.writeHead(302, { location: `${targetUrl}/there` }).end()
    else if (request.url === '/slow') {
      response.writeHead(200, {
        'content-type': 'text/plain',
        connection: 'x-mine',
        'x-mine': '1',
        'strict-transport-security': 'max-age=1',
      })
      response.write('first')
      response.once('close', () => targetSawClose())
    } else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('part', () => response.destroy())
    } else request.pipe(response.writeHead(201, { 'x-method': request.method, 'x-url': request.url }))
  })
  const sockets = new WebSocketServer({ noServer: true })
  target.on('upgrade', (request, socket, head) => {
    seen = request.headers
    if (request.url === '/admin/traffic-watch') socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')
    else if (request.url === '/databases/cut/debug/io-metrics/live') {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\npart', () => socket.destroy())
    } else
      sockets.handleUpgrade(request, socket, head, (ws) => {
        ws.send('hello')
        ws.on('message', (data, binary) => ws.send(data, { binary }))
        ws.once('close', () => targetSawClose())
      })
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  targetUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  studio = await serveStudio({ dist: join(dir, 'dist'), target: targetUrl })
  port = Number(new URL(studio.url).port)
})

afterAll(async () => {
  await studio.close()
  target.closeAllConnections()
  target.close()
  rmSync(dir, { recursive: true })
})

/**
 * A request that sends the path as it is; `fetch` would tidy it.
 * @param {string} path
 * @param {{ method?: string, headers?: http.OutgoingHttpHeaders, body?: string }} [options]
 */
async function send(path, { method = 'GET', headers = {}, body } = {}) {
  const request = http.request({ host: '127.0.0.1', port, path, agent: false, method, headers })
  request.end(body)
  const [response] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'))
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

test('serves the studio with types, nosniff and an ETag', async () => {
  const page = await send('/studio/index.html?x=1')
  expect(page).toMatchObject({ status: 200, body: '<title>studio</title>' })
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("connect-src 'self'"),
  })
  const script = await send('/studio/assets/a.js')
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    // A worker follows the policy that its script came with.
    'content-security-policy': page.headers['content-security-policy'],
  })
  const again = await send('/studio/index.html', {
    headers: { 'if-none-match': `W/"other", ${page.headers.etag ?? ''}` },
  })
  expect(again).toMatchObject({ status: 304, body: '' })
  expect(await send('/studio/index.html', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  expect(await send('/studio/index.html', { method: 'PUT' })).toMatchObject({ status: 405 })
})

test.each(['/', '/studio', '/studio/'])('%s leads to the page', async (path) => {
  expect((await send(path)).headers.location).toBe('/studio/index.html')
})

test.each(['/studio/.hidden.js', '/studio/Raven.Studio.zip', '/studio/assets', '/studio/nothing.js'])(
  'does not serve %s',
  async (path) => {
    expect(await send(path)).toMatchObject({ status: 404, body: 'There is no such file.\n' })
  },
)

test.each([
  '/studio/../secret.js',
  '/studio/%2e%2e/secret.js',
  '/studio/..%2fsecret.js',
  '/studio/assets/../../secret.js',
  '/studio/..%5csecret.js',
  '/studio//etc/passwd.js',
  '/studio/%00.js',
  '/studio/%zz.js',
])('takes %s for no address', async (path) => {
  expect(await send(path)).toMatchObject({ status: 400 })
})

test('no path leads out of the folder', () => {
  const parts = ['..', '.', '%2e%2e', '%2f', '/', '\\', '%5c', 'a', 'a.js', '%00', 'C:', '~']
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const path of [`${a}/${b}/${c}`, `${a}${b}${c}`, `${a}/${b}${c}.js`])
          expect(fileOf('/d/dist', path) ?? '/d/dist/').toMatch(/^\/d\/dist\/(?!.*\.\.(\/|$))/)
})

test('forwards a request as if it came from a page of the target', async () => {
  const answer = await send('/databases/x?a=%20b', {
    method: 'PUT',
    body: '{"a":1}',
    headers: {
      origin: studio.url,
      referer: `${studio.url}/studio/index.html`,
      cookie: 'of-another-port=1; 2fa-cookie=theirs',
      'content-type': 'text/plain',
      'x-own': '1',
    },
  })
  expect(answer).toMatchObject({ status: 201, body: '{"a":1}' })
  expect(answer.headers).toMatchObject({ 'x-method': 'PUT', 'x-url': '/databases/x?a=%20b' })
  expect(seen).toMatchObject({ host: new URL(targetUrl).host, origin: targetUrl, 'content-type': 'text/plain' })
  expect(seen).toMatchObject({ cookie: '2fa-cookie=theirs', 'content-length': '7' })
  expect(seen).not.toHaveProperty('referer')
  expect(seen).not.toHaveProperty('x-own')
})

test('forwards a body of unknown length with any method', async () => {
  const headers = { 'transfer-encoding': 'chunked' }
  expect(await send('/x', { method: 'DELETE', body: 'some', headers })).toMatchObject({ status: 201, body: 'some' })
})

test('an address of the target becomes one of ours', async () => {
  expect((await send('/moved')).headers.location).toBe('/there')
})

test('an answer comes as it is written, and ends at the target when the page leaves', async () => {
  const closed = new Promise((done) => (targetSawClose = () => done('closed')))
  const control = new AbortController()
  const response = await fetch(`${studio.url}/slow`, { signal: control.signal })
  expect(response.headers.get('x-mine')).toBeNull()
  expect(response.headers.get('strict-transport-security')).toBeNull()
  const first = await response.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('first')
  control.abort()
  expect(await closed).toBe('closed')
})

test('an answer that is cut is not taken for a whole', async () => {
  const response = await fetch(`${studio.url}/cut`)
  await expect(response.text()).rejects.toThrow('terminated')
})

test.each([
  ['a foreign name', { host: 'evil.example' }],
  ['a foreign port', { host: '127.0.0.1:1' }],
  ['a foreign page', { origin: 'http://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
])('refuses %s', async (_, headers) => {
  seen = {}
  const { status, body } = await send('/admin/memory/gc', { headers })
  expect(status).toBe(403)
  expect(JSON.parse(body)).toMatchObject({ Type: 'Rookery.Refused' })
  expect(seen).toEqual({})
})

test('another site may link to the page, but not under a foreign name', async () => {
  expect(await send('/studio/index.html', { headers: { 'sec-fetch-site': 'cross-site' } })).toMatchObject({
    status: 200,
  })
  expect(await send('/studio/index.html', { headers: { host: 'evil.example' } })).toMatchObject({ status: 403 })
})

/**
 * @param {number} to port
 * @param {string} bytes what is sent, and nothing after it
 * @returns {Promise<string>} what came until the other side closed
 */
async function sent(to, bytes) {
  const client = net.connect(to, '127.0.0.1')
  client.write(bytes)
  return text(client)
}

test('refuses two Host headers, whichever is right', async () => {
  seen = {}
  for (const hosts of [
    [`127.0.0.1:${port}`, 'evil.example'],
    ['evil.example', `127.0.0.1:${port}`],
  ]) {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
    expect(await sent(port, `GET /databases HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 40[03]/,
    )
  }
  expect(seen).toEqual({})
})

test('forwards an upgrade to nothing but the websockets of RavenDB', async () => {
  seen = {}
  const send = (/** @type {string} */ path, /** @type {string} */ protocol) =>
    sent(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
  expect(await send('/studio/index.html', 'h2c')).toContain('403')
  expect(await send('/threads-info/watch', 'h2c')).toContain('403')
  expect(await send('/databases/x/docs', 'websocket')).toContain('403')
  expect(seen).toEqual({})
})

test('what does not continue is closed: half a header, half a body, an answer that never begins', async () => {
  const silent = http.createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const limits = { receiveMs: 200, answerMs: 400 }
  const served = await serveStudio({
    dist: join(dir, 'dist'),
    target: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    limits,
  })
  const { port: at } = new URL(served.url)
  const head = `Host: 127.0.0.1:${at}\r\n`
  expect(await sent(Number(at), `GET /x HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1\.1 408/)
  expect(await sent(Number(at), `PUT /x HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\nhalf`)).toMatch(
    /^HTTP\/1\.1 408[^]*The request stopped for 0\.2 s before its end\./,
  )
  const answer = await fetch(`${served.url}/x`)
  expect([answer.status, await answer.json()]).toMatchObject([504, { Type: 'Rookery.TargetSilent' }])
  await served.close()
  silent.closeAllConnections()
  silent.close()
})

test('is no proxy for others', async () => {
  expect(await send('http://evil.example/')).toMatchObject({ status: 400 })
})

test('a target that is gone is 502 with the reason', async () => {
  const lonely = await serveStudio({ dist: join(dir, 'dist'), target: 'http://127.0.0.1:9' })
  const response = await fetch(`${lonely.url}/build/version`)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({
    Type: 'Rookery.TargetUnreachable',
    Message: /127\.0\.0\.1:9 cannot be reached/,
  })
  const socket = new WebSocket(`${lonely.url.replace('http', 'ws')}/threads-info/watch`)
  const [error] = await once(socket, 'error')
  expect(String(error)).toContain('502')
  await lonely.close()
})

/** @param {string} path */
function open(path, options = { origin: studio.url }) {
  return new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
}

test('forwards a websocket both ways, first message and large ones included', async () => {
  const socket = open('/databases/x/debug/io-metrics/live')
  /** @type {string[]} */
  const got = []
  const all = new Promise((done) =>
    socket.on('message', (/** @type {Buffer} */ data) => {
      got.push(data.toString('utf8'))
      if (got.length === 3) done(undefined)
    }),
  )
  await once(socket, 'open')
  expect(seen).toMatchObject({ host: new URL(targetUrl).host, origin: targetUrl, upgrade: 'websocket' })
  const large = 'x'.repeat(3_000_000)
  socket.send('ping')
  socket.send(large)
  await all
  expect(got).toEqual(['hello', 'ping', large])
  const closed = new Promise((done) => (targetSawClose = () => done('closed')))
  socket.terminate()
  expect(await closed).toBe('closed')
})

test('shows how the target refused a websocket', async () => {
  const [error] = await once(open('/admin/traffic-watch'), 'error')
  expect(String(error)).toContain('403')
})

test('a refusal that is cut ends the connection', async () => {
  const client = net.connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.resume()
  client.write(
    `GET /databases/cut/debug/io-metrics/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )
  await once(client, 'close', { signal: AbortSignal.timeout(2000) })
  expect(client.destroyed).toBe(true)
})

test('refuses a websocket of a foreign page', async () => {
  seen = {}
  const [error] = await once(open('/threads-info/watch', { origin: 'http://evil.example' }), 'error')
  expect(String(error)).toContain('403')
  expect(seen).toEqual({})
})

test('a foreign page that goes away while it is refused ends nothing', async () => {
  for (let i = 0; i < 20; i++) {
    const client = net.connect(port, '127.0.0.1')
    client.on('error', () => {})
    client.write('GET /x HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', () =>
      client.resetAndDestroy(),
    )
    await once(client, 'close')
  }
  expect(String(await once(open('/threads-info/watch', { origin: 'http://evil.example' }), 'error'))).toContain('403')
})

test('closing ends open websockets, and frees the port', async () => {
  const other = await serveStudio({ dist: join(dir, 'dist'), target: targetUrl })
  const socket = new WebSocket(`${other.url.replace('http', 'ws')}/threads-info/watch`, { origin: other.url })
  await once(socket, 'message')
  const closed = once(socket, 'close')
  await other.close()
  await closed
  const probe = net.createServer().listen(Number(new URL(other.url).port), '127.0.0.1')
  await once(probe, 'listening')
  expect(probe.listening).toBe(true)
  probe.close()
})

test('a POST that names RESET, which Node cannot receive, is sent as RESET, and refused where changes are', async () => {
  /** @type {string[]} */
  const lines = []
  const raw = net.createServer((socket) => {
    socket.once('data', (data) => {
      lines.push(...data.toString().split('\r\n'))
      socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
  })
  await once(raw.listen(0, '127.0.0.1'), 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (raw.address())
  const dist = join(dir, 'dist')
  const send = async (/** @type {boolean} */ allowChanges, /** @type {string} */ path, method = 'RESET') => {
    const served = await serveStudio({ dist, target: `http://127.0.0.1:${address.port}`, allowChanges })
    const response = await fetch(served.url + path, { method: 'POST', headers: { 'rookery-method': method } })
    await served.close()
    return response
  }
  const index = '/databases/shop/indexes?name=Orders'
  const sent = await send(true, index)
  expect([sent.status, sent.headers.get('rookery-stand-alone')]).toEqual([201, 'on'])
  expect(lines[0]).toBe(`RESET ${index} HTTP/1.1`)
  expect(lines.some((line) => line.toLowerCase().startsWith('rookery-method'))).toBe(false)

  lines.length = 0
  // Judged by the method that is meant, on a path that a POST may read.
  for (const path of [index, '/authentication/2fa']) expect((await send(false, path)).status).toBe(403)
  expect((await send(true, index, 'DELETE')).status).toBe(405)
  expect(lines).toEqual([])
  raw.close()
})

test('a reading request is sent again where its connection ended while it was idle, and no other is', async () => {
  const used = new WeakSet()
  /** @type {string[]} */
  const received = []
  const ending = http.createServer(({ socket, method, url }, response) => {
    received.push(`${method} ${url}`)
    if (used.has(socket)) socket.resetAndDestroy()
    else response.end('{}')
    used.add(socket)
  })
  await once(ending.listen(0, '127.0.0.1'), 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (ending.address())
  const own = await serveStudio({ dist: join(dir, 'dist'), target: `http://127.0.0.1:${address.port}` })
  try {
    const statusOf = async (/** @type {string} */ method) => (await fetch(`${own.url}/databases`, { method })).status
    expect(await statusOf('GET')).toBe(200)
    expect(await statusOf('GET')).toBe(200)
    expect(await statusOf('DELETE')).toBe(502)
    expect(received).toEqual(['GET', 'GET', 'GET', 'DELETE'].map((method) => `${method} /databases`))
  } finally {
    await own.close()
    ending.closeAllConnections()
    ending.close()
  }
})
