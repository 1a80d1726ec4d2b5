// @ts-check
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/**
 * Compiles `delays.c`, which delays the journal writes of a server, into a folder. Linux only. Errors: the compiler's
 * message.
 * @param {string} folder
 * @returns {Promise<string | null>} path of the library, for LD_PRELOAD; null: there is no C compiler
 */
export const compileDelays = (folder) => compile('delays', folder)

/**
 * Environment that delays a server as the file `delays` describes, in the form that `delays.c` reads. The file may be
 * written later.
 * @param {string} library of `compileDelays` @param {string} delays
 */
export const delayedBy = (library, delays) => ({ LD_PRELOAD: library, DELAYS: delays })

/**
 * Environment that sets the clock of a server ahead by a number of seconds, or behind if it is negative. Linux only.
 * Errors: the compiler's message.
 * @param {string} folder @param {number} seconds
 * @returns {Promise<Record<string, string> | null>} null: there is no C compiler
 */
export async function clockAhead(folder, seconds) {
  const library = await compile('clock', folder)
  return library === null ? null : { LD_PRELOAD: library, CLOCK_OFFSET: String(seconds) }
}

/** @param {'delays' | 'clock'} name @param {string} folder */
async function compile(name, folder) {
  const library = join(folder, `${name}.so`)
  const source = resolve(import.meta.dirname, `${name}.c`)
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread', '-lm']
  try {
    await promisify(execFile)('cc', args)
    return library
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}
