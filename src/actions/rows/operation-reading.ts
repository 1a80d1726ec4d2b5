import { asArray, asObject, asString, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import {
  faultOf,
  progressWords,
  readOperationState,
  shareOf,
  type OperationState,
} from '../../ravendb/operations-wire.ts'
import { offers } from '../../ravendb/versions.ts'
import { CANCELLED, type BegunOperation, type CheckContext, type CheckResult } from '../model.ts'

/** State of an operation; null: the server does not know this id (any more). */
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

/** Id of the operation that the server began; null: not known. */
export const operationIdOf = (accepted: unknown): number | null =>
  typeof accepted === 'object' &&
  accepted !== null &&
  'OperationId' in accepted &&
  typeof accepted.OperationId === 'number'
    ? accepted.OperationId
    : null

/**
 * Whether the server lists every operation. 5.4 numbers some by another counter; if an older operation has the number,
 * it lists the new one only while it runs.
 */
export const listsAll = ({ version }: Pick<CheckContext, 'version'>): boolean => offers(version, [6, 0])

/**
 * Follows the operation with that number. On 5.4 an older operation may have the same number, so the newest with this
 * number, kind and description is used: a periodic backup has the same kind.
 */
export async function checkKnown(
  context: CheckContext,
  operation: BegunOperation,
  id: number,
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const database = operation.of === 'server' ? null : context.call.target.database
  const state =
    database !== null && !listsAll(context)
      ? await newestOperation(context, database, operation, id)
      : await readOperation(context, database, id)
  if (state === null)
    return operation.afterwards === undefined ? LOST : { ...LOST, text: `${LOST.text} ${operation.afterwards}` }
  switch (state.status) {
    case 'Completed':
      return { state: 'done', text: done(state) }
    case 'Canceled':
      return { state: 'failed', text: withLeft(CANCELLED, operation) }
    case 'Faulted':
      return { state: 'failed', text: withLeft(faultOf(state), operation) }
    default: {
      const progress = shareOf(state)
      return { state: 'running', text: progressWords(state), ...(progress === null ? {} : { progress }) }
    }
  }
}

const withLeft = (text: string, { leaves }: BegunOperation): string =>
  leaves === undefined ? text : `${text} ${leaves}`

async function newestOperation(
  { call, read }: CheckContext,
  database: string,
  { task, describe }: BegunOperation,
  id: number,
): Promise<OperationState | null> {
  const words = describe(call).toLowerCase()
  const results = asArray(asObject(await read('operations', { database }), '$')['Results'], '$.Results')
  const found = results
    .map((item, i) => asObject(item, `$.Results[${i}]`))
    .map((item) => ({ item, description: asObject(item['Description'], '$.Description') }))
    .filter(({ item, description }) => item['Id'] === id && description['TaskType'] === task)
    .filter(({ description }) => String(description['Description']).toLowerCase() === words)
    .toSorted((a, b) => (startOf(a.description) < startOf(b.description) ? 1 : -1))[0]
  return found === undefined ? null : readOperationState(found.item['State'])
}

const startOf = (description: JsonObject): string => orNull(asString, description['StartTime'], '$.StartTime') ?? ''

/** Whether an operation's own report has a class of that name; null: it reports nothing, or only an error. */
export function isOfClass({ progress, result }: OperationState, name: string): boolean | null {
  const type = (progress ?? result)?.['$type']
  if (typeof type !== 'string' || type.includes('OperationExceptionResult')) return null
  return type.includes(name)
}

export const numberOf = (object: JsonObject | null, field: string): number | null =>
  unlessNegative(object?.[field], `$.${field}`)
