// @ts-check
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const SOURCE = resolve(import.meta.dirname, 'delays.c')

/**
 * Compiles `delays.c`, which holds up the journal writes of a server, into the folder. Linux alone. Errors: what the compiler says.
 * @param {string} folder
 * @returns {Promise<string | null>} path of the library, for LD_PRELOAD; null: there is no C compiler
 */
export async function compileDelays(folder) {
  const library = join(folder, 'delays.so')
  const args = ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl', '-lpthread', '-lm']
  try {
    await promisify(execFile)('cc', args)
    return library
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}

/**
 * What the environment of a server needs to be delayed as the file `delays` says, as `delays.c` reads it; it may be written later.
 * @param {string} library of `compileDelays` @param {string} delays
 */
export const delayedBy = (library, delays) => ({ LD_PRELOAD: library, DELAYS: delays })
