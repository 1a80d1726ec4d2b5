import { RavenError } from '../errors/errors.ts'
import type { Governor } from './governor.ts'

/**
 * Error to report for a request that was not sent because its database is not loaded: that it does not exist, if so. Any
 * other error is returned as it is. Loads nothing. Errors: `RavenError` if `signal` is aborted.
 */
export async function orMissing(
  governor: Governor,
  database: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof RavenError) || error.kind !== 'database-unloaded') return error
  const found = await governor.probe('indexesPerformanceLive', { database }, signal)
  if (found.state !== 'gone') return error
  return new RavenError({ kind: 'database-missing', endpoint: error.endpoint, message: found.message })
}
