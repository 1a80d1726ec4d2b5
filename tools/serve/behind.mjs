// @ts-check
/** The servers behind a stand-alone server: a single one, or several, each below its own path. */
import { pathOfServer } from '../../src/base/http/stand-alone.mjs'
import { Plain } from '../say.mjs'
import { Forwarder } from './forward.mjs'
import { hasCertificate } from './identity.mjs'

/**
 * @typedef {object} Target
 * @property {string | URL} target
 * @property {import('./identity.mjs').Identity} [identity]
 * @property {boolean | undefined} [allowChanges] requests that change something are forwarded; by default where no certificate is lent
 *
 * @typedef {object} Behind
 * @property {string} path without a slash at its end; empty: it is the only one
 * @property {URL} url
 * @property {import('./identity.mjs').Identity} identity
 * @property {boolean} isViewOnly
 * @property {Forwarder} forwarder
 */

/**
 * @param {readonly Target[]} targets
 * @param {{ receiveMs?: number | undefined, answerMs?: number | undefined }} limits
 * @returns {Behind[]} in the same order
 * @throws {Plain} when one is named twice
 */
export function serversBehind(targets, limits) {
  const behind = targets.map(({ target, identity = {}, allowChanges }) => {
    const url = new URL(target)
    // A path cannot contain the brackets of an IPv6 address.
    const path = targets.length === 1 ? '' : pathOfServer(url.host.replace(/[^\w.:-]/g, '-'))
    return {
      path,
      url,
      identity,
      isViewOnly: !(allowChanges ?? !hasCertificate(identity)),
      forwarder: new Forwarder(url, identity, limits, path),
    }
  })
  const twice = behind.find(({ path }, i) => behind.findIndex((other) => other.path === path) !== i)
  if (twice !== undefined) throw new Plain(`--server names ${twice.url.host} twice: leave one out.`)
  return behind
}

/**
 * Finds the server to which an address belongs, and the address on that server. The path is compared and cut off
 * without decoding: the rest is checked and forwarded, and is parsed once.
 * @param {readonly Behind[]} behind
 * @param {string} url of a request, as it came
 * @returns {{ to: Behind, url: string } | undefined} undefined: it belongs to none of several
 */
export function serverOf(behind, url) {
  const to = behind.find(({ path }) => url.startsWith(`${path}/`))
  if (to === undefined || to.path === '') return behind.length === 1 && behind[0] ? { to: behind[0], url } : undefined
  return { to, url: url.slice(to.path.length) }
}
