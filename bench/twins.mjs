// @ts-check
/**
 * Measures whether an open studio keeps idle databases loaded for longer. Two servers receive the same requests to the
 * same databases at the same times, and one of them is watched, by Triage and Databases unless other panels are named.
 * Counts how often each server unloads its databases, and how long after a request. Writes its section of
 * bench/results.
 * `npm run bench:twins [-- --minutes 5 --panels io,indexing --no-write]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { createDatabase, databasePath, json } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { mix, randomOf, whole } from '../tools/workload/random.mjs'
import { median, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    panels: { type: 'string', default: 'triage,databases' },
    'no-write': { type: 'boolean', default: false },
  },
})
const lastsMs = Number(values.minutes) * 60_000
const SETTINGS = { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1' }
const DATABASES = Array.from({ length: 6 }, (_, at) => `idle${at}`)
/** Minimum and maximum time between two requests to one database, s. */
const PAUSE = /** @type {const} */ ([8, 38])
const SEED = 1
const PROBE_EVERY_MS = 100

/** @typedef {{ touchedMs: number, wasLoaded: boolean, unloads: number, lastedMs: number[] }} Fate */

/**
 * Probes until `endMs` whether databases are loaded, without loading them.
 * @param {string} url @param {ReadonlyMap<string, Fate>} fates @param {number} endMs wall clock
 */
async function watch(url, fates, endMs) {
  while (Date.now() < endMs) {
    for (const [name, fate] of fates) {
      const { touchedMs } = fate
      const answer = await json(url, `/debug/is-loaded?name=${name}`).catch(() => null)
      if (answer === null) continue
      const { IsLoaded: isLoaded } = answer
      if (fate.wasLoaded && !isLoaded && touchedMs === fate.touchedMs) {
        fate.unloads++
        fate.lastedMs.push(Date.now() - touchedMs)
      }
      fate.wasLoaded = isLoaded
    }
    await sleep(PROBE_EVERY_MS)
  }
}

/**
 * Sends the same requests to the database of both servers.
 * @param {readonly { url: string, fates: ReadonlyMap<string, Fate> }[]} twins @param {string} name @param {number} at
 * @param {number} endMs wall clock
 */
async function touch(twins, name, at, endMs) {
  const random = randomOf(mix(SEED, at))
  for (;;) {
    await sleep(whole(random, ...PAUSE) * 1000)
    if (Date.now() >= endMs) return
    await Promise.all(
      twins.map(async ({ url, fates }) => {
        await json(url, `${databasePath(name)}/docs?id=none`).catch(() => undefined)
        const fate = fates.get(name)
        if (fate !== undefined) Object.assign(fate, { touchedMs: Date.now(), wasLoaded: true })
      }),
    )
  }
}

const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const twins = await Promise.all(
  ['watched', 'alone'].map(async (name) => {
    const studioPath = await builtStudio()
    const server = await startRavenDb({ version: '7.1.5', settings: SETTINGS, studioPath })
    for (const database of DATABASES) await createDatabase(server.url, database)
    /** @type {Map<string, Fate>} */
    const fates = new Map(
      DATABASES.map((database) => [database, { touchedMs: Date.now(), wasLoaded: true, unloads: 0, lastedMs: [] }]),
    )
    return { name, server, url: server.url, fates }
  }),
)
const [watched] = twins
const sources = DATABASES.map((name) => `&s=db:${name}`).join('')
for (const panel of values.panels.split(',')) {
  const page = await browser.newPage()
  await page.goto(`${watched?.url ?? ''}/studio/index.html#/${panel}?v=1${sources}`)
}
const endMs = Date.now() + lastsMs
await Promise.all([
  ...twins.map(({ url, fates }) => watch(url, fates, endMs)),
  ...DATABASES.map((name, at) => touch(twins, name, at, endMs)),
])
await browser.close()

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`
const rows = twins.map(({ name, fates }) => {
  const all = [...fates.values()]
  // The pages open while the databases are already loaded, which acts like a request: the first time of each database
  // is excluded.
  const lasted = all.flatMap(({ lastedMs }) => lastedMs.slice(1))
  const mean = lasted.reduce((sum, ms) => sum + ms, 0) / lasted.length
  const unloads = all.reduce((sum, each) => sum + each.unloads, 0)
  return `| ${name} | ${unloads} | ${seconds(median(lasted))} | ${seconds(mean)} | ${seconds(Math.max(...lasted))} |`
})
for (const { server } of twins) await server.stop()
const table = [
  `| server | unloaded in ${values.minutes} min | median time after a request | mean | longest |`,
  '|---|---|---|---|---|',
  ...rows,
].join('\n')
console.log(table)
if (!values['no-write']) await writeSection('twins', 'node bench/twins.mjs', table)
process.exit(0)
