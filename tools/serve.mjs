// @ts-check
/**
 * The stand-alone server: the studio's files under `/studio/` on loopback, and everything else forwarded to a
 * RavenDB server that need not know of us. It adds nothing there.
 */
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { isReading } from '../src/base/http/reading.mjs'
import { mustBeFree } from './ravendb/server.mjs'
import { Forwarder } from './serve/forward.mjs'
import { serveFile } from './serve/files.mjs'
import { refusal } from './serve/guard.mjs'
import { hasCertificate } from './serve/identity.mjs'
import { Lock, OPEN_PATH } from './serve/lock.mjs'
import { methodOf } from './serve/method.mjs'
import { isSocket } from './serve/sockets.mjs'

const HOST = '127.0.0.1'
const PAGE = '/studio/index.html'
/** Where the build's files are: RavenDB serves them at the second place as well, for the form of the two-factor code. */
const FILES = /^\/(studio|2fa)\//
const LOCKED =
  'This page acts in the name of a certificate, so it opens only by the address, with its key, that “npm start” printed last, and once: open that one.'

const VIEW_ONLY =
  'This server lends a certificate to look, not to change: nothing was sent. Start it with --allow-changes to lift that.'
/** Says to the page in each response that changes are refused here (`src/capture/worker/attentive-env.ts`). */
const VIEW_ONLY_HEADER = 'rookery-view-only'
/** Says to it that methods other than those of HTTP are to be sent as `rookery-method` of a POST. */
const STAND_ALONE_HEADER = 'rookery-stand-alone'

/** How long a request may take to come: its headers, and each part of its body, ms. */
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
 * @param {string | URL} options.target
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
  target,
  port = 0,
  identity = {},
  allowChanges,
  limits = {},
  onOpened = () => {},
}) {
  if (port !== 0) await mustBeFree(port, HOST)
  const root = resolve(dist)
  const { receiveMs = RECEIVE_MS, answerMs } = limits
  const isViewOnly = !(allowChanges ?? !hasCertificate(identity))
  const forwarder = new Forwarder(new URL(target), identity, { receiveMs, answerMs })
  let actual = port
  /** @type {Lock | undefined} */
  let lock

  // An upload may take long in all; the forwarder checks that it makes progress.
  const receiving = { requestTimeout: 0, headersTimeout: receiveMs, connectionsCheckingInterval: receiveMs / 4 }
  const server = createServer(receiving, (request, response) => {
    const url = request.url ?? ''
    const path = url.replace(/[?#].*$/s, '')
    const page = path === '/' || path === '/studio' || FILES.test(path) || path === '/favicon.ico' || path === OPEN_PATH
    const why = refusal(request, actual, { page })
    if (why !== '') return refuse(response, 403, why)
    // neither a proxy for others (`GET http://…`) nor `OPTIONS *`
    if (!url.startsWith('/')) return refuse(response, 400, 'The address must begin with a slash.')
    if (path === OPEN_PATH) {
      const cookie = lock?.open(url)
      if (lock !== undefined && cookie === undefined) return refuse(response, 403, LOCKED)
      if (cookie !== undefined) onOpened()
      response.writeHead(302, { location: PAGE, ...(cookie ? { 'set-cookie': cookie } : {}) }).end()
    } else if (path === '/' || path === '/studio' || path === '/studio/') {
      response.writeHead(302, { location: PAGE }).end()
    } else if (page) {
      const name = path === '/favicon.ico' ? 'favicon.ico' : path.replace(FILES, '')
      serveFile(root, name, request, response).catch(() => response.destroy())
    } else if (lock?.isOpenTo(request.headers.cookie) === false) refuse(response, 403, LOCKED)
    else {
      response.setHeader(STAND_ALONE_HEADER, 'on')
      if (isViewOnly) response.setHeader(VIEW_ONLY_HEADER, 'on')
      if (isViewOnly && !isReading(methodOf(request), url)) refuse(response, 403, VIEW_ONLY, 'Rookery.ViewOnly')
      else forwarder.forward(request, response)
    }
  })
  server.on('upgrade', (request, socket, head) => {
    const why = refusal(request, actual)
    const open = lock?.isOpenTo(request.headers.cookie) !== false
    const reads = !isViewOnly || isReading(request.method ?? '', request.url ?? '')
    if (why === '' && open && reads && isSocket(request)) forwarder.upgrade(request, socket, head)
    else {
      // Node no longer listens to a socket that it hands over here, and an unhandled error would end this process
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
  if (hasCertificate(identity)) {
    const own = (lock = new Lock(actual))
    forwarder.cookies = (cookies) => own.without(cookies)
  }

  const url = `http://${HOST}:${actual}`
  return {
    url,
    page: () => url + (lock?.address() ?? PAGE),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        forwarder.close()
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
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ Type: type, Message: message }))
}
