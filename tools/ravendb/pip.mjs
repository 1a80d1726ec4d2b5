// @ts-check
/** Finds pip. If it is missing, root can install it with apt on Debian and its derivatives. */
import { run } from '../children.mjs'
import { Plain } from '../say.mjs'
import { canApt, aptInstall } from '../apt.mjs'

/** @typedef {{ command: string, args: readonly string[] }} Pip */

/** @type {readonly Pip[]} */
const PLACES = [
  { command: 'python3', args: ['-m', 'pip'] },
  { command: '/usr/bin/python3', args: ['-m', 'pip'] },
  { command: 'python', args: ['-m', 'pip'] },
  { command: 'pip3', args: [] },
]

/** @returns {Promise<Pip | undefined>} */
async function look() {
  for (const place of PLACES) {
    const ran = await run(place.command, [...place.args, '--version'], { timeout: 20_000 })
    if (ran.code === 0) return place
  }
  return undefined
}

/**
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<Pip>}
 * @throws {Plain} when there is none and none can be installed
 */
export async function findPip(say) {
  const found = await look()
  if (found) return found
  if (canApt()) {
    say.note('pip is missing: installing python3-pip with apt-get')
    const failed = await aptInstall(['python3-pip'])
    const now = await look()
    if (now) return now
    throw new Plain(`pip is missing and apt-get could not install python3-pip (${failed || 'it is still missing'})`)
  }
  throw new Plain('pip is missing: install Python 3 with pip')
}
