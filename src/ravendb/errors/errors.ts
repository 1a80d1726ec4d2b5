import { errorText } from '../../base/text/error-text.ts'
import { ParseError } from '../../base/json/check.ts'
import { classifyKind, FORWARDER_KINDS, hintFor, messageFor, strangerOf } from './error-texts.ts'
import type { RavenErrorKind, Right } from './error-texts.ts'
import { describeLoadLog, readLoadLog } from './load-log.ts'
import { isCompacting, isUnloading } from './unloading.ts'

export type { RavenErrorKind, Right } from './error-texts.ts'

/** An error as data that can be sent between threads; same shape as `ErrorInfo` of `capture/client/state.ts`. */
export interface RavenErrorInfo {
  readonly kind: RavenErrorKind
  readonly endpoint: string
  readonly status: number | null
  readonly message: string
  readonly serverMessage: string | null
  readonly hint: string
}

export interface RavenErrorParts {
  readonly kind: RavenErrorKind
  /** Path of the request, sent or not. */
  readonly endpoint: string
  /** HTTP status; null: there was no response. */
  readonly status?: number | null
  readonly serverType?: string | null
  readonly serverMessage?: string | null
  readonly retryAfterMs?: number | null
  /** Right that the endpoint needs; shown if it is refused. */
  readonly right?: Right | null
  /** Replaces the sentence of the kind. */
  readonly message?: string
  readonly hint?: string
  /** Whether the response to a change came from something between page and server. */
  readonly isForeign?: boolean
  readonly cause?: unknown
}

/** Maximum length; a database that fails to load sends its whole load log as the message. */
const MAX_SERVER_MESSAGE = 4000

/** The only error class of what talks to a server: what happened, where, the response, what to do (`hint`). */
export class RavenError extends Error {
  override readonly name = 'RavenError'
  readonly kind: RavenErrorKind
  readonly endpoint: string
  readonly status: number | null
  readonly serverType: string | null
  readonly serverMessage: string | null
  readonly hint: string
  readonly retryAfterMs: number | null
  readonly isForeign: boolean

  constructor(parts: RavenErrorParts) {
    super(parts.message ?? messageFor(parts.kind, parts.status ?? null), { cause: parts.cause })
    this.kind = parts.kind
    this.endpoint = parts.endpoint
    this.status = parts.status ?? null
    this.serverType = parts.serverType ?? null
    this.serverMessage = cut(parts.serverMessage ?? null)
    this.retryAfterMs = parts.retryAfterMs ?? null
    this.hint = parts.hint ?? hintFor(parts.kind, parts.right ?? null)
    this.isForeign = parts.isForeign ?? false
  }

  toInfo(): RavenErrorInfo {
    const { kind, endpoint, status, message, serverMessage, hint } = this
    return { kind, endpoint, status, message, serverMessage, hint }
  }
}

/** Whether nothing is answered until the user acts: about the certificate, or the address. */
export const barsAll = ({ kind }: RavenError): boolean =>
  kind === 'two-factor' || kind === 'stranger' || kind === 'no-server'

/** Path that every RavenDB answers for every client. */
const VERSION_PATH = '/build/version'
/** Statuses with which file servers refuse an unknown path. RavenDB's own refusals have an exception type. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([404, 405, 501])
/** Title of this page, which some file servers send for every unknown path. */
const OWN_TITLE = /<title[^>]*>Rookery</i

/** Facts other than the response itself. */
export interface ClassifyExtra {
  readonly right?: Right
  readonly retryAfterMs?: number | null
}

/**
 * Turns a failed response (any status but 2xx) into an error. Uses the `Type` in the body, the .NET name of the
 * exception, since the status misleads: an unknown database is 500, an unknown route 400, a disabled database 503. If
 * the body is not JSON, a status of 502, 503 or 504 means a proxy's page.
 */
export function classify(
  endpoint: string,
  status: number,
  contentType: string | null,
  bodyText: string,
  extra: ClassifyExtra = {},
): RavenError {
  const { type, message } = readBody(bodyText)
  const base = {
    endpoint,
    status,
    serverType: type,
    serverMessage: message,
    retryAfterMs: extra.retryAfterMs ?? null,
    right: extra.right ?? null,
  }
  if (message !== null && isUnloading(message))
    return new RavenError({
      ...base,
      kind: 'database-unloaded',
      message: 'The server is unloading the database just now.',
    })
  if (message !== null && isCompacting(message))
    return new RavenError({
      ...base,
      kind: 'database-unloaded',
      message: 'The server is compacting the database.',
      hint: 'It is offline until that is done; its progress is in Activity, under Operations.',
    })
  const stranger = status === 403 ? strangerOf(type, message) : null
  if (stranger !== null) return new RavenError({ ...base, kind: 'stranger', ...stranger, right: null })
  const forwarder = type === null ? undefined : FORWARDER_KINDS.get(type)
  // The server itself never got the request, or never answered it.
  if (forwarder !== undefined)
    return new RavenError({ ...base, kind: forwarder, status: null, message: message ?? messageFor(forwarder, null) })
  if (endpoint === VERSION_PATH && type === null && NO_SUCH_PAGE.has(status))
    return new RavenError({ endpoint, status, kind: 'no-server' })
  const kind = classifyKind(status, type)
  if (kind === 'refused' && type === null && bodyText.trim() === '') {
    return new RavenError({
      ...base,
      kind,
      message: 'The server refused this page’s origin.',
      hint: 'The address of this page is not the address the server was asked by: open the studio at the server’s own address, or have the proxy rewrite Origin.',
    })
  }
  if (type === null && looksLikePage(contentType, bodyText))
    return notJson(endpoint, status, contentType, bodyText, extra)
  return new RavenError({ ...base, kind, ...(kind === 'database-loading' ? loadingParts(type, message) : {}) })
}

/** Distinguishes a load in progress from a wait for its turn, by the end of the log. */
function loadingParts(
  type: string | null,
  message: string | null,
): Pick<RavenErrorParts, 'message' | 'hint' | 'serverMessage'> {
  if (type?.endsWith('DatabaseConcurrentLoadTimeoutException') === true)
    return {
      message: 'The database timed out waiting to be loaded: too many databases load at once.',
      hint: 'Wait until others have loaded. The server loads 8 at once unless its setting Databases.MaxConcurrentLoads says otherwise, and lets the next one wait 60 s (Databases.ConcurrentLoadTimeoutInSec).',
    }
  const log = message === null ? null : readLoadLog(message)
  if (message === null || log === null) return {}
  return {
    message: `The database is still loading. ${describeLoadLog(log)}`,
    serverMessage: message.length > MAX_SERVER_MESSAGE ? `…${message.slice(-MAX_SERVER_MESSAGE)}` : message,
  }
}

/** Error for a response that should have been JSON. Gateway statuses count as busy, so that callers slow down. */
export function notJson(
  endpoint: string,
  status: number,
  contentType: string | null,
  bodyText: string,
  extra: ClassifyExtra = {},
): RavenError {
  if (endpoint === VERSION_PATH && OWN_TITLE.test(bodyText))
    return new RavenError({ endpoint, status, kind: 'no-server' })
  const came = describeBody(contentType, bodyText)
  if (status === 401 || status === 407)
    return new RavenError({
      kind: 'not-json',
      endpoint,
      status,
      message: `A proxy wants a login (status ${status}).`,
      hint: 'Log in to it, then reload this page.',
    })
  const gateway = status === 429 || (status >= 502 && status <= 504)
  return new RavenError({
    kind: gateway ? 'busy' : 'not-json',
    endpoint,
    status,
    retryAfterMs: extra.retryAfterMs ?? null,
    message: `Expected JSON, came ${came} (status ${status}).`,
    ...(gateway
      ? {
          hint: 'A proxy before the server answered: the server is down, busy, or not reached by it.',
        }
      : {}),
  })
}

/** Turns anything thrown while a response of `endpoint` was handled into an error. */
export function asRavenError(thrown: unknown, endpoint: string): RavenError {
  if (thrown instanceof RavenError) return thrown
  const message =
    thrown instanceof ParseError
      ? `The response is not of the shape that is known: ${thrown.message}`
      : `The response could not be used: ${errorText(thrown)}`
  return new RavenError({ kind: 'unexpected', endpoint, message, cause: thrown })
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > MAX_SERVER_MESSAGE + 1 ? `${text.slice(0, MAX_SERVER_MESSAGE)}…` : text

function readBody(bodyText: string): { type: string | null; message: string | null } {
  try {
    const body: unknown = JSON.parse(bodyText)
    if (typeof body !== 'object' || body === null) return { type: null, message: null }
    const type = 'Type' in body && typeof body.Type === 'string' ? body.Type : null
    const message = 'Message' in body && typeof body.Message === 'string' ? body.Message : null
    return { type, message }
  } catch {
    // A long error may have been cut; its type is near the start.
    const type = /"Type"\s*:\s*"([\w.+]+)"/.exec(bodyText.slice(0, 2000))?.[1] ?? null
    return { type, message: null }
  }
}

const looksLikePage = (contentType: string | null, bodyText: string): boolean =>
  contentType?.includes('text/html') === true || bodyText.trimStart().startsWith('<')

export function describeBody(contentType: string | null, bodyText: string): string {
  const text = bodyText.trim()
  if (text === '') return 'an empty response'
  if (looksLikePage(contentType, text)) {
    const title = /<title[^>]*>([^<]{1,120})/i.exec(text)?.[1]?.trim()
    return title === undefined ? 'an HTML page' : `an HTML page titled “${title}”`
  }
  if (text.startsWith('{') || text.startsWith('[')) return 'JSON that is cut off or broken'
  return `${contentType ?? 'text'} beginning “${text.slice(0, 60)}”`
}
