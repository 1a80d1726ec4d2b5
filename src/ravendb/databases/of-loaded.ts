import { RavenError } from '../errors/errors.ts'
import type { Governor } from '../governor/governor.ts'
import type { Detail } from './database-details.ts'

/** Errors without a request: the database is not loaded, or is idle. */
const UNREAD: ReadonlySet<RavenError['kind']> = new Set(['database-unloaded', 'database-resting'])

/**
 * Response of a loaded database with the time of reading (now by default); `loaded: false` if it is not loaded or may
 * not get a request. Other errors: `RavenError`, `ParseError`.
 */
export async function ofLoaded<Response extends object>(
  governor: Governor,
  run: () => Promise<Response>,
  readMs: () => number | null = () => null,
): Promise<Detail<Response>> {
  const requestedMs = governor.env.now()
  try {
    const response = await run()
    return { loaded: true, atMs: readMs() ?? requestedMs, ...response }
  } catch (error) {
    if (error instanceof RavenError && UNREAD.has(error.kind)) return { loaded: false }
    throw error
  }
}
