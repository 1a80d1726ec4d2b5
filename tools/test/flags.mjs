// @ts-check
import { spawnSync } from 'node:child_process'

/**
 * Those of V8's flags that this Node accepts: they come and go with its version, and a process with an unknown one does
 * not start.
 * @param {readonly string[]} flags
 * @returns {string[]}
 */
export const accepted = (flags) =>
  flags.filter((flag) => spawnSync(process.execPath, [flag, '--eval', ''], { stdio: 'ignore' }).status === 0)
