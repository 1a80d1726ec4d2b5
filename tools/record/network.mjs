// @ts-check
/**
 * Connections of the recorder to a server. They use the agents of the stand-alone server, and so the same certificates
 * and trust.
 */
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import WebSocket from 'ws'
import { createAgents } from '../serve/agents.mjs'

/** Maximum size of a frame, bytes: enough for a server with thousands of databases. */
const MOST_FRAME_BYTES = 256 << 20
/** Statuses of responses without a body. `Response` refuses a body for them. */
const BODILESS = new Set([101, 204, 205, 304])

/**
 * @param {URL} target
 * @param {import('../serve/identity.mjs').Identity} identity
 */
export function createNetwork(target, identity) {
  const { kept, single } = createAgents(target, identity)
  class Socket extends WebSocket {
    /** @param {string} url */
    constructor(url) {
      super(url, { agent: single, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false })
    }
  }
  return {
    url: target.origin,
    fetch: (/** @type {string} */ url, /** @type {RequestInit} */ init) => fetchBy(kept, url, init),
    WebSocket: Socket,
    close: () => {
      kept.destroy()
      single.destroy()
    },
  }
}

/**
 * Like `fetch`, for the governor's requests. Does not request an encoded response.
 * @param {http.Agent} agent
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
function fetchBy(agent, url, init) {
  return new Promise((done, failed) => {
    const { protocol } = new URL(url)
    const request = (protocol === 'https:' ? https : http).request(url, {
      agent,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal ? { signal: init.signal } : {}),
    })
    request.once('error', (error) =>
      failed(init.signal?.aborted === true ? init.signal.reason : new TypeError('fetch failed', { cause: error })),
    )
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const headers = new Headers()
      for (const [name, value] of Object.entries(response.headersDistinct))
        for (const each of value ?? []) headers.append(name, each)
      const body = BODILESS.has(status) ? null : /** @type {ReadableStream} */ (Readable.toWeb(response))
      if (body === null) response.resume()
      done(new Response(body, { status, statusText: response.statusMessage ?? '', headers }))
    })
    request.end(typeof init.body === 'string' ? init.body : undefined)
  })
}
