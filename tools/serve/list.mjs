// @ts-check
/**
 * The list of servers for the page Servers: which answer, and since when one does not. The requests come from here and not
 * from the page, whose browser has six connections to this origin: servers that do not answer would hold them all.
 */
import { Plain, sentence } from '../say.mjs'
import { versionOf } from './introduce.mjs'

/** @typedef {import('../../src/base/http/stand-alone.mjs').ListedServer} ListedServer */
/** @typedef {import('./behind.mjs').Behind} Behind */

/** Time between two requests to a server while the list is wanted, ms. */
const EVERY_MS = 5000

export class ServerList {
  /** @type {{ behind: Behind, askedMs: number, isAsking: boolean, listed: ListedServer }[]} */
  #servers

  /** @param {readonly Behind[]} behind */
  constructor(behind) {
    this.#servers = behind.map((each) => ({
      behind: each,
      askedMs: Number.NEGATIVE_INFINITY,
      isAsking: false,
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
   * The last known states, at once; old ones are requested again.
   * @returns {ListedServer[]}
   */
  get() {
    for (const server of this.#servers)
      if (!server.isAsking && Date.now() - server.askedMs >= EVERY_MS) void this.#ask(server)
    return this.#servers.map(({ listed }) => listed)
  }

  /** @param {{ behind: Behind, askedMs: number, isAsking: boolean, listed: ListedServer }} server */
  async #ask(server) {
    const { url, identity, forwarder } = server.behind
    server.isAsking = true
    server.askedMs = Date.now()
    const before = server.listed
    const since = (/** @type {ListedServer['state']} */ state) =>
      before.state === state ? before.sinceMs : server.askedMs
    try {
      const version = (await versionOf(url, identity, forwarder.agents.kept)) ?? null
      const sinceMs = since('answers')
      const answeredMs = Date.now()
      const tookMs = answeredMs - server.askedMs
      server.listed = { ...before, version, state: 'answers', why: '', sinceMs, answeredMs, tookMs }
    } catch (error) {
      const why = error instanceof Plain ? error.message : sentence(error)
      server.listed = { ...before, state: 'silent', why, sinceMs: since('silent') }
    }
    server.isAsking = false
  }
}
