// @ts-check
/** Thread of `watchdog.mjs`: it must not touch the disk. */
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

/**
 * Number of probes without a sign of life after which the process is ended. They are counted, and not the time: a
 * process that was stopped, or a machine that slept, hangs nowhere.
 */
const PROBES = 12

/** @type {{ signs: Int32Array, sentence: string, every: number }} */
const { signs, sentence, every } = workerData
let last = Atomics.load(signs, 0)
let silent = 0
setInterval(() => {
  const now = Atomics.load(signs, 0)
  silent = now === last ? silent + 1 : 0
  last = now
  if (silent < PROBES) return
  try {
    writeSync(2, `\n${sentence}\n`)
  } finally {
    // Also where no terminal reads the sentence any more. A thread can end only itself by process.exit.
    process.kill(process.pid, 'SIGKILL')
  }
}, every)
