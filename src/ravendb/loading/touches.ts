import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import { RavenError } from '../errors/errors.ts'

/** Minimum time between readings of the server's list of idle times, ms. */
const READ_EVERY_MS = 3000
/** Time, ms, after which a request of another page of this browser has certainly reached the server. */
const ARRIVES_MS = 1000
/** Time, ms, for which a refusal of that list is remembered: rights change rarely. */
const REFUSAL_MS = 300_000
/** Time, ms, after which data of a database that is missing in the list is read again: it is unloaded by then. */
const UNSEEN_MS = 1_500_000
/** Time without a sign of work, ms, after which work counts as over. */
const OVER_MS = 5000
/** Time, ms, before a sign that may come from another observer is followed again; doubled each time. */
const DOUBTFUL_AGAIN_MS = 600_000
/** Maximum size of a kept response, and of all of them, bytes. */
const MOST_BYTES_EACH = 2 * 1024 * 1024
const MOST_BYTES = 8 * 1024 * 1024
const MOST_KEPT = 2000

interface Known {
  /** Increases with each sign of work other than requests of this browser's pages. */
  work: number
  workedMs: number
  /** `LastWork` in the list after our last request; null: not read since. */
  lastWork: string | null
  /** When our last request was answered, wall clock, ms. */
  touchedMs: number
  underWay: number
  /** Whether `LastWork` in the list has changed since our last request. */
  hasMoved: boolean
  /** Whether the newest list said that the server may not unload it. */
  wasHeld: boolean
  /** Number of signs in a row that may come from another observer and were followed; then the time of the last one. */
  doubtful: number
  doubtfulMs: number
}

/** Result of a request: its body (null: an empty 204), or a refusal by the server. */
export type Answered = { readonly bytes: Uint8Array<ArrayBuffer> | null } | { readonly error: RavenError }

interface Kept {
  readonly work: number
  readonly atMs: number
  /** The response; null: too large to keep. */
  readonly answered: Answered | null
}

interface Reading {
  /** By database key: a text that changes with its work, and whether the server must keep it loaded now. */
  readonly databases: ReadonlyMap<string, { readonly lastWork: string; readonly isHeld: boolean }>
  /** Whether some changes of a database do not show in it. */
  readonly isPartial: boolean
}

interface TouchesHost {
  readonly now: () => number
  readonly own: OwnRequests
  /** Reads a list; neither of them renews the idle time of a database. */
  readonly read: (key: 'idleDatabases' | 'databases') => Promise<unknown>
}

/**
 * Decides whether to send a request that renews the time after which the server unloads its database. A response stays
 * valid until the database has other work; until then it is reused. So a page never keeps a database loaded, however
 * often it shows it. Other work is what pages of this browser received (writes, index batches, changes), or a change of
 * the server's own time of last work without a request from any page. The latter may come from another observer and is
 * followed less and less often, so that observers do not keep a database loaded for each other. I/O frames are no sign:
 * syncs do not renew that time.
 */
export class Touches {
  readonly #host: TouchesHost
  readonly #known = new Map<string, Known>()
  readonly #kept = new Map<string, Kept>()
  #keptBytes = 0
  #reading: Reading | null = null
  #requestedMs = Number.NEGATIVE_INFINITY
  #underWay: Promise<void> | null = null
  #refusedMs = Number.NEGATIVE_INFINITY
  readonly #stop: () => void

  constructor(host: TouchesHost) {
    this.#host = host
    this.#stop = host.own.listen(({ database, atMs }) => {
      if (database !== null) this.#touched(this.#of(database), atMs + ARRIVES_MS)
    })
  }

  /**
   * Returns an earlier response if the database had no other work since; undefined: a request is needed. `goodForMs`:
   * accepts a response up to this age, and an older one once the work is over. Errors: none.
   */
  async reuse(database: string, path: string, goodForMs: number): Promise<Answered | undefined> {
    const kept = this.#kept.get(path)
    if (kept === undefined || kept.answered === null) return undefined
    const known = this.#of(database)
    const nowMs = this.#host.now()
    if (nowMs - kept.atMs < goodForMs) return kept.answered
    if (kept.work === known.work) await this.#read()
    if (goodForMs > 0 && nowMs - known.workedMs > OVER_MS) return kept.answered
    // A database that is not listed as loaded is not loaded; the gate reports it.
    if (kept.work !== known.work || this.#reading?.databases.has(databaseKey(database)) !== true) return undefined
    if (this.#reading.isPartial && this.#host.now() - kept.atMs >= UNSEEN_MS) return undefined
    return kept.answered
  }

  /** Whether others have used the database since this page opened; true if not known. Sends it no request. */
  async hasOtherWork(database: string): Promise<boolean> {
    await this.#read()
    const reading = this.#reading
    // A database that is not listed is not loaded, or nothing is known about it: the gate decides.
    if (reading === null || reading.isPartial || !reading.databases.has(databaseKey(database))) return true
    return this.#of(database).work > 0
  }

  /** Whether this certificate cannot see some work of databases. Sends no request to a database. */
  async isBlind(): Promise<boolean> {
    await this.#read()
    return this.#reading?.isPartial === true
  }

  /** Records that a request begins. Call the result with the answer, which is valid until the database works. */
  begin(database: string, path: string): (answered: Answered | null) => void {
    const known = this.#of(database)
    const { work } = known
    let isUnderWay = true
    known.underWay++
    return (answered) => {
      if (!isUnderWay) return
      isUnderWay = false
      known.underWay--
      const atMs = this.#host.now()
      this.#touched(known, atMs)
      if (answered !== null) this.#keep(path, { work, atMs, answered })
    }
  }

  /** Marks earlier responses as outdated: other clients wrote to the database or changed it, or an index worked. */
  worked(database: string): void {
    const known = this.#of(database)
    this.#explained(known)
  }

  #explained(known: Known): void {
    known.work++
    known.workedMs = this.#host.now()
    known.doubtful = 0
    known.hasMoved = false
  }

  /** Wall clock, ms, when the kept response of a path was read; null: none is kept. */
  readMs(path: string): number | null {
    return this.#kept.get(path)?.atMs ?? null
  }

  /** Drops everything: the address may belong to another server, or the name to another database. */
  forget(): void {
    this.#known.clear()
    this.#kept.clear()
    this.#keptBytes = 0
    this.#reading = null
    this.#requestedMs = Number.NEGATIVE_INFINITY
  }

  close(): void {
    this.#stop()
  }

  #of(database: string): Known {
    const key = databaseKey(database)
    let known = this.#known.get(key)
    if (known === undefined) {
      known = {
        work: 0,
        workedMs: Number.NEGATIVE_INFINITY,
        lastWork: null,
        touchedMs: Number.NEGATIVE_INFINITY,
        underWay: 0,
        hasMoved: false,
        wasHeld: false,
        doubtful: 0,
        doubtfulMs: 0,
      }
      this.#known.set(key, known)
    }
    return known
  }

  #touched(known: Known, atMs: number): void {
    known.lastWork = null
    known.hasMoved = false
    known.touchedMs = Math.max(known.touchedMs, atMs)
  }

  #keep(path: string, response: Kept): void {
    const kept = sizeOf(response) > MOST_BYTES_EACH ? { ...response, answered: null } : response
    this.#drop(path)
    this.#kept.set(path, kept)
    this.#keptBytes += sizeOf(kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= MOST_BYTES && this.#kept.size <= MOST_KEPT) break
      this.#drop(oldest)
    }
  }

  #drop(path: string): void {
    const kept = this.#kept.get(path)
    if (kept === undefined) return
    this.#keptBytes -= sizeOf(kept)
    this.#kept.delete(path)
  }

  /** Reads the list, unless it was read a moment ago, and applies it. */
  async #read(): Promise<void> {
    const nowMs = this.#host.now()
    if (nowMs - this.#requestedMs >= READ_EVERY_MS) {
      this.#requestedMs = nowMs
      this.#underWay = this.#readNow(nowMs)
    }
    await this.#underWay
  }

  async #readNow(requestedMs: number): Promise<void> {
    try {
      this.#take(await this.#times(requestedMs), requestedMs)
    } catch {
      // The request itself fails in the same way, or the list could not be parsed: let it be sent.
      this.#reading = null
    }
  }

  /** Errors: `RavenError`, `ParseError`. */
  async #times(requestedMs: number): Promise<Reading> {
    if (requestedMs - this.#refusedMs >= REFUSAL_MS) {
      try {
        return readTimes(await this.#host.read('idleDatabases'))
      } catch (error) {
        if (!(error instanceof RavenError) || error.kind !== 'refused') throw error
        this.#refusedMs = requestedMs
      }
    }
    return readPrints(await this.#host.read('databases'))
  }

  /** Applies a reading that was requested at `requestedMs`. */
  #take(reading: Reading, requestedMs: number): void {
    const before = this.#reading
    this.#reading = reading
    for (const [key, { lastWork, isHeld }] of reading.databases) {
      const known = this.#of(key)
      // A response read during an operation still shows it as running.
      if (isHeld || known.wasHeld) this.#explained(known)
      known.wasHeld = isHeld
      // The reading may be older than our last request, or from during it.
      if (known.underWay > 0 || known.touchedMs >= requestedMs) continue
      if (known.lastWork !== null && known.lastWork !== lastWork) known.hasMoved = true
      known.lastWork = lastWork
    }
    for (const [key, known] of this.#known) {
      // The database was unloaded in between: a client that loads it again has work for it.
      if (before?.databases.has(key) === true && !reading.databases.has(key)) this.#explained(known)
      else if (known.hasMoved) this.#follow(known, requestedMs)
    }
  }

  #follow(known: Known, nowMs: number): void {
    const pauseMs = known.doubtful === 0 ? 0 : DOUBTFUL_AGAIN_MS * 2 ** (known.doubtful - 1)
    if (nowMs - known.touchedMs < READ_EVERY_MS || nowMs - known.doubtfulMs < pauseMs) return
    known.doubtful++
    known.doubtfulMs = nowMs
    known.hasMoved = false
    known.work++
    known.workedMs = nowMs
  }
}

const HOLDS = ['HasActiveOperations', 'RunInMemory']
const CONNECTIONS = [
  'NumberOfChangesApiConnections',
  'NumberOfSubscriptionConnections',
  'NumberOfActivePullReplicationAsSinkConnections',
]

const sizeOf = ({ answered }: Kept): number =>
  answered !== null && 'bytes' in answered ? (answered.bytes?.byteLength ?? 0) : 0

/** Reads `/admin/debug/databases/idle`. Errors: `ParseError`. */
function readTimes(response: unknown): Reading {
  const databases = entriesOf(asObject(response, '$'), 'Results').flatMap(({ entry, path }) => {
    if (entry['IsLoaded'] !== true) return []
    const text = (field: string): string => orNull(asString, entry[field], `${path}.${field}`) ?? ''
    const isOpen = (field: string): boolean => (orNull(asNumber, entry[field], `${path}.${field}`) ?? 0) > 0
    const isHeld = HOLDS.some((field) => entry[field] === true) || CONNECTIONS.some(isOpen)
    return [[keyOf(entry, path), { lastWork: `${text('LastWork')} ${text('LastRecentlyUsed')}`, isHeld }] as const]
  })
  return { databases: new Map(databases), isPartial: false }
}

/** Reads `/databases` for a certificate that may not read the times: counts of loaded ones. Errors: `ParseError`. */
function readPrints(response: unknown): Reading {
  const databases = entriesOf(asObject(response, '$'), 'Databases').flatMap(({ entry, path }) => {
    const { UpTime: upTime, ...counted } = entry
    return upTime === null || upTime === undefined
      ? []
      : [[keyOf(entry, path), { lastWork: JSON.stringify(counted), isHeld: false }] as const]
  })
  return { databases: new Map(databases), isPartial: true }
}

const keyOf = (entry: JsonObject, path: string): string => databaseKey(asString(entry['Name'], `${path}.Name`))

const entriesOf = (body: JsonObject, field: string): { entry: JsonObject; path: string }[] =>
  asArray(body[field], `$.${field}`).map((item, row) => {
    const path = `$.${field}[${row}]`
    return { entry: asObject(item, path), path }
  })
