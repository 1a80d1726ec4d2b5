// @ts-check
/**
 * Records a real server whose journal writes are delayed by `delays.c`: the I/O that it reports, and the cause of each
 * delay.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { delayedBy } from '../tools/delays/compile.mjs'
import { bulk, createDatabase, databasePath, json, put, putIndexes } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'

const DATABASES = ['a', 'b', 'c']
/** Period of the load, ms: clients send more for `busyMs` of each. */
const PERIOD_MS = 40_000
/** Settings that make syncs frequent enough to coincide with writes. By default the server waits for minutes. */
const SETTINGS = { 'Storage.TimeToSyncAfterFlushInSec': '3', 'Storage.SyncJournalsCountThreshold': '1' }
const LARGE_DOCUMENT_KB = 250
/** Time for the last events to arrive, ms. */
const LATE_MS = 1500

/**
 * @typedef {object} Clients of each database
 * @property {number} count
 * @property {number} everyMs mean pause between two documents of a client
 * @property {number} kb median size of a document
 * @property {number} busyTimes how much shorter pauses are in busy times
 * @property {number} busyMs
 * @property {{ everyMs: number, kb: number } | undefined} [bulk] large transactions of the last database
 * @property {readonly import('../tools/ravendb/client.mjs').IndexDefinition[]} [indexes] of the first database
 *
 * @typedef {{ beginMs: number, endMs: number, bytes: number, cause: string, path: string }} Delay of a write; ms since 1970
 * @typedef {{ Type: string, Start: string, Duration: number, Size?: number }} Row
 * @typedef {{ Environments: readonly { Path: string, Type: string, Files: readonly { File: string, Status: string, Recent: readonly Row[] }[] }[] }} Document
 *   as `debug/io-metrics` has it
 * @typedef {{ document: Document, ring: Document, delays: readonly Delay[] }} Recording `ring`: what the server still had at the end
 */

/**
 * @param {string} folder for its data; emptied
 * @param {string} library of `compileDelays`
 * @param {{ delays: readonly string[], seconds: number, clients: Clients }} options `delays`: lines as `delays.c` reads them
 * @returns {Promise<Recording>}
 */
export async function record(folder, library, { delays, seconds, clients }) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const [requested, log] = [join(folder, 'delays'), join(folder, 'delays.log')]
  await writeFile(requested, delays.join('\n'))
  await writeFile(log, '')
  const server = await startRavenDb({
    dataDir: join(folder, 'data'),
    port: 0,
    settings: SETTINGS,
    env: {
      ...process.env,
      RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY: 'true',
      ...delayedBy(library, requested),
      DELAYS_LOG: log,
    },
  })
  try {
    for (const database of DATABASES) await createDatabase(server.url, database)
    if (clients.indexes !== undefined) await putIndexes(server.url, 'a', clients.indexes)
    const events = new Events()
    const sockets = DATABASES.map((database) => events.listen(server.url, database))
    await send(server.url, seconds * 1000, clients)
    await sleep(LATE_MS)
    for (const socket of sockets) socket.close()
    const rings = await Promise.all(
      DATABASES.map(
        async (database) =>
          /** @type {Document} */ (await json(server.url, `${databasePath(database)}/debug/io-metrics`)),
      ),
    )
    const ring = { Environments: rings.flatMap(({ Environments }) => Environments) }
    return { document: events.document, ring, delays: delaysIn(await readFile(log, 'utf8')) }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Collects every row that the server sent, without duplicates, by environment and file. */
class Events {
  /** @type {Map<string, { Path: string, Type: string, files: Map<string, { Status: string, rows: Map<string, Row> }> }>} */
  #environments = new Map()

  /** @param {string} url @param {string} database */
  listen(url, database) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${databasePath(database)}/debug/io-metrics/live`)
    socket.on('message', (data) => this.#take(Buffer.isBuffer(data) ? data.toString('utf8') : ''))
    return socket
  }

  /** @param {string} text of a frame; empty where the server only says that it is there */
  #take(text) {
    if (text.trim() === '') return
    const frame = /** @type {Document} */ (JSON.parse(text))
    for (const { Path, Type, Files } of frame.Environments) {
      const environment = this.#environments.get(Path) ?? { Path, Type, files: new Map() }
      this.#environments.set(Path, environment)
      for (const { File, Status, Recent } of Files) {
        const file = environment.files.get(File) ?? { Status, rows: new Map() }
        environment.files.set(File, file)
        for (const row of Recent) file.rows.set(`${row.Type} ${row.Start} ${row.Duration}`, row)
      }
    }
  }

  get document() {
    return {
      Environments: [...this.#environments.values()].map(({ Path, Type, files }) => ({
        Path,
        Type,
        Files: [...files].map(([File, { Status, rows }]) => ({
          File,
          Status,
          Recent: [...rows.values()],
          History: [],
        })),
      })),
      Performances: [],
    }
  }
}

/**
 * Runs the clients of all databases for a given time.
 * @param {string} url @param {number} forMs @param {Clients} clients
 */
async function send(url, forMs, { count, everyMs, kb, busyTimes, busyMs, bulk: large }) {
  const beganMs = Date.now()
  let sent = 0
  const pause = (/** @type {number} */ meanMs) => sleep(-meanMs * Math.log(1 - Math.random()))
  const document = (/** @type {number} */ size) =>
    put(`documents/${sent++ % 3000}`, 'Documents', {
      Group: sent % 50,
      Text: randomBytes(Math.ceil(size * 768)).toString('base64'),
    })
  const client = async (/** @type {string} */ database) => {
    while (Date.now() - beganMs < forMs) {
      const isBusy = (Date.now() - beganMs) % PERIOD_MS < busyMs
      await pause(everyMs / (isBusy ? busyTimes : 1))
      await bulk(url, database, [document(kb * Math.exp(1.5 * (Math.random() - 0.5)))])
    }
  }
  const largeOnes = async (/** @type {string} */ database, /** @type {{ everyMs: number, kb: number }} */ of) => {
    while (Date.now() - beganMs < forMs) {
      await pause(of.everyMs)
      const documents = Math.ceil((of.kb * (0.6 + 0.8 * Math.random())) / LARGE_DOCUMENT_KB)
      await bulk(
        url,
        database,
        Array.from({ length: documents }, () => document(LARGE_DOCUMENT_KB)),
      )
    }
  }
  await Promise.all([
    ...DATABASES.flatMap((database) => Array.from({ length: count }, () => client(database))),
    ...(large === undefined ? [] : [largeOnes(DATABASES.at(-1) ?? '', large)]),
  ])
}

/** @param {string} log @returns {Delay[]} */
function delaysIn(log) {
  return log
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [begin, end, bytes, cause, ...path] = line.split(' ')
      return {
        beginMs: Number(begin),
        endMs: Number(end),
        bytes: Number(bytes),
        cause: cause ?? '',
        path: path.join(' '),
      }
    })
}
