#!/usr/bin/env node
// @ts-check
/**
 * Program that Playwright starts as its Firefox. It starts the system's Firefox with the same arguments and relays
 * between the two. With a Firefox that is not its own build, Playwright speaks WebDriver BiDi, and begins each context
 * with a colour scheme command that this Firefox lacks; the preference of the developer tools is set instead.
 * Everything else passes unchanged.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'
import { findFirefox } from '../engines.mjs'

const PREFERENCE = 'layout.css.prefers-color-scheme.content-override'
/** Value of the preference by colour scheme. Without an entry, the scheme of the system applies. */
const SCHEMES = new Map([
  ['dark', 0],
  ['light', 1],
])
const OF_SYSTEM = 2
/** First id for commands that do not come from Playwright. */
const OWN_IDS = 1_000_000_000

const DOWNLOADS = new Set(['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd'])

/**
 * Gives a download an id. A download that a page offers from memory begins without a navigation, and Playwright ignores
 * it.
 * @param {any} message begin or end of a download
 * @returns {any}
 */
function withDownload({ params, ...rest }) {
  return { ...rest, params: { ...params, download: params.download ?? params.navigation ?? params.url } }
}

/** A connection from Playwright, and the connection to Firefox that belongs to it. */
class Joined {
  /** @type {WebSocket} */
  #client
  /** @type {WebSocket} */
  #firefox
  /** @type {Promise<unknown>} */
  #open
  #lastId = OWN_IDS
  /** @type {Map<number, (answer: any) => void>} */
  #waiting = new Map()

  /**
   * @param {WebSocket} client
   * @param {string} address of Firefox
   */
  constructor(client, address) {
    this.#client = client
    this.#firefox = new WebSocket(address, { perMessageDeflate: false })
    this.#open = new Promise((resolve) => this.#firefox.once('open', resolve))
    client.on('message', (/** @type {Buffer} */ data) => void this.#pass(data.toString()))
    this.#firefox.on('message', (/** @type {Buffer} */ data) => this.#answer(data.toString()))
    this.#firefox.on('close', () => client.close())
    this.#firefox.on('error', () => client.close())
    client.on('close', () => this.#firefox.close())
  }

  /** @param {string} text of a command of Playwright */
  async #pass(text) {
    await this.#open
    const { id, method, params } = JSON.parse(text)
    const features = Object.keys(params?.features ?? {})
    if (method !== 'emulation.setMediaFeaturesOverride' || features.join() !== 'prefers-color-scheme') {
      this.#firefox.send(text)
      return
    }
    const answer = await this.#setScheme(params.features['prefers-color-scheme'])
    this.#client.send(JSON.stringify({ ...answer, id, ...(answer.type === 'success' ? { result: {} } : {}) }))
  }

  /** @param {string} text of an answer or event of Firefox */
  #answer(text) {
    const message = JSON.parse(text)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (waiting !== undefined) waiting(message)
    else if (DOWNLOADS.has(message.method)) this.#client.send(JSON.stringify(withDownload(message)))
    else this.#client.send(text)
  }

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>} the answer
   */
  #request(method, params) {
    const id = ++this.#lastId
    this.#firefox.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  /**
   * @param {unknown} scheme
   * @returns {Promise<any>} the answer of Firefox
   */
  async #setScheme(scheme) {
    const tree = await this.#request('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 })
    if (tree.type !== 'success') return tree
    const value = SCHEMES.get(String(scheme)) ?? OF_SYSTEM
    return this.#request('script.evaluate', {
      expression: `Services.prefs.setIntPref('${PREFERENCE}', ${value})`,
      target: { context: tree.result.contexts[0]?.context },
      awaitPromise: false,
    })
  }
}

// The preference applies to the browser, not to a page.
const args = ['--remote-allow-system-access', ...process.argv.slice(2)]
const firefox = spawn(findFirefox(), args, { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => firefox.kill(signal))
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
  if (address === undefined) {
    process.stderr.write(`${line}\n`)
    return
  }
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (client, { url }) => new Joined(client, `${address}${url}`))
  server.on('listening', () => {
    const bound = server.address()
    if (bound !== null && typeof bound !== 'string')
      process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${bound.port}\n`)
  })
})
