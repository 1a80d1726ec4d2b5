// @ts-check
/**
 * `npm start`: starts a real RavenDB with this studio at its `/studio` route and a database under load; with
 * `--server`, starts this studio in front of a running server. Ctrl-C ends all of it.
 */
import { join } from 'node:path'
import { DIST, ensureBuild } from './build.mjs'
import { PROJECT, SCRATCH } from './cache.mjs'
import { atEnd, endQuietly, unlessEnding } from './children.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { openInBrowser } from './open.mjs'
import { number, options } from './options.mjs'
import { createDatabase } from './ravendb/client.mjs'
import { getRavenDb } from './ravendb/get.mjs'
import { withHelper } from './ravendb/run.mjs'
import { mustBeFree, startServer } from './ravendb/server.mjs'
import { createSay, fail, Plain, sentence } from './say.mjs'
import { serveStudio } from './serve.mjs'
import { checkChanges } from './serve/changes.mjs'
import { PASSPHRASE } from './serve/identity.mjs'
import { introduce } from './serve/introduce.mjs'
import { namedServers, readTargets } from './serve/targets.mjs'
import { runWorkload } from './workload/run.mjs'

const PORT = 8085
const DATABASE = 'demo'

const HELP = `
npm start -- [options]

Gets RavenDB, starts it on loopback with the studio at /studio/index.html, and puts a database under load.
Its data is kept in .rookery/data; remove that folder to start over. Ctrl-C ends everything.

  --server URL       use a running server instead: nothing is started or created there. Several times: each is at an address
                     of its own, and the page Servers shows all of them
  --cluster          with one --server: the other nodes of its cluster, too
  --view-only        with --server: forwards what the studio reads, and nothing that changes something
  --port N           (${PORT})
  --ravendb VERSION  7.1.5, 6.2.4 or 5.4.207; short forms such as 6.2 will do
  --no-load          no workload
  --no-open          do not open a browser
  --help

For a secured server, with --server https://… (of several, after the one that they are for, or before all of them):

  --pfx FILE         certificate and key, as RavenDB hands them out, or
  --cert FILE        certificate, PEM, which may hold the key as well
  --key FILE         its key, PEM
  --ca FILE          PEM of the authority that signed the server's certificate, if this machine does not trust it
  --fingerprint HEX  SHA-256 of the server's certificate: trusts that one and checks nothing else of it
  --passphrase-file FILE
                     what opens the key; or give it in ${PASSPHRASE}
  --allow-changes    forwards requests that change something; by default a lent certificate only looks, as with --view-only

A folder that holds a RavenDB server can be named in ROOKERY_RAVENDB_DIR, one for downloads in ROOKERY_CACHE.
`

const SPECS = /** @type {const} */ ({
  server: { type: 'string', multiple: true },
  cluster: { type: 'boolean' },
  cert: { type: 'string', multiple: true },
  key: { type: 'string', multiple: true },
  pfx: { type: 'string', multiple: true },
  'passphrase-file': { type: 'string', multiple: true },
  ca: { type: 'string', multiple: true },
  fingerprint: { type: 'string', multiple: true },
  port: { type: 'string' },
  ravendb: { type: 'string' },
  'allow-changes': { type: 'boolean' },
  'view-only': { type: 'boolean' },
  'no-load': { type: 'boolean' },
  'no-open': { type: 'boolean' },
})

async function main() {
  const given = options(SPECS, HELP)
  const port = number('--port', given['port'], { min: 0, max: 65_535 }) ?? PORT
  const named = namedServers(process.argv.slice(2), SPECS)
  const isStandAlone = named.length > 0
  const version = typeof given['ravendb'] === 'string' ? given['ravendb'] : undefined
  if (isStandAlone && version !== undefined)
    throw new Plain('--server and --ravendb exclude each other: leave one out.')
  checkChanges(given, isStandAlone)
  endQuietly()
  if (port !== 0) await mustBeFree(port)
  const open = given['no-open'] !== true
  const isCluster = given['cluster'] === true
  if (isStandAlone || isCluster) await inFrontOf(await readTargets(named, given, { isCluster }), { port, open })
  else await embedded({ version, port, load: given['no-load'] !== true, open })
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
  const page = `${server.url}/studio/index.html`
  ready(page, open ? page : undefined)
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
 * @param {readonly import('./serve/targets.mjs').Target[]} servers
 * @param {{ port: number, open: boolean }} options
 */
async function inFrontOf(servers, { port, open }) {
  const say = createSay()
  const met = await Promise.all(
    servers.map(async (server) => {
      try {
        return { ...server, ...(await introduce(server.target, server.identity)), why: '' }
      } catch (error) {
        // With several servers, one that does not respond must not prevent use of the others.
        if (servers.length === 1) throw error
        return { ...server, version: undefined, wantsCode: false, who: undefined, why: sentence(error) }
      }
    }),
  )
  await ensureDependencies(say)
  await ensureBuild(say)
  const { page } = await serveStudio({
    dist: DIST,
    servers,
    port,
    onOpened: () => process.stdout.write(`It is open. In another browser open ${page()}\n`),
  })
  for (const each of met) tell(each, say)
  ready(page(), open ? page() : undefined)
}

/**
 * @param {import('./serve/targets.mjs').Target & import('./serve/introduce.mjs').Introduced & { why: string }} server
 * @param {import('./say.mjs').Say} say
 */
function tell({ target, identity, allowChanges, version, wantsCode, who, why }, say) {
  say.note(`in front of RavenDB${version ? ` ${version}` : ''} at ${target.origin}`)
  if (why !== '') say.note(`which does not answer now: ${why}`)
  say.note(
    allowChanges
      ? 'nothing is written there but by actions that are clicked in the page'
      : 'view only: what the studio reads is forwarded, and nothing else; --allow-changes instead lifts that',
  )
  if (identity.fingerprint !== undefined) say.note('of the server’s certificate only the fingerprint is checked')
  if (wantsCode) say.note('the certificate needs a two-factor code, for which the page asks')
  if (who !== undefined) {
    const until = who.notAfter === '' ? '' : `, until ${who.notAfter}`
    say.note(
      `everything is asked as “${who.name}” (${who.clearance}${until}); keep the key in this address to yourself`,
    )
  }
}

/**
 * @param {string} page
 * @param {string | undefined} opened what a browser is started with; undefined: none is
 */
function ready(page, opened) {
  process.stdout.write(`\nThe studio is at ${page}\nCtrl-C ends it.\n\n`)
  if (opened !== undefined) openInBrowser(opened)
}

process.chdir(PROJECT)
main().catch(unlessEnding(fail))
