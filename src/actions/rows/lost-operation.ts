import type { Ticks } from '../../base/ticks.ts'
import { asNumber, asObject, asString } from '../../base/json/check.ts'
import { parseTicks } from '../../base/ticks.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import { readOperations, type Operation, type OperationState } from '../../ravendb/operations-wire.ts'
import type { BegunOperation, CheckContext, CheckResult, OperationMark } from '../model.ts'
import { checkDatabase, isReloaded, NO_DATABASE } from './database-reading.ts'
import { checkKnown, operationIdOf, readOperation } from './operation-reading.ts'
import { markFailure } from './failed-alert.ts'

/* Operations that the server has begun although its response was lost. */

/** The only operation that the request can have begun; takes the place of a lost response. */
interface FoundOperation {
  readonly OperationId: number
  readonly isFound: true
}

const FOUND = 'The response was lost; this is the only such operation that began since.'

const isFound = (accepted: unknown): accepted is FoundOperation =>
  typeof accepted === 'object' && accepted !== null && 'isFound' in accepted

const unknown = (text: string): CheckResult => ({ state: 'unknown', text, isLast: true })

/** Reads the mark before an operation begins. Loads nothing. Errors: `RavenError`, `ParseError`. */
export async function markOperations(
  context: Pick<CheckContext, 'call' | 'read' | 'serverOperations' | 'version'>,
  operation: BegunOperation,
): Promise<OperationMark> {
  const newestTicks = newestStart(await operationsLike(context, operation))
  if (operation.of === 'database') return { newestTicks, ofServer: null, ...(await markFailure(context, operation)) }
  // An error here is no reason not to begin it.
  return { newestTicks, ofServer: await readNumbers(context).catch(() => null) }
}

/** Makes the server consume an operation number; it has no other effect. */
async function readNumbers({ read }: Pick<CheckContext, 'read'>): Promise<NonNullable<OperationMark['ofServer']>> {
  const startedAt = asString(asObject(await read('adminStats', {}), '$')['StartUpTime'], '$.StartUpTime')
  return { startedAt, number: asNumber(asObject(await read('nextServerOperationId', {}), '$')['Id'], '$.Id') }
}

/** Operations of the same kind and target as that of the call, by any client. */
async function operationsLike(
  { call, read, serverOperations }: Pick<CheckContext, 'call' | 'read' | 'serverOperations'>,
  { of, task, describe }: BegunOperation,
): Promise<readonly Operation[]> {
  const description = describe(call).toLowerCase()
  const all = of === 'server' ? serverOperations() : await listed(read, call.target.database ?? '')
  return all.filter((each) => each.task === task && each.description.toLowerCase() === description)
}

/** Lists the operations of a database; none if it is not loaded. */
async function listed(read: CheckContext['read'], database: string): Promise<readonly Operation[]> {
  try {
    return readOperations(await read('operations', { database }), database)
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'database-unloaded') return []
    throw error
  }
}

const newestStart = (operations: readonly Operation[]): Ticks | null =>
  operations.reduce<Ticks | null>(
    (newest, { startTicks }) => (startTicks !== null && startTicks > (newest ?? 0) ? startTicks : newest),
    null,
  )

/** Follows the operation that the server began for the call, even if its response was lost. */
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

/** If exactly one operation began since the request was sent, it is the one. */
async function checkLost(
  context: CheckContext,
  operation: BegunOperation,
  done: (state: OperationState) => string,
): Promise<CheckResult> {
  const { mark } = context
  if (mark === undefined)
    return unknown('The response was lost, so it is not known which operation it was, or whether.')
  const since = (await operationsLike(context, operation)).filter(
    ({ startTicks }) => startTicks !== null && startTicks > (mark.newestTicks ?? 0),
  )
  // The server pushes only those of its operations that begin while a client listens.
  const unreported = operation.of === 'server' && since.length === 0 ? await numbered(context, operation) : null
  if (unreported !== null && 'state' in unreported) return unreported
  const ids = unreported ?? since.map(({ id }) => id)
  if (ids.length > 1)
    return unknown(
      `The response was lost, and ${ids.length} such operations began since (${ids.join(', ')}): the browser may have sent it again by itself, or another client did the same.`,
    )
  const [found] = ids
  if (found !== undefined) {
    const accepted: FoundOperation = { OperationId: found, isFound: true }
    return { ...(await checkOperation({ ...context, accepted }, operation, done)), accepted }
  }
  if (operation.of === 'server') return { state: 'unchanged', text: 'The server has begun no such operation since.' }
  return checkDatabase(context, context.call.target.database, (database) => {
    if (database === null) return NO_DATABASE
    const wasLoaded = context.call.facts.state === 'online'
    const isSame = wasLoaded && database.upTimeMs !== null && !isReloaded(context, database.upTimeMs)
    return isSame
      ? { state: 'unchanged', text: 'The server lists no such operation.' }
      : unknown(
          'The response was lost, and the server lists no such operation. Loading the database empties that list.',
        )
  })
}

/** Maximum of numbers to try. Each check consumes a number as well; the maximum allows for all checks of an action. */
const MOST_NUMBERS = 100

/**
 * Operations of the server itself of that kind and target that began since the mark, by a request for each number in
 * between; a result if that is not known.
 */
async function numbered(
  context: CheckContext,
  { isIt }: Extract<BegunOperation, { of: 'server' }>,
): Promise<readonly number[] | CheckResult> {
  const before = context.mark?.ofServer ?? null
  if (before === null) return unknown('The response was lost, and no such operation was reported since.')
  const now = await readNumbers(context)
  if (now.startedAt !== before.startedAt)
    return unknown('The response was lost, and the server was restarted since: it does not know what it did before.')
  const numbers = Array.from({ length: now.number - before.number - 1 }, (_, i) => before.number + 1 + i)
  if (numbers.length > MOST_NUMBERS)
    return unknown('The response was lost, and too many operations began since to look at each.')
  // Reported operations are others, or they would have been found.
  const reported = new Set(
    context
      .serverOperations()
      .filter(({ startTicks }) => startTicks !== null && startTicks >= parseTicks(now.startedAt))
      .map(({ id }) => id),
  )
  const found: number[] = []
  for (const number of numbers) {
    const state = reported.has(number) ? null : await readOperation(context, null, number)
    const judged = state === null ? false : isIt(state, context.call)
    if (judged === null)
      return { state: 'unknown', text: 'An operation has begun since. The server does not say (yet) which one.' }
    if (judged) found.push(number)
  }
  return found
}
