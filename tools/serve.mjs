// @ts-check
/**
 * The stand-alone server: the studio's files under `/studio/` on loopback, and everything else forwarded to a
 * RavenDB server that need not know of us. It adds nothing there.
 */
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { mustBeFree } from './ravendb/server.mjs'
import { Forwarder } from './serve/forward.mjs'
import { serveFile } from './serve/files.mjs'
import { refusal } from './serve/guard.mjs'

const HOST = '127.0.0.1'

/**
 * @typedef {object} StudioServer
 * @property {string} url such as `http://127.0.0.1:8085`; the page is at `/studio/index.html`
 * @property {() => Promise<void>} close ends open connections too
 */

/**
 * @param {{ dist: string, target: string | URL, port?: number }} options `dist`: the build's folder; `port` 0: any free one
 * @returns {Promise<StudioServer>}
 * @throws {import('./say.mjs').Plain} when the port is taken
 */
export async function serveStudio({ dist, target, port = 0 }) {
  if (port !== 0) await mustBeFree(port, HOST)
  const root = resolve(dist)
  const forwarder = new Forwarder(new URL(target))
  let actual = port

  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const url = request.url ?? ''
    const path = url.replace(/[?#].*$/s, '')
    const page = path === '/' || path === '/studio' || path.startsWith('/studio/') || path === '/favicon.ico'
    const why = refusal(request, actual, { page })
    if (why !== '') return refuse(response, 403, why)
    // neither a proxy for others (`GET http://…`) nor `OPTIONS *`
    if (!url.startsWith('/')) return refuse(response, 400, 'The address must begin with a slash.')
    if (path === '/' || path === '/studio' || path === '/studio/') {
      response.writeHead(302, { location: '/studio/index.html' }).end()
    } else if (page) {
      const name = path === '/favicon.ico' ? 'favicon.ico' : path.slice('/studio/'.length)
      serveFile(root, name, request, response).catch(() => response.destroy())
    } else forwarder.forward(request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    const why = refusal(request, actual)
    if (why === '' && request.url?.startsWith('/') === true) forwarder.upgrade(request, socket, head)
    else socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, HOST, () => done(undefined))
  })
  const address = server.address()
  if (typeof address === 'object' && address) actual = address.port

  return {
    url: `http://${HOST}:${actual}`,
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
 */
function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ Type: 'Rookery.Refused', Message: message }))
}
