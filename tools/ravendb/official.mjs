// @ts-check
/**
 * Gets the official, self-contained server as the npm package `ravendb-embedded` downloads it. Only that package knows
 * the URL.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lastWords, run } from '../children.mjs'
import { npmPackage } from '../npm.mjs'
import { Plain } from '../say.mjs'
import { watchDownload } from '../watch.mjs'

const DOWNLOADER = 'ravendb-embedded@7.2.5'

/** Maximum time for the download site to respond before another way is tried, ms. */
const PROBE_MS = 4000
/**
 * Time without growth of the folder after which unpacking counts as stalled, ms. It takes a minute or two on a slow
 * machine, and the folder grows in bursts.
 */
const STALL_MS = 120_000

/**
 * Script that prints the status of the URL. It runs in the package's folder, where the package's own code builds the
 * URL.
 */
const PROBE = `
  const { ServerDownloader: d } = require('./dist/ServerDownloader')
  fetch(d.buildDownloadUrl(process.argv[1], d.resolvePlatform()), { method: 'HEAD', signal: AbortSignal.timeout(${PROBE_MS}) })
    .then((r) => console.log(r.status), (e) => console.log(e.cause?.code ?? e.cause?.message ?? e.name))
    .then(() => process.exit(0))
`

/**
 * Downloads the official archive and unpacks it into `dir`.
 * @param {string} dir an empty folder
 * @param {string} version
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<void>}
 * @throws {Plain} when it cannot be had this way, with the reason
 */
export async function downloadOfficial(dir, version, say) {
  const work = join(dir, 'work')
  await mkdir(work)
  const downloader = await getDownloader(work, say)
  await probe(downloader, version)
  say.note(`downloading the official RavenDB ${version}`)
  const args = [join(downloader, 'bin', 'install.js'), 'install', version, '--dir', join(work, 'out')]
  const { result, stalled } = await watchDownload({ name: 'RavenDB', dir: work, stall: STALL_MS, say }, (signal) =>
    run(process.execPath, args, { signal, env: { RAVENDB_EMBEDDED_CACHE_DIR: '' } }),
  )
  if (stalled) throw new Plain(`its download brought nothing for ${STALL_MS / 1000} s`)
  if (result.code !== 0) throw new Plain(`its download failed (${lastWords(result)})`)
  const [folder] = await readdir(join(work, 'out'))
  if (folder === undefined) throw new Plain('its download left nothing behind')
  const from = join(work, 'out', folder)
  for (const name of await readdir(from)) await rename(join(from, name), join(dir, name))
  await rm(work, { recursive: true, force: true })
}

/**
 * @param {string} work
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<string>} the package's folder
 */
async function getDownloader(work, say) {
  for (const [name, bytes] of await npmPackage(DOWNLOADER, { work, say })) {
    await mkdir(dirname(join(work, name)), { recursive: true })
    await writeFile(join(work, name), bytes)
  }
  return join(work, 'package')
}

/**
 * @param {string} downloader
 * @param {string} version
 */
async function probe(downloader, version) {
  const ran = await run(process.execPath, ['-e', PROBE, version], { cwd: downloader, timeout: PROBE_MS + 2000 })
  const answer = ran.output.trim()
  if (answer === '200') return
  if (/^\d+$/.test(answer)) throw new Plain(`its site has no RavenDB ${version} for this platform (HTTP ${answer})`)
  throw new Plain(`its site cannot be reached (${answer || lastWords(ran)})`)
}
