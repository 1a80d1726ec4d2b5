// @ts-check
/**
 * Measures a recorded month: from its address, or its folder, to the first drawn data, with the requests that this
 * takes; to an hour that was not open; and frames while it is moved. `generate-month.mjs` creates the recording if it
 * does not exist. Writes its section of bench/results.
 * `npm run bench:month [-- --events 100000000 --folder FOLDER --rounds 3 --no-write]`
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtStudio } from '../tools/build.mjs'
import { loadRecorder } from '../tools/record/build.mjs'
import { openedFolder } from '../tools/record/open.mjs'
import { servePage } from '../tools/record/page-server.mjs'
import { createSay } from '../tools/say.mjs'
import { openBench } from './browser.mjs'
import { generateMonth } from './generate-month.mjs'
import { emptyFrames, measure } from './moving.mjs'
import { median, ms, tableOf, writeSection } from './results.mjs'

/** @typedef {import('@playwright/test').Page} Page */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000000' },
    folder: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'no-write': { type: 'boolean', default: false },
  },
})
const HOUR_TICKS = 36_000_000_000
const SIZE = { width: 1440, height: 900 }
const rounds = Number(values.rounds)
const folder = values.folder ?? join(tmpdir(), 'rookery-bench', `month-${values.events}`)
const month = await generateMonth(folder, Number(values.events))
const { size: listBytes } = await stat(join(folder, 'manifest.json'))
const bench = await openBench()
const scratch = await mkdtemp(join(tmpdir(), 'rookery-month-'))
const { OpenJournals } = await loadRecorder(createSay())
const served = await servePage({
  dist: await builtStudio(),
  opened: openedFolder(folder, new OpenJournals(folder, scratch)),
})

/**
 * Opens the address of hours of the month, with the visible sources.
 * @param {Page} page @param {number} hour @param {string} panel @param {number} [hours]
 */
async function show(page, hour, panel, hours = 1) {
  const start = month.startTicks + hour * HOUR_TICKS
  const range = `${String(start)}..${String(start + hours * HOUR_TICKS)}`
  await page.evaluate(
    ({ range, panel }) => {
      const sources = new URLSearchParams(location.hash.split('?')[1] ?? '').getAll('s')
      location.hash = `#/${panel}?${new URLSearchParams([['v', '2'], ...sources.map((source) => ['s', source]), ['range', range]]).toString()}`
    },
    { range, panel },
  )
}

/**
 * Measures the time from the start of the page until something is present, and the requests to the archive by then.
 * @param {Page} page @param {string} address @param {() => Promise<unknown>} isThere
 */
async function timed(page, address, isThere) {
  let requests = 0
  let bytes = 0
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/archive')) return
    requests++
    bytes += Number(response.headers()['content-length'] ?? 0)
  })
  const beganMs = performance.now()
  await page.goto(address)
  await isThere()
  return { ms: performance.now() - beganMs, requests, bytes }
}

/** @param {Page} page */
const calendar = (page) => page.getByRole('list', { name: 'Days, newest first' }).waitFor()

/** Waits until all received rows are in tables and drawn. @param {Page} page @param {number} more than so many rows */
async function drawn(page, more = 0) {
  await page.waitForFunction((rows) => globalThis.rookery.memory().rows > rows, more, { polling: 'raf' })
  await page.evaluate(() => globalThis.rookery.idle())
}

const newPage = () => bench.browser.newPage({ viewport: SIZE })

/** @returns {Promise<Record<string, number>>} */
async function round() {
  /** @type {Record<string, number>} */
  const found = {}
  const empty = await newPage()
  found['empty'] = (
    await timed(empty, `${bench.studioUrl}#/archive`, () => empty.getByText('No recording is open').waitFor())
  ).ms
  await empty.close()

  const first = await newPage()
  const list = await timed(first, `${served.url}/studio/index.html?archive#/archive`, () => calendar(first))
  found['calendar'] = list.ms
  await drawn(first)
  await first.close()

  const page = await newPage()
  const io = await timed(page, `${served.url}/studio/index.html?archive#/io`, () => drawn(page))
  Object.assign(found, { io: io.ms, requests: io.requests, bytes: io.bytes })
  // An hour of another day that is not open, twice: the difference shows the initial cost of its code.
  for (const [name, hour] of /** @type {const} */ ([
    ['first', 26],
    ['hour', 98],
  ])) {
    const { rows } = await page.evaluate(() => globalThis.rookery.memory())
    const beganMs = performance.now()
    await show(page, hour, 'io')
    await drawn(page, rows)
    found[name] = performance.now() - beganMs
  }
  const pan = await measure(page, 'pan')
  Object.assign(found, { panP95: pan.p95, panMax: pan.max })
  await show(page, 0, 'archive', 720)
  const link = page.getByRole('link', { name: 'Timeline of all hours' })
  await link.click()
  await page
    .getByText(/recorded hours/)
    .first()
    .waitFor()
  await page.evaluate(() => globalThis.rookery.idle())
  const all = await measure(page, 'pan')
  Object.assign(found, { allP95: all.p95, allMax: all.max })
  await page.close()

  const local = await newPage()
  await local.goto(`${bench.studioUrl}#/files`)
  const input = local.locator('input[aria-label="Folder of a recording"]')
  await input.waitFor({ state: 'attached' })
  await local.evaluate(() => {
    document.addEventListener('change', () => performance.mark('chosen'), { capture: true })
  })
  await input.setInputFiles(folder)
  await calendar(local)
  found['localCalendar'] = await local.evaluate(
    () => performance.now() - (performance.getEntriesByName('chosen')[0]?.startTime ?? Number.NaN),
  )
  await drawn(local)
  found['local'] = await local.evaluate(
    () => performance.now() - (performance.getEntriesByName('chosen')[0]?.startTime ?? Number.NaN),
  )
  await local.close()
  const none = await emptyFrames(bench)
  Object.assign(found, { emptyP95: none.p95, emptyMax: none.max })
  console.log(found)
  return found
}

/** @type {Record<string, number>[]} */
const all = []
for (let at = 0; at < rounds; at++) all.push(await round())
const of = (/** @type {string} */ name) => median(all.map((found) => found[name] ?? Number.NaN))
const frames = (/** @type {string} */ name) =>
  `${of(`${name}P95`).toFixed(1)} ms, longest ${of(`${name}Max`).toFixed(0)}`
const body = tableOf(
  ['', 'median'],
  [
    ['page without a recording', ms(of('empty'))],
    ['`rookery open`: from the address to the calendar', ms(of('calendar'))],
    ['from the address to the newest hours in I/O', ms(of('io'))],
    [
      'fetched for it',
      `${of('requests')} requests, ${(of('bytes') / 1e6).toFixed(2)} MB, the list ${(listBytes / 1e6).toFixed(2)} MB of it`,
    ],
    ['an hour that was not open, in I/O', ms(of('hour'))],
    ['the first such hour', ms(of('first'))],
    ['folder chosen in the page: to the calendar', ms(of('localCalendar'))],
    ['to its newest hours', ms(of('local'))],
    ['frames while an hour is moved (95 of 100)', frames('pan')],
    ['frames while the month is moved in Timeline', frames('all')],
    ['frames of an empty page', frames('empty')],
  ],
)
console.log(body)
if (!values['no-write'])
  await writeSection(
    'month',
    'node bench/month.mjs',
    `${month.events.toLocaleString('en-US')} I/O events, ${String(rounds)} rounds\n\n${body}`,
  )
served.close()
await bench.close()
await rm(scratch, { recursive: true, force: true })
process.exit(0)
