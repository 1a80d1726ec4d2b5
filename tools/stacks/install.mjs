// @ts-check
/**
 * Installs the helper as `Raven.Debug` beside a server of the cache, if that server's package lacks it. Servers of
 * users are never modified: official downloads contain their own, and folders of other users must not be written.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheRoot, SCRATCH } from '../cache.mjs'
import { DIR_VARIABLE } from '../ravendb/get.mjs'
import { codeOf } from '../say.mjs'

/** Name of the program that RavenDB looks for, in the folder of `Raven.Server.dll`. */
const NAME = 'Raven.Debug'

const HELPER = fileURLToPath(new URL('./raven-debug.mjs', import.meta.url))

/** The launcher's second line, which distinguishes it from another tool. */
const MARK = "# Rookery's stand-in for RavenDB's own Raven.Debug: tools/stacks/raven-debug.mjs"

/**
 * @typedef {'installed' | 'present' | 'not ours' | 'not writable' | 'no server' | 'no Linux'} Outcome
 *   `present`: this helper, or a tool that is not ours, was there already
 */

/**
 * Installs the helper. Several processes may do so at the same time: the launcher appears in one step.
 * @param {string} server folder of `Raven.Server.dll`
 * @param {{ node?: string, helper?: string }} [options] absolute paths of Node and of the helper's program
 * @returns {Promise<Outcome>}
 */
export async function installHelper(server, { node = process.execPath, helper = HELPER } = {}) {
  if (process.platform !== 'linux') return 'no Linux'
  if (!existsSync(join(server, 'Raven.Server.dll'))) return 'no server'
  if (!isOurs(server)) return 'not ours'
  const place = join(server, NAME)
  const text = launcher(node, helper)
  const there = await readIfThere(place)
  if (there !== undefined && (there === text || there.split('\n')[1] !== MARK)) return 'present'
  const aside = `${place}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeFile(aside, text, { mode: 0o755 })
    await rename(aside, place)
  } catch (error) {
    // Another user filled the cache: its servers start without the helper.
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return 'not writable'
    throw error
  } finally {
    await rm(aside, { force: true })
  }
  return 'installed'
}

/**
 * @param {string} path
 * @returns {Promise<string | undefined>} undefined when nothing is there
 */
async function readIfThere(path) {
  try {
    // Another tool may be a program of megabytes; it is read at most once per start.
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * @param {string} dir
 * @returns {boolean} true below our cache, our scratch folder or the temporary folder, and not in a user's folder
 */
function isOurs(dir) {
  const users = process.env[DIR_VARIABLE]
  if (users && isBelow(dir, users)) return false
  return [cacheRoot(), SCRATCH, tmpdir()].some((root) => isBelow(dir, root))
}

/**
 * @param {string} dir
 * @param {string} root
 * @returns {boolean} also when they are the same
 */
function isBelow(dir, root) {
  return `${real(dir)}${sep}`.startsWith(`${real(root)}${sep}`)
}

/**
 * @param {string} path
 * @returns {string} without links, where it exists
 */
function real(path) {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/**
 * Script that starts the helper. The path of Node is absolute because the PATH of a service manager may not contain
 * `node`. The script reads the server's line even if it then fails: if a helper ends first, the server reports an I/O
 * error and loses the helper's message. Variables that Node would read from the environment are meant for the server,
 * not for the helper.
 * @param {string} node
 * @param {string} helper
 * @returns {string}
 */
function launcher(node, helper) {
  return `#!/bin/sh
${MARK}
node=${quoted(node)}
helper=${quoted(helper)}
if [ -x "$node" ] && [ -f "$helper" ]; then
  unset NODE_OPTIONS NODE_V8_COVERAGE NODE_CHANNEL_FD
  exec "$node" "$helper" "$@"
fi
case " $* " in *" --wait "*) read -r _ ;; esac
echo "The stack helper needs Node at $node and its program at $helper: restart the server with Rookery's tools." >&2
exit 127
`
}

/**
 * @param {string} path
 * @returns {string} one word of the shell
 */
function quoted(path) {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}
