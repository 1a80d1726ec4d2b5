// @ts-check
/**
 * Checks whether tabs that are opened within seconds report the server as slow when only their browser lacks CPU: their
 * messages are read repeatedly and compared with the time for which the server made another client wait. Writes its
 * section of bench/results.
 * `npm run bench:tabs [-- --tabs 24 --seconds 60 --no-write]`
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
    tabs: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '60' },
    'no-write': { type: 'boolean', default: false },
  },
})
const OPENED_EVERY_MS = 250
const READ_EVERY_MS = 2000
const PROBE_EVERY_MS = 250
const DATABASE = 'many'
const PANELS = ['io', 'triage', 'indexing', 'databases']
const BLAMES = /unresponsive|unreachable|not answer|no answer|cannot be reached/i
/** Time limit for the tabs to open, on a machine that is busy with other work, ms. */
const OPENING_MS = 600_000

const { path } = await findChromium()
const server = await startRavenDb({ version: '7.1.5', studioPath: await builtStudio() })
await createDatabase(server.url, DATABASE)
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const context = await browser.newContext()

const over = new AbortController()
let slowestMs = 0
async function probe() {
  while (!over.signal.aborted) {
    const sentMs = performance.now()
    await json(server.url, '/build/version').catch(() => undefined)
    slowestMs = Math.max(slowestMs, performance.now() - sentMs)
    await sleep(PROBE_EVERY_MS)
  }
}

/**
 * Reads a page's complaints about the server: lines of text, and gaps.
 * @param {import('@playwright/test').Page} page
 */
const blamesOf = async (page) => {
  const read = await page.evaluate(() => ({
    text: document.body.innerText,
    gaps: globalThis.rookery.summary().gaps.map(({ reason }) => reason),
  }))
  return [...read.text.split('\n').filter((line) => BLAMES.test(line)), ...read.gaps]
}

const probing = probe()
const count = Number(values.tabs)
/** @type {import('@playwright/test').Page[]} */
const pages = []
const beganMs = performance.now()
const opened = []
for (let at = 0; at < count; at++) {
  const page = await context.newPage()
  pages.push(page)
  const address = `${server.url}/studio/index.html#/${PANELS[at % PANELS.length]}?v=1&s=db:${DATABASE}`
  opened.push(
    page
      .goto(address, { timeout: OPENING_MS })
      .then(() => page.waitForFunction(() => 'rookery' in globalThis, undefined, { timeout: OPENING_MS })),
  )
  await sleep(OPENED_EVERY_MS)
}
await Promise.all(opened)
const openMs = performance.now() - beganMs
/** @type {Map<number, Set<string>>} */
const blames = new Map()
let reads = 0
for (const endMs = performance.now() + Number(values.seconds) * 1000; performance.now() < endMs;) {
  for (const [at, page] of pages.entries()) {
    reads++
    for (const blame of await blamesOf(page)) blames.set(at, (blames.get(at) ?? new Set()).add(blame))
  }
  await sleep(READ_EVERY_MS)
}
over.abort()
await probing
await browser.close()
await server.stop()

for (const [at, texts] of blames) console.log(`tab ${at + 1}: ${[...texts].join(' | ')}`)
const table = [
  '| tabs | all open after | reads | slowest answer to another client | tabs that blame the server |',
  '|---|---|---|---|---|',
  `| ${count} | ${(openMs / 1000).toFixed(1)} s | ${reads} | ${(slowestMs / 1000).toFixed(2)} s | ${blames.size} |`,
].join('\n')
console.log(table)
if (!values['no-write']) await writeSection('tabs', 'node bench/tabs.mjs', table)
process.exit(0)
