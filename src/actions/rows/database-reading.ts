import {
  asArray,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../base/json/check.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import { parseTimeSpanMs } from '../../ravendb/timespan.ts'
import { isDeleting } from '../../ravendb/databases-wire.ts'
import type { CheckContext, CheckResult } from '../model.ts'

/** Facts for the checks of database actions. Reading them loads nothing. */
export interface ReadDatabase {
  readonly isDisabled: boolean
  /** `Unlock`, `PreventDeletesIgnore`, `PreventDeletesError`; null: not reported. */
  readonly lock: string | null
  /** Time since it was loaded; null: not loaded. */
  readonly upTimeMs: number | null
  readonly documents: number | null
  /** Data files and journals; for a loaded database, without flushed journals that wait for a data sync. */
  readonly sizeBytes: number | null
  /** Temporary buffers and recyclable journals. */
  readonly tempBytes: number | null
  /** Text of the server; null: it knows of no backup. */
  readonly lastBackup: string | null
  /** `OneTime`, `Periodic`; null: none, or not reported. */
  readonly lastBackupKind: string | null
  /** Whether a node has not deleted it yet. */
  readonly isDeleting: boolean
  /** Whether the server is closing it, for a moment in which nothing else says why. */
  readonly isClosing: boolean
}

/** Part of the load error of a database that is being closed, such as “locked by DeleteDatabase” on 6.2.4. */
const LOCKED = 'has been unloaded and locked by'

/** Reads a response of `/databases?name=`: the database itself on 5.4, a list with it later. Errors: `ParseError`. */
export function readDatabase(response: unknown): ReadDatabase {
  const body = asObject(response, '$')
  const entry = body['Databases'] === undefined ? body : asObject(asArray(body['Databases'], '$.Databases')[0], '$[0]')
  const upTime = orNull(asString, entry['UpTime'], '$.UpTime')
  const part = (field: string): JsonObject | null => orNull(asObject, entry[field], `$.${field}`)
  return {
    isDisabled: entry['Disabled'] === true,
    lock: orNull(asString, entry['LockMode'], '$.LockMode'),
    upTimeMs: upTime === null ? null : parseTimeSpanMs(upTime),
    documents: unlessNegative(entry['DocumentsCount'], '$.DocumentsCount'),
    sizeBytes: unlessNegative(part('TotalSize')?.['SizeInBytes'], '$.SizeInBytes'),
    tempBytes: unlessNegative(part('TempBuffersSize')?.['SizeInBytes'], '$.SizeInBytes'),
    lastBackup: orNull(asString, part('BackupInfo')?.['LastBackup'], '$.LastBackup'),
    lastBackupKind: orNull(asString, part('BackupInfo')?.['BackupTaskType'], '$.BackupTaskType'),
    isDeleting: isDeleting(entry),
    isClosing: orNull(asString, entry['LoadError'], '$.LoadError')?.includes(LOCKED) === true,
  }
}

/** Reads the database of that name and judges it; null: the server has none. */
export async function checkDatabase(
  { read }: Pick<CheckContext, 'read'>,
  name: string | null,
  judge: (database: ReadDatabase | null) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  if (name === null) return { state: 'unknown', text: 'It is not known which database it was.' }
  try {
    return await judge(readDatabase(await read('database', { name })))
  } catch (error) {
    const isMissing = error instanceof RavenError && (error.status === 404 || error.kind === 'database-missing')
    if (!isMissing) throw error
    // A database that this certificate may not access (any more) is hidden in the same way, but this request is then
    // refused.
    await read('isLoaded', { name })
    return judge(null)
  }
}

/** Index of the newest cluster command that changed its record. Errors: `RavenError`, `ParseError`. */
export const readRecordIndex = async ({ read }: CheckContext, name: string): Promise<number> =>
  asNumber(asObject(await read('databaseRecord', { name }), '$')['Etag'], '$.Etag')

/**
 * Whether it was loaded (again) since the action started. Its up time ends at the reading, which is after `nowMs`: an
 * earlier load never counts, and a slow reading may miss a load, which the next reading finds.
 */
export const isReloaded = (
  { startedMs, nowMs }: Pick<CheckContext, 'startedMs' | 'nowMs'>,
  upTimeMs: number,
): boolean => nowMs - upTimeMs > startedMs

export const NO_DATABASE: CheckResult = { state: 'gone', text: 'The database does not exist any more.' }

/** Check that is done when `holds`; `says` describes what was read. */
export const checkDatabaseState =
  (holds: (database: ReadDatabase, context: CheckContext) => boolean, says: (database: ReadDatabase) => string) =>
  (context: CheckContext): Promise<CheckResult> =>
    checkDatabase(context, context.call.target.database, (database) =>
      database === null
        ? NO_DATABASE
        : { state: holds(database, context) ? 'done' : 'unchanged', text: says(database) },
    )
