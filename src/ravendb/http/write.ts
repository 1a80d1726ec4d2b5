import { isReading } from '../../base/http/reading.mjs'
import { jsonTextOf } from '../../base/json/exact.ts'
import type { GovernorEnv } from '../env.ts'
import type { Right } from '../errors/error-texts.ts'
import { asRavenError, describeBody, RavenError } from '../errors/errors.ts'
import { toArriveOnce } from './once.ts'
import { foreignError, isGivenUp, isNotApplied, refusalOf, writeHint } from '../errors/write-errors.ts'

/** A request that may change the server. */
export interface WriteRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'RESET'
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Route, with its parameters' names, as the overhead view shows it. */
  readonly route: string
  /** Sent as JSON, `ExactJson` as written; null: no body. */
  readonly body: unknown
  /** Sent as it is, in place of `body`. */
  readonly payload?: Blob
  /** Expected change vector, as the server writes it; left out: any. `''`: the object must not exist. */
  readonly ifMatch?: string
  readonly right: Right
  /** Database that the request would load: refused while that is not loaded, unless `mayLoad`. Null: none. */
  readonly database: string | null
  /** Whether it may load the database; the user was warned. */
  readonly mayLoad?: boolean
  /** Refused while the database is loaded. */
  readonly onlyUnloaded?: boolean
  readonly timeoutMs: number
}

/** The server accepted the request. Whether the change has happened must be read separately. */
export interface WriteResponse {
  readonly status: number
  /** Parsed body; null: empty. */
  readonly body: unknown
}

/** Parts of the governor that a write uses. */
export interface WriteHost {
  readonly env: GovernorEnv
  readonly isViewOnly: () => boolean
  readonly isLoaded: (database: string, signal: AbortSignal) => Promise<boolean>
  /** `loads`: database that it may load; null: none. */
  readonly onSent: (route: string, loads: string | null) => void
  readonly onEnded: (route: string, tookMs: number, failed: boolean) => void
}

/**
 * Sends the request once; nothing here repeats it. Errors: `RavenError`, with the innermost cause as the server's
 * message; `isOutcomeUnknown` says whether the change may have happened.
 */
export async function sendOnce(host: WriteHost, request: WriteRequest): Promise<WriteResponse> {
  const { env } = host
  const { method, path, route, right, timeoutMs } = request
  const controller = new AbortController()
  await admit(host, request, controller.signal)
  const init = await prepared(env, request, controller.signal)
  // Checked last, so that no change in the meantime is missed.
  mustBeAllowed(host, request)
  const sentMs = env.now()
  let failed = true
  host.onSent(route, request.mayLoad === true ? request.database : null)
  const timer = env.setTimeout(() => controller.abort(), timeoutMs)
  try {
    const response = await env.fetch(env.baseUrl + path, init)
    const text = await response.text()
    if (!response.ok) throw refusalOf(path, response, text, right, method)
    failed = false
    return { status: response.status, body: text.trim() === '' ? null : parse(request, response, text) }
  } catch (thrown) {
    if (thrown instanceof RavenError) throw thrown
    if (controller.signal.aborted)
      throw new RavenError({
        kind: 'timeout',
        endpoint: path,
        message: `The server did not answer within ${timeoutMs / 1000} s.`,
        ...writeHint('timeout'),
        cause: thrown,
      })
    throw connectionLost(path, thrown)
  } finally {
    env.clearTimeout(timer)
    host.onEnded(route, env.now() - sentMs, failed)
  }
}

/** Prepares a change so that it arrives once, as far as a browser can be kept from repeating it. */
export function prepared(
  env: GovernorEnv,
  { method, path, body, payload, ifMatch }: WriteRequest,
  signal: AbortSignal,
): RequestInit | Promise<RequestInit> {
  const init: RequestInit = {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === null && payload === undefined ? {} : { 'Content-Type': payload?.type ?? 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` }),
    },
    ...(payload === undefined ? (body === null ? {} : { body: jsonTextOf(body) }) : { body: payload }),
    cache: 'no-store',
    credentials: 'same-origin',
    signal,
  }
  return isReading(method, path) ? init : toArriveOnce(env, init)
}

/** Checks that it may be sent. Errors: `RavenError` if the database is not known to be loaded, or view-only. */
export async function admit(host: WriteHost, request: WriteRequest, signal: AbortSignal): Promise<void> {
  const { path, database, mayLoad, onlyUnloaded } = request
  if (database !== null && mayLoad !== true && !(await isLoaded(host, path, database, signal)))
    throw new RavenError({
      kind: 'database-unloaded',
      endpoint: path,
      message: 'The database is not loaded, so nothing was sent.',
      hint: 'Load it, then repeat it.',
    })
  if (database !== null && onlyUnloaded === true && (await isLoaded(host, path, database, signal)))
    throw new RavenError({
      kind: 'refused',
      endpoint: path,
      message: 'The database is loaded by now: nothing was sent.',
      hint: 'Restart it if that is what you want: its connections are closed then.',
    })
  mustBeAllowed(host, request)
}

/** Errors: `RavenError` if changes are not allowed now. */
export function mustBeAllowed(
  host: Pick<WriteHost, 'isViewOnly'>,
  { method, path }: { readonly method: string; readonly path: string },
): void {
  if (host.isViewOnly() && !isReading(method, path))
    throw new RavenError({
      kind: 'refused',
      endpoint: path,
      message: 'View only: nothing was sent.',
      hint: 'Allow changes by the lock in the header, then try again.',
    })
}

/** Errors: `RavenError` with a known outcome, since nothing was sent. */
async function isLoaded(host: WriteHost, path: string, database: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await host.isLoaded(database, signal)
  } catch (thrown) {
    throw notSent(thrown, path)
  }
}

/** `thrown`: error of a check before sending. */
export function notSent(thrown: unknown, path: string): RavenError {
  const { kind, status, serverType, serverMessage, message, hint } = asRavenError(thrown, path)
  const isLost = isOutcomeUnknown(thrown, path)
  return new RavenError({
    kind: isLost ? 'refused' : kind,
    endpoint: path,
    status: isLost ? null : status,
    serverType,
    serverMessage,
    message: `Nothing was sent. ${message}`,
    hint,
    cause: thrown,
  })
}

/** Error of a change whose connection was lost; the change may have happened. */
export const connectionLost = (path: string, cause: unknown): RavenError =>
  new RavenError({
    kind: 'network',
    endpoint: path,
    message: 'The connection was lost.',
    ...writeHint('network'),
    cause,
  })

/** A request that was accepted may have been carried out, even if its response is invalid. */
function parse({ path, method }: WriteRequest, { status, headers }: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw foreignError(path, status, describeBody(headers.get('content-type'), text), method)
  }
}

/** Whether the change may have happened: the server itself did not respond, or a cluster gave up waiting. */
export function isOutcomeUnknown(thrown: unknown, path: string): boolean {
  const error = asRavenError(thrown, path)
  const { kind, status, isForeign } = error
  if (kind === 'network' || kind === 'timeout' || isForeign || isNotApplied(error)) return true
  return isGivenUp(status) || (status !== null && status < 300)
}
