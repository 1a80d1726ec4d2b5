// @ts-check
/** Installs the project's dependencies if they differ from those of its lock file. Needs none of them itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './cache.mjs'
import { lastWords, run } from './children.mjs'
import { Plain } from './say.mjs'

/** Time limit for npm, ms. */
const NPM_MS = 600_000

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }>} Packages */

/**
 * Whether a node_modules folder contains the packages of a lock file. Packages for other platforms may be missing.
 * @param {Packages} wanted `packages` of package-lock.json
 * @param {Packages} there `packages` of node_modules/.package-lock.json
 * @returns {boolean}
 */
export function sameDependencies(wanted, there) {
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '') continue
    const got = there[path]
    if (got ? got.version !== version : !optional && !devOptional) return false
  }
  return Object.keys(there).every((path) => path in wanted)
}

/**
 * @param {string} path
 * @returns {Packages | undefined}
 */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** @returns {boolean} */
function installed() {
  const wanted = packagesOf(join(PROJECT, 'package-lock.json'))
  const there = packagesOf(join(PROJECT, 'node_modules', '.package-lock.json'))
  return wanted !== undefined && there !== undefined && sameDependencies(wanted, there)
}

/**
 * @param {import('./say.mjs').Say} say
 * @throws {Plain} when npm fails
 */
export async function ensureDependencies(say) {
  if (installed()) return
  if (!existsSync(join(PROJECT, 'package-lock.json')))
    throw new Plain('package-lock.json is missing: this is no complete copy of the project.')
  say.step('Installing dependencies with npm ci')
  const began = Date.now()
  const timer = setInterval(() => say.note(`npm ci is at work, ${Math.round((Date.now() - began) / 1000)} s`), 5000)
  try {
    const ran = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PROJECT, timeout: NPM_MS })
    if (ran.code !== 0)
      throw new Plain(`npm ci failed (${lastWords(ran)}): check the network and the disk, then try again.`)
  } finally {
    clearInterval(timer)
  }
  say.done('dependencies are installed')
}
