// @ts-check
/**
 * `npm run screenshots`: runs a real server under the workload for about a minute, and takes the pictures of README.md
 * and docs/panels.md.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findChromium } from './browser.mjs'
import { DIST, ensureBuild } from './build.mjs'
import { PROJECT } from './cache.mjs'
import { compileDelays, delayedBy } from './delays/compile.mjs'
import { number, options } from './options.mjs'
import { createDatabase } from './ravendb/client.mjs'
import { startRavenDb } from './ravendb/run.mjs'
import { createSay, fail } from './say.mjs'
import { temporaryFolder } from './temporary.mjs'
import { runWorkload } from './workload/run.mjs'

const HELP = `
npm run screenshots -- [options]

Starts RavenDB with the studio and the workload, and writes docs/screenshots/*.png.

  --seconds N   of workload before the first picture (50)
  --only A,B    some pictures alone, such as io-dark
  --help
`

const TO = join(PROJECT, 'docs', 'screenshots')
/** Maximum size of a picture, bytes. Larger ones make a clone slow. */
const MOST_BYTES = 250_000
const DATABASE = 'demo'
const QUIET = ['archive', 'invoices', 'sessions']

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {{ name: string, width: number, height: number, scheme: 'dark' | 'light', url: string, go: (page: Page) => Promise<void> }} Picture
 */

/**
 * Opens a page as `go` describes and takes a picture of it.
 * @param {import('@playwright/test').Browser} browser
 * @param {Picture} picture
 * @returns {Promise<string>} file name and size
 */
async function take(browser, { name, width, height, scheme, url, go }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    timezoneId: 'UTC',
    locale: 'en-US',
  })
  const page = await context.newPage()
  await page.goto(url)
  await go(page)
  await page.mouse.move(0, 0)
  const path = join(TO, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  await context.close()
  const { size } = await stat(path)
  return `${name}.png, ${Math.round(size / 1000)} KB${size > MOST_BYTES ? `: more than ${MOST_BYTES / 1000} KB` : ''}`
}

/**
 * Records some seconds of live data, pauses, and opens the card of the slowest event.
 * @param {Page} page
 */
async function pinned(page) {
  await page.getByRole('application', { name: 'I/O timeline' }).waitFor()
  await sleep(12_000)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.evaluate('rookery.idle()')
  const slowest = page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').first()
  await slowest.getByRole('button').click()
  await page.getByRole('region', { name: 'Selected event' }).getByText('slowest of').waitFor()
  await page.evaluate('rookery.idle()')
}

/** @param {Page} page */
async function listed(page) {
  await page.getByRole('row').filter({ hasText: DATABASE }).waitFor()
  await page.evaluate('rookery.idle()')
}

/** @param {Page} page */
async function judged(page) {
  await page.getByRole('heading', { name: 'Vital signs' }).waitFor()
  await sleep(20_000)
}

/**
 * Shows index batches of more than half a minute.
 * @param {Page} page
 */
async function watched(page) {
  await page.getByRole('application', { name: 'Index batches' }).waitFor()
  await sleep(40_000)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.evaluate('rookery.idle()')
}

/**
 * Takes a few stack snapshots and shows them as one graph.
 * @param {Page} page
 */
async function tookSnapshots(page) {
  for (let i = 0; i < 3; i++) {
    await page.getByRole('button', { name: 'Take stack snapshot' }).click()
    await page.getByText(/The last one took/).waitFor()
    await sleep(3000)
  }
  await page.evaluate('rookery.idle()')
}

/** Reduced results, so that the picture contains sums. */
const QUERY = "from index 'Users/SpendingByCountry' order by Spent as double desc include timings()"

/** Syncs that delay journal writes now and then, often enough for a stall's cause to be found. */
const SLOW_SYNCS = ['sync 700 0.8']
const SYNCS_OFTEN = { 'Storage.TimeToSyncAfterFlushInSec': '3', 'Storage.SyncJournalsCountThreshold': '1' }

/**
 * Waits until syncs are identified as the cause of delayed writes.
 * @param {Page} page
 */
async function stalled(page) {
  await page.getByRole('row', { name: /^Data sync \d/ }).waitFor({ timeout: 240_000 })
  await page.evaluate('rookery.idle()')
}

/**
 * Shows the lanes of events for half a minute, then pauses.
 * @param {Page} page
 */
async function happened(page) {
  await page.getByRole('region', { name: 'Journal writes', exact: true }).waitFor()
  await sleep(30_000)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.evaluate('rookery.idle()')
}

/**
 * Opens a document of the list, as text.
 * @param {Page} page
 */
async function opened(page) {
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Users' }).click()
  const table = page.getByRole('table', { name: 'Documents' })
  await table.getByRole('row').nth(3).getByRole('button').first().click()

  await page.locator('.cm-content').filter({ hasText: '"Name"' }).waitFor()
  await page.evaluate('rookery.idle()')
}

/**
 * Shows the results of a database query, with its cost.
 * @param {Page} page
 */
async function queried(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('table', { name: 'Results' }).getByRole('row').nth(5).waitFor()
  await page.evaluate('rookery.idle()')
}

async function main() {
  const given = options({ seconds: { type: 'string' }, only: { type: 'string' } }, HELP)
  const only = typeof given['only'] === 'string' ? given['only'].split(',') : null
  const seconds = number('--seconds', given['seconds'], { min: 1 }) ?? 50
  const say = createSay()
  await ensureBuild(say)
  const { path } = await findChromium({ install: true, say })
  await mkdir(TO, { recursive: true })
  const folder = temporaryFolder('screenshots')
  const [library, delays] = [await compileDelays(folder), join(folder, 'delays')]
  const server = await startRavenDb({
    version: '7.1.5',
    say,
    studioPath: DIST,
    settings: { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1', ...SYNCS_OFTEN },
    ...(library === null ? {} : { env: { ...process.env, ...delayedBy(library, delays) } }),
  })
  const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
  const end = new AbortController()
  try {
    for (const name of [DATABASE, ...QUIET]) await createDatabase(server.url, name)
    const load = runWorkload({
      url: server.url,
      database: DATABASE,
      documents: 40_000,
      pauses: false,
      signal: end.signal,
    })
    say.step(`Waiting ${seconds} s while the workload runs`)
    await sleep(seconds * 1000)
    const studio = `${server.url}/studio/index.html`
    const io = `${studio}#/io?v=1&s=db:${DATABASE}&live=200000000&clock=utc`
    const wide = { width: 1440, height: 900 }
    /** @type {readonly (Picture & { delays?: readonly string[] })[]} `delays`: lines as `delays.c` reads them */
    const pictures = [
      { name: 'io-dark', ...wide, scheme: 'dark', url: io, go: pinned },
      { name: 'io-light', ...wide, scheme: 'light', url: io, go: pinned },
      { name: 'io-390-dark', width: 390, height: 844, scheme: 'dark', url: io, go: pinned },
      { name: 'triage-dark', ...wide, height: 560, scheme: 'dark', url: studio, go: judged },
      {
        name: 'timeline-dark',
        ...wide,
        scheme: 'dark',
        url: `${studio}#/timeline?v=1&s=db:${DATABASE}&live=600000000&clock=utc`,
        go: happened,
      },
      { name: 'documents-dark', ...wide, scheme: 'dark', url: `${studio}#/documents?db=${DATABASE}`, go: opened },
      {
        name: 'query-dark',
        ...wide,
        scheme: 'dark',
        url: `${studio}#/query?db=${DATABASE}&query.text=${encodeURIComponent(QUERY)}`,
        go: queried,
      },
      {
        name: 'indexing-dark',
        ...wide,
        height: 770,
        scheme: 'dark',
        url: `${studio}#/indexing?v=1&s=db:${DATABASE}&live=300000000&clock=utc`,
        go: watched,
      },
      {
        name: 'stacks-dark',
        ...wide,
        scheme: 'dark',
        url: `${studio}#/stacks?v=1&s=db:${DATABASE}&clock=utc&stacks.tab=flame`,
        go: tookSnapshots,
      },
      {
        name: 'databases-dark',
        width: 1440,
        height: 420,
        scheme: 'dark',
        url: `${studio}#/databases`,
        go: listed,
      },
      {
        name: 'stalls-dark',
        ...wide,
        scheme: 'dark',
        url: `${studio}#/stalls?v=1&s=db:${DATABASE}&clock=utc`,
        delays: SLOW_SYNCS,
        go: stalled,
      },
    ]
    for (const { delays: lines = [], ...picture } of pictures) {
      if (only?.includes(picture.name) === false) continue
      if (lines.length > 0 && library === null) {
        say.note(`${picture.name}.png is left as it is: no C compiler (cc) was found.`)
        continue
      }
      await writeFile(delays, lines.join('\n'))
      say.note(await take(browser, picture))
    }
    end.abort()
    await load
  } finally {
    end.abort()
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

process.chdir(PROJECT)
main().then(() => process.exit(0), fail)
