// @ts-check
/**
 * List of servers for the page Servers: which ones respond, and since when others do not. This process sends the
 * requests instead of the page, whose browser has six connections to this origin: servers that do not respond would
 * occupy them all.
 */
import { Plain, sentence } from '../say.mjs'
import { versionOf } from './introduce.mjs'

/** @typedef {import('../../src/base/http/stand-alone.mjs').ListedServer} ListedServer */
/** @typedef {import('./behind.mjs').Behind} Behind */

/** Minimum time between two requests to a server while a page reads the list, ms. */
const EVERY_MS = 5000

export class ServerList {
  /** @type {{ behind: Behind, requestedMs: number, isRequesting: boolean, listed: ListedServer }[]} */
  #servers

  /** @param {readonly Behind[]} behind */
  constructor(behind) {
    this.#servers = behind.map((each) => ({
      behind: each,
      requestedMs: Number.NEGATIVE_INFINITY,
      isRequesting: false,
      listed: {
        path: each.path,
        url: each.url.origin,
        version: null,
        state: 'unknown',
        why: '',
        sinceMs: null,
        answeredMs: null,
        tookMs: null,
      },
    }))
  }

  /**
   * Returns the last known states at once, and requests outdated ones again.
   * @returns {ListedServer[]}
   */
  get() {
    for (const server of this.#servers)
      if (!server.isRequesting && Date.now() - server.requestedMs >= EVERY_MS) void this.#request(server)
    return this.#servers.map(({ listed }) => listed)
  }

  /** @param {{ behind: Behind, requestedMs: number, isRequesting: boolean, listed: ListedServer }} server */
  async #request(server) {
    const { url, identity, forwarder } = server.behind
    server.isRequesting = true
    server.requestedMs = Date.now()
    const before = server.listed
    const since = (/** @type {ListedServer['state']} */ state) =>
      before.state === state ? before.sinceMs : server.requestedMs
    try {
      const version = (await versionOf(url, identity, forwarder.agents.kept)) ?? null
      const sinceMs = since('answers')
      const answeredMs = Date.now()
      const tookMs = answeredMs - server.requestedMs
      server.listed = { ...before, version, state: 'answers', why: '', sinceMs, answeredMs, tookMs }
    } catch (error) {
      const why = error instanceof Plain ? error.message : sentence(error)
      server.listed = { ...before, state: 'silent', why, sinceMs: since('silent') }
    }
    server.isRequesting = false
  }
}
