import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import { RavenError } from '../http/errors.ts'

/** The server's list of idle times is read at most so often, ms. */
const READ_EVERY_MS = 3000
/** A request of another page of this browser has reached the server after so long, ms. */
const ARRIVES_MS = 1000
/** Rights change rarely: a refusal of that list is believed this long, ms. */
const REFUSAL_MS = 300_000
/**
 * Time after which data that the list of databases does not show is read again, ms: such a database was unloaded by
 * then.
 */
const UNSEEN_MS = 1_500_000
/** Without a sign of work for so long its work is over, ms. */
const OVER_MS = 5000
/** A sign that may be another observer is followed once, and then after this, and twice, four times, … this, ms. */
const DOUBTFUL_AGAIN_MS = 600_000
/** Responses that are kept: each, and all together, bytes. */
const MOST_BYTES_EACH = 2 * 1024 * 1024
const MOST_BYTES = 8 * 1024 * 1024
const MOST_KEPT = 2000

interface Known {
  /** Grows with each sign that it had other work than requests of pages of this browser. */
  work: number
  workedMs: number
  /** `LastWork` of the list as it was after our last request; null: not read since. */
  lastWork: string | null
  /** When our last request was answered, wall clock, ms. */
  touchedMs: number
  underWay: number
  /** Whether `LastWork` of the list has moved since our last request. */
  hasMoved: boolean
  /** Whether the newest list said that the server may not unload it. */
  wasHeld: boolean
  /** How many signs in a row were followed that may be the requests of another observer, and when the last of them was. */
  doubtful: number
  doubtfulMs: number
}

/** How a request ended: its body (null: an empty 204), or that the server refuses it. */
export type Answered = { readonly bytes: Uint8Array<ArrayBuffer> | null } | { readonly error: RavenError }

interface Kept {
  readonly work: number
  readonly atMs: number
  /** Response; null: too large to be kept. */
  readonly answered: Answered | null
}

interface Reading {
  /**
   * Databases by key: a text that changes with the work of the database, and whether the server may not unload it now,
   * whatever is requested.
   */
  readonly databases: ReadonlyMap<string, { readonly lastWork: string; readonly isHeld: boolean }>
  /** Not every change of a database is seen in it. */
  readonly isPartial: boolean
}

interface TouchesHost {
  readonly now: () => number
  readonly own: OwnRequests
  /** Neither renews the idle time of a database. */
  readonly read: (key: 'idleDatabases' | 'databases') => Promise<unknown>
}

/**
 * Decides whether a request is sent that renews the time after which the server unloads its database. What was read of
 * a database holds until the database has other work: a new request goes out then, and until then the earlier response
 * is used. So no page keeps a database loaded, however often it shows it.
 *
 * Other work is what the pages of this browser received (writes, batches of indexes, changes), or that the server's own
 * time of the last work has moved though no page sent a request. The latter may be another observer: it is followed
 * more and more seldom, so that several of them do not keep a database loaded for each other. Frames of I/O are no
 * sign: syncs do not renew that time.
 */
export class Touches {
  readonly #host: TouchesHost
  readonly #known = new Map<string, Known>()
  readonly #kept = new Map<string, Kept>()
  #keptBytes = 0
  #reading: Reading | null = null
  #askedMs = Number.NEGATIVE_INFINITY
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
   * Earlier response, where the database had no other work since; undefined: a request is needed. `goodForMs`: a
   * response that is not older will do, and an older one where the work is over. Errors: none.
   */
  async reuse(database: string, path: string, goodForMs: number): Promise<Answered | undefined> {
    const kept = this.#kept.get(path)
    if (kept === undefined || kept.answered === null) return undefined
    const known = this.#of(database)
    const nowMs = this.#host.now()
    if (nowMs - kept.atMs < goodForMs) return kept.answered
    if (kept.work === known.work) await this.#read()
    if (goodForMs > 0 && nowMs - known.workedMs > OVER_MS) return kept.answered
    // A database that is not listed as loaded is not loaded: the gate says so.
    if (kept.work !== known.work || this.#reading?.databases.has(databaseKey(database)) !== true) return undefined
    if (this.#reading.isPartial && this.#host.now() - kept.atMs >= UNSEEN_MS) return undefined
    return kept.answered
  }

  /**
   * Whether others use the database, as far as that was seen since this page opened; true where it cannot be seen.
   * Sends no request to a database.
   */
  async hasOtherWork(database: string): Promise<boolean> {
    await this.#read()
    const reading = this.#reading
    // A database that is not listed is not loaded, or nothing is known of it: the gate says which.
    if (reading === null || reading.isPartial || !reading.databases.has(databaseKey(database))) return true
    return this.#of(database).work > 0
  }

  /** Whether work of databases is not seen in what this certificate may read. Sends no request to a database. */
  async isBlind(): Promise<boolean> {
    await this.#read()
    return this.#reading?.isPartial === true
  }

  /** A request to it begins. Returns what is to be called at its end, with what holds until it has other work. */
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

  /** Others write to it, index in it, or changed it: what was read is old. */
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

  /** When what a path last responded was read, wall clock, ms; null: it is not kept. */
  readMs(path: string): number | null {
    return this.#kept.get(path)?.atMs ?? null
  }

  /** Another server may have this address, or the database may be another one. */
  forget(): void {
    this.#known.clear()
    this.#kept.clear()
    this.#keptBytes = 0
    this.#reading = null
    this.#askedMs = Number.NEGATIVE_INFINITY
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

  /** Reads the list where that was not done a moment ago, and takes what it says. */
  async #read(): Promise<void> {
    const nowMs = this.#host.now()
    if (nowMs - this.#askedMs >= READ_EVERY_MS) {
      this.#askedMs = nowMs
      this.#underWay = this.#readNow(nowMs)
    }
    await this.#underWay
  }

  async #readNow(askedMs: number): Promise<void> {
    try {
      this.#take(await this.#times(askedMs), askedMs)
    } catch {
      // The request in question fails in the same way, or the response is not understood: the request goes out.
      this.#reading = null
    }
  }

  /** Errors: `RavenError`, `ParseError`. */
  async #times(askedMs: number): Promise<Reading> {
    if (askedMs - this.#refusedMs >= REFUSAL_MS) {
      try {
        return readTimes(await this.#host.read('idleDatabases'))
      } catch (error) {
        if (!(error instanceof RavenError) || error.kind !== 'refused') throw error
        this.#refusedMs = askedMs
      }
    }
    return readPrints(await this.#host.read('databases'))
  }

  /** Takes in a reading that was requested at `askedMs`. */
  #take(reading: Reading, askedMs: number): void {
    const before = this.#reading
    this.#reading = reading
    for (const [key, { lastWork, isHeld }] of reading.databases) {
      const known = this.#of(key)
      // A response that was read while an operation ran still says that it runs.
      if (isHeld || known.wasHeld) this.#explained(known)
      known.wasHeld = isHeld
      // The reading may be from before our last request, or from within it.
      if (known.underWay > 0 || known.touchedMs >= askedMs) continue
      if (known.lastWork !== null && known.lastWork !== lastWork) known.hasMoved = true
      known.lastWork = lastWork
    }
    for (const [key, known] of this.#known) {
      // The database was unloaded since: a client that loads it again has work for it.
      if (before?.databases.has(key) === true && !reading.databases.has(key)) this.#explained(known)
      else if (known.hasMoved) this.#follow(known, askedMs)
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

/** `/admin/debug/databases/idle`. Errors: `ParseError`. */
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

/** `/databases`, for a certificate that may not read the times: what is counted of each loaded one. Errors: `ParseError`. */
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
