// @ts-check
/**
 * Stalls of a real server whose journal writes are held up for known causes (`delays.c`), and what the built studio puts them down to.
 * `npm run bench:labelled -- [--only sync,bytes] [--no-write]`; 25 minutes on two cores that do nothing else. Linux, with a C compiler.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileDelays } from '../tools/delays/compile.mjs'
import { openBench } from './browser.mjs'
import { record } from './labelled-record.mjs'
import { tableOf, writeSection } from './results.mjs'

/** @typedef {import('./labelled-record.mjs').Recording} Recording @typedef {import('./labelled-record.mjs').Clients} Clients */

/**
 * @typedef {{ start: string, environment: string, durationMs: number, cause: string }} Stall
 * @typedef {readonly { pathContains: string, volume: string }[]} Volumes
 * @typedef {object} Rookery the studio's script interface
 * @property {() => Promise<void>} idle
 * @property {(volumes: Volumes) => void} setVolumes
 * @property {() => Promise<readonly Stall[]>} stalls
 */

/** @type {Clients} */
const PLAIN = { count: 2, everyMs: 120, kb: 6, busyTimes: 3, busyMs: 18_000 }
/** @type {Clients} */
const WITH_BULK = { ...PLAIN, everyMs: 90, busyTimes: 2, bulk: { everyMs: 4000, kb: 6000 } }
/** At the limit in busy times only: what is slow most of the time is no stall. @type {Clients} */
const IN_TURN = { count: 3, everyMs: 300, kb: 30, busyTimes: 8, busyMs: 8000 }

/** `delays`: lines as `delays.c` reads them. */
const KINDS = [
  { name: 'none', what: 'syncs of 800 ms that hold up nothing', delays: ['idle-sync 800'], clients: PLAIN },
  {
    name: 'random',
    what: 'one of 50 writes, and such syncs',
    delays: ['idle-sync 800', 'random 0.02 200'],
    clients: PLAIN,
  },
  { name: 'sync', what: 'syncs hold up their environment', delays: ['sync 600 0.8'], clients: PLAIN },
  { name: 'sync-of-volume', what: 'syncs hold up all', delays: ['sync-of-volume 500 0.8'], clients: PLAIN },
  { name: 'size', what: '8 MB/s each, side by side', delays: ['idle-sync 300', 'size 8000'], clients: WITH_BULK },
  { name: 'line', what: '15 MB/s, one after the other', delays: ['line 15000'], clients: WITH_BULK },
  { name: 'bytes', what: '5 MB/s, bucket of 5 MB', delays: ['bytes 5000 5000000 0'], clients: IN_TURN, seconds: 210 },
  {
    name: 'steps',
    what: 'the same, filled each 250 ms',
    delays: ['bytes 5000 5000000 250'],
    clients: IN_TURN,
    seconds: 210,
  },
  {
    name: 'operations',
    what: '45 writes/s, bucket of 40',
    delays: ['operations 0.045 40 0'],
    clients: IN_TURN,
    seconds: 210,
  },
  { name: 'standstill', what: 'two volumes stand still for 400 ms', delays: ['standstill 8000 400'], clients: PLAIN },
]
const SECONDS = 120
/** The second database has a volume of its own, where that can be told from the others. */
const VOLUMES = {
  one: [{ pathContains: '/Databases/', volume: 'one' }],
  two: [
    { pathContains: '/Databases/b', volume: 'two' },
    { pathContains: '/Databases/', volume: 'one' },
  ],
}
/** The label of a stall that was not delayed. */
const NO_DELAY = 'none'
/** A delay that is so much of a stall is its cause. */
const CAUSE_SHARE = 0.5

const { values } = parseArgs({ options: { only: { type: 'string' }, 'no-write': { type: 'boolean', default: false } } })
const only = values.only?.split(',')
const unknown = only?.filter((name) => !KINDS.some((kind) => kind.name === name)) ?? []
if (unknown.length > 0) throw new Error(`No such kind of delay: ${unknown.join(', ')}.`)
// As the shim sees it, which notes paths of open files.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'rookery-labelled-')))
const library = await compileDelays(folder)
if (library === null) throw new Error('No C compiler (cc) was found: install one, such as gcc.')
const bench = await openBench()
/** @type {(readonly string[])[]} */
const rows = []
for (const { name, what, delays, clients, seconds = SECONDS } of KINDS) {
  if (only !== undefined && !only.includes(name)) continue
  const recording = await record(join(folder, name), library, { delays, seconds, clients })
  const stalls = await judged(recording, name === 'standstill' ? VOLUMES.two : VOLUMES.one)
  const pairs = stalls.map((stall) => ({ label: labelOf(stall, recording), cause: stall.cause }))
  const count = (/** @type {(pair: { label: string, cause: string }) => boolean} */ is) =>
    String(pairs.filter(is).length)
  const row = [
    `${name}: ${what}`,
    String(stalls.length),
    count(({ label }) => label !== NO_DELAY),
    count(({ label, cause }) => label !== NO_DELAY && cause === (label === 'random' ? 'unexplained' : label)),
    count(({ label, cause }) => cause !== 'unexplained' && cause !== label),
  ]
  rows.push(row)
  process.stdout.write(`${row.join(' · ')}\n`)
}
const head = ['delays', 'stalls', 'of them delayed', 'rightly judged', 'another cause blamed']
// Some kinds alone are no table.
if (!values['no-write'] && only === undefined)
  await writeSection('labelled', 'node bench/labelled.mjs', tableOf(head, rows))
await bench.close()
await rm(folder, { recursive: true, force: true })
process.exit(0)

/**
 * What the studio puts the stalls of the recording down to.
 * @param {Recording} recording @param {Volumes} volumes @returns {Promise<readonly Stall[]>}
 */
async function judged({ document }, volumes) {
  const page = await bench.browser.newPage()
  await page.goto(bench.studioUrl)
  await page.locator('input[aria-label="Open files"]').setInputFiles({
    name: 'io-metrics.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(document)),
  })
  const stalls = await page.evaluate(async (named) => {
    const { rookery } = /** @type {{ rookery: Rookery }} */ (/** @type {unknown} */ (globalThis))
    await rookery.idle()
    rookery.setVolumes(named)
    return [...(await rookery.stalls())]
  }, volumes)
  await page.close()
  return stalls
}

/**
 * The cause that held the write up for most of its time.
 * @param {Stall} stall @param {Recording} recording
 */
function labelOf({ start, environment, durationMs }, { delays }) {
  // 100 ns, of which Date.parse knows the milliseconds.
  const startMs = Date.parse(`${start.slice(0, 23)}Z`)
  /** @type {Map<string, number>} */
  const byCause = new Map()
  for (const { beginMs, endMs, cause, path } of delays) {
    if (!path.startsWith(`${environment}/Journals/`)) continue
    const sharedMs = Math.min(endMs, startMs + durationMs) - Math.max(beginMs, startMs)
    if (sharedMs > 0) byCause.set(cause, (byCause.get(cause) ?? 0) + sharedMs)
  }
  const [most] = [...byCause].toSorted((a, b) => b[1] - a[1])
  return most !== undefined && most[1] >= CAUSE_SHARE * durationMs ? most[0] : NO_DELAY
}
