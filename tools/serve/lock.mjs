// @ts-check
/**
 * A client that reaches a port of loopback is on this machine, but not always the user who started the server; and with
 * a certificate in use everything that is asked there is asked in its name. So it is opened by an address with a key,
 * which becomes a cookie. Without a certificate there is nothing to lend, and no lock.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** The address that has the key; RavenDB has no such. */
export const OPEN_PATH = '/rookery/open'

export class Lock {
  /** In the cookie of a browser that opened an address. */
  #key = randomBytes(24).toString('base64url')
  /** Of addresses that were not opened. Others may see them, as arguments of a browser's command: each opens once. @type {Set<string>} */
  #once = new Set()

  /** @param {number} port cookies know no ports, so that it is in the name */
  constructor(port) {
    this.cookie = `rookery-${port}`
  }

  /** @returns {string} path and query; opens once */
  address() {
    const key = randomBytes(24).toString('base64url')
    this.#once.add(key)
    return `${OPEN_PATH}?key=${key}`
  }

  /**
   * @param {string} url of a request for {@link OPEN_PATH}
   * @returns {string | undefined} a Set-Cookie header; undefined: a wrong key, or one that opened once already
   */
  open(url) {
    const key = new URL(url, 'http://lock').searchParams.get('key') ?? ''
    if (!this.#once.delete(key)) return undefined
    return `${this.cookie}=${this.#key}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** @param {string | undefined} cookies of a request */
  isOpenTo(cookies) {
    return listOf(cookies).some(([name, value]) => name === this.cookie && same(value, this.#key))
  }

  /**
   * @param {string | undefined} cookies of a request
   * @returns {string | undefined} for the server behind, to which the key means nothing
   */
  without(cookies) {
    const rest = listOf(cookies).filter(([name]) => name !== this.cookie)
    return rest.length === 0 ? undefined : rest.map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/**
 * @param {string | undefined} cookies
 * @returns {(readonly [string, string])[]}
 */
function listOf(cookies) {
  return (cookies ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [/** @type {const} */ ([pair.slice(0, at).trim(), pair.slice(at + 1).trim()])]
  })
}

/**
 * @param {string} given
 * @param {string} key
 */
function same(given, key) {
  const bytes = Buffer.from(given)
  const right = Buffer.from(key)
  return bytes.length === right.length && timingSafeEqual(bytes, right)
}
