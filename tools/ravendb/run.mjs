// @ts-check
/** Starts a RavenDB server of a given version. Gets it first if necessary. */
import { resolve } from 'node:path'
import { installHelper } from '../stacks/install.mjs'
import { getRavenDb } from './get.mjs'
import { layoutOf } from './layout.mjs'
import { startServer } from './server.mjs'

export { freePort } from './server.mjs'

/** @typedef {import('./server.mjs').RunningRavenDb} RunningRavenDb */

/**
 * @typedef {object} StartOptions
 * @property {string | undefined} [version] such as `7.1.5`, `6.2`, `5.4`; the default version when left out
 * @property {string} [dir] a folder that holds the server, instead of a version
 * @property {import('../say.mjs').Say} [say] where getting it is reported
 */

/**
 * @param {StartOptions & import('./server.mjs').ServerOptions} [options]
 * @returns {Promise<RunningRavenDb>} once it answered its version
 * @throws {import('../say.mjs').Plain} with what to do
 */
export async function startRavenDb({ version, dir, say, ...options } = {}) {
  const from = dir ?? (await withHelper(await getRavenDb({ version, ...(say ? { say } : {}) })))
  return startServer({ ...options, dir: resolve(from) })
}

/**
 * Adds the helper that its package lacks for live stack traces to a server of the cache. A server that the environment
 * names belongs to the user and is left unchanged.
 * @param {import('./get.mjs').RavenDb} ravendb
 * @returns {Promise<string>} its folder
 */
export async function withHelper({ dir, origin }) {
  const server = layoutOf(dir)?.server
  if (origin !== 'environment' && server !== undefined) await installHelper(server)
  return dir
}
