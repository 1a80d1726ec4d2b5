// @ts-check
/**
 * Sends malformed and unusual requests to the stand-alone server in front of a recording server: only requests on the
 * list may reach it.
 */
import { once } from 'node:events'
import { get } from 'node:http'
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { pathOfServer } from '../../src/base/http/stand-alone.mjs'
import { serveStudio } from '../serve.mjs'
import { mix, randomOf } from '../workload/random.mjs'
import { wrongIn } from './judge.mjs'
import { oddBytes } from './requests.mjs'
import { recordingUpstream } from './upstream.mjs'

/**
 * @typedef {object} Fuzzed
 * @property {number} sent
 * @property {number} reached requests that came to the server behind
 * @property {string[]} faults what was wrong, with its seed
 */

const AT_ONCE = 16
/** Time without data after which a request counts as unanswered, ms. */
const SILENT_MS = 40
const MOST_FAULTS = 20

/** Options of each server, by name. A locked server lends a certificate to a client that has the key. */
const SERVERS = /** @type {const} */ ({
  'view only': { allowChanges: false },
  'changes allowed': { allowChanges: true },
  locked: { allowChanges: true, identity: { cert: 'lent', key: 'lent' } },
  'one of two': { allowChanges: false, isOneOfTwo: true },
})

/** Address of a second server, which is not running, beside the recording one. */
const OTHER = 'http://127.0.0.1:9'

/**
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.ms how long
 * @returns {Promise<Fuzzed>}
 */
export async function fuzz({ seed, ms }) {
  /** @type {Fuzzed} */
  const all = { sent: 0, reached: 0, faults: [] }
  const until = Date.now() + ms
  await Promise.all(
    Object.entries(SERVERS).map(async ([name, options], server) => {
      const { sent, reached, faults } = await fuzzOne(name, options, mix(seed, server), until)
      all.sent += sent
      all.reached += reached
      all.faults.push(...faults)
    }),
  )
  return all
}

/**
 * @param {string} name
 * @param {(typeof SERVERS)[keyof typeof SERVERS]} options
 * @param {number} seed
 * @param {number} until
 * @returns {Promise<Fuzzed>}
 */
async function fuzzOne(name, options, seed, until) {
  /** @type {Fuzzed} */
  const fuzzed = { sent: 0, reached: 0, faults: [] }
  const fault = (/** @type {string} */ why, /** @type {unknown} */ what) =>
    void fuzzed.faults.push(`${name}, about case ${fuzzed.sent} of seed ${seed}: ${why} ${JSON.stringify(what)}`)
  const isLocked = 'identity' in options
  const upstream = await recordingUpstream(
    (reached) => {
      fuzzed.reached++
      const judged = { host: `127.0.0.1:${upstream.port}`, isViewOnly: !options.allowChanges }
      const why = isLocked ? 'a request without the key' : wrongIn(reached, judged)
      if (why !== '') fault(why, [reached.method, reached.target, ...reached.headers])
    },
    (why, bytes) => fault(why, bytes.slice(0, 2000)),
  )
  const host = `127.0.0.1:${upstream.port}`
  const one = { target: `http://${host}`, ...options }
  const isOneOfTwo = 'isOneOfTwo' in options
  const served = await serveStudio({ dist: '/nowhere', servers: isOneOfTwo ? [{ target: OTHER }, one] : [one] })
  const path = isOneOfTwo ? pathOfServer(host) : ''
  const { port } = new URL(served.url)
  const lane = async () => {
    while (Date.now() < until && fuzzed.faults.length < MOST_FAULTS) {
      const number = fuzzed.sent++
      const random = randomOf(mix(seed, number))
      await send(Number(port), oddBytes(random, Number(port), path), random)
      if (number % 64 === 0 && !isLocked) await check(number)
    }
  }
  /** Checks for smuggled requests: one was smuggled if a response belongs to another request. @param {number} number */
  const check = async (number) => {
    const what = `/debug/is-loaded?name=check-${number}`
    const answer = await answerTo(served.url + path + what)
    if (answer !== what) fault('the answer to another request', answer)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await served.close()
  upstream.close()
  return fuzzed
}

/**
 * @param {string} url
 * @returns {Promise<string>} its body, over a connection of its own; why there is none
 */
async function answerTo(url) {
  try {
    const request = get(url, { agent: false })
    const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(request, 'response'))
    return await text(answer)
  } catch (error) {
    return String(error)
  }
}

/**
 * @param {number} port
 * @param {string} bytes
 * @param {import('../workload/random.mjs').Random} random
 * @returns {Promise<void>} when it was answered, or there is no answer
 */
function send(port, bytes, random) {
  const cut = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length
  const leaves = random() < 0.05
  return new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.setTimeout(SILENT_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => done())
    socket.resume()
    socket.write(bytes.slice(0, cut), 'latin1', () => {
      if (leaves) socket.destroy()
      else if (cut < bytes.length)
        setImmediate(() => void (socket.writable && socket.write(bytes.slice(cut), 'latin1')))
    })
  })
}
