import { concatBytes } from '../../base/concat-bytes.ts'
import type { Endpoint } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import { classify, notJson, RavenError } from '../errors/errors.ts'

/** Maximum size of an error's body; type and message are at its start. */
const MAX_ERROR_BYTES = 1024 * 1024

const TIMED_OUT = new Error('timed out')

/** Sends a GET within the endpoint's limits of time (to the last byte) and size. Calls `onBytes` for each piece. */
export async function getBytes(
  env: GovernorEnv,
  endpoint: Endpoint,
  path: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly onBytes: (count: number) => void },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  const timer = env.setTimeout(() => controller.abort(TIMED_OUT), options.timeoutMs)
  try {
    return await orAborted(exchange(env, endpoint, path, controller.signal, options.onBytes), controller.signal)
  } catch (error) {
    const timedOut = controller.signal.reason === TIMED_OUT
    stop()
    if (error instanceof RavenError) throw error
    if (timedOut) {
      const message = `The server did not answer within ${options.timeoutMs / 1000} s.`
      throw new RavenError({ kind: 'timeout', endpoint: path, message, cause: error })
    }
    throw new RavenError({ kind: options.signal.aborted ? 'aborted' : 'network', endpoint: path, cause: error })
  } finally {
    env.clearTimeout(timer)
    options.signal.removeEventListener('abort', stop)
  }
}

async function exchange(
  env: GovernorEnv,
  endpoint: Endpoint,
  path: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const response = await env.fetch(env.baseUrl + path, {
    headers: { Accept: 'application/json' },
    cache: 'no-store',
    credentials: 'same-origin',
    signal,
  })
  const contentType = response.headers.get('content-type')
  const extra = { right: endpoint.right, retryAfterMs: retryAfter(response.headers.get('retry-after'), env.now()) }
  if (!response.ok) {
    const body = await readBody(response, MAX_ERROR_BYTES, signal, onBytes)
    throw classify(path, response.status, contentType, decode(body.bytes), extra)
  }
  if (response.status === 204 && endpoint.emptyIsNull) return null
  const body = await readBody(response, endpoint.maxBytes, signal, onBytes)
  if (body.cut) {
    const message = `The response is larger than ${Math.round(endpoint.maxBytes / 1048576)} MiB and was not read to its end.`
    throw new RavenError({ kind: 'too-large', endpoint: path, status: response.status, message })
  }
  if (endpoint.isFile) return body.bytes
  // A gzip that was cut arrives as 200 without content; a proxy's page as 200 with HTML.
  if (!startsLikeJson(body.bytes) || contentType?.includes('text/html') === true)
    throw notJson(path, response.status, contentType, decode(body.bytes.subarray(0, 4096)), extra)
  return body.bytes
}

/** Parses bytes. Errors: `RavenError` 'not-json'. The decoded text is not kept. */
export function parseJson(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(decode(bytes))
  } catch {
    throw notJson(path, 200, 'application/json', decode(bytes.subarray(0, 4096)))
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Rejects at once when aborted, even if `work` does not. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    // After an abort no caller waits for it; before one, the race above has thrown the error.
    work.catch(() => {})
  }
}

async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; cut: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { bytes: new Uint8Array(0), cut: false }
  const pieces: Uint8Array[] = []
  let total = 0
  let cut = false
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (signal.aborted) throw new Error('aborted')
    onBytes(value.byteLength)
    pieces.push(value)
    total += value.byteLength
    if (total > maxBytes) {
      cut = true
      // The bytes read so far are used; the result of cancelling does not matter.
      reader.cancel().catch(() => {})
      break
    }
  }
  return { bytes: concatBytes(pieces), cut }
}

/** Whether the first character, after white space and an optional byte order mark, begins JSON and not HTML. */
function startsLikeJson(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  const first = bytes[at]
  return first !== undefined && first !== 0x3c
}

/** `Retry-After`, in seconds or as a date, → ms from now, at most 10 minutes; null: missing or unreadable. */
export function retryAfter(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? null : Math.min(600_000, Math.max(0, ms))
}
