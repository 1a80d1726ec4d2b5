import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, databasePath, json, put, putIndexes } from '../../tools/ravendb/client.mjs'
import { INDEXES } from '../../tools/workload/indexes.mjs'
import { userDocument } from '../../tools/workload/users.mjs'

/** A single index of each kind that this load feeds: the others would only repeat the same work. */
export const AUDITED_INDEXES = INDEXES.filter(({ Name }) =>
  ['Users/ByName', 'Users/Search', 'Users/SpendingByCountry', 'Users/Purchases'].includes(Name),
)

const BATCH = 40
const WRITE_EVERY_MS = 800
const READ_EVERY_MS = 100
const FIRST_DOCUMENTS = 2000
const SEED = 1

/** Pause after a request that failed, ms. */
const RETRY_MS = 250
const TRIES = 4

/** A steady load that counts what it does: transactions of new documents, and single documents read. */
export class Load {
  readonly database: string
  readonly #url: string
  readonly #isPatient: boolean
  /** Documents that are there. */
  documents = 0
  /** Requests to the database that were answered. */
  requests = 0
  #running: Promise<unknown> | undefined
  #isStopped = true

  /** `isPatient`: what fails is tried again, as where a server is meant to fail. */
  constructor(url: string, database: string, { isPatient = false } = {}) {
    this.#url = url
    this.database = database
    this.#isPatient = isPatient
  }

  /** Makes the indexes, with as many documents as indexing has done with in moments. */
  async prepare(): Promise<void> {
    await this.#try(() => putIndexes(this.#url, this.database, AUDITED_INDEXES))
    while (this.documents < FIRST_DOCUMENTS) await this.#try(() => this.#write(500))
  }

  /** Runs work; a patient load tries it a few times, since a very busy machine does not answer within a minute. */
  async #try(work: () => Promise<void>): Promise<void> {
    for (let left = this.#isPatient ? TRIES : 1; ; left--) {
      try {
        return await work()
      } catch (error) {
        if (left <= 1) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  /** Does nothing while it runs. */
  start(writeEveryMs = WRITE_EVERY_MS, readEveryMs = READ_EVERY_MS): void {
    if (!this.#isStopped) return
    this.#isStopped = false
    this.#running = Promise.all([
      this.#every(writeEveryMs, () => this.#write(BATCH)),
      this.#every(readEveryMs, () => this.#read()),
    ])
  }

  /** Resolves when the last answer came. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Does something so often, and never twice at once. */
  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    for (let next = Date.now(); !this.#isStopped; next = Math.max(next + ms, Date.now())) {
      try {
        await work()
      } catch (error) {
        if (!this.#isPatient) throw error
        await sleep(RETRY_MS)
      }
      await sleep(Math.max(0, next + ms - Date.now()))
    }
  }

  async #write(count: number): Promise<void> {
    const first = this.documents + 1
    const commands = Array.from({ length: count }, (_, i) =>
      put(`users/${first + i}`, 'Users', userDocument(SEED, first + i, 0)),
    )
    await bulk(this.#url, this.database, commands)
    this.documents += count
    this.requests++
  }

  async #read(): Promise<void> {
    const id = `users/${1 + (this.requests % this.documents)}`
    await json(this.#url, `${databasePath(this.database)}/docs?id=${encodeURIComponent(id)}`)
    this.requests++
  }
}
