// @ts-check
/** Starts a RavenDB server of a version, getting it first where needed. */
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
 * A server of our cache gets what its package lacks for live stack traces; one that the environment names is a user's.
 * @param {import('./get.mjs').RavenDb} ravendb
 * @returns {Promise<string>} its folder
 */
export async function withHelper({ dir, origin }) {
  const server = layoutOf(dir)?.server
  if (origin !== 'environment' && server !== undefined) await installHelper(server)
  return dir
}
