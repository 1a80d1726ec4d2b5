// @ts-check
/**
 * Output of a command while it works: a title per step, the progress of a download, and a one-sentence message if it
 * fails.
 */

/**
 * @typedef {object} Say
 * @property {(title: string) => void} step a step begins
 * @property {(text: string) => void} note something worth knowing, in the middle of a step
 * @property {(what: string, far: Far) => void} progress how far; shown at most every two seconds
 * @property {(text?: string) => void} done the step ended well; elapsed time is added
 *
 * @typedef {object} Far
 * @property {number} bytes received so far
 * @property {number} [total] bytes expected, where known
 */

/** Error whose message is one sentence for the user: what happened and what to do. No stack is shown. */
export class Plain extends Error {
  /** @override */
  name = 'Plain'
}

/** Minimum time between two progress lines, ms. */
const PROGRESS_EVERY_MS = 2000

/**
 * @param {{ prefix?: string, write?: (text: string) => void, now?: () => number }} [options] `prefix` starts every line
 * @returns {Say}
 */
export function createSay({ prefix = '', write = (text) => process.stdout.write(text), now = Date.now } = {}) {
  let began = now()
  let shown = began
  return {
    step(title) {
      began = now()
      shown = began
      write(`${prefix}${title} …\n`)
    },
    note(text) {
      write(`${prefix}  ${text}\n`)
    },
    progress(what, far) {
      if (far.bytes === 0 || now() - shown < PROGRESS_EVERY_MS) return
      shown = now()
      const of = far.total === undefined ? '' : ` of ${megabytes(far.total)}`
      write(`${prefix}  ${what}: ${megabytes(far.bytes)}${of}, ${seconds(now() - began)}\n`)
    },
    done(text = 'done') {
      write(`${prefix}  ${text} (${seconds(now() - began)})\n`)
    },
  }
}

/** Reports nothing, for tests and for callers without a console. @type {Say} */
export const silent = { step() {}, note() {}, progress() {}, done() {} }

/**
 * @param {number} bytes
 * @returns {string} such as `178.2 MB`
 */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * @param {number} ms
 * @returns {string} such as `1.4 s`
 */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

/**
 * Message of an error for the user: that of a {@link Plain}, a known system error in words, otherwise its stack.
 * @param {unknown} error
 * @returns {string}
 */
export function sentence(error) {
  if (error instanceof Plain) return error.message
  if (!(error instanceof Error)) return String(error)
  switch (codeOf(error)) {
    case 'ENOSPC':
      return 'The disk is full: free about 1 GB, or name another folder for downloads in ROOKERY_CACHE.'
    case 'EDQUOT':
      return 'The disk quota is used up: free about 1 GB, or name another folder for downloads in ROOKERY_CACHE.'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `A file may not be written (${error.message}): give this user the right, or name another folder in ROOKERY_CACHE.`
    default:
      return `This was not expected: ${error.stack ?? error.message}`
  }
}

/**
 * @param {unknown} error
 * @returns {string} the `code` of a system error, else ''
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * Ends the process with one sentence on standard error and exit code 1.
 * @param {unknown} error a sentence, or an error
 * @returns {never}
 */
export function fail(error) {
  process.stderr.write(`\n${typeof error === 'string' ? error : sentence(error)}\n`)
  process.exit(1)
}
