import { compareNames } from '../../../../../base/text/compare-names.ts'
import type { Bytes } from '../../../../../base/brand.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import type { OwnCounts } from '../../../../../ravendb/budget/own-requests.ts'
import type { DatabaseRow, DatabaseState, MountUse } from '../../../../../ravendb/databases/databases.ts'
import { mapRate } from '../../../../../ravendb/databases/map-rate.ts'
import type { FailingIndex } from './failing-indexes.ts'
import type { IdleResponse, IdleEntry } from '../../wire/polls-wire.ts'
import type { BusyDatabase } from '../../../contract/databases.ts'
import type {
  DatabaseChange,
  DatabaseIdle,
  DatabaseRates,
  ServerDatabaseRow,
  ServerDatabasesResponse,
  ServerDatabasesParams,
} from '../../../contract/databases.ts'
import type { ServerNow } from '../../../contract/now.ts'
import type { IndexingWidget, OverviewWidget, TrafficWidget } from '../../wire/widgets.ts'
import { LATE_MS, ofOthers, TRAFFIC_MS } from '../of-others.ts'
import type { PollableDatabases } from './work-polls.ts'
import type { CountedRates } from './work-store.ts'

interface Sizes {
  readonly sizeBytes: Bytes
  readonly tempBytes: Bytes
}

/** State of a database in the database list, and the time since which it has had that state. */
export interface ListedState {
  readonly state: DatabaseState
  readonly error: string | null
  /** `Paused` or `Disabled` by a user; null: indexing runs, or it is not reported. */
  readonly indexingStopped: string | null
  readonly sinceTicks: Ticks
  /** Whether the state existed before collecting began, so that `sinceTicks` is only its latest possible start. */
  readonly sinceIsBound: boolean
}

/** Index with errors, and the time at which their number was last seen to grow; null: it was not. */
export interface KnownFailing extends FailingIndex {
  readonly grewTicks: Ticks | null
}

interface Entry {
  overview: OverviewWidget
  readonly changes: { atTicks: Ticks; change: DatabaseChange }[]
  /**
   * Number of indexing errors while the database was last loaded (null: never seen loaded), and the time at which there
   * were first that many.
   */
  errorsBefore: number | null
  errorsGrewTicks: Ticks | null
  /** Time until which the indexes of a database that was just loaded are still being opened and their errors read. */
  errorsSettleTicks: number
  /** Failing indexes in the newest report of the database; absent: it was not polled. */
  failing?: readonly KnownFailing[]
}

type Changes = ServerDatabaseRow['changes']

const MOST_CHANGES = 20
/** Time after a load in which the server opens the indexes, and with them their errors, one by one. */
const OPENING_TICKS = 60 * TICKS_PER_SECOND
/** Maximum number of deleted databases whose changes are remembered. */
const MOST_GONE = 200
/**
 * Requests per second from which on a database counts as read by other clients. A page of Rookery sends at most one or
 * two, so that this is a dozen pages.
 */
const READ_BY_OTHERS = 20
/** Maximum number of databases. More than any known server has. */
const MOST_DATABASES = 20_000

/** Values of a database that other stores have. */
type KnownElsewhere = Pick<ServerDatabaseRow, 'work' | 'failure' | 'volumeFreeBytes'>

/** Databases as the server's own feeds report them, without a request to any of them. */
export class DatabasesStore {
  readonly #entries = new Map<string, Entry>()
  readonly #counted: (name: string) => CountedRates | null
  /** Returns the requests of the pages of this browser; null: not known. */
  readonly #own: () => OwnCounts | null
  /** Requests per second of other clients, from the newest traffic frame. */
  #byOthers: ReadonlyMap<string, number> = new Map()
  #areOursKnown = true
  readonly #gone = new Map<string, Changes>()
  readonly #listed = new Map<string, ListedState>()
  readonly #mounts = new Map<string, readonly MountUse[]>()
  /** Time of the newest frame with states; null: none has arrived. */
  #overviewTicks: Ticks | null = null
  #sizes: ReadonlyMap<string, Sizes> = new Map()
  #traffic: ReadonlyMap<string, TrafficWidget> | null = null
  #indexing: ReadonlyMap<string, IndexingWidget> | null = null
  #idle: IdleResponse | null = null
  /** Databases that may be polled according to the newest frames; undefined: must be computed again. */
  #pollable: PollableDatabases | null | undefined
  /** Number of consecutive frames, up to the newest one, in which each database was at work. */
  #framesAtWork: ReadonlyMap<string, number> = new Map()
  /** Databases loaded since the last call of `takeLoaded`. */
  #loaded: string[] = []
  #isFirst = true
  #isFirstList = true
  #listedTicks: Ticks | null = null

  /**
   * `counted` returns rates from the counters of a database at work; null: only the widgets report rates, which are
   * approximate. `own`: see `#own`.
   */
  constructor(counted: (name: string) => CountedRates | null = () => null, own: () => OwnCounts | null = () => null) {
    this.#counted = counted
    this.#own = own
  }

  overview(databases: ReadonlyMap<string, OverviewWidget>, atTicks: Ticks): void {
    for (const [name, overview] of databases) {
      this.#correct(name, overview, atTicks)
      const entry = this.#entries.get(name)
      if (entry === undefined) {
        if (this.#entries.size >= MOST_DATABASES) continue
        const changes = [...(this.#gone.get(name) ?? [])]
        this.#gone.delete(name)
        const errorsBefore = overview.online ? overview.indexingErrors : null
        const errorsSettleTicks = Number.NEGATIVE_INFINITY
        this.#entries.set(name, {
          overview,
          changes,
          errorsBefore,
          errorsGrewTicks: null,
          errorsSettleTicks,
          ...(errorsBefore === 0 ? { failing: [] } : {}),
        })
        if (!this.#isFirst) note(changes, atTicks, 'created')
        continue
      }
      const before = entry.overview
      // An unloaded database keeps its indexes in error.
      entry.overview = overview.online ? overview : { ...overview, erroredIndexes: before.erroredIndexes }
      if (before.disabled !== overview.disabled)
        note(entry.changes, atTicks, overview.disabled ? 'disabled' : 'enabled')
      if (before.online !== overview.online) note(entry.changes, atTicks, overview.online ? 'loaded' : 'unloaded')
      if (!before.online && overview.online) this.#loaded.push(name)
      if (!overview.online) continue
      if (!before.online) entry.errorsSettleTicks = atTicks + OPENING_TICKS
      noteErrors(entry, { now: overview.indexingErrors, last: before.indexingErrors }, atTicks)
      // A database without indexing errors has no failing index, so that no request is needed.
      if (overview.indexingErrors === 0 && atTicks >= entry.errorsSettleTicks) entry.failing = []
    }
    for (const [name, { changes }] of this.#entries) {
      if (databases.has(name)) continue
      note(changes, atTicks, 'deleted')
      this.#entries.delete(name)
      this.#gone.set(name, changes)
      const oldest = this.#gone.keys().next().value
      if (this.#gone.size > MOST_GONE && oldest !== undefined) this.#gone.delete(oldest)
    }
    this.#overviewTicks = atTicks
    this.#isFirst = false
    this.#pollable = undefined
  }

  /** Returns, once, the databases that frames reported as loaded after they had been unloaded. */
  takeLoaded(): readonly string[] {
    const loaded = this.#loaded
    this.#loaded = []
    return loaded
  }

  /**
   * Corrects the listed state. The dashboard reports every few seconds whether a database is loaded, the list less
   * often: a database that has loaded since the list is no longer loading.
   */
  #correct(name: string, { online, disabled }: OverviewWidget, atTicks: Ticks): void {
    const listed = this.#listed.get(name)
    if (listed === undefined || (listed.state === 'online') === online) return
    const state = online ? 'online' : disabled ? 'disabled' : 'unloaded'
    this.#listed.set(name, { state, error: null, indexingStopped: null, sinceTicks: atTicks, sinceIsBound: false })
  }

  /** Takes the failing indexes that the database itself reported. */
  failing(name: string, indexes: readonly FailingIndex[], atTicks: Ticks): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    const { failing } = entry
    entry.failing = indexes.map((each): KnownFailing => {
      const before = failing?.find(({ index }) => index === each.index)
      const hasGrown = failing !== undefined && each.errors > (before?.errors ?? 0)
      return { ...each, grewTicks: hasGrown ? atTicks : (before?.grewTicks ?? null) }
    })
  }

  sizes(sizes: ReadonlyMap<string, Sizes>): void {
    this.#sizes = sizes
  }

  traffic(traffic: ReadonlyMap<string, TrafficWidget>): void {
    this.#traffic = traffic
    const own = this.#own()
    this.#areOursKnown = own?.isKnown(LATE_MS) ?? true
    this.#byOthers = new Map(
      Array.from(traffic, ([name, { requestsPerSecond }]) => [
        name,
        ofOthers(requestsPerSecond, own?.most(name, TRAFFIC_MS, LATE_MS) ?? 0),
      ]),
    )
    const atWork = [...this.#entries.keys()].filter((name) => this.#workRate(name) > 0)
    this.#framesAtWork = new Map(atWork.map((name) => [name, (this.#framesAtWork.get(name) ?? 0) + 1]))
    this.#pollable = undefined
  }

  indexing(indexing: ReadonlyMap<string, IndexingWidget>): void {
    this.#indexing = indexing
    this.#pollable = undefined
  }

  idle(idle: IdleResponse): void {
    this.#idle = idle
    this.#pollable = undefined
  }

  /**
   * Takes the database list, which has states that the dashboard does not report: a load that failed, or is in
   * progress.
   */
  listed(rows: readonly DatabaseRow[], atTicks: Ticks): void {
    const names = new Set<string>()
    for (const { name, state, error, mounts, indexingStatus } of rows) {
      names.add(name)
      const before = this.#listed.get(name)
      if (mounts !== undefined) this.#mounts.set(name, mounts)
      // The server forgets a failed load after two seconds. Only a successful load shows that the database is repaired.
      const stillFaulted = before?.state === 'faulted' && state === 'unloaded'
      const indexingStopped = indexingStatus === null || indexingStatus === 'Running' ? null : indexingStatus
      if (stillFaulted) continue
      if (before?.state === state && before.error === error && before.indexingStopped === indexingStopped) continue
      this.#listed.set(name, { state, error, indexingStopped, sinceTicks: atTicks, sinceIsBound: this.#isFirstList })
    }
    for (const name of this.#listed.keys()) {
      if (names.has(name)) continue
      this.#listed.delete(name)
      this.#mounts.delete(name)
    }
    this.#isFirstList = false
    this.#listedTicks = atTicks
  }

  /** Time at which the list was last read; null: never. */
  get listedTicks(): Ticks | null {
    return this.#listedTicks
  }

  get states(): ReadonlyMap<string, ListedState> {
    return this.#listed
  }

  /** Whether the database is loaded, or was seen to load after `ticks`. */
  isLoadedSince(name: string, ticks: Ticks): boolean {
    const entry = this.#entries.get(name)
    if (entry === undefined) return false
    return entry.overview.online || entry.changes.some(({ change, atTicks }) => change === 'loaded' && atTicks > ticks)
  }

  /** Databases that other clients use according to the newest frames; null: such a frame has not arrived yet. */
  get pollable(): PollableDatabases | null {
    if (this.#pollable === undefined) this.#pollable = this.#findPollable()
    return this.#pollable
  }

  #findPollable(): PollableDatabases | null {
    if (this.#isFirst || this.#traffic === null || this.#indexing === null) return null
    const loaded = [...this.#entries].filter(([, { overview }]) => overview.online).map(([name]) => name)
    const working = loaded
      .map((name) => ({ name, rate: this.#workRate(name) }))
      .filter(({ rate }) => rate > 0)
      .toSorted((a, b) => b.rate - a.rate)
      .map(({ name }) => name)
    const repeated = new Set(working.filter((name) => this.#framesAtWork.get(name) === 2))
    return { working, repeated, inUse: loaded.filter((name) => this.#workRate(name) === 0 && this.#isInUse(name)) }
  }

  /** Whether the server has reported which databases are loaded. */
  get isKnown(): boolean {
    return !this.#isFirst
  }

  isPollable(name: string): boolean {
    return this.#workRate(name) > 0 || this.#isInUse(name)
  }

  isLoaded(name: string): boolean {
    return this.#entries.get(name)?.overview.online === true
  }

  get loaded(): string[] {
    return [...this.#entries.keys()].filter((name) => this.isLoaded(name))
  }

  /** Whether other clients read the database more than all Rookery pages would, or keep it loaded in any case. */
  #isInUse(name: string): boolean {
    if ((this.#byOthers.get(name) ?? 0) >= READ_BY_OTHERS) return true
    const idle = this.#idleOf(name, 0)
    return idle !== null && idle.isLoaded && idle.blockers.length > 0
  }

  /**
   * Loaded databases with activity of other clients, reads included, busiest first; null: no frame has reported
   * activity yet.
   */
  busiest(limit: number): { readonly rows: readonly BusyDatabase[]; readonly more: number } | null {
    if (this.#traffic === null || this.#isFirst) return null
    const busy = [...this.#entries].flatMap(([name, { overview }]) => {
      const rate = this.#workRate(name) + (this.#areOursKnown ? (this.#byOthers.get(name) ?? 0) : 0)
      return overview.online && rate > 0 ? [{ name, rate }] : []
    })
    const rows = busy
      .toSorted((a, b) => b.rate - a.rate || compareNames(a.name, b.name))
      .slice(0, limit)
      .map(({ name }) => {
        const rates = this.#rates(name)
        const { requestsPerSecond, writesPerSecond, countedOverMs } = rates
        const oursPerSecond = Math.max(0, (requestsPerSecond ?? 0) - (this.#byOthers.get(name) ?? 0))
        const own = this.#own()
        const ours =
          countedOverMs === null || own === null
            ? this.#areOursKnown
              ? oursPerSecond
              : null
            : own.isKnown(countedOverMs)
              ? (own.count(name, countedOverMs) * 1000) / countedOverMs
              : null
        return {
          name,
          requestsPerSecond,
          oursPerSecond: ours,
          writesPerSecond,
          mapsPerSecond: mapRate(rates),
          reducesPerSecond: rates.reducedPerSecond,
          countedOverMs,
        }
      })
    return { rows, more: busy.length - rows.length }
  }

  /** Changes of state since `sinceTicks`, newest first. Only the newest few changes of each database are kept. */
  changesSince(
    sinceTicks: number,
  ): { readonly name: string; readonly atTicks: Ticks; readonly change: DatabaseChange }[] {
    const entries = [...this.#entries].map(([name, { changes }]) => [name, changes] as const)
    return [...entries, ...this.#gone]
      .flatMap(([name, changes]) =>
        changes.flatMap(({ atTicks, change }) => (atTicks >= sinceTicks ? [{ name, atTicks, change }] : [])),
      )
      .toSorted((a, b) => b.atTicks - a.atTicks)
  }

  #workRate(name: string): number {
    return (this.#traffic?.get(name)?.writesPerSecond ?? 0) + indexingSteps(this.#indexing?.get(name))
  }

  /**
   * Databases that had indexes in error when they were last loaded, or whose number of indexing errors has grown since
   * `sinceTicks`.
   */
  withErrors(
    sinceTicks: number,
  ): { name: string; overview: OverviewWidget; grewTicks: Ticks | null; failing: readonly KnownFailing[] }[] {
    return [...this.#entries].flatMap(([name, { overview, errorsGrewTicks, failing = [] }]) => {
      const grewTicks = errorsGrewTicks !== null && errorsGrewTicks >= sinceTicks ? errorsGrewTicks : null
      return (overview.erroredIndexes ?? 0) > 0 || grewTicks !== null ? [{ name, overview, grewTicks, failing }] : []
    })
  }

  /** Number of indexes in error; null: not known. */
  erroredIndexesOf(name: string): number | null {
    return this.#entries.get(name)?.overview.erroredIndexes ?? null
  }

  /** Loaded databases that have indexing errors and have finished reading them after the load. */
  withAnyErrors(nowTicks: number): { name: string; overview: OverviewWidget }[] {
    return [...this.#entries].flatMap(([name, { overview, errorsSettleTicks }]) =>
      overview.online && overview.indexingErrors > 0 && nowTicks >= errorsSettleTicks ? [{ name, overview }] : [],
    )
  }

  totals(): ServerNow['databases'] {
    if (this.#isFirst) return null
    const sums = { total: 0, online: 0, disabled: 0, offline: 0, indexes: 0, alerts: 0 }
    for (const { overview } of this.#entries.values()) {
      sums.total++
      if (overview.disabled) sums.disabled++
      else if (overview.online) sums.online++
      else sums.offline++
      sums.indexes += overview.indexes
      sums.alerts += overview.alerts
    }
    return sums
  }

  /** Number of databases that existed before `sinceTicks`; null: not known. */
  countBefore(sinceTicks: number): number | null {
    if (this.#isFirst) return null
    const has = (changes: Changes, wanted: DatabaseChange): boolean =>
      changes.some(({ change, atTicks }) => change === wanted && atTicks >= sinceTicks)
    const there = [...this.#entries.values()].filter(({ changes }) => !has(changes, 'created'))
    return there.length + [...this.#gone.values()].filter((changes) => has(changes, 'deleted')).length
  }

  /** Databases with data on a volume, largest first. If the server has only one volume, all data is on it. */
  onVolume(mount: string, isOnly: boolean): { database: string; bytes: Bytes; tempBytes: Bytes }[] {
    const found: { database: string; bytes: Bytes; tempBytes: Bytes }[] = []
    for (const [database, { sizeBytes, tempBytes }] of this.#sizes) {
      const use = this.#mounts.get(database)?.find((one) => one.mount === mount)
      if (isOnly) found.push({ database, bytes: sizeBytes, tempBytes })
      else if (use !== undefined) found.push({ database, bytes: use.usedBytes, tempBytes: use.tempBytes })
    }
    return found.toSorted((a, b) => b.bytes - a.bytes)
  }

  /** Mount points of the volumes that have data of a database; empty: not known. */
  mountsOf(database: string): string[] {
    return (this.#mounts.get(database) ?? []).map(({ mount }) => mount)
  }

  response(
    params: ServerDatabasesParams,
    nowTicks: number,
    more: (name: string) => KnownElsewhere,
  ): ServerDatabasesResponse {
    const limit = Math.min(500, Math.max(1, params.limit))
    const start = Math.max(0, params.offset)
    const names = [...this.#entries.keys()].toSorted(compareNames)
    const rows = names.slice(start, start + limit)
    return {
      total: names.length,
      rows: rows.map((name) => this.#row(name, nowTicks, more(name))),
      statesAgeMs: this.#overviewTicks === null ? null : Math.max(0, nowTicks - this.#overviewTicks) / TICKS_PER_MS,
      maxIdleMs: this.#idle?.maxIdleMs ?? null,
      sweepEveryMs: this.#idle?.sweepEveryMs ?? null,
    }
  }

  #idleOf(name: string, nowTicks: number): DatabaseIdle | null {
    const entry = this.#idle?.databases.get(name)
    return this.#idle === null || entry === undefined ? null : idleOf(entry, this.#idle.maxIdleMs, nowTicks)
  }

  /** Exact rates from the database's counters if they are known, otherwise those of the widgets. */
  #rates(name: string): DatabaseRates {
    const counted = this.#counted(name)
    if (counted !== null) {
      const { atTicks: _, overMs, ...rates } = counted
      return { ...rates, countedOverMs: overMs }
    }
    const traffic = this.#traffic?.get(name)
    const indexing = this.#indexing?.get(name)
    return {
      requestsPerSecond: traffic?.requestsPerSecond ?? null,
      writesPerSecond: traffic?.writesPerSecond ?? null,
      writeBytesPerSecond: traffic?.writeBytesPerSecond ?? null,
      indexedPerSecond: indexing?.indexedPerSecond ?? null,
      mappedPerSecond: indexing?.mappedPerSecond ?? null,
      reducedPerSecond: indexing?.reducedPerSecond ?? null,
      countedOverMs: null,
    }
  }

  #row(name: string, nowTicks: number, { work, failure, volumeFreeBytes }: KnownElsewhere): ServerDatabaseRow {
    const { overview, changes } = this.#entries.get(name) as Entry
    const sizes = this.#sizes.get(name)
    return {
      name,
      ...overview,
      sizeBytes: sizes?.sizeBytes ?? null,
      tempBytes: sizes?.tempBytes ?? null,
      volumeFreeBytes,
      ...this.#rates(name),
      averageMs: this.#traffic?.get(name)?.averageMs ?? null,
      idle: this.#idleOf(name, nowTicks),
      work,
      failure,
      changes,
    }
  }
}

/**
 * Notes the number of indexing errors. A database that was just loaded reports the errors that it has read so far. A
 * smaller number than before the load is therefore no decrease, and its growth up to that number no increase.
 */
function noteErrors(
  entry: Entry,
  { now: errors, last }: { readonly now: number; readonly last: number },
  atTicks: Ticks,
): void {
  const { errorsBefore: before } = entry
  if (before !== null && errors > before) entry.errorsGrewTicks = atTicks
  // After a restart of the server, the first frame may arrive when the database is loaded again. Only if the errors are
  // gone for longer were they cleared.
  if (before !== null && before > 0 && errors === 0 && last > 0 && atTicks >= entry.errorsSettleTicks)
    entry.errorsSettleTicks = atTicks + OPENING_TICKS
  if (atTicks >= entry.errorsSettleTicks) entry.errorsBefore = errors
  else if (before !== null) entry.errorsBefore = Math.max(before, errors)
}

/**
 * Sum of indexing rates, used to see whether indexes work and to sort databases. It adds up different kinds of steps
 * and is never shown.
 */
const indexingSteps = (rates: IndexingWidget | undefined): number =>
  rates === undefined ? 0 : rates.indexedPerSecond + rates.mappedPerSecond + rates.reducedPerSecond

function note(changes: { atTicks: Ticks; change: DatabaseChange }[], atTicks: Ticks, change: DatabaseChange): void {
  changes.unshift({ atTicks, change })
  changes.length = Math.min(changes.length, MOST_CHANGES)
}

const open = (count: number, one: string, many: string): string[] =>
  count > 0 ? [count === 1 ? `1 ${one} is connected.` : `${count} ${many} are connected.`] : []

/**
 * Idle state of a database. The server's sweep unloads a database whose last work is longer ago than its idle time,
 * unless something keeps it loaded.
 */
export function idleOf(entry: IdleEntry, maxIdleMs: number | null, nowTicks: number): DatabaseIdle {
  const blockers = [
    ...(entry.inMemory ? ['It lives in memory only: unloading would lose it.'] : []),
    ...(entry.canUnload || entry.inMemory ? [] : ['The server may not unload it.']),
    ...(entry.activeOperations ? ['An operation is running.'] : []),
    ...open(entry.changesConnections, 'listener to changes', 'listeners to changes'),
    ...open(entry.subscriptionConnections, 'subscription', 'subscriptions'),
    ...open(entry.sinkConnections, 'replication sink', 'replication sinks'),
  ]
  const idleForMs = entry.lastWorkTicks === null ? null : (nowTicks - entry.lastWorkTicks) / TICKS_PER_MS
  const mostMs = entry.maxIdleMs ?? maxIdleMs
  const known = idleForMs !== null && mostMs !== null && blockers.length === 0 && entry.isLoaded
  return {
    isLoaded: entry.isLoaded,
    unloadsAtNextSweep: entry.isLoaded && entry.canCleanup,
    loadedTicks: entry.loadedTicks,
    idleForMs,
    unloadsInMs: known ? Math.max(0, mostMs - idleForMs) : null,
    blockers,
  }
}
