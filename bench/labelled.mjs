// @ts-check
/**
 * Compares stalls of a real server, whose journal writes are delayed for known causes (`delays.c`), with the causes
 * that the built studio finds.
 * `npm run bench:labelled -- [--only sync,bytes] [--keep FOLDER] [--no-write]`; takes 25 minutes on two otherwise idle
 * cores. `--keep`: writes recordings in the form of `src/testing/recorded/stalls`. Linux, with a C compiler.
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileDelays } from '../tools/delays/compile.mjs'
import { openBench } from './browser.mjs'
import { labelOf, packed } from './labelled-pack.mjs'
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

/** @type {Clients['indexes']} */
const INDEXES = [
  { Name: 'Documents/ByGroup', Maps: ['from d in docs.Documents select new { d.Group, Length = d.Text.Length }'] },
  {
    Name: 'Documents/Totals',
    Maps: ['from d in docs.Documents select new { d.Group, Count = 1 }'],
    Reduce: 'from r in results group r by r.Group into g select new { Group = g.Key, Count = g.Sum(x => x.Count) }',
  },
]
/** @type {Clients} */
const PLAIN = { count: 2, everyMs: 120, kb: 6, busyTimes: 3, busyMs: 18_000 }
/** @type {Clients} */
const WITH_BULK = { ...PLAIN, everyMs: 90, busyTimes: 2, bulk: { everyMs: 2500, kb: 3000 } }
/**
 * Clients that reach the limit only in busy times: writes that are slow most of the time do not count as stalls.
 * @type {Clients}
 */
const IN_TURN = { count: 3, everyMs: 300, kb: 30, busyTimes: 8, busyMs: 8000 }

/** Clients with index storages, which make many small writes beside the documents. @type {Clients} */
const WITH_INDEXES = { ...PLAIN, everyMs: 80, indexes: INDEXES }

/** Kinds of delays. `delays`: lines as `delays.c` reads them; `two`: the second database has its own volume. */
const KINDS = [
  { name: 'none', what: 'syncs of 1 s that hold up nothing', delays: ['idle-sync 1000'], clients: WITH_INDEXES },
  {
    name: 'random',
    what: 'one of 50 writes, and such syncs',
    delays: ['idle-sync 800', 'random 0.02 300'],
    clients: WITH_INDEXES,
    two: true,
  },
  { name: 'sync', what: '7 of 10 syncs hold up their environment', delays: ['sync 800 0.7'], clients: WITH_INDEXES },
  { name: 'sync-of-volume', what: 'syncs hold up all', delays: ['sync-of-volume 350 1'], clients: PLAIN },
  {
    name: 'sync-of-many',
    what: '6 of 10 syncs hold up all, one of 100 writes is slow beside',
    delays: ['sync-of-volume 700 0.6', 'random 0.01 150'],
    clients: WITH_INDEXES,
  },
  { name: 'size', what: '4 MB/s each, side by side', delays: ['idle-sync 400', 'size 4000'], clients: WITH_BULK },
  {
    name: 'large',
    what: 'writes of 400 kB and more hold up all, 3 MB/s',
    delays: ['large 400000 3000'],
    clients: { ...WITH_BULK, bulk: { everyMs: 3000, kb: 1500 } },
  },
  { name: 'bytes', what: '5 MB/s, bucket of 5 MB', delays: ['bytes 5000 5000000 0'], clients: IN_TURN, seconds: 150 },
  {
    name: 'steps',
    what: '2 MB/s, bucket of 8 MB, filled each 250 ms',
    delays: ['bytes 2000 8000000 250'],
    clients: { ...IN_TURN, everyMs: 400 },
    seconds: 150,
  },
  {
    name: 'operations',
    what: '45 writes/s, bucket of 40: no cause that is looked for',
    delays: ['operations 0.045 40 0'],
    clients: IN_TURN,
    seconds: 150,
  },
  {
    name: 'standstill',
    what: 'two volumes stand still for 400 ms',
    delays: ['standstill 6000 400'],
    clients: WITH_INDEXES,
    two: true,
  },
]
const SECONDS = 80
/** Volumes by path. `two` gives the second database its own volume, as in a recording with two volumes. */
const VOLUMES = {
  one: [{ pathContains: '/Databases/', volume: 'one' }],
  two: [
    { pathContains: '/Databases/b', volume: 'two' },
    { pathContains: '/Databases/', volume: 'one' },
  ],
}
/** Label of a stall that was not delayed. */
const NO_DELAY = 'none'
/** Minimum delay of a stall that is scored, ms. */
const LEAST_HELD_MS = 50
/** Share of false claims above which the run fails. */
const MOST_FALSE = 0.02
/** Minimum share of a stall that a delay must cover to count as its cause. */
const CAUSE_SHARE = 0.5

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'string' }, 'no-write': { type: 'boolean', default: false } },
})
const only = values.only?.split(',')
const unknown = only?.filter((name) => !KINDS.some((kind) => kind.name === name)) ?? []
if (unknown.length > 0) throw new Error(`No such kind of delay: ${unknown.join(', ')}.`)
// The real path, since `delays.c` records the paths of open files.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'rookery-labelled-')))
const library = await compileDelays(folder)
if (library === null) throw new Error('No C compiler (cc) was found: install one, such as gcc.')
const bench = await openBench()
/** @type {(readonly string[])[]} */
const rows = []
let judgedStalls = 0
let falseClaims = 0
for (const { name, what, delays, clients, seconds = SECONDS, two = false } of KINDS) {
  if (only !== undefined && !only.includes(name)) continue
  const recording = await record(join(folder, name), library, { delays, seconds, clients })
  const stalls = await judged(recording, two ? VOLUMES.two : VOLUMES.one)
  if (values.keep !== undefined) {
    const about = { name, says: what, stallMs: LEAST_HELD_MS, volumes: two ? VOLUMES.two : VOLUMES.one }
    await writeFile(join(values.keep, `${name}.json.gz`), packed(recording, about))
  }
  const pairs = stalls.map((stall) => ({ label: causeOf(stall, recording), cause: stall.cause }))
  const count = (/** @type {(pair: { label: string, cause: string }) => boolean} */ is) =>
    String(pairs.filter(is).length)
  const row = [
    `${name}: ${what}`,
    String(stalls.length),
    count(({ label }) => label !== NO_DELAY),
    count(({ label, cause }) => label !== NO_DELAY && cause === expectedOf(label)),
    count(({ label, cause }) => label !== NO_DELAY && cause !== 'unexplained' && cause !== expectedOf(label)),
  ]
  rows.push(row)
  judgedStalls += stalls.length
  falseClaims += pairs.filter(({ label, cause }) => cause !== 'unexplained' && cause !== expectedOf(label)).length
  process.stdout.write(`${row.join(' · ')}\n`)
}
const head = ['delays', 'stalls', 'of them delayed', 'rightly judged', 'another cause blamed']
// The table is written only if all kinds were run.
if (!values['no-write'] && only === undefined)
  await writeSection('labelled', 'node bench/labelled.mjs', tableOf(head, rows))
await bench.close()
await rm(folder, { recursive: true, force: true })
const isTrue = falseClaims <= MOST_FALSE * judgedStalls
if (!isTrue)
  process.stdout.write(`${falseClaims} of ${judgedStalls} stalls were put down to what did not cause them.\n`)
process.exit(isTrue ? 0 : 1)

/**
 * Reads the causes that the studio finds for the stalls of a recording.
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
 * Finds the cause that delayed the write for most of its time.
 * @param {Stall} stall @param {Recording} recording
 */
function causeOf({ start, environment, durationMs }, { delays }) {
  // Digits of 100 ns, of which Date.parse reads those of the milliseconds.
  const label = labelOf(environment, Date.parse(`${start.slice(0, 23)}Z`), durationMs, delays)
  return label !== null && label.heldMs >= CAUSE_SHARE * durationMs ? label.cause : NO_DELAY
}

/** @param {string} label */
function expectedOf(label) {
  return label === 'random' || label === 'operations' ? 'unexplained' : label
}
