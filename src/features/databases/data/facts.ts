import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'
import { mapRate } from '../../../ravendb/databases/map-rate.ts'
import type { ServerDatabaseRow, ServerDatabasesResponse } from '../../../feeds/server/contract.ts'

/** Facts about a database from the server's feeds, without a request to it. */
export type DatabaseFacts = Pick<
  ServerDatabaseRow,
  | 'name'
  | 'online'
  | 'disabled'
  | 'irrelevant'
  | 'erroredIndexes'
  | 'requestsPerSecond'
  | 'countedOverMs'
  | 'averageMs'
  | 'writesPerSecond'
  | 'indexedPerSecond'
  | 'mappedPerSecond'
  | 'reducedPerSecond'
  | 'idle'
  | 'work'
  | 'failure'
  | 'volumeFreeBytes'
>

/** A row of the list with further facts; `facts` is missing if none was reported (yet). */
export interface ListedDatabase extends DatabaseRow {
  readonly facts?: DatabaseFacts | undefined
  /** Time for which it has been observed loading, ms. */
  readonly loadingForMs?: number | undefined
}

/**
 * Joins the list and the facts; names ignore case. `loadingMs`: time for which databases have been observed loading.
 * `newerMs`: how much later than the list the facts reported which databases are loaded or disabled; null or below 0:
 * the list is newer.
 */
export function joinFacts(
  rows: readonly DatabaseRow[],
  facts: ReadonlyMap<string, DatabaseFacts>,
  loadingMs: ReadonlyMap<string, number>,
  newerMs: number | null,
): readonly ListedDatabase[] {
  if (facts.size === 0 && loadingMs.size === 0) return rows
  return rows.map((row) => {
    const known = facts.get(row.name.toLowerCase())
    const laterMs = known === undefined ? 0 : Math.max(0, newerMs ?? 0)
    const state = laterMs > 0 && known !== undefined ? newerState(row, known) : row.state
    const failure = state === 'unloaded' ? (known?.failure ?? null) : null
    const upTimeMs = state !== row.state || row.upTimeMs === null ? null : row.upTimeMs + laterMs
    const joined = { ...row, state, upTimeMs, facts: known, loadingForMs: loadingMs.get(row.name) }
    // The list forgets a failed load after two seconds.
    return failure === null ? joined : { ...joined, state: 'faulted', error: failure.message }
  })
}

/** Only the list knows which databases are loading or have failed. */
function newerState({ state, isSharded }: DatabaseRow, known: DatabaseFacts): DatabaseRow['state'] {
  if (isSharded || known.irrelevant) return state
  if (known.disabled) return 'disabled'
  if (known.online) return 'online'
  return state === 'online' || state === 'disabled' ? 'unloaded' : state
}

/** Entries per second that the maps of its indexes produce; null: not reported. */
export const indexingRate = ({ facts }: ListedDatabase): number | null => mapRate(facts ?? {})

/** Whether a database is active by its newest rates, which are more frequent than the idle sweep. */
const isWorking = (row: ListedDatabase): boolean =>
  [row.facts?.requestsPerSecond, row.facts?.writesPerSecond, indexingRate(row), row.facts?.reducedPerSecond].some(
    (rate) => (rate ?? 0) > 0,
  )

/** Facts of the idle sweep about a loaded database; null: not loaded, or not reported. */
const idleOf = ({ state, facts }: ListedDatabase): DatabaseFacts['idle'] =>
  state === 'online' && facts?.idle?.isLoaded === true ? facts.idle : null

/** Time since its last work, ms, never negative; null: not loaded, or not reported. */
export function idleFor(row: ListedDatabase): number | null {
  const idleForMs = idleOf(row)?.idleForMs ?? null
  return idleForMs === null ? null : isWorking(row) ? 0 : Math.max(0, idleForMs)
}

/** Idle time, ms, after which a database has synced and removed all flushed journals. */
const SYNCED_MS = 300_000

/**
 * Whether its files may be larger than the server's sum, which omits flushed journals that wait for a data sync: while
 * it works, and for some minutes after.
 */
export const isSizeLeast = (row: ListedDatabase): boolean =>
  row.state === 'online' && row.sizeBytes !== null && (idleFor(row) ?? 0) < SYNCED_MS

/** Time at which it will be unloaded without further work, or the reason why it stays loaded. */
export type Unloading =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'held'; readonly blockers: readonly string[] }
  | { readonly kind: 'working' }
  | { readonly kind: 'due' }
  | { readonly kind: 'in'; readonly ms: number }

export function unloadingOf(row: ListedDatabase): Unloading {
  const idle = idleOf(row)
  if (idle === null) return { kind: 'unknown' }
  if (idle.blockers.length > 0) return { kind: 'held', blockers: idle.blockers }
  if (isWorking(row)) return { kind: 'working' }
  if (idle.unloadsAtNextSweep || idle.unloadsInMs === 0) return { kind: 'due' }
  return idle.unloadsInMs === null ? { kind: 'unknown' } : { kind: 'in', ms: idle.unloadsInMs }
}

/** Time until it is unloaded, ms; null: it stays loaded, or this is not known. */
export function unloadsIn(row: ListedDatabase): number | null {
  const unloading = unloadingOf(row)
  return unloading.kind === 'in' ? unloading.ms : unloading.kind === 'due' ? 0 : null
}

/** Describes the server's idle sweep for the head of the page; null: not reported. */
export function describeSweep({
  maxIdleMs,
  sweepEveryMs,
}: Pick<ServerDatabasesResponse, 'maxIdleMs' | 'sweepEveryMs'>): string | null {
  if (maxIdleMs === null || sweepEveryMs === null) return null
  const words = (ms: number): string =>
    ms < 120_000 ? `${String(Math.round(ms / 1000))} s` : `${String(Math.round(ms / 60_000))} min`
  return `Unloaded after ${words(maxIdleMs)} idle, checked every ${words(sweepEveryMs)}.`
}
