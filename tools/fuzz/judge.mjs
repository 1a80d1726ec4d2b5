// @ts-check
/**
 * Decides whether a request that reached the server is on the list. Written independently of the forwarder's own check.
 */
import { READS } from '../../src/base/http/reading.mjs'

const HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'origin',
  'pragma',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/**
 * @param {import('./upstream.mjs').Reached} reached
 * @param {{ host: string, isViewOnly: boolean }} options `host`: of the server
 * @returns {string} what is wrong; '' when nothing is
 */
export function wrongIn({ method, target, headers }, { host, isViewOnly }) {
  const odd = [...headers.keys()].find((name) => !HEADERS.has(name))
  if (odd !== undefined) return `the header ${odd}`
  if (headers.get('host') !== host) return 'another Host'
  if (!['keep-alive', 'close', 'Upgrade'].includes(headers.get('connection') ?? '')) return 'another Connection'
  if (/(?:^|; )(?!2fa-cookie=)/.test(headers.get('cookie') ?? '2fa-cookie=')) return 'a cookie that is not for it'
  if (method === 'GET' && (headers.has('content-length') || headers.has('transfer-encoding')))
    return 'a GET with a body'
  const url = new URL(target, 'http://target')
  if (url.pathname + url.search !== asUrlWrites(target) || url.host !== 'target')
    return 'an address that can be read in two ways'
  const parts = url.pathname.split('/').map(textOf)
  if (parts.slice(1).some((part, i, all) => (part === '' && i < all.length - 1) || /^\.{1,2}$|[/\\#?\0]/.test(part)))
    return 'an address with odd parts'
  if (!isViewOnly) return ''
  const kind = headers.has('upgrade') ? 'SOCKET' : method
  const names = [...url.searchParams.keys()]
  const isListed = READS.some((read) => {
    const [listed, route = ''] = read.split(' ')
    const [path = '', query = ''] = route.split('?')
    const known = path.split('/')
    return (
      listed === kind &&
      known.length === parts.length &&
      known.every((part, i) => part === '{database}' || part === parts[i]) &&
      names.every((name, i) => query.split('&').includes(name) && names.indexOf(name) === i)
    )
  })
  return isListed ? '' : 'a request that is not on the list'
}

/**
 * A target in the two ways that URL writes differently without changing its meaning: an empty query is omitted, and `'`
 * in a query is encoded.
 * @param {string} target
 */
function asUrlWrites(target) {
  const at = target.indexOf('?')
  if (at < 0) return target
  const query = target.slice(at).replaceAll("'", '%27')
  return target.slice(0, at) + (query === '?' ? '' : query)
}

/** @param {string} part */
function textOf(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return '\0'
  }
}
