// @ts-check
/** Whether the stand-alone server forwards requests that change something, by the options of `npm start`. */
import { Plain } from '../say.mjs'
import { hasCertificate } from './identity.mjs'

const NAMES = /** @type {const} */ (['view-only', 'allow-changes'])

/**
 * @param {Record<string, string | boolean | undefined>} given
 * @param {boolean} isStandAlone there is a forwarder that could refuse them
 * @throws {Plain} where that makes no sense
 */
export function checkChanges(given, isStandAlone) {
  const [name, other] = NAMES.filter((each) => given[each] === true)
  if (other !== undefined) throw new Plain(`--${name} and --${other} exclude each other: leave one out.`)
  if (name !== undefined && !isStandAlone)
    throw new Plain(`--${name} is for the stand-alone server: name the server behind it with --server URL.`)
}

/**
 * @param {Record<string, string | boolean | undefined>} given
 * @param {import('./identity.mjs').Identity} identity
 * @returns {boolean} a lent certificate only looks, unless more is wanted; else all passes, unless less is
 */
export const allowsChanges = (given, identity) =>
  hasCertificate(identity) ? given['allow-changes'] === true : given['view-only'] !== true
