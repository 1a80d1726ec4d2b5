// @ts-check
/** Runs the capture in a separate thread, so that the program's time limit applies whatever the capture does. */
import { parentPort, workerData } from 'node:worker_threads'
import { Plain } from '../say.mjs'
import { capture } from './capture.mjs'
import { asciiJson, mergeStacks } from './merge.mjs'

/** @typedef {{ text: string } | { wrong: string }} Outcome the answer, or why there is none, in one sentence */

/**
 * @param {import('./arguments.mjs').Arguments} args
 * @returns {Promise<Outcome>}
 */
async function outcome({ pid, threads, addresses }) {
  try {
    const { stacks, named } = await capture(pid)
    if (addresses) return { text: asciiJson({ Addresses: named }) }
    const wanted = threads.length === 0 ? stacks : stacks.filter(({ thread }) => threads.includes(thread))
    return { text: asciiJson({ Results: mergeStacks(wanted) }) }
  } catch (error) {
    if (error instanceof Plain) return { wrong: error.message }
    return { wrong: `The stacks of process ${pid} could not be read (${String(error)}).` }
  }
}

parentPort?.postMessage(await outcome(/** @type {import('./arguments.mjs').Arguments} */ (workerData)))
