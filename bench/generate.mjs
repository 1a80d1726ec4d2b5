// @ts-check
/**
 * Generates realistic I/O metrics of any size from a seed: the response of `debug/io-metrics` if the server's ring
 * buffers had no limit. Seven environments (documents and six indexes), journals that fill up and follow each other,
 * bursts of writes separated by idle periods, heavy-tailed durations, flushes every few seconds, syncs every half
 * minute, and one planted outlier.
 */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** Share of the events, by environment: documents write most. */
const ENVIRONMENTS = [
  { name: '', type: 'Documents', share: 0.4 },
  { name: 'Indexes/Users_ByName', type: 'Index', share: 0.14 },
  { name: 'Indexes/Users_Search', type: 'Index', share: 0.14 },
  { name: 'Indexes/Users_Nearby', type: 'Index', share: 0.1 },
  { name: 'Indexes/Users_Purchases', type: 'Index', share: 0.1 },
  { name: 'Indexes/Users_HeartRate', type: 'Index', share: 0.08 },
  { name: 'Indexes/Users_SpendingByCountry', type: 'Index', share: 0.04 },
]
const EVENTS_PER_JOURNAL = 20_000
const START_MS = Date.UTC(2026, 10, 20, 4)

/** Duration of the planted outlier, a journal write of the documents, ms. */
export const OUTLIER_MS = 200

/**
 * Creates a small, fast random number generator (mulberry32). The same seed gives the same file on every machine.
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const KB = 1024
/** Formats a size in the server's human-readable form. @param {number} bytes */
const humane = (bytes) =>
  bytes >= KB * KB ? `${+(bytes / KB / KB).toFixed(2)} MBytes` : `${+(bytes / KB).toFixed(2)} KBytes`

/** Formats ticks of 100 ns since the start as the server writes times. @param {number} ticks */
function timeText(ticks) {
  const ms = Math.floor(ticks / 10_000)
  return `${new Date(START_MS + ms).toISOString().slice(0, -1)}${String(Math.floor(ticks % 10_000)).padStart(4, '0')}Z`
}

/**
 * @typedef {object} Totals what the file holds, to check against
 * @property {number} events
 * @property {number} bytes of the file
 * @property {Record<string, { count: number, bytes: number }>} kinds
 */

/**
 * Writes a document with `events` events to `path`.
 * @param {string} path
 * @param {number} events
 * @param {number} [seed]
 * @returns {Promise<Totals>}
 */
export async function generate(path, events, seed = 1) {
  const out = createWriteStream(path, { highWaterMark: 4 << 20 })
  /** @type {Totals} */
  const totals = { events: 0, bytes: 0, kinds: {} }
  let buffer = ''
  const write = async (/** @type {string} */ text, force = false) => {
    buffer += text
    if (!force && buffer.length < 1 << 20) return
    totals.bytes += Buffer.byteLength(buffer)
    if (!out.write(buffer)) await once(out, 'drain')
    buffer = ''
  }
  await write('{"Environments":[')
  for (const [index, environment] of ENVIRONMENTS.entries()) {
    const count =
      index === 0
        ? events - ENVIRONMENTS.slice(1).reduce((sum, { share }) => sum + Math.floor(events * share), 0)
        : Math.floor(events * environment.share)
    const path_ = `/var/lib/ravendb/data/Databases/bench${environment.name === '' ? '' : '/'}${environment.name}`
    await write(`${index > 0 ? ',' : ''}{"Path":"${path_}","Type":"${environment.type}","Files":[`)
    await writeFiles(write, totals, randomOf(seed * 1000 + index), count, index === 0)
    await write(']}')
  }
  await write('],"Performances":[]}', true)
  out.end()
  await once(out, 'close')
  return totals
}

/**
 * Writes journals with their writes and compressions, then the data file with flushes and syncs.
 * @param {(text: string, force?: boolean) => Promise<void>} write
 * @param {Totals} totals @param {() => number} random @param {number} count @param {boolean} plant
 */
async function writeFiles(write, totals, random, count, plant) {
  const writes = count - Math.floor(count / 50) - Math.floor(count / 400)
  const count_ = (/** @type {string} */ kind, /** @type {number} */ bytes) => {
    const sums = (totals.kinds[kind] ??= { count: 0, bytes: 0 })
    sums.count++
    sums.bytes += bytes
    totals.events++
  }
  let ticks = Math.floor(random() * 10_000_000)
  let burst = 0
  const plantAt = plant ? Math.floor(writes / 2) : -1
  for (let done = 0, journal = 0; done < writes; journal++) {
    const inJournal = Math.min(EVENTS_PER_JOURNAL, writes - done)
    await write(
      `${journal > 0 ? ',' : ''}{"File":"${String(journal).padStart(19, '0')}.journal","Status":"${done + inJournal < writes ? 'Closed' : 'InUse'}","Recent":[`,
    )
    for (let i = 0; i < inJournal; i++, done++) {
      // Bursts of writes a few milliseconds apart, each followed by a pause; rarely a long pause without events.
      if (burst-- <= 0) {
        burst = 20 + Math.floor(random() * 400)
        ticks += Math.floor((random() < 0.02 ? 60 : 1) * random() * 10_000_000)
      }
      ticks += 2000 + Math.floor(random() * 60_000)
      const compression = random() < 0.08
      // Heavy tail: most writes take a fraction of a millisecond, few take a hundred times that.
      const durationMs =
        done === plantAt ? OUTLIER_MS : Math.max(0.01, Math.min(180, 0.12 / Math.pow(1 - random() * 0.9999, 0.8)))
      const duration = +durationMs.toFixed(2)
      const separator = i > 0 ? ',' : ''
      if (compression && done !== plantAt) {
        const size = 524_288 + Math.floor(random() * 2_000_000)
        const compressed = Math.floor(size * (0.2 + random() * 0.3))
        count_('Compression', size)
        await write(
          `${separator}{"Start":"${timeText(ticks)}","OriginalSize":${size},"HumaneOriginalSize":"${humane(size)}","CompressedSize":${compressed},"HumaneCompressedSize":"${humane(compressed)}","Acceleration":1,"CompressionRatio":${compressed / size},"Duration":${duration},"Type":"Compression"}`,
        )
      } else {
        const size = 4096 * (1 + Math.floor(Math.pow(random(), 4) * 400))
        count_('JournalWrite', size)
        await write(
          `${separator}{"Start":"${timeText(ticks)}","Size":${size},"HumaneSize":"${humane(size)}","FileSize":33554432,"HumaneFileSize":"32 MBytes","Duration":${duration},"Type":"JournalWrite"}`,
        )
      }
      ticks += Math.floor(duration * 10_000)
    }
    await write('],"History":[]}')
  }
  await write(`${writes > 0 ? ',' : ''}{"File":"Raven.voron","Status":"InUse","Recent":[`)
  const span = ticks
  let first = true
  for (const [kind, share] of /** @type {const} */ ([
    ['DataFlush', 50],
    ['DataSync', 400],
  ])) {
    const many = Math.floor(count / share)
    for (let i = 0; i < many; i++) {
      const start = Math.floor((span * (i + random() * 0.5)) / many)
      const size = 8192 * (1 + Math.floor(random() * 4000))
      const duration = +(kind === 'DataSync' ? 5 + random() * 400 : 1 + random() * 60).toFixed(2)
      count_(kind, size)
      await write(
        `${first ? '' : ','}{"Start":"${timeText(start)}","Size":${size},"HumaneSize":"${humane(size)}","FileSize":268435456,"HumaneFileSize":"256 MBytes","Duration":${duration},"Type":"${kind}"}`,
      )
      first = false
    }
  }
  await write('],"History":[]}')
}
