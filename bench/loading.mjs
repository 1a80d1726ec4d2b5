// @ts-check
/**
 * Compares the time to the first drawn data of panels in a browser with an empty cache, for several builds alternately:
 * from the start of the navigation until the panel shows its data. Each build is served by its own RavenDB at /studio
 * and by the stand-alone server in front of it, without delay and with a delay of each response as in a network. Writes
 * its section of bench/results.
 * `npm run bench:loading [-- --builds one=FOLDER,other=FOLDER --rounds 9 --delays 0,20 --no-write]`
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { bulk, createDatabase, put } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { serveStudio } from '../tools/serve.mjs'
import { userDocument } from '../tools/workload/users.mjs'
import { median, ms, tableOf, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: {
    builds: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    delays: { type: 'string', default: '0,20' },
    'no-write': { type: 'boolean', default: false },
  },
})
const DATABASE = 'loading'
const DOCUMENTS = 2000
const ROUNDS = Number(values.rounds)

/** Panels, each with a function of the page that reports whether its data are on screen. */
const PANELS = {
  Triage: {
    hash: '#/triage?v=1',
    isDrawn: () => /CPU at \d+ %/.test(document.querySelector('main')?.textContent ?? ''),
  },
  'I/O': {
    hash: `#/io?v=1&s=db:${DATABASE}`,
    isDrawn: () =>
      Array.from(document.querySelectorAll('canvas')).some((canvas) => {
        const { width, height } = canvas
        if (canvas.closest('[role="application"]') === null || width === 0 || height === 0) return false
        // Events are filled, whereas the grid has a single colour.
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? {}
        return (
          new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0)).filter((pixel) => pixel >>> 24 === 255)).size > 1
        )
      }),
  },
  Documents: {
    hash: `#/documents?v=1&s=db:${DATABASE}`,
    isDrawn: () => /users\/\d+/.test(document.querySelector('main')?.textContent ?? ''),
  },
}

const builds = (values.builds ?? `this=${await builtStudio()}`).split(',').map((build) => {
  const [name = '', folder = ''] = build.split('=')
  return { name, folder }
})

const { path } = await findChromium()
const browser = await chromium.launch(path === undefined ? {} : { executablePath: path })
const served = await Promise.all(
  builds.map(async ({ name, folder }) => {
    const server = await startRavenDb({ version: '7.1.5', studioPath: folder })
    await createDatabase(server.url, DATABASE)
    await write(server.url, DOCUMENTS)
    const alone = await serveStudio({ dist: folder, target: server.url })
    return { name, server, alone, urls: { RavenDB: server.url, 'stand-alone': alone.url } }
  }),
)

/** @typedef {{ ms: number, cpuMs: number }} Opened the time that passed, and the processor time of the page's process */
/** @type {Map<string, Map<string, Opened[]>>} of each build, by what was opened */
const opened = new Map()
for (let round = 0; round <= ROUNDS; round++)
  for (const delayMs of values.delays.split(',').map(Number))
    for (const [panel, { hash, isDrawn }] of Object.entries(PANELS))
      for (const by of /** @type {const} */ (['RavenDB', 'stand-alone']))
        for (let at = 0; at < served.length; at++) {
          // Builds alternate, and each round begins with a different one.
          const build = served[(at + round) % served.length]
          if (build === undefined) continue
          // Creates events in the time range that a live panel shows first.
          await write(build.server.url, 20)
          const took = await open(`${build.urls[by]}/studio/index.html${hash}`, isDrawn, delayMs)
          // The first round, with cold servers, is not counted.
          if (round === 0) continue
          const what = `${panel}, ${by}${delayMs === 0 ? '' : `, ${delayMs} ms away`}`
          const row = opened.get(what) ?? new Map()
          opened.set(what, row.set(build.name, [...(row.get(build.name) ?? []), took]))
        }

const [first, ...others] = builds.map(({ name }) => name)
/**
 * Median ratio to the first build, by pairs.
 * @param {readonly Opened[]} own @param {readonly Opened[]} base @param {keyof Opened} of
 */
const ratio = (own, base, of) => median(own.map((took, at) => took[of] / (base[at]?.[of] ?? Number.NaN))).toFixed(2)
/** @param {readonly Opened[]} own */
const figures = (own) => `${ms(median(own.map((each) => each.ms)))}, CPU ${ms(median(own.map((each) => each.cpuMs)))}`
const table = tableOf(
  ['first picture of', first ?? '', ...others.map((name) => `${name}: ratio of pairs, of their CPU`)],
  [...opened].map(([what, row]) => {
    const base = row.get(first ?? '') ?? []
    const compared = others.map((name) => {
      const own = row.get(name) ?? []
      return `${figures(own)}: ${ratio(own, base, 'ms')}, ${ratio(own, base, 'cpuMs')}`
    })
    return [what, figures(base)].concat(compared)
  }),
)
console.log(table)
if (!values['no-write']) await writeSection('loading', 'npm run bench:loading --', table)
await browser.close()
for (const { server, alone } of served) {
  await alone.close()
  await server.stop()
}
process.exit(0)

/** @param {string} url @param {number} count of documents */
async function write(url, count) {
  const documents = Array.from({ length: count }, (_, at) => put(`users/${at}`, 'Users', userDocument(1, at, 0)))
  await bulk(url, DATABASE, documents)
}

/**
 * @param {string} url @param {() => boolean} isDrawn @param {number} delayMs of each response
 * @returns {Promise<Opened>} from the beginning of the navigation to the frame after the data are there
 */
async function open(url, isDrawn, delayMs) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  if (delayMs > 0) {
    await session.send('Network.enable')
    const unlimited = { downloadThroughput: -1, uploadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: delayMs, ...unlimited })
  }
  await page.addInitScript(`
    const isDrawn = ${String(isDrawn).replaceAll('${DATABASE}', DATABASE)}
    const look = () => {
      if (document.readyState !== 'loading' && isDrawn()) requestAnimationFrame(() => Object.assign(globalThis, { drawnMs: performance.now() }))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)`)
  await page.goto(url)
  const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'drawnMs'), undefined, { timeout: 30_000 })
  const tookMs = Number(await handle.jsonValue())
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  return { ms: tookMs, cpuMs: 1000 * (metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN) }
}
