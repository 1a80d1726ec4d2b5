// @ts-check
/**
 * Measures opening live pages on a real server under load: Triage in a browser with an empty cache, until its sentence
 * contains figures; and the time from a click on Open I/O until the live I/O panel has drawn events. Then measures the
 * cost of a page that stays open (`live-cost.mjs`). Writes its sections of bench/results.
 * `npm run bench:live [-- --only opening|cost --rounds 5 --seconds 60 --no-write]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { bulk, createDatabase, put } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { userDocument } from '../tools/workload/users.mjs'
import { measureLiveCost } from './live-cost.mjs'
import { median, ms, tableOf, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'opening,cost' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '60' },
    'no-write': { type: 'boolean', default: false },
  },
})
const DATABASE = 'live'
/** Interval between batches of documents, ms: a database in use, on a machine that has CPU left for the page. */
const WRITE_EVERY_MS = 100
const BATCH = 20
/** Time for which the page rests before the click, ms. */
const REST_MS = 3000

const server = await startRavenDb({ version: '7.1.5', studioPath: await builtStudio() })
await createDatabase(server.url, DATABASE)
const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const only = values.only.split(',')
if (only.includes('opening')) await keep('live', await measureOpening())
if (only.includes('cost'))
  await keep(
    'live cost',
    await measureLiveCost(browser, { url: server.url, database: DATABASE, seconds: Number(values.seconds) }),
  )
await browser.close()
await server.stop()
process.exit(0)

/** @param {string} section @param {string} table */
async function keep(section, table) {
  console.log(table)
  if (!values['no-write']) await writeSection(section, 'npm run bench:live --', table)
}

/** @returns {Promise<string>} a table */
async function measureOpening() {
  const writing = new AbortController()
  const written = write(writing.signal)
  /** @type {number[]} */
  const triage = []
  /** @type {number[]} */
  const clicks = []
  // The first round, with a cold server, is not counted.
  for (let round = 0; round <= Number(values.rounds); round++) {
    const [loadMs, clickMs] = [await loadTriage(), await clickToIo()]
    if (round === 0) continue
    triage.push(loadMs)
    clicks.push(clickMs)
    console.log({ loadMs, clickMs })
  }
  writing.abort()
  await written
  const row = (/** @type {string} */ what, /** @type {number[]} */ times, /** @type {number} */ boundMs) => [
    what,
    ms(median(times)),
    ms(Math.max(...times)),
    ms(boundMs),
  ]
  return tableOf(
    ['', 'median', 'most', 'wanted'],
    [
      row('Triage, first load: from navigation to a sentence with figures on screen', triage, 700),
      row('live I/O: from the click on Open I/O to its first events on screen', clicks, 300),
    ],
  )
}

/** @param {AbortSignal} signal */
async function write(signal) {
  for (let first = 0; !signal.aborted; first += BATCH) {
    const commands = Array.from({ length: BATCH }, (_, at) => {
      const user = (first + at) % 1000
      return put(`users/${user}`, 'Users', userDocument(1, user, first))
    })
    await bulk(server.url, DATABASE, commands)
    await sleep(WRITE_EVERY_MS)
  }
}

/** Opens a page in a browser without a cache. @returns {Promise<import('@playwright/test').Page>} */
async function freshPage() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  return context.newPage()
}

/** @returns {Promise<number>} milliseconds from the beginning of the navigation to the frame after the data are there */
async function loadTriage() {
  const page = await freshPage()
  await page.addInitScript(() => {
    const look = () => {
      // The sentence contains figures once the server has reported some.
      const sentence = document.querySelector('main [role="status"]')?.textContent ?? ''
      const isThere = /CPU at \d+ %/.test(sentence)
      if (isThere) requestAnimationFrame(() => Object.assign(globalThis, { drawnMs: performance.now() }))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(`${server.url}/studio/index.html#/triage`)
  return drawn(page)
}

/** @returns {Promise<number>} milliseconds from the click to the frame with the first events on the canvas of the I/O timeline */
async function clickToIo() {
  const page = await freshPage()
  await page.goto(`${server.url}/studio/index.html#/databases`)
  await page.getByRole('checkbox', { name: `Choose ${DATABASE}` }).check()
  await sleep(REST_MS)
  await page.evaluate(() => {
    let clickedMs = Number.NaN
    /** Whether a canvas shows more than its grid: events are filled areas. @param {HTMLCanvasElement} canvas */
    const hasMarks = (canvas) => {
      const { width, height } = canvas
      if (width === 0 || height === 0) return false
      const pixels = new Uint32Array(canvas.getContext('2d')?.getImageData(0, 0, width, height).data.buffer ?? [])
      const colours = new Set()
      for (const pixel of pixels) if (pixel >>> 24 === 255) colours.add(pixel)
      return colours.size > 1
    }
    const look = () => {
      const canvases = Array.from(document.querySelectorAll('canvas'))
      if (canvases.some((canvas) => canvas.closest('[role="application"]') !== null && hasMarks(canvas)))
        Object.assign(globalThis, { drawnMs: performance.now() - clickedMs })
      else requestAnimationFrame(look)
    }
    addEventListener('click', () => ((clickedMs = performance.now()), requestAnimationFrame(look)), {
      capture: true,
      once: true,
    })
  })
  await page.getByRole('button', { name: 'Open I/O of 1' }).click()
  return drawn(page)
}

/** Reads the time that the page measured, ms, and closes the page. @param {import('@playwright/test').Page} page */
async function drawn(page) {
  const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'drawnMs'), undefined, { timeout: 30_000 })
  const measured = Number(await handle.jsonValue())
  await page.context().close()
  return measured
}
