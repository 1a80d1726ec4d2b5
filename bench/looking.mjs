// @ts-check
/**
 * What looking costs a real server: documents a second and CPU, with and without the studio on its busiest page, in turns
 * in one run. Prints a table and writes it into bench/RESULTS.md. `npm run bench:looking [-- --rounds 4 --no-write]`
 *
 * Server and writer have one core, the browser has another, where the machine lets that be said: what is measured is
 * what the studio asks of the server, not what it takes of the same machine to draw it.
 */
import { execFile, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { createDatabase, putIndexes } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { INDEXES } from '../tools/workload/indexes.mjs'
import { median, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '4' }, 'no-write': { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
/**
 * How long a round is measured, and how long it waits before: after the page was opened, and after it was closed, ms. On a
 * quiet server opening counts for itself: it brings what the server remembers, and is not what looking on costs.
 */
const BUSY = { measuredMs: 10_000, settleMs: { with: 6000, without: 2000 } }
const QUIET = { measuredMs: 30_000, settleMs: { with: 20_000, without: 5000 } }
const DATABASE = 'bench'
/** Sockets of I/O of the database and of the server, batches, threads, and memory. */
const PAGE = '#/indexing?v=1&s=db:bench&s=server&indexing.view=budgets'

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

// What this process starts has its core.
const isPinned = await pin(0, process.pid)
const server = await startRavenDb({ version: '7.1.5', studioPath: resolve(import.meta.dirname, '../dist') })
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

/** @typedef {{ perSecond: number, cpuPerSecond: number, cpuPerThousand: number, openingCpuMs: number, said: string }} Figures */

/** @param {'with' | 'without'} how @param {typeof BUSY} times @returns {Promise<Figures>} */
async function round(how, { measuredMs, settleMs }) {
  const before = await cpuMs(server.pid)
  await page.goto(how === 'with' ? `${server.url}/studio/index.html${PAGE}` : 'about:blank')
  await sleep(settleMs[how])
  const [startMs, cpu, documents] = [performance.now(), await cpuMs(server.pid), written]
  await sleep(measuredMs)
  const [tookMs, spentMs, many] = [performance.now() - startMs, (await cpuMs(server.pid)) - cpu, written - documents]
  const said = how === 'with' ? (await page.locator('footer button').first().innerText()).replaceAll(/\s+/g, ' ') : ''
  return {
    perSecond: (many / tookMs) * 1000,
    cpuPerSecond: (spentMs / tookMs) * 1000,
    cpuPerThousand: (spentMs / many) * 1000,
    openingCpuMs: cpu - before,
    said,
  }
}

/** @type {readonly ('with' | 'without')[]} */
const WITH_FIRST = ['with', 'without']

/** @param {number} many @param {typeof BUSY} times */
async function inTurns(many, times) {
  /** @type {{ with: Figures[], without: Figures[] }} */
  const all = { with: [], without: [] }
  for (let at = 0; at < many; at++)
    // A drift (a database that grows) must not favour one of them.
    for (const how of at % 2 === 0 ? WITH_FIRST : WITH_FIRST.toReversed()) {
      const figures = await round(how, times)
      all[how].push(figures)
      console.log(how, figures)
    }
  return all
}

// The runtime compiles what is called often, and the first minute of a server is its own.
await sleep(15_000)
const busy = await inTurns(rounds, BUSY)
writer.kill()
// What was written is indexed, flushed and forgotten first.
await sleep(20_000)
const quiet = await inTurns(2, QUIET)
await browser.close()
await server.stop()

/** @param {typeof busy} all @param {keyof Omit<Figures, 'said'>} of */
const row = (all, of, unit = '') => {
  const [a, b] = [all.with.map((each) => each[of]), all.without.map((each) => each[of])]
  const pairs = a.map((each, at) => each / (b[at] ?? Number.NaN)).toSorted((x, y) => x - y)
  const text = (/** @type {number} */ value) =>
    value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)
  const ratio = `${median(pairs).toFixed(2)} (${pairs.map((each) => each.toFixed(2)).join(', ')})`
  return `${text(median(b))}${unit} | ${text(median(a))}${unit} | ${ratio}`
}
const added =
  (median(quiet.with.map((each) => each.cpuPerSecond)) - median(quiet.without.map((each) => each.cpuPerSecond))) / 10
const opening =
  median(quiet.with.map((each) => each.openingCpuMs)) -
  (median(quiet.without.map((each) => each.cpuPerSecond)) * QUIET.settleMs.with) / 1000
const table = [
  '| | without | with the studio | ratio: median (each pair) |',
  '|---|---|---|---|',
  `| documents a second, bulk write | ${row(busy, 'perSecond')} |`,
  `| CPU of the server for a thousand documents | ${row(busy, 'cpuPerThousand', ' ms')} |`,
  `| CPU of the server a second, nothing written | ${row(quiet, 'cpuPerSecond', ' ms')} |`,
].join('\n')
const notes = [
  `Looking at a quiet server adds ${added.toFixed(2)} % of a core; opening the page cost ${Math.round(opening)} ms of CPU before, in ${QUIET.settleMs.with / 1000} s. The page itself said “${busy.with.at(-1)?.said}” while writing, “${quiet.with.at(-1)?.said}” after it.`,
  isPinned
    ? 'Server and writer on one core, the browser on another.'
    : 'Server, writer and browser share all cores, so drawing counts too.',
].join('\n')
console.log(`${table}\n\n${notes}`)
if (!values['no-write']) await writeSection('looking', 'node bench/looking.mjs', `${table}\n\n${notes}`)
process.exit(0)
