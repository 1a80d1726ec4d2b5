// @ts-check
/** Child process: a recorder of the servers whose URLs it is given. It reports what it sent and received. */
import { createNetwork } from '../tools/record/network.mjs'
import { loadRecorder } from '../tools/record/build.mjs'
import { createSay } from '../tools/say.mjs'

const ALL = { keepMs: null, maxBytes: null }
const [to = '', ...urls] = process.argv.slice(2)
/** Requests, frames and bytes by path. @type {Map<string, { requests: number, frames: number, bytes: number }>} */
const sent = new Map()

/** @param {string} url */
function countOf(url) {
  const { pathname, searchParams } = new URL(url)
  const key = searchParams.has('path') ? `${pathname} ${searchParams.get('path')}` : pathname
  const count = sent.get(key) ?? { requests: 0, frames: 0, bytes: 0 }
  sent.set(key, count)
  return count
}

/** @param {string} url */
function counted(url) {
  const network = createNetwork(new URL(url), {})
  class Socket extends network.WebSocket {
    /** @param {string} address */
    constructor(address) {
      super(address)
      const count = countOf(address)
      count.requests++
      this.on('message', (/** @type {Buffer} */ data) => {
        count.frames++
        count.bytes += data.length
      })
    }
  }
  const fetch = (/** @type {string} */ address, /** @type {RequestInit} */ init) => {
    countOf(address).requests++
    return network.fetch(address, init)
  }
  return { ...network, fetch, WebSocket: Socket }
}

const { record } = await loadRecorder(createSay())
const recording = await record({
  to,
  send: null,
  servers: /** @type {any[]} */ (urls.map(counted)),
  retention: { classes: { events: ALL, slow: ALL, seconds: ALL, minutes: ALL, rest: ALL }, maxBytes: null },
  limit: 0.005,
  flushMs: 4000,
  foldMs: 3_600_000,
  listen: null,
  say: () => undefined,
})
process.on('message', (what) => {
  if (what === 'counts') {
    const { user, system } = process.cpuUsage()
    process.send?.({ counts: [...sent], cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() })
  } else void recording.stop().then(() => process.exit(0))
})
process.send?.('ready')
