// @ts-check
/** The folder in which Vitest caches transformed modules (`vite.config.ts`). Vitest itself never removes any. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../cache.mjs'
import { codeOf } from '../say.mjs'

export const TRANSFORMS = join(PROJECT, 'node_modules', '.cache', 'vitest-modules')

/** Maximum age, ms. Older entries belong to texts that have changed since, or are created again in a moment. */
const MOST_AGE_MS = 7 * 86_400_000

/**
 * Removes the transforms that are older than a week. Another run may do the same concurrently.
 * @param {string} folder
 * @param {number} [nowMs]
 * @returns {number} how many went
 */
export function removeOldTransforms(folder, nowMs = Date.now()) {
  let gone = 0
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || !stats.isFile() || nowMs - stats.mtimeMs <= MOST_AGE_MS) continue
    rmSync(path, { force: true })
    gone++
  }
  return gone
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
