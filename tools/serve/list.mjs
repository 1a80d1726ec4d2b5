// @ts-check
/**
 * List of servers for the page Servers: which ones respond, and since when others do not. This process sends the
 * requests instead of the page, whose browser has six connections to this origin: servers that do not respond would
 * occupy them all.
 */
import { Plain, sentence } from '../say.mjs'
import { serverIdOf, versionOf } from './introduce.mjs'

/** @typedef {import('../../src/base/http/stand-alone.mjs').ListedServer} ListedServer */
/** @typedef {import('./behind.mjs').Behind} Behind */

/** Minimum time between two requests to a server while a page reads the list, ms. */
const EVERY_MS = 5000
/**
 * Interval at which the identity is read over a connection that lasts, ms. A server that was replaced has ended its
 * connections, but one behind a proxy need not have.
 */
const IDENTITY_EVERY_MS = 60_000
/** How long a server is reported as another one than before, ms. Triage reports it for as long. */
const REPLACED_FOR_MS = 3_600_000

/**
 * @typedef {object} Entry
 * @property {Behind} behind
 * @property {number} requestedMs
 * @property {boolean} isRequesting
 * @property {{ id: string, readMs: number } | null} identity
 * @property {Omit<ListedServer, 'waitingMs'>} listed
 */

export class ServerList {
  /** @type {Entry[]} */
  #servers

  /** @param {readonly Behind[]} behind */
  constructor(behind) {
    this.#servers = behind.map((each) => ({
      behind: each,
      requestedMs: Number.NEGATIVE_INFINITY,
      isRequesting: false,
      identity: null,
      listed: {
        path: each.path,
        url: each.url.origin,
        version: null,
        state: 'unknown',
        why: '',
        sinceMs: null,
        answeredMs: null,
        tookMs: null,
        replacedMs: null,
      },
    }))
  }

  /**
   * Returns the last known states at once, and requests outdated ones again.
   * @returns {ListedServer[]}
   */
  get() {
    const nowMs = Date.now()
    for (const server of this.#servers)
      if (!server.isRequesting && nowMs - server.requestedMs >= EVERY_MS) void this.#request(server)
    return this.#servers.map(({ listed, isRequesting, requestedMs }) => ({
      ...listed,
      waitingMs: isRequesting ? Math.max(0, nowMs - requestedMs) : null,
      replacedMs: listed.replacedMs !== null && nowMs - listed.replacedMs < REPLACED_FOR_MS ? listed.replacedMs : null,
    }))
  }

  /** @param {Entry} server */
  async #request(server) {
    const { url, identity, forwarder } = server.behind
    server.isRequesting = true
    server.requestedMs = Date.now()
    const before = server.listed
    const since = (/** @type {ListedServer['state']} */ state) =>
      before.state === state ? before.sinceMs : server.requestedMs
    try {
      const { version = null, isNewConnection } = await versionOf(url, identity, forwarder.agents.kept)
      const sinceMs = since('answers')
      const answeredMs = Date.now()
      const tookMs = answeredMs - server.requestedMs
      const replacedMs = (await this.#isAnother(server, isNewConnection)) ? answeredMs : before.replacedMs
      server.listed = { ...before, version, state: 'answers', why: '', sinceMs, answeredMs, tookMs, replacedMs }
    } catch (error) {
      const why = error instanceof Plain ? error.message : sentence(error)
      server.listed = { ...before, state: 'silent', why, sinceMs: since('silent') }
    }
    server.isRequesting = false
  }

  /**
   * Whether another server than before has the address. One that does not report its identity is not called another.
   * @param {Entry} server
   * @param {boolean} isNewConnection
   */
  async #isAnother(server, isNewConnection) {
    const { behind, identity } = server
    if (identity !== null && !isNewConnection && Date.now() - identity.readMs < IDENTITY_EVERY_MS) return false
    const id = await serverIdOf(behind.url, behind.identity, behind.forwarder.agents.kept)
    if (id === null) return false
    server.identity = { id, readMs: Date.now() }
    return identity !== null && identity.id !== id
  }
}
