// @ts-check
/**
 * Measures the cost of a live page on the user's machine: CPU time of the page's process (main thread and worker) and
 * of all processes of the browser, for views without activity, while documents are written, and while hidden.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, put, putIndexes } from '../tools/ravendb/client.mjs'
import { INDEXES } from '../tools/workload/indexes.mjs'
import { userDocument } from '../tools/workload/users.mjs'
import { tableOf } from './results.mjs'

/** Documents written per second, each in a separate request. */
const WRITES_PER_SECOND = 60
/** Time after which a page has drawn for the first time, compiled its code and requested its history, ms. */
const WARM_UP_MS = 15_000
/** Time for which the server still flushes and syncs after the last write, ms. */
const REST_MS = 60_000
const VIEWS = {
  Triage: 'triage?v=1',
  'I/O': 'io?v=1',
  Indexing: 'indexing?v=1',
  'Indexing, Budgets': 'indexing?v=1&indexing.view=budgets',
}
/** Maximum CPU share of a core for the page. */
const WANTED = { 'at rest': 0.03, [`${WRITES_PER_SECOND} writes/s`]: 0.1, 'hidden, the same': 0.01 }

/**
 * @param {import('@playwright/test').Browser} browser @param {{ url: string, database: string, seconds: number }} of
 * @returns {Promise<string>} a table
 */
export async function measureLiveCost(browser, { url, database, seconds }) {
  await putIndexes(url, database, INDEXES)
  const rows = []
  for (const [name, hash] of Object.entries(VIEWS)) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    // The database needs data: the panels of an empty one draw nothing.
    await writeFor(url, database, 3000)
    await page.goto(`${url}/studio/index.html#/${hash}&s=db:${database}`)
    await page.locator('main').waitFor()
    await writeFor(url, database, 3000)
    await sleep(REST_MS)
    const rest = await share(browser, seconds)
    const writing = new AbortController()
    const written = write(url, database, writing.signal)
    await sleep(WARM_UP_MS / 3)
    const busy = await share(browser, seconds)
    await hide(page)
    await sleep(WARM_UP_MS)
    const hidden = await share(browser, seconds)
    writing.abort()
    await written
    await context.close()
    rows.push([name, ...[rest, busy, hidden].map(({ page, all }) => `${percent(page)} (${percent(all)})`)])
    console.log(rows.at(-1))
  }
  rows.push(['wanted, at most', ...Object.values(WANTED).map(percent)])
  return tableOf(['CPU of the page’s process (of the browser), of a core', ...Object.keys(WANTED)], rows)
}

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)} %`

/**
 * CPU time of the pages and of all processes of the browser, as shares of a core.
 * @param {import('@playwright/test').Browser} browser @param {number} seconds
 */
async function share(browser, seconds) {
  const [before, beginMs] = [await cpu(browser), performance.now()]
  await sleep(seconds * 1000)
  const [after, tookMs] = [await cpu(browser), performance.now() - beginMs]
  return { page: (after.pageMs - before.pageMs) / tookMs, all: (after.allMs - before.allMs) / tookMs }
}

/** @param {import('@playwright/test').Browser} browser */
async function cpu(browser) {
  const session = await browser.newBrowserCDPSession()
  /** @type {{ processInfo: { type: string, id: number }[] }} */
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  let [pageMs, allMs] = [0, 0]
  for (const { type, id } of processInfo) {
    const ms = await cpuMs(id)
    allMs += ms
    if (type === 'renderer') pageMs += ms
  }
  return { pageMs, allMs }
}

/** User and system time of a process, ms; 0 if it has ended. @param {number} pid */
async function cpuMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/**
 * Hides the page as a browser does when its window is covered; the page reacts to the event.
 * @param {import('@playwright/test').Page} page
 */
const hide = (page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** @param {string} url @param {string} database @param {number} forMs */
async function writeFor(url, database, forMs) {
  await write(url, database, AbortSignal.timeout(forMs))
}

/** @param {string} url @param {string} database @param {AbortSignal} signal */
async function write(url, database, signal) {
  const beginMs = performance.now()
  for (let i = 0; !signal.aborted; i++) {
    await bulk(url, database, [put(`users/${i % 1000}`, 'Users', userDocument(1, i % 1000, i))])
    await sleep(Math.max(0, beginMs + ((i + 1) * 1000) / WRITES_PER_SECOND - performance.now()))
  }
}
