// @ts-check
/** Ends a recorder whose disk does not answer: its thread hangs in a call of the system, and cannot end by itself. */
import { Worker } from 'node:worker_threads'

/** Interval of a sign of life, ms. */
const SIGN_MS = 1000
/** Time without a sign of life after which the process is ended, ms. Merging the files of a day takes some seconds. */
const SILENT_MS = 60_000

/**
 * Watches the calling thread until the process ends.
 * @param {string} sentence written to stderr when the process is ended
 * @param {number} [silentMs]
 */
export function watchOver(sentence, silentMs = SILENT_MS) {
  const signs = new Int32Array(new SharedArrayBuffer(4))
  const every = Math.min(SIGN_MS, silentMs / 4)
  setInterval(() => Atomics.add(signs, 0, 1), every).unref()
  const thread = new URL('./watchdog-thread.mjs', import.meta.url)
  const watch = { signs, sentence, every: silentMs / 12 }
  new Worker(thread, { workerData: watch, execArgv: [], stdin: false }).unref()
}
