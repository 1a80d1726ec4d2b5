// @ts-check
/**
 * A client that reaches a loopback port runs on this machine, but not always as the user who started the server; and if
 * a certificate is in use, every request to that port is sent with it. Therefore the studio is opened by an address
 * that contains a key. The page sends another key with each request, from the storage of its origin, which includes the
 * port. A cookie would also go to the servers of other users. Without a certificate there is nothing to protect, and no
 * lock.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { KEY_STORED } from '../../src/base/http/stand-alone.mjs'

/** Path of the address that contains the key. RavenDB has no such path. */
export const OPEN_PATH = '/rookery/open'

export class Lock {
  /** Key that is stored in a browser that opened an address. */
  #key = newKey()
  /** Keys of unopened addresses. Others may see them, as arguments of a browser's command: each opens once. @type {Set<string>} */
  #once = new Set()

  /** @returns {string} path and query; opens once */
  address() {
    const key = newKey()
    this.#once.add(key)
    return `${OPEN_PATH}?key=${key}`
  }

  /**
   * @param {string} url of a request for {@link OPEN_PATH}
   * @returns {string | undefined} the key of all requests; undefined: a wrong one, or one that opened once already
   */
  open(url) {
    const key = new URL(url, 'http://lock').searchParams.get('key') ?? ''
    return this.#once.delete(key) ? this.#key : undefined
  }

  /** @param {string} key of a request */
  isOpenTo(key) {
    const given = Buffer.from(key)
    const right = Buffer.from(this.#key)
    return given.length === right.length && timingSafeEqual(given, right)
  }
}

const newKey = () => randomBytes(24).toString('base64url')

const FULL =
  'This page needs the storage of the browser for its key, which is full or forbidden: allow it, then open a new address.'

/**
 * Responds with a page that stores the key and continues to the studio. No file of the studio contains the key.
 * @param {import('node:http').ServerResponse} response
 * @param {string} key
 * @param {string} page where to
 */
export function sendKey(response, key, page) {
  const [name, value, to, full] = [KEY_STORED, key, page, FULL].map((text) => JSON.stringify(text))
  // All tabs share the local storage; each tab has its own session storage.
  const script = `try {
  for (const each of [localStorage, sessionStorage]) each.removeItem(${name})
  try { localStorage.setItem(${name}, ${value}) } catch { sessionStorage.setItem(${name}, ${value}) }
  location.replace(${to} + location.hash)
} catch { document.body.textContent = ${full} }`
  const hash = createHash('sha256').update(script).digest('base64')
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    .end(`<!doctype html><meta charset="utf-8"><title>Rookery</title><body><script>${script}</script>`)
}
