import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { RavenError } from '../../ravendb/http/errors.ts'
import {
  faultOf,
  progressWords,
  readOperationState,
  shareOf,
  type OperationState,
} from '../../ravendb/operations-wire.ts'
import { offers } from '../../ravendb/versions.ts'
import type { CheckContext, CheckResult } from '../model.ts'

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

/** Of the operation that the server began; null: it is not known. */
export const operationIdOf = (accepted: unknown): number | null =>
  typeof accepted === 'object' &&
  accepted !== null &&
  'OperationId' in accepted &&
  typeof accepted.OperationId === 'number'
    ? accepted.OperationId
    : null

/**
 * Follows an operation that the server began for the call. `database` null: one of the server itself. `taskType`: of an
 * operation of the database; 5.4 answers with an id that an older one may have, so there the newest of id and type is it.
 */
export async function checkOperation(
  context: CheckContext,
  { database, taskType }: { readonly database: string | null; readonly taskType: string },
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const id = operationIdOf(context.accepted)
  if (id === null)
    return {
      state: 'unknown',
      text: 'The response was lost, so it is not known which operation it was, or whether.',
      isLast: true,
    }
  const state =
    database !== null && !offers(context.version, [6, 0])
      ? await newestOperation(context, database, { id, taskType })
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
  { id, taskType }: { readonly id: number; readonly taskType: string },
): Promise<OperationState | null> {
  const results = asArray(asObject(await read('operations', { database }), '$')['Results'], '$.Results')
  const found = results
    .map((item, i) => asObject(item, `$.Results[${i}]`))
    .map((item) => ({ item, description: asObject(item['Description'], '$.Description') }))
    .filter(({ item, description }) => item['Id'] === id && description['TaskType'] === taskType)
    .toSorted((a, b) => (startOf(a.description) < startOf(b.description) ? 1 : -1))[0]
  return found === undefined ? null : readOperationState(found.item['State'])
}

const startOf = (description: JsonObject): string => orNull(asString, description['StartTime'], '$.StartTime') ?? ''

export const numberOf = (object: JsonObject | null, field: string): number | null =>
  orNull(asNumber, object?.[field], `$.${field}`)
