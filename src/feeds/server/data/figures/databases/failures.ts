import { type Ticks, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import type { ServerAlert } from '../../../contract/alerts.ts'

/** Database that the server unloaded, or could not load, because it is damaged. */
export interface DatabaseFailure {
  readonly database: string
  readonly atTicks: Ticks
  /** Message in the server's words. */
  readonly message: string
  readonly alertId: string
}

/**
 * Kind of the alert. Observed on 7.1.5: the list reports a failed load for only two seconds, while this alert stays
 * until a user dismisses it.
 */
const KIND = 'CatastrophicDatabaseFailure'
/** Maximum age of an alert that counts as current: clients that use the database cause a new one. */
const LATELY_TICKS = 3600 * TICKS_PER_SECOND

/**
 * Failures of the last hour by database. The alert does not show whether the database has been repaired since;
 * `isLoadedSince` does, as far as loads were observed.
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
