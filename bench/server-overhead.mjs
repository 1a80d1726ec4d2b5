// @ts-check
/**
 * Measures the monitoring overhead on a real server, and compares it with the figure that the page shows: the server's
 * own CPU with each panel open, attended and unattended, against the same server without a page before and after; and
 * documents per second and CPU under a bulk write, with and without the studio on its busiest panel, alternately. Prints
 * tables and writes them into bench/results.
 *
 *     npm run bench:overhead [-- --minutes 10 --panels all --modes attended,unattended --rounds 3 --load --no-write]
 *
 * `--load`: documents are written while panels are measured, so that there is I/O and indexing to show.
 *
 * If the machine allows it, server and writer have one core and the browser has another. The measurement then contains
 * the studio's cost to the server, not the cost of drawing on the same machine.
 */
import { execFile, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { createDatabase, putIndexes } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { runWorkload } from '../tools/workload.mjs'
import { INDEXES } from '../tools/workload/indexes.mjs'
import { median, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    panels: { type: 'string', default: 'all' },
    modes: { type: 'string', default: 'attended,unattended' },
    minutes: { type: 'string', default: '10' },
    load: { type: 'boolean', default: false },
    'no-write': { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const minutes = Number(values.minutes)
/**
 * Duration of the measurement of a round, and of the wait before it: after the page was opened, and after it was
 * closed, ms.
 */
const BUSY = { measuredMs: 10_000, settleMs: { with: 6000, without: 2000 } }
/**
 * Time after opening a panel that is measured separately, ms: the page then reads the server's history, which happens
 * once.
 */
const OPENING_MS = 20_000
const MINUTE_MS = 60_000
/** Time of the server without panels, before and after each panel, ms. */
const ALONE_MS = Math.min(180_000, minutes * MINUTE_MS)
/** Time without input after which the user counts as away, ms; the limit is ten minutes. */
const AWAY_MS = 660_000
/** Documents per second while panels are measured under load. */
const LOAD_RATE = 150
const DATABASE = 'bench'
const SOURCES = `s=db:${DATABASE}&s=server`
/** @type {Readonly<Record<string, string>>} */
const PANELS = {
  budgets: `#/indexing?v=1&${SOURCES}&indexing.view=budgets`,
  batches: `#/indexing?v=1&${SOURCES}`,
  io: `#/io?v=1&${SOURCES}`,
  triage: `#/triage?v=1&${SOURCES}`,
  databases: '#/databases?v=1',
  server: '#/server?v=1&s=server',
  stacks: '#/stacks?v=1&s=server',
}
const panels = values.panels === 'all' ? Object.keys(PANELS) : values.panels.split(',')
/** Panel with the most sockets: I/O of the database and of the server, batches, threads, and memory. */
const BUSIEST = PANELS['budgets'] ?? ''

const pinned = promisify(execFile)
/** @param {number} core @param {number} pid */
const pin = async (core, pid) => {
  try {
    await pinned('taskset', ['-a', '-p', '-c', String(core), String(pid)])
    return true
  } catch {
    return false
  }
}

/** User and system time of a process, ms. @param {number} pid */
async function cpuMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

// Processes that this one starts inherit its core.
const isPinned = await pin(0, process.pid)
const server = await startRavenDb({
  version: '7.1.5',
  studioPath: await builtStudio(),
  // A server of 7.1 keeps each timer that one of its waits ever created, from the second live feed on some 400 ticks
  // per second until it is restarted, and this CPU would count for the page: it would hide the page's cost from minute
  // to minute.
  env: { RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY: 'true' },
})
await createDatabase(server.url, DATABASE)
await putIndexes(server.url, DATABASE, INDEXES)
let written = 0
const startWriter = () => {
  const writer = fork(resolve(import.meta.dirname, 'writer.mjs'), [server.url, DATABASE])
  writer.on('message', (/** @type {number} */ many) => (written += many))
  return writer
}
let writer = startWriter()
if (isPinned) await pin(1, process.pid)
const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.clock.install()

/** Text of the page's status bar. */
const whatItSays = async () => (await page.locator('footer button').first().innerText()).replaceAll(/\s+/g, ' ')

/** Overhead in the status bar, % of a core. */
const metered = async () => Number(/([\d.]+) % of a core/.exec(await whatItSays())?.[1] ?? Number.NaN)

/** Measures the server's CPU over a time, % of a core. @param {number} forMs */
async function cpuOver(forMs) {
  const [startMs, cpu] = [performance.now(), await cpuMs(server.pid)]
  await sleep(forMs)
  return (((await cpuMs(server.pid)) - cpu) / (performance.now() - startMs)) * 100
}

/** Measures the server alone: the page shows another address, and the effects of the last panel are over. */
async function alone() {
  await page.goto('about:blank')
  await sleep(5000)
  return cpuOver(ALONE_MS)
}

/** Measures the server with a panel open. @param {string} name @param {string} mode */
async function withPanel(name, mode) {
  const cpu = await cpuMs(server.pid)
  await page.goto(`${server.url}/studio/index.html${PANELS[name] ?? ''}`)
  await page.locator('footer button').first().waitFor()
  // Only the page's own clock is advanced: it has no input for that time, while the worker and the server continue
  // unchanged.
  if (mode === 'unattended') await page.clock.fastForward(AWAY_MS)
  await sleep(OPENING_MS)
  const openingMs = (await cpuMs(server.pid)) - cpu
  /** @type {number[]} */
  const truths = []
  /** @type {number[]} */
  const reported = []
  for (let minute = 0; minute < minutes; minute++) {
    truths.push(await cpuOver(MINUTE_MS))
    reported.push(await metered())
  }
  const footer = (await page.locator('footer').innerText()).replaceAll(/\s+/g, ' ')
  return { name, mode, openingMs, with: mean(truths), reported: mean(reported), footer }
}

/** @param {readonly number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

/** @typedef {{ perSecond: number, cpuPerSecond: number, cpuPerThousand: number, reported: string }} Figures */

/** @param {'with' | 'without'} how @param {typeof BUSY} times @returns {Promise<Figures>} */
async function round(how, { measuredMs, settleMs }) {
  await page.goto(how === 'with' ? `${server.url}/studio/index.html${BUSIEST}` : 'about:blank')
  await sleep(settleMs[how])
  const [startMs, cpu, documents] = [performance.now(), await cpuMs(server.pid), written]
  await sleep(measuredMs)
  const [tookMs, spentMs, many] = [performance.now() - startMs, (await cpuMs(server.pid)) - cpu, written - documents]
  const reported = how === 'with' ? await whatItSays() : ''
  return {
    perSecond: (many / tookMs) * 1000,
    cpuPerSecond: (spentMs / tookMs) * 1000,
    cpuPerThousand: (spentMs / many) * 1000,
    reported,
  }
}

/** @type {readonly ('with' | 'without')[]} */
const WITH_FIRST = ['with', 'without']

/** @param {number} many @param {typeof BUSY} times */
async function inTurns(many, times) {
  /** @type {{ with: Figures[], without: Figures[] }} */
  const all = { with: [], without: [] }
  for (let at = 0; at < many; at++)
    // The order alternates, so that a drift (such as a growing database) favours neither.
    for (const how of at % 2 === 0 ? WITH_FIRST : WITH_FIRST.toReversed()) {
      const figures = await round(how, times)
      all[how].push(figures)
      console.log(how, figures)
    }
  return all
}

// The runtime compiles code that is called often, so the first minute of a server is not representative.
await sleep(15_000)
const busy = await inTurns(rounds, BUSY)
writer.kill()
// The server first indexes and flushes the documents, and forgets them.
await sleep(40_000)
const load = new AbortController()
const loaded = values.load
  ? runWorkload({
      url: server.url,
      database: DATABASE,
      documents: 5000,
      rate: LOAD_RATE,
      pauses: false,
      signal: load.signal,
    })
  : null
// Waits for the first fill and its consequences.
if (loaded !== null) await sleep(40_000)
/** @type {({ alone: number } & Awaited<ReturnType<typeof withPanel>>)[]} */
const measured = []
// Each measurement of the server alone is the baseline of the panels before and after it.
let before = await alone()
for (const name of panels)
  for (const mode of values.modes.split(',')) {
    const figures = await withPanel(name, mode)
    const after = await alone()
    measured.push({ ...figures, alone: (before + after) / 2 })
    console.log(measured.at(-1))
    before = after
  }
load.abort()
await loaded
await browser.close()
await server.stop()

/** @param {typeof busy} all @param {keyof Omit<Figures, 'reported'>} of */
const row = (all, of, unit = '') => {
  const [a, b] = [all.with.map((each) => each[of]), all.without.map((each) => each[of])]
  const pairs = a.map((each, at) => each / (b[at] ?? Number.NaN)).toSorted((x, y) => x - y)
  const text = (/** @type {number} */ value) =>
    value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)
  const ratio = `${median(pairs).toFixed(2)} (${pairs.map((each) => each.toFixed(2)).join(', ')})`
  return `${text(median(b))}${unit} | ${text(median(a))}${unit} | ${ratio}`
}
const percent = (/** @type {number} */ value) => `${value.toFixed(2)} %`
const tables = []
if (rounds > 0)
  tables.push(
    [
      '| | without | with the studio | ratio: median (each pair) |',
      '|---|---|---|---|',
      `| documents a second, bulk write | ${row(busy, 'perSecond')} |`,
      `| CPU of the server for a thousand documents | ${row(busy, 'cpuPerThousand', ' ms')} |`,
    ].join('\n'),
  )
tables.push(
  [
    `| panel, ${minutes} min each | mode | server alone | overhead | the page says | page ÷ overhead | opening, ${OPENING_MS / 1000} s |`,
    '|---|---|--:|--:|--:|--:|--:|',
    ...measured.map(({ name, mode, alone: by, with: whole, reported, openingMs }) => {
      const openedMs = openingMs - (by * OPENING_MS) / 100
      const cells = [
        name,
        mode,
        percent(by),
        percent(whole - by),
        percent(reported),
        (reported / (whole - by)).toFixed(2),
      ]
      return `| ${[...cells, `${Math.round(openedMs)} ms`].join(' | ')} |`
    }),
  ].join('\n'),
)
const notes = [
  `Shares are of one core of the server, ${values.load ? `with ${LOAD_RATE} documents a second written` : 'with nothing written'} while panels were measured.`,
  isPinned
    ? 'Server and writer on one core, the browser on another.'
    : 'Server, writer and browser share all cores, so drawing counts too.',
].join(' ')
const all = [...tables, notes].join('\n\n')
console.log(all)
if (!values['no-write']) await writeSection('server-overhead', 'node bench/server-overhead.mjs', all)
process.exit(0)
