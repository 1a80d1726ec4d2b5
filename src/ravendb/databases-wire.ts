import type { Bytes } from '../base/brand.ts'
import { asArray, asObject, asString, orNull, unlessNegative, type JsonObject } from '../base/json/check.ts'
import { parseTicks, type Ticks } from '../base/ticks.ts'
import { parseTimeSpanMs } from './timespan.ts'
import { isCompacting, isUnloading } from './errors/unloading.ts'

export type DatabaseState = 'unloaded' | 'loading' | 'online' | 'faulted' | 'disabled' | 'compacting'

/** A database in the server's list. Null: not reported, as for one that failed to load. */
export interface DatabaseRow {
  /** Each shard has a name of its own: `orders$0`. */
  readonly name: string
  readonly state: DatabaseState
  readonly documents: number | null
  readonly indexes: number | null
  readonly sizeBytes: Bytes | null
  readonly tempBytes: Bytes | null
  /** Time since it was loaded; null: not loaded. */
  readonly upTimeMs: number | null
  readonly indexingErrors: number | null
  readonly alerts: number | null
  /** Number of performance hints. */
  readonly hints: number | null
  /** `Running`, `Paused`, `Disabled`, or another value of the server. */
  readonly indexingStatus: string | null
  /** Why it failed to load, in the server's words. */
  readonly error: string | null
  /** Whether it is a shard; a shard is opened by its own name. */
  readonly isSharded: boolean
  /** Whether the server unloads it at its next sweep; null: not known, or no right to know. */
  readonly unloadsSoon: boolean | null
  /** Nodes that have not deleted it yet; absent: it is not being deleted. */
  readonly deletingOn?: readonly string[]
  /** `Unlock`, `PreventDeletesIgnore`, `PreventDeletesError`; absent: not reported. */
  readonly lock?: string
  /** Time of its last backup; null: no backup known to the server; absent: not reported. */
  readonly lastBackupTicks?: Ticks | null
  /**
   * The entry has only a name: the database is locked while it is unloaded, restarted or compacted, or it failed to
   * load.
   */
  readonly isBare?: true
  /** Volumes of its files; absent: not reported. */
  readonly mounts?: readonly MountUse[]
}

export interface MountUse {
  readonly mount: string
  readonly usedBytes: Bytes
  readonly tempBytes: Bytes
}

/** Entries of `/databases` → rows. Errors: `ParseError` where an entry has no name or a figure is not one. */
export const parseDatabases = (response: unknown): DatabaseRow[] =>
  entriesOf(response, 'Databases').map(({ object, path }) => parseEntry(object, path))

function parseEntry(entry: JsonObject, path: string): DatabaseRow {
  const name = asString(entry['Name'], `${path}.Name`)
  const upTimeMs = upTime(entry, path)
  const sizeBytes = size(entry, 'TotalSize', path)
  // All figures are 0 until the server has loaded the database for the first time since its own start. No database is
  // empty on disk. Seen on 7.1.5, 6.2.4 and 5.4.207.
  const isUnread = upTimeMs === null && sizeBytes === 0
  const count = (field: string): number | null => (isUnread ? null : unlessNegative(entry[field], `${path}.${field}`))
  const error = failureOf(entry, path)
  const loadError = loadErrorOf(entry, path)
  const loadedState =
    upTimeMs !== null ? 'online' : loadError !== null && isCompacting(loadError) ? 'compacting' : 'unloaded'
  return {
    name,
    state: entry['Disabled'] === true ? 'disabled' : error === null ? loadedState : 'faulted',
    documents: count('DocumentsCount'),
    indexes: count('IndexesCount'),
    sizeBytes: isUnread ? null : sizeBytes,
    tempBytes: isUnread ? null : size(entry, 'TempBuffersSize', path),
    upTimeMs,
    indexingErrors: count('IndexingErrors'),
    alerts: count('Alerts'),
    hints: count('PerformanceHints'),
    indexingStatus: isUnread ? null : orNull(asString, entry['IndexingStatus'], `${path}.IndexingStatus`),
    error,
    isSharded: /\$\d+$/.test(name),
    unloadsSoon: null,
    ...(loadError === null ? {} : { isBare: true as const }),
    ...(isDeleting(entry) ? { deletingOn: Object.keys(entry['DeletionInProgress']) } : {}),
    ...(typeof entry['LockMode'] === 'string' ? { lock: entry['LockMode'] } : {}),
    ...lastBackupOf(entry, path),
    ...mountsOf(entry, path),
  }
}

/** Includes one-time backups. */
function lastBackupOf(entry: JsonObject, path: string): { lastBackupTicks?: Ticks | null } {
  if (!Object.hasOwn(entry, 'BackupInfo')) return {}
  const info = orNull(asObject, entry['BackupInfo'], `${path}.BackupInfo`)
  const last = orNull(asString, info?.['LastBackup'], `${path}.BackupInfo.LastBackup`)
  if (last === null) return { lastBackupTicks: null }
  const ticks = parseTicks(last)
  return Number.isNaN(ticks) ? {} : { lastBackupTicks: ticks }
}

/** Whether a node has not deleted it yet, which lasts as long as the node is away. */
export const isDeleting = (entry: JsonObject): entry is JsonObject & { readonly DeletionInProgress: object } =>
  typeof entry['DeletionInProgress'] === 'object' &&
  entry['DeletionInProgress'] !== null &&
  Object.keys(entry['DeletionInProgress']).length > 0

/** Sums the storage environments by volume. The server reports them only for unloaded databases. */
function mountsOf(entry: JsonObject, path: string): { mounts?: MountUse[] } {
  const byMount = new Map<string, { usedBytes: number; tempBytes: number }>()
  for (const [row, item] of (orNull(asArray, entry['MountPointsUsage'], `${path}.MountPointsUsage`) ?? []).entries()) {
    const at = `${path}.MountPointsUsage[${row}]`
    const use = asObject(item, at)
    const drive = orNull(asObject, use['DiskSpaceResult'], `${at}.DiskSpaceResult`)
    const mount = orNull(asString, drive?.['DriveName'], `${at}.DiskSpaceResult.DriveName`)
    if (mount === null) continue
    const bytes = (field: string): number => unlessNegative(use[field], `${at}.${field}`) ?? 0
    const sums = byMount.get(mount) ?? { usedBytes: 0, tempBytes: 0 }
    sums.usedBytes += bytes('UsedSpace')
    sums.tempBytes += bytes('UsedSpaceByTempBuffers')
    byMount.set(mount, sums)
  }
  if (byMount.size === 0) return {}
  return {
    mounts: Array.from(byMount, ([mount, { usedBytes, tempBytes }]) => ({
      mount,
      usedBytes: usedBytes as Bytes,
      tempBytes: tempBytes as Bytes,
    })),
  }
}

/** States by database name, from `/studio-tasks/databases/state`, the only endpoint that reports loading. */
export function parseStates(
  response: unknown,
): Map<string, { readonly loading: boolean; readonly error: string | null }> {
  const states = new Map<string, { loading: boolean; error: string | null }>()
  for (const { object, path } of entriesOf(response, 'Databases')) {
    states.set(asString(object['Name'], `${path}.Name`), {
      loading: object['DatabaseStatus'] === 'Loading',
      error: failureOf(object, path),
    })
  }
  return states
}

/** Reads `/admin/debug/databases/idle`: by name, whether the next sweep unloads it. */
export function parseIdle(response: unknown): Map<string, boolean> {
  const idle = new Map<string, boolean>()
  for (const { object, path } of entriesOf(response, 'Results'))
    idle.set(asString(object['Name'], `${path}.Name`), object['IsLoaded'] === true && object['CanCleanup'] === true)
  return idle
}

const entriesOf = (response: unknown, field: string): { object: JsonObject; path: string }[] =>
  asArray(asObject(response, '$')[field], `$.${field}`).map((entry, row) => {
    const path = `$.${field}[${row}]`
    return { object: asObject(entry, path), path }
  })

const loadErrorOf = (entry: JsonObject, path: string): string | null =>
  orNull(asString, entry['LoadError'], `${path}.LoadError`)

/** Failure of a database. A lock while the server works on it is not a failure. */
function failureOf(entry: JsonObject, path: string): string | null {
  const error = loadErrorOf(entry, path)
  return error === null || isUnloading(error) || isCompacting(error) ? null : error
}

/** An up time that cannot be read becomes NaN, since it still shows that the database is loaded. */
function upTime(entry: JsonObject, path: string): number | null {
  const text = orNull(asString, entry['UpTime'], `${path}.UpTime`)
  return text === null ? null : parseTimeSpanMs(text)
}

function size(entry: JsonObject, field: string, path: string): Bytes | null {
  const object = orNull(asObject, entry[field], `${path}.${field}`)
  if (object === null) return null
  return unlessNegative(object['SizeInBytes'], `${path}.${field}.SizeInBytes`) as Bytes | null
}
