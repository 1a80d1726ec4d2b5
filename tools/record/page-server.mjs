// @ts-check
/** Serves the studio and the recording that it opens from one origin, on loopback. */
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { serveFile } from '../serve/files.mjs'
import { refusal } from '../serve/guard.mjs'

const HOST = '127.0.0.1'
export const PAGE = '/studio/index.html?archive#/archive'

/**
 * @typedef {object} Opened what the page opens; signals are aborted when the page goes away before its response has ended
 * @property {(query: URLSearchParams, signal: AbortSignal) => Promise<unknown>} list JSON of `/archive`; undefined: there is no such thing
 * @property {(path: string, response: import('node:http').ServerResponse, signal: AbortSignal, range?: string) => Promise<boolean>} send
 *   a file, or the `Range` that is requested of it, by what follows `/archive/`, still encoded; false: there is no such file, and nothing was sent
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} [ask]
 * @property {(query: URLSearchParams, signal: AbortSignal) => Promise<unknown>} [servers] JSON of `/archive-servers`
 */

/**
 * @param {{ dist: string, port?: number, opened: Opened }} options
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function servePage({ dist, port = 0, opened }) {
  let actual = port
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const isPage = path === '/' || path.startsWith('/studio/') || path === '/favicon.ico'
    const why = refusal(request, actual, { page: isPage })
    /** @param {number} status @param {string} text */
    const answer = (status, text) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
    /** @param {Promise<unknown>} value */
    const answerJson = (value) =>
      value.then(
        (found) => {
          if (found === undefined) {
            answer(404, 'There is no such recording.')
            return
          }
          const json = Buffer.from(JSON.stringify(found))
          const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': json.length }
          response.writeHead(200, headers).end(json)
        },
        (error) => answer(500, error instanceof Error ? error.message : String(error)),
      )
    const gone = new AbortController()
    response.once('close', () => response.writableFinished || gone.abort())
    const { signal } = gone
    const none = () => answer(404, 'There is no such file, and no server behind this page.')
    if (why !== '') answer(403, why)
    else if (path === '/ask' && opened.ask !== undefined) opened.ask(request, response).catch(() => response.destroy())
    else if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'An archive is only read.')
    else if (path === '/') response.writeHead(302, { location: PAGE }).end()
    else if (isPage) {
      const name = path === '/favicon.ico' ? 'favicon.ico' : path.slice('/studio/'.length)
      serveFile(resolve(dist), name, request, response).catch(() => response.destroy())
    } else if (path === '/archive') void answerJson(opened.list(new URLSearchParams(query), signal))
    else if (path === '/archive-servers' && opened.servers !== undefined)
      void answerJson(opened.servers(new URLSearchParams(query), signal))
    else if (path.startsWith('/archive/'))
      opened.send(path.slice('/archive/'.length), response, signal, request.headers.range).then(
        (isSent) => isSent || none(),
        (error) =>
          response.headersSent
            ? response.destroy()
            : answer(500, error instanceof Error ? error.message : String(error)),
      )
    else none()
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, HOST, () => done(undefined))
  })
  const address = server.address()
  if (typeof address === 'object' && address) actual = address.port
  return {
    url: `http://${HOST}:${actual}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
