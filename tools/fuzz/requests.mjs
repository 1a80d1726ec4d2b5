// @ts-check
/** Creates requests that are nearly valid, and others, as bytes (latin1). */
import { READS } from '../../src/base/http/reading.mjs'
import { pick } from '../workload/random.mjs'

/** @typedef {import('../workload/random.mjs').Random} Random */

const CHANGING = [
  '/databases/d/docs?id=smuggled',
  '/databases/d/bulk_docs',
  '/databases/d/admin/smuggler/import?url=http://evil/',
  '/admin/memory/gc',
  '/admin/databases?name=d',
  '/admin/debug/node/ping?url=http://evil/',
  '/admin/debug/node/clear-http-clients-pool',
  '/admin/certificates/export',
  '/databases/d/hilo/next?tag=x',
  '/databases/d/changes',
  '/studio/index.html',
  '/rookery/open?key=x',
]
const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'RESET',
  'OPTIONS',
  'TRACE',
]
const ODD_METHODS = ['CONNECT', 'get', 'QUERY', 'PRI', 'G ET', '\tGET', 'GET\0', '']
const INTO_TARGETS =
  '# #/../ /.. /../ /. // /%2e%2e/ /.%2E %2f %5c \\ /..;/ ; ? & = + %00 % %zz %c0%ae %252e%252e @ : | ?# &start=1'
    .split(' ')
    .concat('\0', '\t', ' ', '\u00e9', '\r', '\n', '\r\n')
const NAMES = ['content-length', 'host', 'cookie', 'transfer-encoding', 'rookery-method', 'x', 'authorization']
const CONNECTIONS = [
  'keep-alive',
  'close',
  'Upgrade',
  'keep-alive, Upgrade',
  'TE',
  ...NAMES,
  ...NAMES.map((name) => `close, ${name}`),
]
const CODINGS = [
  'chunked',
  'Chunked',
  'gzip, chunked',
  'chunked, gzip',
  'chunked, chunked',
  'identity',
  'xchunked',
  '\tchunked',
  'chunked\u000b',
  '"chunked"',
  '',
]

/**
 * @param {Random} random
 * @param {number} port of the forwarder
 * @param {string} [path] below which it has the server
 * @returns {string} one request or several, whole or not
 */
export function oddBytes(random, port, path = '') {
  const count = random() < 0.8 ? 1 : 2
  let bytes = ''
  for (let i = 0; i < count; i++) bytes += oneRequest(random, port, path)
  const flips = random() < 0.25 ? Math.ceil(random() * 3) : 0
  for (let i = 0; i < flips; i++) bytes = flipped(random, bytes)
  return bytes
}

/**
 * @param {Random} random
 * @param {string} bytes
 */
function flipped(random, bytes) {
  const at = Math.floor(random() * bytes.length)
  const some = String.fromCharCode(Math.floor(random() * 256))
  const kind = random()
  if (kind < 0.4) return bytes.slice(0, at) + some + bytes.slice(at + 1)
  if (kind < 0.7) return bytes.slice(0, at) + some + bytes.slice(at)
  return bytes.slice(0, at) + bytes.slice(at + 1 + Math.floor(random() * 4))
}

/**
 * @param {Random} random
 * @param {number} port
 * @param {string} under
 */
function oneRequest(random, port, under) {
  const is = (/** @type {number} */ share) => random() < share
  const newLine = is(0.97) ? '\r\n' : pick(random, ['\n', '\r', '\r\r\n', '\r\n '])
  const body = bodyOf(random)
  const lines = [
    `${methodOf(random)} ${targetOf(random, under)} ${is(0.97) ? 'HTTP/1.1' : pick(random, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''])}`,
  ]
  const host = `127.0.0.1:${port}`
  lines.push(`Host: ${is(0.97) ? host : pick(random, ['evil', '', `${host}, evil`, `user@${host}`])}`)
  if (is(0.03)) lines.push(`Host: ${host}`)
  if (is(0.4)) lines.push(`Connection: ${pick(random, CONNECTIONS)}`)
  if (is(0.1)) lines.push(`Connection: ${pick(random, CONNECTIONS)}`)
  if (is(0.25)) lines.push(`Upgrade: ${pick(random, ['websocket', 'websocket', 'h2c', 'WebSocket', 'websocket, h2c'])}`)
  if (is(body === '' ? 0.2 : 0.7)) lines.push(`${lengthName(random)}: ${lengthOf(random, body)}`)
  if (is(0.05)) lines.push(`Content-Length: ${lengthOf(random, body)}`)
  const isChunked = is(0.2)
  if (isChunked) lines.push(`Transfer-Encoding: ${is(0.5) ? 'chunked' : pick(random, CODINGS)}`)
  if (is(0.1)) lines.push(`Rookery-Method: ${pick(random, ['RESET', 'DELETE', 'GET', 'reset', ''])}`)
  if (is(0.05)) lines.push(`X-HTTP-Method-Override: ${pick(random, METHODS)}`)
  if (is(0.1)) lines.push(`Rookery-Key: ${pick(random, ['', 'x', 'A'.repeat(32)])}`)
  if (is(0.1))
    lines.push(
      `Cookie: ${pick(random, ['rookery.key=x', '2fa-cookie=a', '2fa-cookie=a; b=c', ';;=', '2fa-cookie=a\0'])}`,
    )
  if (is(0.05)) lines.push(`Expect: ${pick(random, ['100-continue', '200'])}`)
  if (is(0.05)) lines.push(`Origin: ${pick(random, [`http://${host}`, 'http://evil', 'null'])}`)
  if (is(0.05)) lines.push(`Sec-Fetch-Site: ${pick(random, ['same-origin', 'cross-site', 'none'])}`)
  if (is(0.05))
    lines.push(
      pick(random, [
        'Trailer: x',
        'TE: trailers',
        ' folded',
        'No colon',
        ': no name',
        'A b: c',
        'Accept: \u0001',
        'Content-Length : 5',
        'Sec-WebSocket-Protocol: a',
      ]),
    )
  const [first = '', ...rest] = lines
  if (is(0.1)) rest.reverse()
  return [first, ...rest, '', isChunked && is(0.8) ? chunked(random, body) : body].join(newLine)
}

/** @param {Random} random */
const methodOf = (random) => pick(random, random() < 0.95 ? METHODS : ODD_METHODS)

/**
 * @param {Random} random
 * @param {string} under a path, mostly before it
 */
function targetOf(random, under) {
  const [, route = ''] = pick(random, READS).split(' ')
  const [path = '', names = ''] = route.split('?')
  const query = names.split('&').flatMap((name) => (name !== '' && random() < 0.7 ? [`${name}=a%2Fb`] : []))
  let target =
    random() < 0.6
      ? path.replace('{database}', pick(random, ['d', 'a%20b', '__proto__', '..', '%2e%2e', 'a%2fb'])) +
        (query.length > 0 ? `?${query.join('&')}` : '')
      : pick(random, CHANGING)
  if (random() < 0.97) target = under + target
  const times = random() < 0.5 ? 0 : Math.ceil(random() * 2)
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random() * (target.length + 1))
    const into = pick(random, INTO_TARGETS)
    target = target.slice(0, at) + into + (random() < 0.3 ? pick(random, CHANGING) : target.slice(at))
  }
  if (random() < 0.03) target = `http://127.0.0.1${target}`
  if (random() < 0.02) target = pick(random, ['*', '', 'evil:80', '//evil/', '/'])
  if (random() < 0.05) target = target.toUpperCase()
  return target
}

/** @param {Random} random */
function bodyOf(random) {
  const kind = random()
  if (kind < 0.5) return ''
  if (kind < 0.6) return '{"a":1}'
  return `${pick(random, METHODS)} ${pick(random, CHANGING)} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`
}

/** @param {Random} random */
const lengthName = (random) =>
  random() < 0.95 ? 'Content-Length' : pick(random, ['content_length', 'Content-Length\t', 'CONTENT-LENGTH'])

/**
 * @param {Random} random
 * @param {string} body
 */
function lengthOf(random, body) {
  if (random() < 0.75) return String(body.length)
  const { length } = body
  return pick(random, [
    '0',
    '1',
    `${length}, ${length}`,
    `+${length}`,
    `-${length}`,
    `0x${length}`,
    `${length + 1}`,
    '1e2',
    '',
    '00',
    `${length}\u000b`,
    '99999999999999999999',
  ])
}

/**
 * @param {Random} random
 * @param {string} body
 */
function chunked(random, body) {
  const size =
    random() < 0.8 ? body.length.toString(16) : pick(random, ['0', '-1', '0x2', '5;a=b', '5 ', 'ffffffffffffffff', ''])
  return `${body === '' ? '' : `${size}\r\n${body}\r\n`}0\r\n${random() < 0.1 ? 'X: y\r\n' : ''}\r\n`
}
