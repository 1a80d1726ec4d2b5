import { RavenError } from '../errors/errors.ts'
import type { Governor } from './governor.ts'

/**
 * Why a database cannot be opened: it does not exist, is sharded, or is being deleted; null: the server has it, or that is
 * not known. Loads nothing. Errors: `RavenError` if `signal` is aborted.
 */
export async function absenceOf(governor: Governor, database: string, signal: AbortSignal): Promise<string | null> {
  const found = await governor.probe('indexesPerformanceLive', { database }, signal)
  return found.state === 'gone' ? found.message : null
}

/**
 * Error to report for a request that was not sent because its database is not loaded: that it does not exist, if so. Any
 * other error is returned as it is. Errors: as for `absenceOf`.
 */
export async function orMissing(
  governor: Governor,
  database: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof RavenError) || error.kind !== 'database-unloaded') return error
  const message = await absenceOf(governor, database, signal)
  return message === null ? error : new RavenError({ kind: 'database-missing', endpoint: error.endpoint, message })
}
