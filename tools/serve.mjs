// @ts-check
/**
 * The stand-alone server: serves the studio's files under `/studio/` on loopback, and forwards everything else to a
 * RavenDB server, which needs no configuration for it and on which it stores nothing. In front of several servers, all
 * of that is below a path for each (`/servers/NAME/studio/`), and requests outside these paths are not forwarded.
 */
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { isReading } from '../src/base/http/reading.mjs'
import { SERVERS_PATH } from '../src/base/http/stand-alone.mjs'
import { mustBeFree } from './ravendb/server.mjs'
import { admit } from './serve/admit.mjs'
import { serverOf, serversBehind } from './serve/behind.mjs'
import { serveFile } from './serve/files.mjs'
import { refusal } from './serve/guard.mjs'
import { hasCertificate } from './serve/identity.mjs'
import { ServerList } from './serve/list.mjs'
import { Lock, OPEN_PATH, sendKey } from './serve/lock.mjs'

const HOST = '127.0.0.1'
const PAGE = '/studio/index.html'
/** Paths of the build's files. RavenDB also serves them at the second one, for the form of the two-factor code. */
const FILES = /^\/(studio|2fa)\//
const NO_SERVER = 'There are several servers here, each below a path of its own: this address belongs to none of them.'
const LOCKED =
  'This page acts in the name of a certificate, so it opens only by the address, with its key, that “npm start” printed last, and once: open that one.'

const VIEW_ONLY =
  'This server looks and does not change: it forwards what the studio reads, and nothing else. Start it with --allow-changes to lift that.'
/**
 * Response header by which the page learns that this server refuses changes (`src/capture/worker/attentive-env.ts`).
 */
const VIEW_ONLY_HEADER = 'rookery-view-only'
/** Response header by which the page learns to send methods other than those of HTTP as `rookery-method` of a POST. */
const STAND_ALONE_HEADER = 'rookery-stand-alone'

/** Maximum time to receive the headers of a request, and each part of its body, ms. */
const RECEIVE_MS = 20_000

/**
 * @typedef {object} StudioServer
 * @property {string} url such as `http://127.0.0.1:8085`
 * @property {() => string} page address to open it at; where a certificate is lent, a new one with a key that opens once
 * @property {() => Promise<void>} close ends open connections too
 */

/**
 * @param {object} options
 * @param {string} options.dist the build's folder
 * @param {string | URL} [options.target] the only server; else `servers`
 * @param {readonly import('./serve/behind.mjs').Target[]} [options.servers] several
 * @param {number} [options.port] 0: any free one
 * @param {import('./serve/identity.mjs').Identity} [options.identity]
 * @param {boolean} [options.allowChanges] requests that change something are forwarded; by default where no certificate is lent
 * @param {{ receiveMs?: number, answerMs?: number }} [options.limits] how long a request may take to come, and its answer to begin
 * @param {() => void} [options.onOpened] a key was used up
 * @returns {Promise<StudioServer>}
 * @throws {import('./say.mjs').Plain} when the port is taken
 */
export async function serveStudio({
  dist,
  target = '',
  identity = {},
  allowChanges,
  servers = [{ target, identity, allowChanges }],
  port = 0,
  limits = {},
  onOpened = () => {},
}) {
  if (port !== 0) await mustBeFree(port, HOST)
  const root = resolve(dist)
  const { receiveMs = RECEIVE_MS, answerMs } = limits
  const behind = serversBehind(servers, { receiveMs, answerMs })
  const [first] = behind
  if (first === undefined) throw new TypeError('No server is named.')
  const list = behind.length === 1 ? undefined : new ServerList(behind)
  const lock = behind.some((each) => hasCertificate(each.identity)) ? new Lock() : undefined
  const start = first.path + PAGE
  let actual = port

  // An upload may take long in total; the forwarder checks that it makes progress.
  const receiving = { requestTimeout: 0, headersTimeout: receiveMs, connectionsCheckingInterval: receiveMs / 4 }
  const server = createServer(receiving, (request, response) => {
    const { rawHeaders, method, url = '' } = request
    const found = serverOf(behind, url)
    const admitted = admit(
      found === undefined ? request : { rawHeaders, method, url: found.url },
      (found?.to ?? first).url,
    )
    if ('status' in admitted) {
      // Data that follows on this connection may be part of the refused request.
      response.setHeader('connection', 'close')
      return refuse(response, admitted.status, admitted.message)
    }
    const [path = ''] = admitted.path.split('?')
    // Any path below that of one of several servers belongs to that server.
    const isOwn = !found?.to.path
    const opens = isOwn && path === OPEN_PATH
    const page = path === '/' || path === '/studio' || FILES.test(path) || path === '/favicon.ico' || opens
    const why = refusal(request, actual, { page })
    if (why !== '') return refuse(response, 403, why)
    if (opens && request.method !== 'GET') refuse(response, 405, 'This address is opened, and no more.')
    else if (lock !== undefined && opens && request.headers.host !== `${HOST}:${actual}`) {
      // Another server may listen at another address with the same name, such as [::1], and would share the storage.
      response.writeHead(302, { location: `http://${HOST}:${actual}${admitted.path}` }).end()
    } else if (opens) {
      const key = lock?.open(admitted.path)
      if (lock !== undefined && key === undefined) return refuse(response, 403, LOCKED)
      if (key === undefined) response.writeHead(302, { location: start }).end()
      else {
        onOpened()
        sendKey(response, key, start)
      }
    } else if (path === '/' || path === '/studio' || path === '/studio/') {
      response.writeHead(302, { location: (found?.to ?? first).path + PAGE }).end()
    } else if (found === undefined && path.startsWith('/studio/')) {
      response.writeHead(302, { location: start }).end()
    } else if (page) {
      const name = path === '/favicon.ico' ? 'favicon.ico' : path.replace(FILES, '')
      serveFile(root, name, request, response).catch(() => response.destroy())
    } else if (lock?.isOpenTo(admitted.key) === false) refuse(response, 403, LOCKED)
    else if (isOwn && list !== undefined) {
      if (path !== SERVERS_PATH || admitted.method !== 'GET') refuse(response, 404, NO_SERVER)
      else sendJson(response, 200, { Servers: list.get() })
    } else {
      const { isViewOnly, forwarder } = found?.to ?? first
      response.setHeader(STAND_ALONE_HEADER, 'on')
      if (isViewOnly) response.setHeader(VIEW_ONLY_HEADER, 'on')
      if (isViewOnly && !isReading(admitted.method, admitted.path)) refuse(response, 403, VIEW_ONLY, 'Rookery.ViewOnly')
      else forwarder.forward(admitted, request, response)
    }
  })
  server.on('upgrade', (request, socket, head) => {
    const { rawHeaders, method, url = '' } = request
    const found = serverOf(behind, url)
    const admitted = found && admit({ rawHeaders, method, url: found.url }, found.to.url, { isSocket: true })
    const isOpen = admitted !== undefined && !('status' in admitted) && lock?.isOpenTo(admitted.key) !== false
    // Only websockets that read are forwarded, whether changes are allowed or not: the studio needs no other.
    if (isOpen && found && refusal(request, actual) === '' && isReading(admitted.method, admitted.path))
      found.to.forwarder.upgrade(admitted, socket, head)
    else {
      // Node stops listening to a socket that it passes on here, and an unhandled error would end this process.
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', () => socket.destroy())
    }
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, HOST, () => done(undefined))
  })
  const address = server.address()
  if (typeof address === 'object' && address) actual = address.port

  list?.get()
  const url = `http://${HOST}:${actual}`
  return {
    url,
    page: () => url + (lock?.address() ?? start),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const each of behind) each.forwarder.close()
        server.closeAllConnections()
      }),
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} message
 * @param {string} [type]
 */
function refuse(response, status, message, type = 'Rookery.Refused') {
  sendJson(response, status, { Type: type, Message: message })
}

/**
 * Sends JSON without a date header: the page derives the clock of the server behind from forwarded responses.
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function sendJson(response, status, body) {
  response.sendDate = false
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
