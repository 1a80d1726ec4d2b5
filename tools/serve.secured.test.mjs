// @ts-check
/** The stand-alone server in front of a TLS server that wants client certificates, as a secured RavenDB does. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { X509Certificate } from 'node:crypto'
import { createAuthority } from './certificates/certificates.mjs'
import { introduce } from './serve/introduce.mjs'
import { KEY_HEADER, KEY_PARAMETER } from '../src/base/http/stand-alone.mjs'
import { serveStudio } from './serve.mjs'

const authority = createAuthority('an authority')
const admin = authority.issue('admin', { usage: 'client' })
const unknown = authority.issue('unknown', { usage: 'client' })
const shown = authority.issue('localhost', { usage: 'server', hosts: ['127.0.0.1'] })
const expired = authority.issue('old', { usage: 'server', hosts: ['127.0.0.1'], notAfter: new Date(Date.now() - 1000) })
const foreign = authority.issue('elsewhere', { usage: 'server', hosts: ['db.example'] })
const me = { cert: admin.cert, key: admin.key }
const trusting = { ...me, ca: authority.cert }
const pinOf = (/** @type {{ cert: string }} */ { cert }) => new X509Certificate(cert).fingerprint256

let dir = ''
/** @type {https.Server[]} */
const servers = []
/** @type {string[]} requests that the targets received, with the name of the client */
const requested = []
let code = false

/**
 * @param {{ cert: string, key: string }} certificate
 * @returns {Promise<URL>}
 */
async function target({ cert, key }) {
  const server = https.createServer(
    { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const name = nameOf(request)
      requested.push(`${name} ${request.url}`)
      const status = name === 'admin' ? (code ? 428 : 200) : 403
      const why = name === '' ? 'none was provided by the client' : 'is unknown to the server.\nmore'
      const body =
        status === 403
          ? { Type: 'InvalidAuth', Message: why }
          : request.url === '/build/version'
            ? { FullVersion: '7.1.5' }
            : {
                Name: name,
                SecurityClearance: 'Operator',
                NotAfter: '2030-01-02T00:00:00',
                cookie: request.headers.cookie,
              }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
  )
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) =>
      ws.send(`${nameOf(request)} ${request.headers.origin} ${request.url}`),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const address = server.address()
  return new URL(`https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
}

/** @param {import('node:http').IncomingMessage} request */
function nameOf({ socket }) {
  const theirs = /** @type {import('node:tls').TLSSocket} */ (socket).getPeerCertificate()
  // an empty object where there was none
  const { subject } = /** @type {{ subject?: { CN: string } }} */ (theirs)
  return subject?.CN ?? ''
}

/** @type {URL} */
let good
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rookery-secured-'))
  writeFileSync(join(dir, 'index.html'), '<title>studio</title>')
  good = await target(shown)
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(dir, { recursive: true })
})

test('introduces itself with the certificate', async () => {
  expect(await introduce(good, trusting)).toEqual({
    version: '7.1.5',
    wantsCode: false,
    who: { name: 'admin', clearance: 'Operator', notAfter: '2030-01-02' },
  })
  expect(await introduce(good, { ca: authority.cert, pfx: admin.pfx('secret'), passphrase: 'secret' })).toMatchObject({
    who: { name: 'admin' },
  })
})

test('a certificate that needs a code is no failure', async () => {
  code = true
  expect(await introduce(good, trusting).finally(() => (code = false))).toMatchObject({ wantsCode: true })
})

test('says what is missing where a server refuses', async () => {
  await expect(introduce(good, { ca: authority.cert })).rejects.toThrow(/asks for a client certificate: give .* --pfx/)
  const stranger = { ca: authority.cert, cert: unknown.cert, key: unknown.key }
  await expect(introduce(good, stranger)).rejects.toThrow(/does not know this certificate.*is unknown to the server\.$/)
})

test('trusts no server by itself, and says how to', async () => {
  requested.length = 0
  const pin = pinOf(shown)
  await expect(introduce(good, me)).rejects.toThrow(new RegExp(`of “an authority”.*--ca FILE.*--fingerprint ${pin}`))
  const elsewhere = { ...me, ca: createAuthority('another').cert }
  await expect(introduce(good, elsewhere)).rejects.toThrow(/the authority of --ca did not sign/)
  expect(requested).toEqual([])
})

test('the certificate of the server itself is an authority as well', async () => {
  expect(await introduce(good, { ...me, ca: shown.cert })).toMatchObject({ version: '7.1.5' })
})

test('an expired certificate and a foreign name are reported; a fingerprint gets past both', async () => {
  const old = await target(expired)
  await expect(introduce(old, trusting)).rejects.toThrow(/expired on .*: it has to be renewed/)
  expect(await introduce(old, { ...me, fingerprint: pinOf(expired) })).toMatchObject({ version: '7.1.5' })
  const other = await target(foreign)
  await expect(introduce(other, trusting)).rejects.toThrow(/is for db\.example, not for 127\.0\.0\.1/)
  expect(await introduce(other, { ...me, fingerprint: pinOf(foreign) })).toMatchObject({ version: '7.1.5' })
})

test('nothing is sent to a server of another fingerprint', async () => {
  requested.length = 0
  const wrong = { ...me, fingerprint: pinOf(foreign) }
  await expect(introduce(good, wrong)).rejects.toThrow(`its fingerprint is ${pinOf(shown)}`)
  const served = await serveStudio({ dist: dir, target: good, identity: wrong, allowChanges: true })
  const answer = await fetch(`${served.url}/databases`, {
    method: 'POST',
    body: 'x',
    headers: { [KEY_HEADER]: await keyOf(served) },
  })
  expect(answer.status).toBe(502)
  await served.close()
  expect(requested).toEqual([])
})

test('http to a secured server and https to an unsecured one are reported', async () => {
  await expect(introduce(new URL(`http://${good.host}`), {})).rejects.toThrow(`use https://${good.host}.`)
  const served = await serveStudio({ dist: dir, target: good })
  const plain = new URL(served.url.replace('http', 'https'))
  await expect(introduce(plain, me)).rejects.toThrow(`speaks no TLS: use ${served.url}.`)
  await served.close()
})

/** @param {import('./serve.mjs').StudioServer} served */
async function keyOf({ page }) {
  const opened = await fetch(page())
  expect([opened.headers.getSetCookie(), opened.headers.get('cache-control')]).toEqual([[], 'no-store'])
  const [, key = ''] = /setItem\("rookery\.key", "([\w-]{32})"\)/.exec(await opened.text()) ?? []
  return key
}

test('forwards requests and websockets in the name of the certificate, to those who have the key', async () => {
  const served = await serveStudio({ dist: dir, target: good, identity: trusting })
  const live = `${served.url.replace('http', 'ws')}/threads-info/watch`
  requested.length = 0
  const key = await keyOf(served)
  const wrong = [undefined, '', 'x', key.slice(1), `${key}x`]
  for (const each of wrong) {
    const headers = { cookie: `rookery.key=${key}`, ...(each === undefined ? {} : { [KEY_HEADER]: each }) }
    for (const address of ['/databases?start=0', `/admin/metrics`, `/admin/metrics?${KEY_PARAMETER}=${key}`])
      expect(await (await fetch(served.url + address, { headers })).json()).toMatchObject({ Type: 'Rookery.Refused' })
    // The key of a websocket counts only in its address, and only as the last parameter.
    for (const address of [live, `${live}?${KEY_PARAMETER}=${each ?? ''}`, `${live}?${KEY_PARAMETER}=${key}&a=b`]) {
      const [refused] = await once(new WebSocket(address, { headers: { ...headers, [KEY_HEADER]: key } }), 'error')
      expect(String(refused)).toContain('403')
    }
  }
  expect(requested).toEqual([])

  const headers = { [KEY_HEADER]: key, cookie: '2fa-cookie=theirs; mine=1' }
  const answer = await fetch(`${served.url}/databases?start=0`, { headers })
  expect(await answer.json()).toMatchObject({ Name: 'admin', cookie: '2fa-cookie=theirs' })
  const socket = new WebSocket(`${live}?${KEY_PARAMETER}=${key}`, { origin: served.url })
  const [reported] = await once(socket, 'message')
  // The key is ours, and no business of the server's.
  expect(String(reported)).toBe(`admin ${good.origin} /threads-info/watch`)
  await served.close()
})

test('the studio itself needs no key, at both of its places', async () => {
  const served = await serveStudio({ dist: dir, target: good, identity: trusting })
  for (const place of ['studio', '2fa']) expect((await fetch(`${served.url}/${place}/index.html`)).status).toBe(200)
  await served.close()
})

test('each address opens once, and a wrong key never', async () => {
  let opened = 0
  const served = await serveStudio({ dist: dir, target: good, identity: trusting, onOpened: () => opened++ })
  const [address, other] = [served.page(), served.page()]
  const open = async (/** @type {string} */ url) => (await fetch(url, { redirect: 'manual' })).status
  expect((await fetch(other, { method: 'POST' })).status).toBe(405)
  expect([await open(address), await open(address)]).toEqual([200, 403])
  expect([await open(`${other}x`), await open(other.replace(/key=.*/, ''))]).toEqual([403, 403])
  // A server at another address of that name would share its storage.
  const named = await fetch(other.replace('127.0.0.1', 'localhost'), { redirect: 'manual' })
  expect([named.status, named.headers.get('location')]).toEqual([302, other])
  expect([await open(other), opened]).toEqual([200, 2])
  await served.close()
})

test('without a certificate there is nothing to lend, and no key', async () => {
  const served = await serveStudio({ dist: dir, target: good, identity: { ca: authority.cert } })
  expect(served.page()).toBe(`${served.url}/studio/index.html`)
  expect(await (await fetch(`${served.url}/databases`)).json()).toMatchObject({ Type: 'InvalidAuth' })
  await served.close()
})

test('a lent certificate only looks, unless changes are allowed', async () => {
  const url = '/databases/shop/admin/indexes/stop?name=x'
  const from = requested.length
  const looking = await serveStudio({ dist: dir, target: good, identity: trusting })
  const refused = await fetch(looking.url + url, { method: 'POST', headers: { [KEY_HEADER]: await keyOf(looking) } })
  expect([refused.status, (await refused.json()).Type]).toEqual([403, 'Rookery.ViewOnly'])
  const read = await fetch(`${looking.url}/databases`, { headers: { [KEY_HEADER]: await keyOf(looking) } })
  expect([read.status, read.headers.get('rookery-view-only')]).toEqual([200, 'on'])
  expect(requested.slice(from)).toEqual(['admin /databases'])
  await looking.close()
  const changing = await serveStudio({ dist: dir, target: good, identity: trusting, allowChanges: true })
  const sent = await fetch(changing.url + url, { method: 'POST', headers: { [KEY_HEADER]: await keyOf(changing) } })
  expect([sent.status, sent.headers.get('rookery-view-only')]).toEqual([200, null])
  expect(requested.at(-1)).toBe(`admin ${url}`)
  await changing.close()
})
