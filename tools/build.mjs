// @ts-check
/** Builds the studio if its sources are newer than the last build. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './cache.mjs'
import { run } from './children.mjs'
import { createSay, Plain } from './say.mjs'

/** Folder of the build. */
export const DIST = join(PROJECT, 'dist')

/** Path of Vite's program, which Node runs. */
export const VITE = join(PROJECT, 'node_modules', 'vite', 'bin', 'vite.js')
const BUILD_MS = 300_000
/** Sources of a build. A folder includes everything below it. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tools/pack.mjs',
  'tools/assembly.mjs',
]

/**
 * @param {string} path
 * @returns {number} when it or anything below it was changed last, milliseconds; 0 when it is not there
 */
export function changedAt(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  // A removed file changes the modification time of its folder.
  return readdirSync(path).reduce((last, name) => Math.max(last, changedAt(join(path, name))), stat.mtimeMs)
}

/** @returns {boolean} */
export function isBuilt() {
  const built = changedAt(join(DIST, 'Raven.Studio.zip'))
  return built > 0 && SOURCES.every((source) => changedAt(join(PROJECT, source)) <= built)
}

/**
 * @param {import('./say.mjs').Say} say
 * @param {{ always?: boolean }} [options] `always`: even when nothing changed
 * @returns {Promise<number>} CPU that it took, milliseconds
 * @throws {Plain} when it fails
 */
export async function ensureBuild(say, { always = false } = {}) {
  if (!always && isBuilt()) return 0
  say.step('Building the studio')
  const ran = await run(process.execPath, [VITE, 'build'], { cwd: PROJECT, timeout: BUILD_MS })
  if (ran.code !== 0) throw new Plain(`The build failed:\n${(ran.errors || ran.output).trim()}`)
  say.done('dist/Raven.Studio.zip is built')
  return ran.cpuMs
}

/** Studio to be measured: never an old build. @returns {Promise<string>} its folder @throws {Plain} when it fails */
export async function builtStudio() {
  await ensureBuild(createSay())
  return DIST
}
