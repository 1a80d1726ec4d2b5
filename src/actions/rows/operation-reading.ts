import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import type { Ticks } from '../../base/ticks.ts'
import { RavenError } from '../../ravendb/http/errors.ts'
import {
  faultOf,
  progressWords,
  readOperations,
  readOperationState,
  shareOf,
  type Operation,
  type OperationState,
} from '../../ravendb/operations-wire.ts'
import { offers } from '../../ravendb/versions.ts'
import type { BegunOperation, CheckContext, CheckResult } from '../model.ts'
import { checkDatabase, isReloaded, NO_DATABASE } from './database-reading.ts'

/** Null: the server knows none of this id, or not any more. */
export async function readOperation(
  { read }: Pick<CheckContext, 'read'>,
  database: string | null,
  id: number,
): Promise<OperationState | null> {
  try {
    const response = await (database === null
      ? read('serverOperationState', { id: String(id) })
      : read('operationState', { database, id: String(id) }))
    return readOperationState(response)
  } catch (error) {
    if (error instanceof RavenError && error.status === 404) return null
    throw error
  }
}

const LOST: CheckResult = {
  state: 'unknown',
  text: 'The server does not know the operation any more: it was restarted, or the database was unloaded.',
  isLast: true,
}

/** In place of a response that was lost: the only operation that it can have begun. */
interface FoundOperation {
  readonly OperationId: number
  readonly isFound: true
}

const FOUND = 'The response was lost; this is the only such operation that began since.'

const isFound = (accepted: unknown): accepted is FoundOperation =>
  typeof accepted === 'object' && accepted !== null && 'isFound' in accepted

/** Of the operation that the server began; null: it is not known. */
export const operationIdOf = (accepted: unknown): number | null =>
  typeof accepted === 'object' &&
  accepted !== null &&
  'OperationId' in accepted &&
  typeof accepted.OperationId === 'number'
    ? accepted.OperationId
    : null

/** Operations like the one that the call begins, of the same target, by any client. Loads nothing. Errors: `RavenError`. */
export async function operationsLike(
  { call, read, serverOperations }: Pick<CheckContext, 'call' | 'read' | 'serverOperations'>,
  { of, task, describe }: BegunOperation,
): Promise<readonly Operation[]> {
  const description = describe(call).toLowerCase()
  const all = of === 'server' ? serverOperations() : await listed(read, call.target.database ?? '')
  return all.filter((each) => each.task === task && each.description.toLowerCase() === description)
}

/** A database that is not loaded has none. */
async function listed(read: CheckContext['read'], database: string): Promise<readonly Operation[]> {
  try {
    return readOperations(await read('operations', { database }), database)
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'database-unloaded') return []
    throw error
  }
}

/** When the newest of them began; null: there is none. */
export const newestStart = (operations: readonly Operation[]): Ticks | null =>
  operations.reduce<Ticks | null>(
    (newest, { startTicks }) => (startTicks !== null && startTicks > (newest ?? 0) ? startTicks : newest),
    null,
  )

/**
 * Follows the operation that the server began for the call. 5.4 answers with an id that an older one may have, so there
 * the newest of id and kind is it.
 */
export async function checkOperation(
  context: CheckContext,
  operation: BegunOperation,
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const { accepted } = context
  const id = operationIdOf(accepted)
  if (id === null) return checkLost(context, operation, done)
  const result = await checkKnown(context, operation, id, done)
  return isFound(accepted) ? { ...result, text: `${result.text} ${FOUND}` } : result
}

const unknown = (text: string): CheckResult => ({ state: 'unknown', text, isLast: true })

/** An operation that began since the request was sent is it, if there is only one. */
async function checkLost(
  context: CheckContext,
  operation: BegunOperation,
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const { newestTicks } = context
  if (newestTicks === undefined)
    return unknown('The response was lost, so it is not known which operation it was, or whether.')
  const since = (await operationsLike(context, operation)).filter(
    ({ startTicks }) => startTicks !== null && startTicks > (newestTicks ?? 0),
  )
  if (since.length > 1)
    return unknown('The response was lost, and several such operations began since: which of them it was is not known.')
  const found = since[0]
  if (found !== undefined) {
    const accepted: FoundOperation = { OperationId: found.id, isFound: true }
    return { ...(await checkOperation({ ...context, accepted }, operation, done)), accepted }
  }
  // Only what the server pushes while it is listened to is known of its own.
  if (operation.of === 'server') return unknown('The response was lost, and no such operation was reported since.')
  return checkDatabase(context, context.call.target.database, (database) => {
    const { loadedAtMs } = context.call.facts
    if (database === null) return NO_DATABASE
    const isSame = loadedAtMs !== undefined && database.upTimeMs !== null && !isReloaded(context, database.upTimeMs)
    return isSame
      ? { state: 'unchanged', text: 'The server lists no such operation.' }
      : unknown(
          'The response was lost, and the server lists no such operation. Loading the database empties that list.',
        )
  })
}

async function checkKnown(
  context: CheckContext,
  { of, task }: BegunOperation,
  id: number,
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const database = of === 'server' ? null : context.call.target.database
  const state =
    database !== null && !offers(context.version, [6, 0])
      ? await newestOperation(context, database, { id, task })
      : await readOperation(context, database, id)
  if (state === null) return LOST
  switch (state.status) {
    case 'Completed':
      return { state: 'done', text: done(state) }
    case 'Canceled':
      return { state: 'failed', text: 'It was cancelled.' }
    case 'Faulted':
      return { state: 'failed', text: faultOf(state) }
    default: {
      const progress = shareOf(state)
      return { state: 'running', text: progressWords(state), ...(progress === null ? {} : { progress }) }
    }
  }
}

async function newestOperation(
  { read }: CheckContext,
  database: string,
  { id, task }: { readonly id: number; readonly task: string },
): Promise<OperationState | null> {
  const results = asArray(asObject(await read('operations', { database }), '$')['Results'], '$.Results')
  const found = results
    .map((item, i) => asObject(item, `$.Results[${i}]`))
    .map((item) => ({ item, description: asObject(item['Description'], '$.Description') }))
    .filter(({ item, description }) => item['Id'] === id && description['TaskType'] === task)
    .toSorted((a, b) => (startOf(a.description) < startOf(b.description) ? 1 : -1))[0]
  return found === undefined ? null : readOperationState(found.item['State'])
}

const startOf = (description: JsonObject): string => orNull(asString, description['StartTime'], '$.StartTime') ?? ''

export const numberOf = (object: JsonObject | null, field: string): number | null =>
  orNull(asNumber, object?.[field], `$.${field}`)
