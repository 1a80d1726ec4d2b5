// @ts-check
/** Downloads packages as archives with npm itself, which knows the registry and how to reach it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tgzFiles } from './archive/untar.mjs'
import { lastWords, run } from './children.mjs'
import { Plain } from './say.mjs'
import { watchDownload } from './watch.mjs'

/** Options that detect a missing network at the second attempt. By default npm tries for a minute. */
const SHORT_PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000']

/**
 * @param {string} spec such as `name@1.2.3`
 * @param {object} options
 * @param {string} options.work a folder for what comes and goes meanwhile, npm's cache too
 * @param {string} [options.name] for the progress lines
 * @param {import('./say.mjs').Say} options.say
 * @returns {Promise<Map<string, Buffer>>} the package's files; their paths begin with `package/`
 * @throws {Plain} when it cannot be had
 */
export async function npmPackage(spec, { work, name = spec, say }) {
  const args = [
    'pack',
    '--loglevel=error',
    '--pack-destination',
    work,
    '--cache',
    join(work, 'npm'),
    ...SHORT_PATIENCE,
    spec,
  ]
  const { result, stalled } = await watchDownload({ name, dir: work, say }, (signal) =>
    run('npm', args, { cwd: work, signal }),
  )
  if (stalled || result.code !== 0)
    throw new Plain(`npm could not get ${spec} (${stalled ? 'it stalled' : lastWords(result)})`)
  const tgz = (await readdir(work)).find((file) => file.endsWith('.tgz'))
  if (tgz === undefined) throw new Plain(`npm left no archive of ${spec}`)
  return tgzFiles(await readFile(join(work, tgz)))
}
