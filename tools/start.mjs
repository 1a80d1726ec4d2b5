// @ts-check
/**
 * `npm start`: a real RavenDB with our studio at its `/studio` route and a database under load; with `--server`, our
 * studio in front of a server that is running already. Ctrl-C ends all of it.
 */
import { join } from 'node:path'
import { DIST, ensureBuild } from './build.mjs'
import { PROJECT, SCRATCH } from './cache.mjs'
import { atEnd, endQuietly } from './children.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { openInBrowser } from './open.mjs'
import { number, options, serverUrl } from './options.mjs'
import { createDatabase } from './ravendb/client.mjs'
import { getRavenDb } from './ravendb/get.mjs'
import { withHelper } from './ravendb/run.mjs'
import { mustBeFree, startServer } from './ravendb/server.mjs'
import { createSay, fail, Plain, sentence } from './say.mjs'
import { serveStudio } from './serve.mjs'
import { runWorkload } from './workload/run.mjs'

const PORT = 8085
const DATABASE = 'demo'

const HELP = `
npm start -- [options]

Gets RavenDB, starts it on loopback with the studio at /studio/index.html, and puts a database under load.
Its data is kept in .rookery/data; remove that folder to begin anew. Ctrl-C ends everything.

  --server URL       use a running server instead: nothing is started, created or written there
  --port N           (${PORT})
  --ravendb VERSION  7.1.5, 6.2.4 or 5.4.207; short forms such as 6.2 will do
  --no-load          no workload
  --no-open          do not open a browser
  --help

A folder that holds a RavenDB server can be named in ROOKERY_RAVENDB_DIR, one for downloads in ROOKERY_CACHE.
`

async function main() {
  const given = options(
    {
      server: { type: 'string' },
      port: { type: 'string' },
      ravendb: { type: 'string' },
      'no-load': { type: 'boolean' },
      'no-open': { type: 'boolean' },
    },
    HELP,
  )
  const port = number('--port', given['port'], { min: 0, max: 65_535 }) ?? PORT
  const target = serverUrl('--server', given['server'])
  const version = typeof given['ravendb'] === 'string' ? given['ravendb'] : undefined
  if (target && version !== undefined) throw new Plain('--server and --ravendb exclude each other: leave one out.')
  endQuietly()
  if (port !== 0) await mustBeFree(port)
  if (target) await inFrontOf(target, port, given['no-open'] !== true)
  else await embedded({ version, port, load: given['no-load'] !== true, open: given['no-open'] !== true })
}

/**
 * @param {{ version: string | undefined, port: number, load: boolean, open: boolean }} options
 */
async function embedded({ version, port, load, open }) {
  const say = createSay()
  const [ravendb] = await Promise.all([
    getRavenDb({ version, say: createSay() }),
    ensureDependencies(say).then(() => ensureBuild(say)),
  ])
  say.step(`Starting RavenDB ${ravendb.version}`)
  await withHelper(ravendb)
  const server = await startServer({
    dir: ravendb.dir,
    dataDir: join(SCRATCH, 'data', ravendb.version),
    port,
    studioPath: DIST,
  })
  const stopped = new AbortController()
  atEnd({ polite: () => Promise.resolve(stopped.abort()) })
  void server.exited.then((code) => {
    if (!stopped.signal.aborted)
      fail(`RavenDB ended by itself (code ${code ?? 'none'}): its logs are in ${server.dataDir}/logs.`)
  })
  if (await createDatabase(server.url, DATABASE)) say.note(`created database ${DATABASE}`)
  say.done(`RavenDB ${server.version} is running, process ${server.pid}`)
  ready(server.url, open)
  if (!load) return
  const own = createSay({ prefix: 'workload' })
  own.step(`: users of database ${DATABASE}`)
  runWorkload({ url: server.url, database: DATABASE, signal: stopped.signal, say: own }).catch(
    (/** @type {unknown} */ error) => {
      own.note(`ended: ${sentence(error)}`)
    },
  )
}

/**
 * @param {URL} target
 * @param {number} port
 * @param {boolean} open
 */
async function inFrontOf(target, port, open) {
  const say = createSay()
  const version = await versionOf(target)
  await ensureDependencies(say)
  await ensureBuild(say)
  const { url } = await serveStudio({ dist: DIST, target, port })
  say.note(`in front of RavenDB ${version} at ${target.origin}; nothing is written there`)
  ready(url, open)
}

/**
 * @param {URL} target
 * @returns {Promise<string>}
 * @throws {Plain} when no RavenDB answers there
 */
async function versionOf({ origin }) {
  const advice = 'check the address, and that the server runs'
  /** @type {Response} */
  let response
  try {
    response = await fetch(`${origin}/build/version`, { signal: AbortSignal.timeout(10_000) })
  } catch (error) {
    const { cause, name } = /** @type {{ cause?: { code?: string, message?: string }, name: string }} */ (error)
    throw new Plain(`${origin} does not answer (${cause?.code ?? cause?.message ?? name}): ${advice}.`)
  }
  if (response.status === 403)
    throw new Plain(`${origin} asks for a client certificate, which is not possible yet: use an unsecured server.`)
  const body = await response.json().catch(() => undefined)
  if (typeof body?.FullVersion !== 'string')
    throw new Plain(`${origin} answers, but not as RavenDB does (HTTP ${response.status}): ${advice}.`)
  return body.FullVersion
}

/**
 * @param {string} url
 * @param {boolean} open
 */
function ready(url, open) {
  const page = `${url}/studio/index.html`
  process.stdout.write(`\nThe studio is at ${page}\nCtrl-C ends it.\n\n`)
  if (open) openInBrowser(page)
}

process.chdir(PROJECT)
main().catch(fail)
