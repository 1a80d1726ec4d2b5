// @ts-check
/**
 * Whether an open page lets an idle database be unloaded: the live views of the official Studio and of this one are opened,
 * each on a database of its own, on a server that unloads what was idle for five seconds, and how often each database is
 * loaded is counted. Writes its section of bench/RESULTS.md. `npm run bench:idle [-- --seconds 60 --no-write]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { createDatabase, json } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { writeSection } from './results.mjs'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, 'no-write': { type: 'boolean', default: false } },
})
const watchedMs = Number(values.seconds) * 1000
const SETTINGS = { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1' }
const ALONE = 'alone'
/** From a page's arrival to its first requests, ms. */
const SHOWN_MS = 3000

/** Address of each view after the page, for a database. @type {Record<string, Record<string, (name: string) => string>>} */
const STUDIOS = {
  'official Studio': {
    'I/O stats': (name) => `#databases/status/ioStats?&database=${name}`,
    'Indexing performance': (name) => `#databases/indexes/performance?&database=${name}`,
    Documents: (name) => `#databases/documents?&database=${name}`,
  },
  Rookery: {
    'I/O': (name) => `#/io?v=1&s=db:${name}`,
    Indexing: (name) => `#/indexing?v=1&s=db:${name}`,
    Databases: () => '#/databases?v=1',
  },
}

/**
 * How a database fared: loads after the first time that it was unloaded, and, of the time in which its page was open, the
 * share in which it was loaded.
 * @typedef {{ loads: number, loaded: number }} Fate
 */

/**
 * Looks from now on until so long after the pages are open.
 * @param {string} url @param {readonly string[]} names @param {Promise<unknown>} opened
 * @returns {Promise<Map<string, Fate>>}
 */
async function watch(url, names, opened) {
  const seen = new Map(names.map((name) => [name, { loads: 0, probes: 0, loaded: 0, was: true }]))
  let endMs = Number.POSITIVE_INFINITY
  void opened.then(() => (endMs = performance.now() + watchedMs))
  while (performance.now() < endMs) {
    for (const [name, one] of seen) {
      const { IsLoaded: isLoaded } = await json(url, `/debug/is-loaded?name=${name}`)
      if (isLoaded && !one.was) one.loads++
      one.was = isLoaded
      if (endMs === Number.POSITIVE_INFINITY) continue
      one.probes++
      one.loaded += isLoaded ? 1 : 0
    }
    await sleep(100)
  }
  const fates = Array.from(seen, ([name, { loads, probes, loaded }]) => {
    return /** @type {const} */ ([name, { loads, loaded: loaded / probes }])
  })
  return new Map(fates)
}

const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
/** @type {string[]} */
const rows = []
for (const [studio, views] of Object.entries(STUDIOS)) {
  const own = studio === 'Rookery' ? { studioPath: await builtStudio() } : {}
  const server = await startRavenDb({ version: '7.1.5', settings: SETTINGS, ...own })
  const databases = Object.keys(views).map((_, at) => `asleep${at}`)
  for (const name of [...databases, ALONE]) await createDatabase(server.url, name)
  // Each a browser of its own: none is spared its requests by another.
  const contexts = await Promise.all(databases.map(() => browser.newContext()))
  const addresses = Object.values(views)
  const opened = contexts.map(async (context, at) => {
    const page = await context.newPage()
    await page.goto(`${server.url}/studio/index.html${addresses[at]?.(databases[at] ?? '') ?? ''}`)
    await sleep(SHOWN_MS)
  })
  const fates = await watch(server.url, [...databases, ALONE], Promise.all(opened))
  const named = [...Object.keys(views), 'no page']
  for (const [at, [, fate]] of [...fates].entries()) {
    rows.push(`| ${studio} | ${named[at]} | ${fate.loads} | ${Math.round(fate.loaded * 100)} % |`)
    console.log(rows.at(-1))
  }
  for (const context of contexts) await context.close()
  await server.stop()
}
await browser.close()

const table = [
  `| | view | loaded again | loaded in ${watchedMs / 1000} s of its page |`,
  '|---|---|---|---|',
  ...rows,
].join('\n')
console.log(table)
if (!values['no-write']) await writeSection('idle', 'node bench/idle.mjs', table)
process.exit(0)
