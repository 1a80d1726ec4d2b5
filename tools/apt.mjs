// @ts-check
/** Installs Debian packages, if this user may. */
import { existsSync } from 'node:fs'
import { lastWords, run } from './children.mjs'

const APT_MS = 300_000

/** @returns {boolean} */
export function canApt() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

let updated = false

/**
 * @param {readonly string[]} packages
 * @returns {Promise<string>} why it failed, '' when it did not
 */
export async function aptInstall(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  // An unreachable site must not delay the command.
  const quick = [
    '-qq',
    '-o',
    'Acquire::http::Timeout=10',
    '-o',
    'Acquire::https::Timeout=10',
    '-o',
    'Acquire::Retries=1',
  ]
  if (!updated) {
    const update = await run('apt-get', ['update', ...quick], { env, timeout: APT_MS })
    if (update.code !== 0) return lastWords(update)
    updated = true
  }
  const install = ['install', '-y', '--no-install-recommends', ...quick, ...packages]
  const ran = await run('apt-get', install, { env, timeout: APT_MS })
  return ran.code === 0 ? '' : lastWords(ran)
}
