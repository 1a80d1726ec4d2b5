import { compileErrorsOf, compileErrorWords } from '../../base/compile/compile-errors.ts'
import { classify, describeBody, RavenError } from './errors.ts'
import type { RavenErrorKind, Right } from './error-texts.ts'
import { innermostCause } from './innermost-cause.ts'

/*
 * Errors of changes. They are not sent again by themselves, so that their hints say what the user can do. They name no button: how
 * a change is repeated depends on where it was made.
 */

const REPEAT = 'It is not sent again. Look at the state before you repeat it.'

/** Header of every response of a handler, even an empty one. Seen on 7.1.5, 6.2.4 and 5.4.207. */
const VERSION_HEADER = 'raven-server-version'

/** Error for a refused change, with the innermost cause; or for a response that is not the server's. */
export function refusalOf(path: string, response: Response, text: string, right: Right, method: string): RavenError {
  const body = readFields(text)
  const contentType = response.headers.get('content-type')
  const isForeign = body === null && !response.headers.has(VERSION_HEADER)
  // RavenDB refuses a foreign origin this way, before any handler; so may a proxy.
  const isBare403 = response.status === 403 && text.trim() === ''
  if (isForeign && !isBare403) return foreignError(path, response.status, describeBody(contentType, text), method)
  const error = classify(path, response.status, contentType, text, { right })
  // The compiler's errors, without the source that it compiled.
  const compiled = compileErrorWords(compileErrorsOf(body?.error ?? ''))
  const cause = compiled !== '' ? compiled : (innermostCause(body?.error ?? null) ?? error.serverMessage)
  const serverMessage = cause === null ? null : withoutRequest(cause)
  const { kind, endpoint, status, serverType, message, hint } = error
  return new RavenError({
    kind,
    endpoint,
    status,
    serverType,
    message,
    serverMessage,
    isForeign,
    hint: hintByCause(serverMessage ?? '', status) ?? HINTS[kind] ?? hint,
  })
}

/** Message without the part in which the server repeats the request: the activity log keeps messages, but no texts. */
const withoutRequest = (message: string): string =>
  message.replace(/( at\s+\(\d+,\d+\)) around: [^]*$/, '$1').replace(/\r?\nQuery: [^]*$/, '')

interface ErrorFields {
  /** Text of the exception, or else its message. */
  readonly error: string | null
}

/** Fields of an error response; null: not in the server's error format. */
function readFields(text: string): ErrorFields | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('Type' in body) || typeof body.Type !== 'string') return null
    if ('Error' in body && typeof body.Error === 'string') return { error: body.Error }
    return { error: 'Message' in body && typeof body.Message === 'string' ? body.Message : null }
  } catch {
    // A long error may have been truncated; its type is near the start.
    return /"Type"\s*:\s*"[\w.+]+"/.test(text.slice(0, 2000)) ? { error: null } : null
  }
}

/** `came`: what arrived in place of the server's response. Whether the request reached the server is not known. */
export function foreignError(path: string, status: number, came: string, method: string): RavenError {
  const wantsLogin = status === 401 || status === 407
  return new RavenError({
    kind: status === 429 || (status >= 502 && status <= 504) ? 'busy' : 'not-json',
    endpoint: path,
    status,
    isForeign: true,
    message: wantsLogin
      ? `A proxy wants a login (status ${status}).`
      : `Something on the way to the server answered in its place: ${came} (status ${status}).`,
    hint: wantsLogin
      ? 'Log in to it in another tab, then repeat it.'
      : status === 413
        ? 'It may not let so large a request through: raise its limit, or use the server’s own address.'
        : method === 'RESET' && (status === 400 || status === 405 || status === 501)
          ? 'It may not know the method RESET, by which RavenDB resets an index. Use the server’s own address, or the stand-alone server, which lets it through.'
          : status >= 500
            ? `The server may be down, or busy, or not reached by it. ${REPEAT}`
            : REPEAT,
  })
}

/** Whether the cluster or a gateway gave up waiting; the change may have happened. */
export const isGivenUp = (status: number | null): boolean => status === 408 || status === 502 || status === 504

/**
 * Cause with which the server gives up after 15 s to wait until a database has applied a change of its record. 5.4
 * reports it with status 408, newer versions with 500 where indexes are changed.
 */
const NOT_APPLIED = /didn['’]t get an index notification/i

/** Whether the change is recorded, and was not applied in time. */
export const isNotApplied = ({ serverMessage }: { readonly serverMessage: string | null }): boolean =>
  NOT_APPLIED.test(serverMessage ?? '')

const NOT_APPLIED_HINT =
  'The server recorded the change, but the database had not applied it after 15 s. It may be busy. If changes of its indexes keep ending like this, RavenDB is probably deadlocked: an index was deleted or disabled while a replacement took its place. Only a restart of the server ends that; to restart the database makes it unavailable.'

const CAUSES: readonly { readonly reported: RegExp; readonly hint: string }[] = [
  { reported: /already exists/i, hint: 'Choose a name that is not in use.' },
  { reported: /lock mode|\bPreventDeletes|\bLockedError\b/i, hint: 'It is locked. Unlock it first.' },
  {
    reported: /^Attachment [^]* (?:has change vector|does not exist)/i,
    hint: 'Another client has uploaded, replaced or deleted an attachment of that name meanwhile. It is as that client left it.',
  },
  { reported: /is not permitted/i, hint: 'Correct the name.' },
]

/** Hint for a known cause; null: unknown cause. */
function hintByCause(cause: string, status: number | null): string | null {
  if (isNotApplied({ serverMessage: cause })) return NOT_APPLIED_HINT
  if (isGivenUp(status)) return REPEAT
  const known = CAUSES.find(({ reported }) => reported.test(cause))
  if (known !== undefined) return known.hint
  return status === 409 ? 'Another client changed it at the same time. Look at the state before you repeat it.' : null
}

/** Hints for changes that differ from those for reads. */
const HINTS: Partial<Readonly<Record<RavenErrorKind, string>>> = {
  network: REPEAT,
  timeout: REPEAT,
  busy: 'It is not sent again: repeat it when the server has less to do.',
  'bad-request': 'Correct what was entered.',
  server: 'It is not sent again. The log of the server has more.',
}

/** Hint for a failed change; left out: that for reads applies. */
export const writeHint = (kind: RavenErrorKind): { readonly hint?: string } => {
  const hint = HINTS[kind]
  return hint === undefined ? {} : { hint }
}
