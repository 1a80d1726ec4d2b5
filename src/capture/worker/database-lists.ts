import { listDatabases, pollDatabases, type DatabaseList, type DatabaseRow } from '../../ravendb/databases/databases.ts'
import type { TimerId } from '../../ravendb/env.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'

const EVERY_MS = 5000
/** Maximum interval under the overhead limit, ms: with a longer one the page of databases would be wrong. */
const AT_LEAST_EVERY_MS = 15_000
/** Time, ms, for which the list is refreshed after a panel's last request. */
const WANTED_MS = 15_000
/**
 * Pause, ms, before the second request after a change: the server may still be loading or unloading. The first one is
 * sent at once.
 */
const SETTLED_MS = 1000
/** Maximum share of a core for requests after changes, however often databases change. */
const SHARE_FOR_CHANGES = 0.02

export interface ListedDatabases extends DatabaseList {
  /** Changes with each response of the server. */
  readonly version: number
}

type Outcome = { readonly list: ListedDatabases } | { readonly error: RavenError }

/**
 * The server's list of databases, refreshed at the governor's pace while a panel wants it. Panels may call this at any
 * rate; the server gets one request for all panels and pages.
 */
export class DatabaseLists {
  readonly #governor: Governor
  readonly #waiting = new Set<() => void>()
  #stop: (() => void) | null = null
  #timer: TimerId | null = null
  #outcome: Outcome | null = null
  #version = 0
  /** Last complete rows, by name. */
  #known: ReadonlyMap<string, DatabaseRow> = new Map()
  #changeTimer: TimerId | null = null
  #changedRequestedMs = Number.NEGATIVE_INFINITY

  constructor(governor: Governor) {
    this.#governor = governor
    governor.onDatabaseChanged(() => this.#changed())
  }

  /** The list; null: not newer than the version `have`. Errors: those of the newest call. */
  async request(have: number | null): Promise<ListedDatabases | null> {
    this.#want()
    if (this.#outcome === null) await new Promise<void>((done) => this.#waiting.add(done))
    if (this.#outcome === null) return null
    if ('error' in this.#outcome) throw this.#outcome.error
    return this.#outcome.list.version === have ? null : this.#outcome.list
  }

  /** Requests the list at once, for a click of the user. */
  async renew(signal: AbortSignal): Promise<ListedDatabases> {
    try {
      return this.#took(await listDatabases(this.#governor, { signal }))
    } catch (error) {
      if (error instanceof RavenError && error.kind !== 'aborted') this.#settle({ error })
      throw error
    }
  }

  #changed(): void {
    const { env } = this.#governor
    if (this.#stop === null || this.#changeTimer !== null) return
    const waitMs =
      this.#changedRequestedMs +
      Math.max(SETTLED_MS, this.#governor.costMs('databases') / SHARE_FOR_CHANGES) -
      env.now()
    if (waitMs <= 0) this.#requestChange()
    this.#changeTimer = env.setTimeout(
      () => {
        this.#changeTimer = null
        if (this.#stop !== null) this.#requestChange()
      },
      Math.max(SETTLED_MS, waitMs),
    )
  }

  #requestChange(): void {
    this.#changedRequestedMs = this.#governor.env.now()
    // The failure is stored as the result.
    this.renew(new AbortController().signal).catch(() => undefined)
  }

  #want(): void {
    const { env } = this.#governor
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = env.setTimeout(() => this.#end(), WANTED_MS)
    this.#stop ??= pollDatabases(this.#governor, {
      everyMs: EVERY_MS,
      atLeastEveryMs: AT_LEAST_EVERY_MS,
      audience: { feed: 'databases' },
      onResponse: (list) => void this.#took(list),
      onError: (error) => this.#settle({ error }),
    })
  }

  #end(): void {
    // Callers that wait for the first list still need it, however slow the server is: a missing list is not an empty
    // one.
    if (this.#waiting.size > 0) {
      this.#want()
      return
    }
    this.#stop?.()
    this.#stop = null
    this.#timer = null
    // A list that is shown after a pause is requested again.
    this.#settle(null)
  }

  #took(list: DatabaseList): ListedDatabases {
    const rows = list.rows.map((row) => withKnown(row, this.#known.get(row.name)))
    this.#known = new Map(rows.map((row) => [row.name, row]))
    const listed = { ...list, rows, version: ++this.#version }
    this.#settle({ list: listed })
    return listed
  }

  #settle(outcome: Outcome | null): void {
    this.#outcome = outcome
    for (const done of this.#waiting) done()
    this.#waiting.clear()
  }
}

/**
 * Completes an entry that has only a name, while the server unloads, restarts or compacts the database, with what was
 * known. If it failed to load, these are its lock and last backup; other figures may be outdated.
 */
function withKnown(row: DatabaseRow, known: DatabaseRow | undefined): DatabaseRow {
  if (row.isBare !== true || known === undefined) return row
  const { lock, lastBackupTicks } = known
  const { name, state, error, upTimeMs, unloadsSoon, isSharded } = row
  return state === 'faulted'
    ? { ...row, ...(lock === undefined ? {} : { lock }), ...(lastBackupTicks === undefined ? {} : { lastBackupTicks }) }
    : { ...known, name, state, error, upTimeMs, unloadsSoon, isSharded, isBare: true }
}
