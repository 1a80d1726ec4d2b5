// @ts-check
/**
 * Checks that the lock file contains every platform binary that a package may need, and no address of a registry. npm
 * omits binaries that its registry lacks from a lock file, and such a lock file installs on no other platform.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROJECT } from './cache.mjs'
import { fail } from './say.mjs'

/** @typedef {{ packages?: Record<string, { resolved?: string, optionalDependencies?: Record<string, string> }> }} Lock */

/**
 * @param {Lock} lock a package-lock.json
 * @returns {string[]} what is wrong, a sentence each
 */
export function checkLock({ packages = {} }) {
  /** @type {string[]} */
  const wrong = []
  for (const [at, { resolved, optionalDependencies = {} }] of Object.entries(packages)) {
    if (resolved?.startsWith('http') === true) wrong.push(`${at}: the lock file names where it was downloaded from`)
    for (const dep of Object.keys(optionalDependencies)) {
      let dir = at
      while (dir !== '' && !packages[`${dir}/node_modules/${dep}`])
        dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/node_modules/')))
      if (dir === '' && !packages[`node_modules/${dep}`]) wrong.push(`${at}: ${dep} is not in the lock file`)
    }
  }
  return wrong
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wrong = checkLock(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')))
  if (wrong.length > 0) fail(`${wrong.join('\n')}\nUse versions that are complete, and run npm install again.`)
}
