import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import type { Touches } from '../loading/touches.ts'
import { isReading } from '../../base/http/reading.mjs'
import { exactText } from '../../base/text/exact-text.ts'
import { asRavenError, classify, RavenError } from '../errors/errors.ts'
import type { Gate } from './gate.ts'
import type { WriteHost } from './write.ts'

/** A database query or a similar request: a POST, since its text may be long, that changes nothing. */
export interface QueryRequest {
  /** POST by default. */
  readonly method?: 'POST' | 'PATCH'
  /**
   * Whether the server runs user code for it; then it is not sent in view-only mode. Other requests must be in
   * `base/http/reading.mjs`.
   */
  readonly changes?: boolean
  readonly database: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Route as the overhead view shows it. */
  readonly route: string
  /** JSON as text: numbers are sent as they were typed. */
  readonly body: string
  /** Whether it may load the database; the user was warned. */
  readonly mayLoad: boolean
  readonly timeoutMs: number
  /** Maximum size of the response. */
  readonly maxBytes: number
}

export interface QueryResponse {
  readonly text: string
  /** The `ETag` with all its digits; null: there was none. */
  readonly etag: string | null
  /** From the request to the last byte, ms. */
  readonly tookMs: number
  readonly bytes: number
}

/** Error of a query with its whole message, whose first line has the place in the text. */
export class QueryError extends RavenError {
  readonly whole: string

  constructor(error: RavenError, whole: string) {
    const { kind, endpoint, status, serverType, serverMessage, message, hint } = error
    super({ kind, endpoint, status, serverType, serverMessage, message, hint, cause: error })
    this.whole = whole
  }
}

/** Parts of the governor that a query uses. */
export interface QueryHost extends WriteHost {
  readonly touches: Touches
  readonly gate: Gate
  readonly own: OwnRequests
  readonly meterLog: MeterLog
}

/** Records that a request is sent now. Call the result at its end. */
function beginOn(
  { touches, gate, own, meterLog, onSent, onEnded }: QueryHost,
  { route, path, database, mayLoad }: QueryRequest,
): (tookMs: number, bytes: number, failed: boolean) => void {
  const end = touches.begin(database, path)
  own.sent(path, database)
  onSent(route, mayLoad ? database : null)
  return (tookMs, bytes, failed) => {
    end(null)
    meterLog.bytes(route, bytes)
    onEnded(route, tookMs, failed)
    if (!failed) gate.renewed(database)
  }
}

/**
 * Sends the query once. An abort closes the connection, which makes the server stop it. Errors: `RavenError`, and
 * `QueryError` if the server refused it.
 */
export async function sendQuery(host: QueryHost, request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> {
  const { env, isViewOnly, isLoaded } = host
  const { path, database, body, mayLoad, timeoutMs, maxBytes, method = 'POST', changes = false } = request
  if (!changes && !isReading(method, path)) throw new Error(`${path} is no query that only reads.`)
  if (changes && isViewOnly())
    throw new RavenError({
      kind: 'refused',
      endpoint: path,
      message: 'View only: nothing was sent.',
      hint: 'Allow changes by the lock in the header, then try again.',
    })
  if (!mayLoad && !(await isLoaded(database, signal)))
    throw new RavenError({ kind: 'database-unloaded', endpoint: path })
  if (signal.aborted) throw new RavenError({ kind: 'aborted', endpoint: path })
  const timeout = new AbortController()
  const timer = env.setTimeout(() => timeout.abort(), timeoutMs)
  const beganMs = env.now()
  const end = beginOn(host, request)
  let bytes = 0
  let failed = true
  try {
    const response = await env.fetch(env.baseUrl + path, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    const text = await readText(response, maxBytes, path, (count) => {
      bytes += count
    })
    if (!response.ok)
      throw new QueryError(
        classify(path, response.status, response.headers.get('content-type'), text, { right: 'Database' }),
        messageOf(text),
      )
    failed = false
    return { text, etag: response.headers.get('etag'), tookMs: env.now() - beganMs, bytes }
  } catch (thrown) {
    if (thrown instanceof RavenError) throw thrown
    if (isAborted(signal)) throw new RavenError({ kind: 'aborted', endpoint: path, cause: thrown })
    if (timeout.signal.aborted)
      throw new RavenError({
        kind: 'timeout',
        endpoint: path,
        message: `The server did not answer within ${timeoutMs / 1000} s.`,
        cause: thrown,
      })
    throw thrown instanceof TypeError
      ? new RavenError({ kind: 'network', endpoint: path, cause: thrown })
      : asRavenError(thrown, path)
  } finally {
    env.clearTimeout(timer)
    end(env.now() - beganMs, bytes, failed)
  }
}

/** A function, because the value may change during an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted

async function readText(
  response: Response,
  maxBytes: number,
  path: string,
  onBytes: (count: number) => void,
): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const parts: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    onBytes(value.byteLength)
    total += value.byteLength
    if (total > maxBytes) {
      // The result of cancelling does not matter.
      reader.cancel().catch(() => {})
      throw new RavenError({
        kind: 'too-large',
        endpoint: path,
        status: response.status,
        message: `The response is larger than ${Math.round(maxBytes / 1048576)} MiB and was not read to its end.`,
        hint: 'Request fewer results at once, or select fewer fields.',
      })
    }
    parts.push(value)
  }
  const bytes = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return exactText(bytes)
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'Message' in body && typeof body.Message === 'string'
      ? body.Message
      : ''
  } catch {
    return ''
  }
}
