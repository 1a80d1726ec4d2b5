// @ts-check
/**
 * The workload: fills a database with users, then continues with inserts, updates, deletes, large batches and pauses,
 * so that a server shows all its kinds of disk activity. The data depends only on the seed; the timing depends on the
 * clock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  append,
  bulk,
  createDatabase,
  databasePath,
  force,
  json,
  put,
  putIndexes,
  RavenError,
  remove,
} from '../ravendb/client.mjs'
import { silent } from '../say.mjs'
import { INDEXES, SERIES } from './indexes.mjs'
import { mix, randomOf, whole } from './random.mjs'
import { heartRate, userDocument } from './users.mjs'

/** @typedef {import('../ravendb/client.mjs').Command} Command */

/**
 * @typedef {object} WorkloadOptions
 * @property {string} url of the server
 * @property {string} [database] made when missing
 * @property {number} [documents] how many the first fill writes, and about how many there are from then on
 * @property {number} [rate] documents a second after the first fill
 * @property {number} [fillRate] documents a second during the first fill; 0: as fast as the server takes them
 * @property {number} [seed]
 * @property {boolean} [once] ends after the first fill and one flush and sync of every environment
 * @property {boolean} [pauses] idle pauses now and then
 * @property {AbortSignal} [signal] ends it
 * @property {import('../say.mjs').Say} [say]
 *
 * @typedef {object} WorkloadResult
 * @property {number} inserted documents
 * @property {number} updated documents
 * @property {number} deleted documents
 * @property {number} batches transactions
 * @property {number} entries of time series
 */

/**
 * Number of documents in a batch of the first fill: more than 512 KB, so that the server compresses the transaction.
 */
const LARGE = 1000
/** Steady batches per second. */
const BATCHES_A_SECOND = 5
/** Interval between the numbers of users that have a time series; the next constant is its number of entries. */
const SERIES_EVERY = 20
const SERIES_LENGTH = 60
const SERIES_START = Date.UTC(2026, 0, 1)

/** Length of a cycle of the steady load, seconds: work, a large batch in the middle, an idle pause at the end. */
const STORY_S = 40
const LARGE_AT_S = 15
/** Minimum and maximum of the idle pause, seconds. */
const PAUSE_S = [4, 8]

/** Document that stores the progress, so that a second start continues. */
const STATE_ID = 'workload/state'

/**
 * Runs until it is aborted; with `once`, until the data of the first fill is on disk.
 * @param {WorkloadOptions} options
 * @returns {Promise<WorkloadResult>}
 * @throws {RavenError} when the server refuses; a server that is gone for a while is waited for
 */
export async function runWorkload({
  url,
  database = 'demo',
  documents = 100_000,
  rate = 300,
  fillRate = 2500,
  seed = 1,
  once = false,
  pauses = true,
  signal,
  say = silent,
}) {
  const work = new Workload({ url, database, seed, signal, say })
  try {
    await work.open()
    await work.fill(documents, fillRate)
    await work.toDisk()
    if (!once) await work.goOn(documents, rate, pauses)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return work.result
}

class Workload {
  /** @type {WorkloadResult} */
  result = { inserted: 0, updated: 0, deleted: 0, batches: 0, entries: 0 }
  /** First number without a user: users from `oldest` up to, not including, `next` exist. */
  next = 1
  oldest = 1
  /** Number of changes to users so far. Seeds the choice of the next ones. */
  changes = 0
  /** Index of the environment that is flushed and synced next. */
  turn = 0

  /** @param {{ url: string, database: string, seed: number, signal: AbortSignal | undefined, say: import('../say.mjs').Say }} options */
  constructor({ url, database, seed, signal, say }) {
    this.url = url.replace(/\/+$/, '')
    this.database = database
    this.seed = seed
    this.signal = signal
    this.say = say
  }

  /** Creates the database and its indexes; reads the progress of an earlier run. */
  async open() {
    const { url, database, signal } = this
    if (await this.patient(() => createDatabase(url, database, { signal })))
      this.say.note(`created database ${database}`)
    await this.patient(() => putIndexes(url, database, INDEXES, signal))
    const state = await this.patient(() => this.readState())
    if (state) {
      this.next = state.Next
      this.oldest = state.Oldest
      this.changes = state.Changes
      this.say.note(`going on with ${this.next - this.oldest} users of an earlier run`)
    }
  }

  /** @returns {Promise<{ Next: number, Oldest: number, Changes: number } | undefined>} */
  async readState() {
    try {
      const path = `${databasePath(this.database)}/docs?id=${encodeURIComponent(STATE_ID)}`
      const { Results: results } = await json(this.url, path, { signal: this.signal })
      const state = results[0]
      return state && state.Seed === this.seed ? state : undefined
    } catch (error) {
      if (error instanceof RavenError && error.status === 404) return undefined
      throw error
    }
  }

  /**
   * @param {number} documents
   * @param {number} rate documents a second, 0 for no limit
   */
  async fill(documents, rate) {
    const began = Date.now()
    let written = 0
    let reported = began
    while (this.next - this.oldest < documents) {
      const count = Math.min(LARGE, documents - (this.next - this.oldest))
      await this.write({ inserts: count, updates: 0, deletes: 0 })
      written += count
      if (Date.now() - reported > 5000) {
        reported = Date.now()
        this.say.note(`${this.next - this.oldest} of ${documents} users written`)
      }
      if (rate > 0) await this.rest(began + (written * 1000) / rate - Date.now())
    }
    if (written > 0) this.say.note(`${written} users written in ${((Date.now() - began) / 1000).toFixed(0)} s`)
  }

  /** Flushes and syncs every environment, so that both kinds of events exist from the first minute. */
  async toDisk() {
    for (const environment of this.environments())
      for (const what of /** @type {const} */ (['flush', 'sync'])) await this.force(what, environment)
  }

  /**
   * @param {number} documents about how many shall be there
   * @param {number} rate documents a second
   * @param {boolean} pauses
   */
  async goOn(documents, rate, pauses) {
    for (let story = 0; !this.signal?.aborted; story++) {
      const random = randomOf(mix(this.seed, story, this.changes))
      const began = Date.now()
      let owed = 0
      for (let beat = 0; beat < STORY_S * BATCHES_A_SECOND; beat++) {
        owed += rate / BATCHES_A_SECOND
        const count = Math.floor(owed)
        owed -= count
        if (count > 0) await this.write(this.mixed(count, documents))
        if (beat === LARGE_AT_S * BATCHES_A_SECOND && rate > 0) await this.write(this.mixed(LARGE * 2, documents))
        // RavenDB flushes and syncs by itself, but rarely on a quiet machine, so one environment at a time is flushed
        // or synced here.
        if (beat % (5 * BATCHES_A_SECOND) === 0) await this.help()
        await this.rest(began + ((beat + 1) * 1000) / BATCHES_A_SECOND - Date.now())
      }
      if (pauses) await this.rest(1000 * whole(random, PAUSE_S[0] ?? 4, PAUSE_S[1] ?? 8))
    }
  }

  /**
   * Counts of a batch in the steady state: 60 % new, 30 % changed, and as many deleted as keep the number of users
   * constant.
   * @param {number} count documents
   * @param {number} documents about how many shall be there
   */
  mixed(count, documents) {
    const there = this.next - this.oldest
    const deletes = Math.max(0, Math.min(there - 1, Math.round(count * (there > documents ? 0.38 : 0.1))))
    const updates = Math.round(count * 0.3)
    return { inserts: Math.max(0, count - updates - deletes), updates, deletes }
  }

  /**
   * Writes a batch as a single transaction.
   * @param {{ inserts: number, updates: number, deletes: number }} counts
   */
  async write({ inserts, updates, deletes }) {
    /** @type {Command[]} */
    const commands = []
    let { next, oldest, changes } = this
    let entries = 0
    for (let i = 0; i < inserts; i++, next++) {
      commands.push(put(`users/${next}`, 'Users', userDocument(this.seed, next, 0)))
      if (next % SERIES_EVERY !== 0) continue
      entries += SERIES_LENGTH
      commands.push(append(`users/${next}`, SERIES, heartRate(this.seed, next, SERIES_START, SERIES_LENGTH)))
    }
    for (let i = 0; i < deletes; i++, oldest++) commands.push(remove(`users/${oldest}`))
    /** @type {Set<number>} */
    const changed = new Set()
    for (let i = 0; i < updates && oldest < this.next; i++, changes++)
      changed.add(oldest + (mix(this.seed, changes) % (this.next - oldest)))
    for (const n of changed) commands.push(put(`users/${n}`, 'Users', userDocument(this.seed, n, changes)))
    commands.push(put(STATE_ID, 'Workload', { Seed: this.seed, Next: next, Oldest: oldest, Changes: changes }))
    await this.patient(() => bulk(this.url, this.database, commands, this.signal))
    Object.assign(this, { next, oldest, changes })
    this.result.inserted += inserts
    this.result.updated += changed.size
    this.result.deleted += deletes
    this.result.entries += entries
    this.result.batches++
  }

  /** @returns {{ type: 'Documents' | 'Index', name: string }[]} */
  environments() {
    return [
      { type: 'Documents', name: this.database },
      ...INDEXES.map(({ Name: name }) => ({ type: /** @type {const} */ ('Index'), name })),
    ]
  }

  /** Flushes one environment, the documents every second time; syncs it now and then. */
  async help() {
    const all = this.environments()
    const turn = this.turn++
    const environment = turn % 2 === 0 ? all[0] : all[1 + (Math.floor(turn / 2) % (all.length - 1))]
    if (!environment) return
    await this.force('flush', environment)
    if (turn % 3 === 0) await this.force('sync', environment)
  }

  /**
   * @param {'flush' | 'sync'} what
   * @param {{ type: 'Documents' | 'Index', name: string }} environment
   */
  async force(what, environment) {
    await this.patient(async () => {
      try {
        await force(this.url, this.database, what, environment, this.signal)
      } catch (error) {
        // Best effort: an index that a user deleted, or a certificate without the right, is no reason to end.
        if (!(error instanceof RavenError) || isPassing(error)) throw error
      }
    })
  }

  /** @param {number} ms */
  async rest(ms) {
    this.signal?.throwIfAborted()
    if (ms > 0) await sleep(ms, undefined, { signal: this.signal })
  }

  /**
   * Repeats a call, without a limit, while the server is gone or not ready.
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async patient(call) {
    for (let attempt = 0; ; attempt++) {
      try {
        this.signal?.throwIfAborted()
        const result = await call()
        if (attempt > 0) this.say.note(`${this.url} is back`)
        return result
      } catch (error) {
        if (this.signal?.aborted || !isPassing(error)) throw error
        if (attempt === 0) this.say.note(`${this.url} does not take it (${reason(error)}): waiting for it`)
        await this.rest(Math.min(5000, 500 * 2 ** attempt))
      }
    }
  }
}

/**
 * @param {unknown} error
 * @returns {boolean} true when trying again may help
 */
function isPassing(error) {
  if (error instanceof RavenError)
    return (
      error.status === 503 || error.status === 429 || error.status === 502 || error.type.endsWith('TimeoutException')
    )
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
}

/** @param {unknown} error */
function reason(error) {
  if (error instanceof RavenError) return error.message
  const { cause } = /** @type {{ cause?: { code?: string } }} */ (error)
  return cause?.code ?? String(error)
}
