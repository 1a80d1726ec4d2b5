// @ts-check
/**
 * Measures whether an open page lets an idle database be unloaded. Opens the live views of the official Studio and of
 * this one, each on a database of its own, on a server that unloads databases after five seconds without use, and
 * counts how often each database is loaded. Then one page walks through all panels, the palette at every third of them,
 * pages of a database and a dialog, beside a server with the same databases and no page. Writes its sections of
 * bench/results.
 * `npm run bench:idle [-- --seconds 60 --walk-seconds 300 --only views|walk --no-write]`
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
  options: {
    seconds: { type: 'string', default: '60' },
    'walk-seconds': { type: 'string', default: '300' },
    only: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
  },
})
const watchedMs = Number(values.seconds) * 1000
const SETTINGS = { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1' }
const ALONE = 'alone'
/** Time from opening a page to its first requests, ms. */
const SHOWN_MS = 3000

/**
 * Part of each view's address after the page's, for a database.
 * @type {Record<string, Record<string, (name: string) => string>>}
 */
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
 * Result of a database: number of loads after it was first unloaded, and the share of the time with its page open in
 * which it was loaded.
 * @typedef {{ loads: number, loaded: number }} Fate
 */

/**
 * Probes the databases from now on until `watchedMs` after the pages are open.
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

/** Pages of the walk, for the database that the walk opens. */
const WALK = [
  'triage?v=1&s=db:walked',
  'databases?v=1&s=db:walked',
  'databases?v=1&s=db:walked&databases.open=walked',
  'server?v=1&s=db:walked',
  'server?v=1&s=db:walked&server.view=alerts',
  'io?v=1&s=db:walked',
  'stalls?v=1&s=db:walked',
  'compare?v=1&s=db:walked',
  'indexing?v=1&s=db:walked',
  'indexing?v=1&s=db:walked&indexing.view=indexes',
  'indexing?v=1&s=db:walked&indexing.view=budgets',
  'stacks?v=1&s=db:walked',
  'cluster-log?v=1&s=db:walked',
  'activity?v=1&s=db:walked&activity.view=operations',
  'files?v=1&s=db:walked',
]
const USER = { '@metadata': { '@collection': 'Users' } }
const WALKED = ['walked', 'other']
const PAGE_MS = 6000
const LOOK_MS = 250

/**
 * Measures when each database was unloaded after its last use by another client, and the share of the time in which it
 * was loaded.
 * @param {string} url @param {number} lastMs until when @param {() => number} usedMs when it was used last
 */
async function follow(url, lastMs, usedMs) {
  const seen = new Map(
    WALKED.map((name) => [name, { looks: 0, loaded: 0, after: /** @type {number[]} */ ([]), was: true }]),
  )
  while (performance.now() < lastMs) {
    for (const [name, one] of seen) {
      const { IsLoaded: isLoaded } = await json(url, `/debug/is-loaded?name=${name}`)
      one.looks++
      one.loaded += isLoaded ? 1 : 0
      if (one.was && !isLoaded) one.after.push((performance.now() - usedMs()) / 1000)
      one.was = isLoaded
    }
    await sleep(LOOK_MS)
  }
  return seen
}

/** @param {import('@playwright/test').Browser} browser */
async function walk(browser) {
  const studioPath = await builtStudio()
  const servers = [
    await startRavenDb({ version: '7.1.5', settings: SETTINGS, studioPath }),
    await startRavenDb({ version: '7.1.5', settings: SETTINGS }),
  ]
  const use = async () => {
    for (const { url } of servers)
      for (const name of WALKED) await json(url, `/databases/${name}/docs?id=users/1`, { method: 'PUT', body: USER })
  }
  for (const { url } of servers) for (const name of WALKED) await createDatabase(url, name)
  const page = await browser.newPage()
  const [studio] = servers
  await page.goto(`${studio?.url}/studio/index.html#/${WALK[0]}`)
  await use()
  const beganMs = performance.now()
  let usedMs = beganMs
  const walkedMs = Number(values['walk-seconds']) * 1000
  const followed = servers.map(({ url }) => follow(url, beganMs + walkedMs, () => usedMs))
  for (let at = 1; performance.now() < beganMs + walkedMs; at++) {
    // Half-way, another client uses the databases again: data that was read before is then outdated.
    if (usedMs === beganMs && performance.now() > beganMs + walkedMs / 2) {
      await use()
      usedMs = performance.now()
    }
    await page.goto(`${studio?.url}/studio/index.html#/${WALK[at % WALK.length]}`)
    await sleep(PAGE_MS)
    if (at % 3 !== 0) continue
    await page.keyboard.press('Control+k')
    await page.keyboard.type(at === 6 ? 'compact walked' : 'notifications')
    await sleep(1000)
    if (at === 6) await page.keyboard.press('Enter')
    await sleep(1000)
    await page.keyboard.press('Escape')
  }
  const lines = []
  for (const [at, seen] of (await Promise.all(followed)).entries())
    for (const [name, { looks, loaded, after }] of seen)
      lines.push(
        `| ${at === 0 ? 'Rookery, walking' : 'none'} | ${name === 'walked' ? 'walked through' : 'never opened'} | ${
          after.map((seconds) => `${seconds.toFixed(0)} s`).join(', ') || 'not'
        } | ${Math.round((loaded / looks) * 100)} % |`,
      )
  for (const server of servers) await server.stop()
  return [
    `| studio | database | unloaded after each use by another client | loaded in ${walkedMs / 1000} s |`,
    '|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** @param {import('@playwright/test').Browser} browser */
async function views(browser) {
  /** @type {string[]} */
  const rows = []
  for (const [studio, views] of Object.entries(STUDIOS)) {
    const own = studio === 'Rookery' ? { studioPath: await builtStudio() } : {}
    const server = await startRavenDb({ version: '7.1.5', settings: SETTINGS, ...own })
    const databases = Object.keys(views).map((_, at) => `asleep${at}`)
    for (const name of [...databases, ALONE]) await createDatabase(server.url, name)
    // Each has its own browser context, so that pages do not share requests.
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
  return [`| | view | loaded again | loaded in ${watchedMs / 1000} s of its page |`, '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const parts = /** @type {const} */ ({ views: ['idle', views], walk: ['idle-walk', walk] })
for (const [part, [section, measure]] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== part) continue
  const table = await measure(browser)
  console.log(table)
  if (!values['no-write']) await writeSection(section, 'node bench/idle.mjs', table)
}
await browser.close()
process.exit(0)
