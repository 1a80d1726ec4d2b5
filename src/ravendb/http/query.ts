import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import type { Touches } from '../databases/touches.ts'
import { isReading } from '../../base/http/reading.mjs'
import { exactText } from '../../base/text/exact-text.ts'
import { asRavenError, classify, RavenError } from './errors.ts'
import type { Gate } from './gate.ts'
import type { WriteHost } from './write.ts'

/** A database query, or what is like one: it goes as a POST, since its text may be long, and leaves nothing behind. */
export interface QueryRequest {
  /** By default POST. */
  readonly method?: 'POST' | 'PATCH'
  /** The server runs code of the user's for it, so that it is not sent in view-only mode. Else `base/http/reading.mjs` has it. */
  readonly changes?: boolean
  readonly database: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** As the overhead view shows it. */
  readonly route: string
  /** JSON as text: numbers go as they were typed. */
  readonly body: string
  /** The user was warned that it loads the database. */
  readonly mayLoad: boolean
  readonly timeoutMs: number
  /** Largest size of the response. */
  readonly maxBytes: number
}

export interface QueryResponse {
  readonly text: string
  /** `ETag`, all of its digits; null: none came. */
  readonly etag: string | null
  /** From the request to the last byte, ms. */
  readonly tookMs: number
  readonly bytes: number
}

/** An error of a query, with its whole message: where in the text it is stands in its first line. */
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

/** Records that a request goes out now. Returns what is to be called at its end. */
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
 * Sends it once. Aborting closes the connection, by which the server stops it. Errors: `RavenError`, and `QueryError` where
 * the server refused it.
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

/** A function, since it may become true while something was awaited. */
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
      // The rest does not matter.
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
