import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { innermostCause } from '../../ravendb/http/innermost-cause.ts'
import { RavenError } from '../../ravendb/http/errors.ts'
import { offers } from '../../ravendb/versions.ts'
import type { CheckContext, CheckResult } from '../model.ts'

/** What the server reports of an operation: `InProgress`, `Completed`, `Faulted`, `Canceled`. */
export interface OperationState {
  readonly status: string
  readonly progress: JsonObject | null
  readonly result: JsonObject | null
}

/** Errors: `ParseError`. */
export function readOperationState(answer: unknown): OperationState {
  const body = asObject(answer, '$')
  return {
    status: asString(body['Status'], '$.Status'),
    progress: orNull(asObject, body['Progress'], '$.Progress'),
    result: orNull(asObject, body['Result'], '$.Result'),
  }
}

const MOST_CHARACTERS = 300

const textOf = (object: JsonObject | null, field: string): string | null => {
  const value = object?.[field]
  return typeof value === 'string' && value !== '' ? value.slice(0, MOST_CHARACTERS) : null
}

/** Why an operation failed, without the stack. */
export const faultOf = ({ result }: OperationState): string =>
  innermostCause(textOf(result, 'Error')) ?? textOf(result, 'Message') ?? 'The server reports no reason.'

/** 0 to 1 where the server reports how much there is; null: it does not. Steps of a compaction are no share of it. */
export function shareOf({ progress }: Pick<OperationState, 'progress'>): number | null {
  const processed = progress?.['Processed']
  const total = progress?.['Total']
  if (typeof processed !== 'number' || typeof total !== 'number' || total <= 0) return null
  return Math.min(1, processed / total)
}

export const progressWords = (state: Pick<OperationState, 'progress'>): string =>
  textOf(state.progress, 'Message') ?? 'It is running.'

/** Null: the server knows none of this id, or not any more. */
export async function readOperation(
  { read }: Pick<CheckContext, 'read'>,
  database: string | null,
  id: number,
): Promise<OperationState | null> {
  try {
    const answer = await (database === null
      ? read('serverOperationState', { id: String(id) })
      : read('operationState', { database, id: String(id) }))
    return readOperationState(answer)
  } catch (error) {
    if (error instanceof RavenError && error.status === 404) return null
    throw error
  }
}

const LOST: CheckResult = {
  state: 'unknown',
  text: 'The server does not know the operation any more: it was restarted, or the database was unloaded.',
}

const operationId = (accepted: unknown): number | null =>
  typeof accepted === 'object' &&
  accepted !== null &&
  'OperationId' in accepted &&
  typeof accepted.OperationId === 'number'
    ? accepted.OperationId
    : null

/**
 * Follows an operation that the server began for the call. `database` null: one of the server itself. `taskType`: of an
 * operation of the database; 5.4 answers with an id that may belong to another one, so there the newest of that type is it.
 */
export async function checkOperation(
  context: CheckContext,
  { database, taskType }: { readonly database: string | null; readonly taskType: string },
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const id = operationId(context.accepted)
  if (id === null)
    return { state: 'unknown', text: 'The answer was lost, so it is not known which operation it was, or whether.' }
  const state =
    database !== null && !offers(context.version, [6, 0])
      ? await newestOperation(context, database, taskType)
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
  taskType: string,
): Promise<OperationState | null> {
  const results = asArray(asObject(await read('operations', { database }), '$')['Results'], '$.Results')
  const found = results
    .map((item, i) => asObject(item, `$.Results[${i}]`))
    .map((item) => ({ item, description: asObject(item['Description'], '$.Description') }))
    .filter(({ description }) => description['TaskType'] === taskType)
    .toSorted((a, b) => (startOf(a.description) < startOf(b.description) ? 1 : -1))[0]
  return found === undefined ? null : readOperationState(found.item['State'])
}

const startOf = (description: JsonObject): string => orNull(asString, description['StartTime'], '$.StartTime') ?? ''

export const numberOf = (object: JsonObject | null, field: string): number | null =>
  orNull(asNumber, object?.[field], `$.${field}`)
