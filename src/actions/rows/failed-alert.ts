import { asArray, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'
import { innermostCause } from '../../ravendb/errors/innermost-cause.ts'
import type { BegunOfDatabase, CheckContext, OperationMark } from '../model.ts'
import { listsAll } from './operation-reading.ts'

/* The alert of an operation that failed, where the server does not list the operation itself. */

interface Alert {
  readonly raisedTicks: Ticks
  readonly cause: string | null
}

/** Reads the newest alert before an operation begins; nothing if the server lists every operation. */
export async function markFailure(
  context: Pick<CheckContext, 'call' | 'read' | 'version'>,
  operation: BegunOfDatabase,
): Promise<Pick<OperationMark, 'failedTicks'>> {
  if (operation.failedAlert === undefined || listsAll(context)) return {}
  // An error here is no reason not to begin it.
  return newestAlert(context, operation).then(
    (alert) => ({ failedTicks: alert?.raisedTicks ?? null }),
    () => ({}),
  )
}

/** Why an operation failed that began after the mark; null: no failure is known. Errors: `RavenError`, `ParseError`. */
export async function failedSince(context: CheckContext, operation: BegunOfDatabase): Promise<string | null> {
  const before = context.mark?.failedTicks
  if (before === undefined) return null
  const alert = await newestAlert(context, operation)
  if (alert === null || alert.raisedTicks <= (before ?? 0)) return null
  return alert.cause ?? 'The server reports no reason.'
}

/** Reads the newest alert; a later one replaces the one before. */
async function newestAlert(
  { call, read }: Pick<CheckContext, 'call' | 'read'>,
  { failedAlert }: BegunOfDatabase,
): Promise<Alert | null> {
  const response = await read('databaseNotifications', { database: call.target.database ?? '' })
  const found = asArray(asObject(response, '$')['Results'], '$.Results')
    .map((item, i) => asObject(item, `$.Results[${i}]`))
    .find((item) => item['AlertType'] === failedAlert?.type && isTitled(item, failedAlert?.titleStart))
  if (found === undefined) return null
  const details = orNull(asObject, found['Details'], '$.Details')
  return {
    raisedTicks: parseTicks(asString(found['CreatedAt'], '$.CreatedAt')),
    cause: innermostCause(orNull(asString, details?.['Exception'], '$.Details.Exception')),
  }
}

const isTitled = (item: JsonObject, start: string | undefined): boolean =>
  start !== undefined && typeof item['Title'] === 'string' && item['Title'].startsWith(start)
