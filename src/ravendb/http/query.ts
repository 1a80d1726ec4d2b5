import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import type { GovernorEnv } from '../env.ts'
import type { Touches } from '../loading/touches.ts'
import { concatBytes } from '../../base/concat-bytes.ts'
import { isReading } from '../../base/http/reading.mjs'
import { exactBytes, exactText } from '../../base/text/exact-text.ts'
import { asRavenError, classify, RavenError } from '../errors/errors.ts'
import type { Gate } from './gate.ts'
import { mustBeAllowed, type WriteHost } from './write.ts'

/** A database query or a similar request: a POST, since its text may be long, that changes nothing. */
export interface QueryRequest {
  /** POST by default. */
  readonly method?: 'POST' | 'PATCH'
  /** Whether the server runs user code for it: not sent in view-only mode. Others: `base/http/reading.mjs`. */
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
  /** Longest time without a byte, ms. The time that the reader of the response takes does not count. */
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

/** An unpaired surrogate, as which `exactText` reads a byte that is no UTF-8. */
const UNPAIRED = /[\uD800-\uDFFF]/u

/** A response that arrives part by part. */
export interface QueryStream {
  readonly etag: string | null
  /** Bytes as they arrive; to be read to the end or returned. Errors: `RavenError`. */
  readonly parts: AsyncGenerator<Uint8Array, void, undefined>
}

/** Not in `base/http/reading.mjs`: the server may create an index there, so view-only mode refuses it. */
const STREAMED = /^\/databases\/[^/?]+\/streams\/queries\?format=jsonl$/

/**
 * Sends a query to the endpoint of streams. It ignores `disableAutoIndexCreation`: only for queries that cannot create an
 * index, and never in view-only mode. Errors: `RavenError`, and `QueryError` if the server refused it.
 */
export async function streamQuery(host: QueryHost, request: QueryRequest, signal: AbortSignal): Promise<QueryStream> {
  if (!STREAMED.test(request.path)) throw new Error(`${request.path} is no stream of results.`)
  mustBeAllowed(host, { method: 'POST', path: request.path })
  return openQuery(host, request, signal)
}

/**
 * Sends the query once. An abort closes the connection, which makes the server stop it. Errors: `RavenError`, and
 * `QueryError` if the server refused it.
 */
export async function sendQuery(host: QueryHost, request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> {
  const { method = 'POST', path, changes = false, maxBytes } = request
  if (!changes && !isReading(method, path)) throw new Error(`${path} is no query that only reads.`)
  if (changes) mustBeAllowed(host, { method, path })
  const { etag, parts, beganMs } = await openQuery(host, request, signal)
  const { text, bytes } = await wholeText(parts, maxBytes, path)
  return { text, etag, tookMs: host.env.now() - beganMs, bytes }
}

/** `beganMs`: when the query itself was sent, after the request whether its database is loaded. */
async function openQuery(
  host: QueryHost,
  request: QueryRequest,
  signal: AbortSignal,
): Promise<QueryStream & { readonly beganMs: number }> {
  const { env, isLoaded } = host
  const { path, database, body, mayLoad, maxBytes, method = 'POST' } = request
  if (!mayLoad && !(await isLoaded(database, signal)))
    throw new RavenError({ kind: 'database-unloaded', endpoint: path })
  if (signal.aborted) throw new RavenError({ kind: 'aborted', endpoint: path })
  const timeout = new ResponseTimeout(env, request)
  const ended = beginOn(host, request)
  const beganMs = env.now()
  let bytes = 0
  const end = (failed: boolean): void => {
    timeout.over()
    ended(env.now() - beganMs, bytes, failed)
  }
  async function* partsOf(response: Response, isRefusal: boolean): QueryStream['parts'] {
    const reader = response.body?.getReader()
    let failed = true
    try {
      for (;;) {
        timeout.begin()
        const value = (await reader?.read())?.value
        timeout.over()
        if (value === undefined) break
        bytes += value.byteLength
        yield value
      }
      failed = isRefusal
    } catch (thrown) {
      throw timeout.errorOf(thrown, signal)
    } finally {
      // The result of cancelling does not matter.
      if (failed) reader?.cancel().catch(() => {})
      end(failed)
    }
  }
  let response: Response
  try {
    timeout.begin()
    response = await env.fetch(env.baseUrl + path, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      // A byte of a result that is no UTF-8 is sent as it came.
      body: UNPAIRED.test(body) ? exactBytes(body) : body,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, timeout.signal]),
    })
  } catch (thrown) {
    end(true)
    throw timeout.errorOf(thrown, signal)
  }
  if (response.ok) return { etag: response.headers.get('etag'), parts: partsOf(response, false), beganMs }
  const { text } = await wholeText(partsOf(response, true), maxBytes, path)
  const type = response.headers.get('content-type')
  throw new QueryError(classify(path, response.status, type, text, { right: 'Database' }), messageOf(text))
}

/** Aborts a request when no part of the response arrives in time; the time of its reader does not count. */
class ResponseTimeout {
  readonly #env: GovernorEnv
  readonly #request: QueryRequest
  readonly #abort = new AbortController()
  #timer: ReturnType<GovernorEnv['setTimeout']> | null = null

  constructor(env: GovernorEnv, request: QueryRequest) {
    this.#env = env
    this.#request = request
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  begin(): void {
    this.over()
    this.#timer = this.#env.setTimeout(() => this.#abort.abort(), this.#request.timeoutMs)
  }

  over(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
  }

  errorOf(thrown: unknown, signal: AbortSignal): RavenError {
    const { path, timeoutMs } = this.#request
    if (thrown instanceof RavenError) return thrown
    if (signal.aborted) return new RavenError({ kind: 'aborted', endpoint: path, cause: thrown })
    if (this.signal.aborted)
      return new RavenError({
        kind: 'timeout',
        endpoint: path,
        message: `The server sent nothing for ${timeoutMs / 1000} s.`,
        cause: thrown,
      })
    return thrown instanceof TypeError
      ? new RavenError({ kind: 'network', endpoint: path, cause: thrown })
      : asRavenError(thrown, path)
  }
}

/** Text of a response up to a size. Errors: `RavenError`. */
async function wholeText(
  parts: QueryStream['parts'],
  maxBytes: number,
  path: string,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const all: Uint8Array[] = []
  let total = 0
  for await (const part of parts) {
    total += part.byteLength
    if (total > maxBytes)
      throw new RavenError({
        kind: 'too-large',
        endpoint: path,
        message: `The response is larger than ${Math.round(maxBytes / 1048576)} MiB and was not read to its end.`,
        hint: 'Request fewer results at once, or select fewer fields.',
      })
    all.push(part)
  }
  return { text: exactText(concatBytes(all)), bytes: total }
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
