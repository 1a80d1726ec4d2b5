import { type Ticks, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import type { ServerAlert } from '../../../contract/alerts.ts'

/** A database that the server had to unload, or could not load, because of damage. */
export interface DatabaseFailure {
  readonly database: string
  readonly atTicks: Ticks
  /** Message in the server's words. */
  readonly message: string
  readonly alertId: string
}

/** Seen on 7.1.5: the list reports a failed load for two seconds, and this alert until a user dismisses it. */
const KIND = 'CatastrophicDatabaseFailure'
/**
 * Age up to which an alert counts: an older one is of the past, and the client that uses the database raises it again.
 */
const LATELY_TICKS = 3600 * TICKS_PER_SECOND

/**
 * Failures by database, of the last hour. The alert does not report whether it was fixed since: `isLoadedSince` does,
 * as far as that was seen.
 */
export function failuresOf(
  alerts: Iterable<ServerAlert>,
  nowTicks: number,
  isLoadedSince: (database: string, ticks: Ticks) => boolean,
): Map<string, DatabaseFailure> {
  const failures = new Map<string, DatabaseFailure>()
  for (const { id, kind, database, createdTicks, message, exception } of alerts) {
    if (kind !== KIND || database === null || createdTicks === null || createdTicks < nowTicks - LATELY_TICKS) continue
    if (isLoadedSince(database, createdTicks)) continue
    const why = [message, exception].filter((text) => text !== null).join('\n')
    failures.set(database, { database, atTicks: createdTicks, message: why, alertId: id })
  }
  return failures
}
