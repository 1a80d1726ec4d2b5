// @ts-check
/** The RavenDB versions that are available, and their names. */
import { Plain } from '../say.mjs'

/** The version that is used unless another one is requested. */
export const DEFAULT_VERSION = '7.1.5'

/** Version of the server → version of the Python package that carries it. @type {ReadonlyMap<string, string>} */
export const PACKAGED = new Map([
  ['7.1.5', '7.1.5'],
  ['6.2.4', '6.2.4'],
  ['5.4.207', '5.4.0'],
])

/** The newest version, the first of {@link PACKAGED}. */
export const NEWEST = '7.1.5'

/** @type {ReadonlyMap<string, string>} */
const ALIASES = new Map([
  ['7', '7.1.5'],
  ['7.1', '7.1.5'],
  ['6', '6.2.4'],
  ['6.2', '6.2.4'],
  ['5', '5.4.207'],
  ['5.4', '5.4.207'],
  ['5.4.0', '5.4.207'],
])

/**
 * @param {string} requested such as `7.1`, `5.4.0`, `7.1.5`, `v6.2`
 * @returns {string} a full version such as `5.4.207`; any other `major.minor.patch` is answered as it is
 * @throws {Plain} when it is no version
 */
export function resolveVersion(requested) {
  const version = requested.trim().replace(/^v/i, '')
  const known = ALIASES.get(version)
  if (known !== undefined) return known
  if (/^\d+\.\d+\.\d+$/.test(version)) return version
  throw new Plain(`${JSON.stringify(requested)} is no RavenDB version: use one of ${[...PACKAGED.keys()].join(', ')}.`)
}
