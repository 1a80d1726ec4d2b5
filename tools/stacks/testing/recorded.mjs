// @ts-check
/** The recorded session; see ../recorded/README.md. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** @returns {Buffer} a copy that a test may spoil */
export function recorded() {
  return gunzipSync(readFileSync(new URL('../recorded/idle.nettrace.gz', import.meta.url)))
}

/** A scheduler that knows nothing of the recorded threads. @type {import('../running.mjs').Scheduler} */
export const IDLE = { before: new Map(), after: new Map(), betweenMs: 20 }
