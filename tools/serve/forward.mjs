// @ts-check
/** Forwards requests and websockets to a RavenDB server, as if they came from a page of that server. */
import http from 'node:http'
import https from 'node:https'
import { isReading } from '../../src/base/http/reading.mjs'
import { createAgents, isStale } from './agents.mjs'

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('./admit.mjs').Admitted} Admitted */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {import('node:stream').Duplex} Duplex */

/** Headers that belong to one connection, not to the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)
/** Headers that belong to the message, whatever the header `connection` lists. */
const OF_MESSAGES = new Set(['content-length', 'content-type', 'content-encoding', 'set-cookie', 'location'])
/** Headers that are removed: they would bind the browser to a policy that only the target may set for itself. */
const NOT_OURS_TO_SAY = new Set(['strict-transport-security', 'alt-svc', 'clear-site-data', 'service-worker-allowed'])
/** Headers that prevent a response from becoming a page of the origin, which several servers share. */
const AMONG_OTHERS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** Maximum time for the target to accept a connection, ms. */
const CONNECT_MS = 10_000
/** Maximum time until a response begins, ms. Loading a database takes a minute, and so does a stack snapshot. */
const ANSWER_MS = 180_000
/** Maximum time without progress of a request's body, ms. */
const RECEIVE_MS = 20_000

export class Forwarder {
  /** @type {Set<Duplex>} */
  #sockets = new Set()

  /**
   * @param {URL} target only its origin counts
   * @param {import('./identity.mjs').Identity} [identity]
   * @param {{ receiveMs?: number | undefined, answerMs?: number | undefined }} [limits]
   * @param {string} [path] below which the page reaches it; empty: it has the whole origin
   */
  constructor(target, identity = {}, { receiveMs = RECEIVE_MS, answerMs = ANSWER_MS } = {}, path = '') {
    this.path = path
    this.receiveMs = receiveMs
    this.answerMs = answerMs
    this.target = target
    this.http = target.protocol === 'https:' ? https : http
    this.agents = createAgents(target, identity)
  }

  /**
   * @param {Admitted} admitted
   * @param {Request} request its body
   * @param {Response} response
   */
  forward(admitted, request, response) {
    const upstream = this.#open(admitted)
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, this.#answerHeaders(answer))
      response.flushHeaders()
      answer.pipe(response)
      // Cut the response where the target's is cut: the page must not mistake a part for the whole.
      answer.once('error', () => response.destroy())
      answer.once('aborted', () => response.destroy())
    })
    upstream.once('error', (error) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else if (isStale(upstream, error) && !admitted.hasBody && isReading(admitted.method, admitted.path))
        this.forward(admitted, request, response)
      else unreachable(response, this.target, error)
    })
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy()
    })
    request.once('error', () => upstream.destroy())
    if (admitted.hasBody) request.pipe(upstream)
    else {
      upstream.end()
      request.resume()
    }
    this.#limit(request, response, upstream)
  }

  /**
   * Ends exchanges that do not continue: a request body that stops in the middle, or a response that does not begin.
   * @param {Request} request
   * @param {Response} response
   * @param {http.ClientRequest} upstream
   */
  #limit(request, response, upstream) {
    const give = (/** @type {number} */ status, /** @type {string} */ why) => {
      if (response.headersSent) response.destroy()
      else {
        response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
        response.end(why, () => request.destroy())
      }
      upstream.destroy()
    }
    const seconds = (/** @type {number} */ ms) => `${Math.round(ms / 100) / 10} s`
    const stalled = () =>
      give(
        408,
        errorBody('Rookery.RequestStalled', `The request stopped for ${seconds(this.receiveMs)} before its end.`),
      )
    const silent = () =>
      give(
        504,
        errorBody('Rookery.TargetSilent', `${this.target.origin} did not answer within ${seconds(this.answerMs)}.`),
      )
    let timer = request.readableEnded ? setTimeout(silent, this.answerMs) : setTimeout(stalled, this.receiveMs)
    const stop = () => clearTimeout(timer)
    const again = (/** @type {() => void} */ late, /** @type {number} */ ms) => {
      stop()
      timer = setTimeout(late, ms)
    }
    request.on('data', () => again(stalled, this.receiveMs))
    request.once('end', () => again(silent, this.answerMs))
    upstream.once('response', stop)
    upstream.once('close', stop)
    response.once('close', stop)
  }

  /**
   * @param {Admitted} admitted
   * @param {Duplex} socket
   * @param {Buffer} head bytes that came with the request
   */
  upgrade(admitted, socket, head) {
    this.#keep(socket)
    const upstream = this.#open(admitted)
    socket.once('close', () => upstream.destroy())
    upstream.once('upgrade', (answer, other, otherHead) => {
      this.#keep(other)
      write(socket, answer, [
        ...pairs(this.#answerHeaders(answer)),
        'Connection: Upgrade',
        `Upgrade: ${answer.headers.upgrade ?? 'websocket'}`,
      ])
      if (otherHead.length > 0) socket.write(otherHead)
      if (head.length > 0) other.write(head)
      socket.pipe(other).pipe(socket)
      socket.once('close', () => other.destroy())
      other.once('close', () => socket.destroy())
    })
    upstream.once('response', (answer) => {
      // The target refused: report its response unchanged.
      write(socket, answer, [
        ...pairs(this.#answerHeaders(answer)).filter((line) => !/^content-length:/i.test(line)),
        'Connection: close',
      ])
      answer.pipe(socket)
      // A pipe does not end its destination when its source is cut.
      answer.once('error', () => socket.destroy())
    })
    upstream.once('error', (error) => {
      const body = unreachableBody(this.target, error)
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    })
    upstream.end()
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
    this.agents.kept.destroy()
    this.agents.single.destroy()
  }

  /** @param {Duplex} socket */
  #keep(socket) {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if ('setNoDelay' in socket && typeof socket.setNoDelay === 'function') socket.setNoDelay(true)
  }

  /** @param {Admitted} admitted */
  #open({ method, path, headers }) {
    const isSocket = method === 'SOCKET'
    const upstream = this.http.request({
      protocol: this.target.protocol,
      hostname: this.target.hostname.replace(/^\[|\]$/g, ''),
      port: this.target.port,
      method: isSocket ? 'GET' : method,
      path,
      headers: {
        ...headers,
        host: this.target.host,
        ...(isSocket ? { connection: 'Upgrade', upgrade: 'websocket' } : {}),
      },
      // An upgraded connection belongs to one client.
      agent: isSocket ? this.agents.single : this.agents.kept,
    })
    const late = setTimeout(
      () => upstream.destroy(new Error(`no connection within ${CONNECT_MS / 1000} s`)),
      CONNECT_MS,
    )
    const connected = () => clearTimeout(late)
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once(this.http === https ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    upstream.once('close', connected)
    return upstream
  }

  /**
   * @param {Request} answer
   * @returns {import('node:http').OutgoingHttpHeaders} for the page
   */
  #answerHeaders(answer) {
    const headers = endToEnd(answer)
    for (const name of NOT_OURS_TO_SAY) delete headers[name]
    const { location } = answer.headers
    if (location?.startsWith(`${this.target.origin}/`))
      headers['location'] = this.path + location.slice(this.target.origin.length)
    if (this.path === '') return headers
    if (location?.startsWith('/') && !location.startsWith('//')) headers['location'] = this.path + location
    const cookies = answer.headers['set-cookie']?.map((cookie) => ownCookie(cookie, this.path))
    return { ...headers, ...AMONG_OTHERS, ...(cookies === undefined ? {} : { 'set-cookie': cookies }) }
  }
}

/**
 * @param {string} cookie as a server sets it
 * @param {string} path the only one to which the browser is to send it
 */
const ownCookie = (cookie, path) => `${cookie.replace(/;\s*(?:path|domain)\s*(?:=[^;]*)?(?=;|$)/gi, '')}; Path=${path}/`

/**
 * @param {Request} message
 * @returns {import('node:http').OutgoingHttpHeaders}
 */
function endToEnd({ headers }) {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !HOP_BY_HOP.has(name) && (!named.has(name) || OF_MESSAGES.has(name)),
    ),
  )
}

/**
 * @param {import('node:http').OutgoingHttpHeaders} headers
 * @returns {string[]} lines
 */
function pairs(headers) {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${String(one)}`),
  )
}

/**
 * @param {Duplex} socket
 * @param {Request} answer
 * @param {readonly string[]} lines
 */
function write(socket, answer, lines) {
  socket.write(`HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`)
}

/**
 * @param {Response} response
 * @param {URL} target
 * @param {Error} error
 */
function unreachable(response, target, error) {
  response.writeHead(502, { 'content-type': 'application/json; charset=utf-8' }).end(unreachableBody(target, error))
}

/**
 * @param {URL} target
 * @param {Error} error
 * @returns {string} in the form of RavenDB's own errors
 */
function unreachableBody(target, error) {
  return errorBody('Rookery.TargetUnreachable', `${target.origin} cannot be reached: ${error.message || String(error)}`)
}

/**
 * @param {string} Type
 * @param {string} Message
 */
const errorBody = (Type, Message) => JSON.stringify({ Type, Message })
