// @ts-check
/** Watches a download by the size of its folder: reports the progress, and cancels the download if it stalls. */
import { bytesBelow } from './cache.mjs'

/** Time without a new byte after which a download is cancelled, ms. */
const STALL_MS = 60_000
const LOOK_EVERY_MS = 500

/**
 * @template T
 * @param {object} what
 * @param {string} what.name for the progress lines
 * @param {string} what.dir the folder that grows
 * @param {number} [what.total] bytes expected
 * @param {number} [what.stall] milliseconds
 * @param {import('./say.mjs').Say} what.say
 * @param {(signal: AbortSignal) => Promise<T>} work must end soon after the signal
 * @returns {Promise<{ result: T, stalled: boolean }>}
 */
export async function watchDownload({ name, dir, total, stall = STALL_MS, say }, work) {
  const control = new AbortController()
  let bytes = 0
  let grew = Date.now()
  const timer = setInterval(() => {
    const now = bytesBelow(dir)
    if (now !== bytes) grew = Date.now()
    bytes = now
    say.progress(name, total === undefined ? { bytes } : { bytes, total })
    if (Date.now() - grew > stall) control.abort()
  }, LOOK_EVERY_MS)
  try {
    return { result: await work(control.signal), stalled: control.signal.aborted }
  } finally {
    clearInterval(timer)
  }
}
