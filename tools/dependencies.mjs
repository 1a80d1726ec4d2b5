// @ts-check
/** Installs the project's dependencies if they differ from those of its lock file. Needs none of them itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './cache.mjs'
import { lastWords, run } from './children.mjs'
import { Plain } from './say.mjs'

/** Minimum version of Node for the tools. */
const NODE = [20, 19]
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

/** @throws {Plain} when this Node is too old */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [wantMajor = 0, wantMinor = 0] = NODE
  if (major < wantMajor || (major === wantMajor && minor < wantMinor))
    throw new Plain(`Node ${process.versions.node} is too old: install Node ${NODE.join('.')} or newer.`)
}

/**
 * @param {import('./say.mjs').Say} say
 * @throws {Plain} when npm fails
 */
export async function ensureDependencies(say) {
  checkNode()
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
