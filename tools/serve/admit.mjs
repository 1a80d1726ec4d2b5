// @ts-check
/**
 * Decides whether an incoming request is forwarded, and in which form; otherwise gives the reason for the refusal. The
 * request that is checked is exactly the one that is sent on: method, path and headers are read once, and written again
 * from the parsed values.
 */
import { isPlain } from '../../src/base/http/reading.mjs'
import { KEY_HEADER, KEY_PARAMETER } from '../../src/base/http/stand-alone.mjs'

/**
 * @typedef {object} Admitted
 * @property {string} method `SOCKET` for a websocket
 * @property {string} path with its query, without our key
 * @property {Readonly<Record<string, string>>} headers for the target, whose `host` is missing
 * @property {boolean} hasBody
 * @property {string} key '' where it has none
 */

/**
 * @typedef {object} Refused
 * @property {number} status
 * @property {string} message
 */

/** Header with the method for which a POST stands. RavenDB has one that Node's HTTP parser does not accept. */
const METHOD_HEADER = 'rookery-method'
const HIDDEN_METHOD = 'RESET'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Headers that RavenDB uses. Framing headers are written anew, and `origin` becomes the target's. */
const FORWARDED = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'content-type',
  'cookie',
  'if-match',
  'origin',
  'pragma',
  'user-agent',
])
const FORWARDED_OF_SOCKETS = new Set([
  ...FORWARDED,
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
])
/** Headers that are read. Like the forwarded ones, each may occur only once. */
const READ = new Set([KEY_HEADER, METHOD_HEADER, 'content-length', 'host', 'transfer-encoding', 'upgrade'])
const OF_CONNECTIONS = new Set(['', 'close', 'keep-alive', 'upgrade'])

/** RavenDB's own cookie. Cookies of other servers of this machine are not sent to the target. */
const COOKIE = '2fa-cookie'

const KEY = new RegExp(`[?&]${KEY_PARAMETER}=([\\w-]*)$`)

/**
 * @param {Pick<import('node:http').IncomingMessage, 'method' | 'url' | 'rawHeaders'>} request
 * @param {URL} target
 * @param {{ isSocket?: boolean }} [options] it wants to become another protocol
 * @returns {Admitted | Refused}
 */
export function admit({ method = '', url = '', rawHeaders }, target, { isSocket = false } = {}) {
  const path = isSocket ? url.replace(KEY, '') : url
  // Refuses requests to a proxy (`GET http://…`) and `OPTIONS *`.
  if (!path.startsWith('/')) return refused(400, 'The address must begin with a slash.')
  if (!isPlain(path))
    return refused(
      400,
      'An address has no fragment and no dots as parts, and all else than its own characters encoded.',
    )
  const headers = single(rawHeaders)
  if ('status' in headers) return headers
  const { said } = headers
  const meant = said.get(METHOD_HEADER)
  const isMeant = meant === HIDDEN_METHOD && method === 'POST' && !isSocket
  if (!METHODS.has(method) || (meant !== undefined && !isMeant)) return refused(405, 'There is no such method here.')
  const framing = framingOf(said)
  if (framing === null) return refused(400, 'The length of the request is not clear.')
  const hasBody = framing['content-length'] !== '0'
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  if (hasBody && !mayHaveBody) return refused(400, `A ${method} has no body.`)
  if (isSocket && (method !== 'GET' || said.get('upgrade')?.toLowerCase() !== 'websocket'))
    return refused(403, 'Nothing but websockets is forwarded beside HTTP.')
  return {
    method: isSocket ? 'SOCKET' : isMeant ? HIDDEN_METHOD : method,
    path,
    headers: {
      ...forwarded(said, isSocket ? FORWARDED_OF_SOCKETS : FORWARDED, target),
      ...(mayHaveBody ? framing : {}),
    },
    hasBody,
    key: isSocket ? (KEY.exec(url)?.[1] ?? '') : (said.get(KEY_HEADER) ?? ''),
  }
}

/**
 * @param {number} status
 * @param {string} message
 * @returns {Refused}
 */
const refused = (status, message) => ({ status, message })

/**
 * Reads the headers that count. Refuses a request in which one of them occurs twice.
 * @param {readonly string[]} rawHeaders names and values in turn
 * @returns {{ said: ReadonlyMap<string, string> } | Refused}
 */
function single(rawHeaders) {
  /** @type {Map<string, string>} */
  const said = new Map()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase()
    const value = rawHeaders[i + 1] ?? ''
    if (name === 'connection') {
      // The header may name others that are to be removed on the way, such as lengths.
      const isUsual = value.split(',').every((each) => OF_CONNECTIONS.has(each.trim().toLowerCase()))
      if (!isUsual) return refused(400, `The header Connection may not name ${value}.`)
    } else if (READ.has(name) || FORWARDED_OF_SOCKETS.has(name)) {
      if (said.has(name)) return refused(400, `A request has one header ${name}.`)
      if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) return refused(400, `The header ${name} is no text.`)
      said.set(name, value)
    }
  }
  return { said }
}

/**
 * @param {ReadonlyMap<string, string>} said
 * @returns {Record<string, string> | null} the one header that says where the body ends; null: that is not clear
 */
function framingOf(said) {
  const length = said.get('content-length')
  const coding = said.get('transfer-encoding')
  if (coding !== undefined)
    return length === undefined && coding.toLowerCase() === 'chunked' ? { 'transfer-encoding': 'chunked' } : null
  if (length === undefined) return { 'content-length': '0' }
  return /^\d{1,15}$/.test(length) ? { 'content-length': String(Number(length)) } : null
}

/**
 * @param {ReadonlyMap<string, string>} said
 * @param {ReadonlySet<string>} names
 * @param {URL} target
 */
function forwarded(said, names, target) {
  const headers = Object.fromEntries([...said].filter(([name]) => names.has(name)))
  if (headers['origin'] !== undefined) headers['origin'] = target.origin
  const cookies = (headers['cookie'] ?? '').split(';').map((pair) => pair.trim())
  const theirs = cookies.filter((pair) => pair.startsWith(`${COOKIE}=`))
  delete headers['cookie']
  return theirs.length === 0 ? headers : { ...headers, cookie: theirs.join('; ') }
}
