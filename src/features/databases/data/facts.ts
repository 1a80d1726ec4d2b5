import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'
import { mapRate } from '../../../ravendb/databases/map-rate.ts'
import type { ServerDatabaseRow, ServerDatabasesResponse } from '../../../feeds/server/contract.ts'

/** Facts of a database that the feeds of the server report beside its list, without a request to it. */
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

/** A row of the list with what else is known; none: nothing was reported of it (yet). */
export interface ListedDatabase extends DatabaseRow {
  readonly facts?: DatabaseFacts | undefined
  /** Time for which it has been seen loading, ms. */
  readonly loadingForMs?: number | undefined
}

/**
 * Names are case-insensitive for the server. `loadingMs`: for how long those that load have been seen loading. `newerMs`:
 * how much later than the list the facts reported whether it is loaded or disabled; null or less than 0: the list is newer.
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

/** Loading, and what failed, only the list knows. */
function newerState({ state, isSharded }: DatabaseRow, known: DatabaseFacts): DatabaseRow['state'] {
  if (isSharded || known.irrelevant) return state
  if (known.disabled) return 'disabled'
  if (known.online) return 'online'
  return state === 'online' || state === 'disabled' ? 'unloaded' : state
}

/** Entries that the maps of its indexes put out in a second; null: not reported. */
export const indexingRate = ({ facts }: ListedDatabase): number | null => mapRate(facts ?? {})

/** Whether a database is active by its newest rates, which are more frequent than the idle sweep. */
const isWorking = (row: ListedDatabase): boolean =>
  [row.facts?.requestsPerSecond, row.facts?.writesPerSecond, indexingRate(row), row.facts?.reducedPerSecond].some(
    (rate) => (rate ?? 0) > 0,
  )

/** Facts of the idle sweep about a database that is loaded now; null where it is not loaded, or not reported. */
const idleOf = ({ state, facts }: ListedDatabase): DatabaseFacts['idle'] =>
  state === 'online' && facts?.idle?.isLoaded === true ? facts.idle : null

/** Time since the last work, ms, never negative; null where it is not loaded, or not reported. */
export function idleFor(row: ListedDatabase): number | null {
  const idleForMs = idleOf(row)?.idleForMs ?? null
  return idleForMs === null ? null : isWorking(row) ? 0 : Math.max(0, idleForMs)
}

/** Idle for so long, a database has synced all journals that it flushed, and dropped them. */
const SYNCED_MS = 300_000

/**
 * Whether its files may be larger than the server's sum, which leaves out journals that are flushed and wait for the next
 * data sync: while it works, and for some minutes after.
 */
export const isSizeLeast = (row: ListedDatabase): boolean =>
  row.state === 'online' && row.sizeBytes !== null && (idleFor(row) ?? 0) < SYNCED_MS

/** Moment at which it will be unloaded if nothing happens in it meanwhile, or the reason why it stays loaded. */
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

/** Time until it is unloaded, ms; null where it stays loaded, or where this is not known. */
export function unloadsIn(row: ListedDatabase): number | null {
  const unloading = unloadingOf(row)
  return unloading.kind === 'in' ? unloading.ms : unloading.kind === 'due' ? 0 : null
}

/** Describes the server's idle sweep for the head of the page; null where it is not reported. */
export function describeSweep({
  maxIdleMs,
  sweepEveryMs,
}: Pick<ServerDatabasesResponse, 'maxIdleMs' | 'sweepEveryMs'>): string | null {
  if (maxIdleMs === null || sweepEveryMs === null) return null
  const words = (ms: number): string =>
    ms < 120_000 ? `${String(Math.round(ms / 1000))} s` : `${String(Math.round(ms / 60_000))} min`
  return `The server unloads what is idle for ${words(maxIdleMs)}, and looks every ${words(sweepEveryMs)}.`
}
