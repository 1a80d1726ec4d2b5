// @ts-check
/**
 * The folder for downloads. Each entry (a unit) is a folder that appears in one step, complete and checked, and
 * contains a file `ok` that describes it. Several processes may use it at the same time.
 */
import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alive, atEnd } from './children.mjs'
import { codeOf, megabytes, Plain } from './say.mjs'

/** The project's folder. */
export const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Folder for everything that commands of the project write outside the build. Git ignores it. */
export const SCRATCH = join(PROJECT, '.rookery')

/**
 * Path of the cache, created if missing: `$ROOKERY_CACHE`, `$XDG_CACHE_HOME/rookery`, `~/.cache/rookery`, or, if the
 * home folder is not writable, `.rookery/cache` of the project.
 * @returns {string} absolute
 */
export function cacheRoot() {
  const named = process.env['ROOKERY_CACHE']
  if (named) return writable(resolve(named)) ?? unusable(resolve(named))
  const xdg = process.env['XDG_CACHE_HOME']
  // os.homedir() would read the user database if HOME is unset; unsetting it is meant to prevent that.
  const home = process.platform === 'win32' ? homedir() : process.env['HOME']
  const usual = xdg ? join(xdg, 'rookery') : home ? join(home, '.cache', 'rookery') : undefined
  const own = join(SCRATCH, 'cache')
  return (usual === undefined ? undefined : writable(resolve(usual))) ?? writable(own) ?? unusable(own)
}

/**
 * @param {string} dir
 * @returns {string | undefined}
 */
function writable(dir) {
  try {
    makeFolder(dir)
    accessSync(dir, constants.W_OK)
    return dir
  } catch {
    return undefined
  }
}

/**
 * Creates a folder and those above it. `mkdirSync` with `recursive` never returns where the system answers ENOENT below
 * a folder that exists, as Linux does below /proc.
 * @param {string} dir absolute
 * @throws {Error} of the system
 */
function makeFolder(dir) {
  const isFolder = () => statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder()) return
  if (dirname(dir) !== dir) makeFolder(dirname(dir))
  try {
    mkdirSync(dir)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder()) throw error
  }
}

/**
 * @param {string} dir
 * @returns {never}
 */
function unusable(dir) {
  throw new Plain(`The folder ${dir} cannot be created or written: name another one in ROOKERY_CACHE.`)
}

/**
 * Content of a unit's `ok` file.
 * @typedef {object} Unit
 * @property {string} dir absolute
 * @property {Record<string, string>} ok
 */

/**
 * @param {string} name
 * @returns {Promise<Unit | undefined>} undefined when it is not there, or not complete
 */
export async function findUnit(name) {
  const dir = join(cacheRoot(), name)
  const ok = await readOk(dir)
  return ok && { dir, ok }
}

/**
 * @param {string} dir
 * @returns {Promise<Record<string, string> | undefined>}
 */
async function readOk(dir) {
  try {
    return /** @type {Record<string, string>} */ (JSON.parse(await readFile(join(dir, 'ok'), 'utf8')))
  } catch {
    return undefined
  }
}

/** @type {Map<string, Promise<Unit>>} builds of this process that are under way */
const underWay = new Map()

/**
 * Finds a unit, or builds it in a separate folder and moves it into place in one step. Leaves nothing behind if the
 * build fails or the process is ended.
 * @param {string} name such as `ravendb-7.1.5-linux-x64`
 * @param {(dir: string) => Promise<Record<string, string>>} build fills the empty folder; answers what `ok` shall say
 * @param {{ needs?: number }} [options] bytes of disk that the build needs
 * @returns {Promise<Unit>}
 */
export async function unit(name, build, { needs } = {}) {
  const found = await findUnit(name)
  if (found) return found
  const running = underWay.get(name)
  if (running) return running
  const made = make(name, build, needs).finally(() => underWay.delete(name))
  underWay.set(name, made)
  return made
}

/**
 * @param {string} name
 * @param {(dir: string) => Promise<Record<string, string>>} build
 * @param {number | undefined} needs
 * @returns {Promise<Unit>}
 */
async function make(name, build, needs) {
  const root = cacheRoot()
  removeStale(root)
  await enoughDisk(root, needs)
  const aside = join(root, `.tmp-${process.pid}-${randomBytes(4).toString('hex')}-${name}`)
  const off = atEnd({ hard: () => rmSync(aside, { recursive: true, force: true, maxRetries: 3 }) })
  try {
    await mkdir(aside, { recursive: true })
    const ok = await build(aside)
    await writeFile(join(aside, 'ok'), `${JSON.stringify(ok, null, 2)}\n`)
    return { dir: await moveIn(aside, join(root, name)), ok }
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 3 })
    off()
  }
}

/**
 * @param {string} aside
 * @param {string} place
 * @returns {Promise<string>} the place
 */
async function moveIn(aside, place) {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(aside, place)
      return place
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error)) || attempt > 2) throw error
      if (await readOk(place)) return place // Another process was faster; its result is equal.
      await rm(place, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/**
 * Removes folders that dead processes left behind.
 * @param {string} root
 */
function removeStale(root) {
  for (const name of readdirSync(root)) {
    const pid = Number(/^\.tmp-(\d+)-/.exec(name)?.[1] ?? 0)
    if (pid > 0 && pid !== process.pid && !alive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} root
 * @param {number | undefined} needs bytes
 */
async function enoughDisk(root, needs) {
  if (needs === undefined) return
  const { bavail, bsize } = await statfs(root)
  const free = bavail * bsize
  if (free < needs)
    throw new Plain(
      `There are ${megabytes(free)} free in ${root} and ${megabytes(needs)} are needed: free some, or name another folder in ROOKERY_CACHE.`,
    )
}

/**
 * Total size of all files below a folder, bytes, for progress. Files that disappear meanwhile are not counted.
 * @param {string} dir
 * @returns {number}
 */
export function bytesBelow(dir) {
  let sum = 0
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      if (entry.isDirectory()) sum += bytesBelow(path)
      else if (entry.isFile()) sum += sizeOf(path)
    }
  } catch {
    // The folder disappeared meanwhile.
  }
  return sum
}

/**
 * @param {string} path
 * @returns {number} bytes, 0 when it is gone
 */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
