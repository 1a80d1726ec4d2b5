import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { generate } from '../../bench/generate.mjs'
import { bulk, createDatabase, json, put, putIndexes } from '../../tools/ravendb/client.mjs'
import { NEWEST } from '../../tools/ravendb/versions.mjs'
import '../support/studio.ts'
import { startRaven, type Raven } from '../support/raven.ts'
import type { Driver } from './driver.ts'
import { ENGINES, inEngine } from './in-engine.ts'
import { Studio } from './studio.ts'
import { passesInWorker } from './trying-worker.ts'

const EVENTS = 100_000
const NAME = 'demo'

interface World {
  readonly raven: Raven
  /** I/O metrics of 100,000 events. */
  readonly file: string
  readonly write: (count: number) => Promise<void>
}

/** Both browsers share a server and a file. */
const test = base.extend<object, { ravenVersion: string; world: World }>({
  ravenVersion: [NEWEST, { option: true, scope: 'worker' }],
  world: [
    async ({ ravenVersion }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'rookery-engines-'))
      const raven = await startRaven({ version: ravenVersion })
      try {
        const write = (count: number): Promise<unknown> =>
          bulk(
            raven.url,
            NAME,
            Array.from({ length: count }, (_, N) => put(`things/${N}`, 'Things', { N })),
          )
        await createDatabase(raven.url, NAME)
        await putIndexes(raven.url, NAME, [{ Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.N }'] }])
        await write(200)
        const file = join(folder, 'io-metrics.json')
        await generate(file, EVENTS, 7)
        await use({ raven, file, write: async (count) => void (await write(count)) })
      } finally {
        await raven.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** A part of each panel that shows what the worker sent, and its text. */
const LIVE: readonly (readonly [panel: string, selector: string, text: RegExp])[] = [
  ['Triage', '[aria-label="Vital signs"]', /\d %/],
  ['Databases', '[aria-label="Databases"]', /demo\s+online/],
  ['Summary', '[aria-label="Indexes of demo"]', /Things.ByN|1 index/],
  ['Vitals', '[aria-label="Newest figures"]', /\d/],
  ['I/O', '[aria-label="Lanes"]', /Things.ByN/],
  ['Stalls', '[aria-label="Stalls"]', /journal writes/],
  ['Compare', '[aria-label="Compare"]', /Compare the first half with the second/],
  ['Indexing', '[aria-label="Lanes"]', /Things.ByN/],
  ['Stacks', '[aria-label="CPU of the machine in this range"]', /\d %/],
  ['Cluster', '[aria-label="Cluster"]', /1 node/],
  ['Cluster log', '[aria-label="Lanes"]', /AddDatabase/],
  ['Activity', '[aria-label="Activity"]', /Done here/],
  ['Files', '[aria-label="Files"]', /Drop files anywhere/],
]

async function use(driver: Driver, { raven, file, write }: World): Promise<void> {
  const studio = new Studio(driver)

  await test.step('the policy of the page holds in its worker', async () => {
    expect(await passesInWorker(driver)).toEqual([])
  })

  await test.step('each panel shows what the server sends', async () => {
    await driver.goto(raven.studio(`#/databases?v=1&s=db:${NAME}`))
    for (const [panel, selector, text] of LIVE)
      await test.step(panel, async () => {
        // Another batch, so that there is one in the last minute.
        await write(5)
        await studio.click('nav a', panel)
        await studio.shows(selector, text)
      })
  })

  await test.step('the palette finds an index and pauses it', async () => {
    await studio.control('k')
    await studio.shows('[role=dialog], dialog[open]', /./)
    await studio.type('pause byn')
    await studio.chooseOption(/^Pause indexing: “Things\/ByN” of “demo”/)
    await studio.shows('[aria-label="Actions just done"]', /Done · Paused: “Things\/ByN”/)
    const stats = (await json(raven.url, `/databases/${NAME}/indexes/stats`)) as { Results: { Status: string }[] }
    expect(stats.Results.map(({ Status }) => Status)).toEqual(['Paused'])
    await studio.click('nav a', 'Activity')
    await studio.click('label', 'Done here')
    await studio.shows('[aria-label="Actions from this browser"]', /Paused: “Things\/ByN”/)
    await json(raven.url, `/databases/${NAME}/admin/indexes/start?name=Things%2FByN`, { method: 'POST' })
  })

  await test.step('a file of 100,000 events is opened', async () => {
    await driver.goto('about:blank')
    await driver.goto(raven.studio('#/files'))
    await studio.place('button', 'Open files…')
    await driver.chooseFile('[aria-label="Open files"]', file)
    await expect.poll(() => studio.count()).toBe(EVENTS)
    await studio.shows('[aria-label="Lanes"]', /Users.ByName/)
  })

  await test.step('the wheel zooms and a drag pans', async () => {
    const timeline = '[aria-label="I/O timeline"]'
    const middle = await studio.place(timeline, '', [0.5, 0.5])
    await expect.poll(() => studio.hash()).toMatch(/range=/)
    const [start, end] = await rangeOf(studio)
    await studio.wheel(middle, -600)
    const width = async (): Promise<number> => {
      const [from, to] = await rangeOf(studio)
      return to - from
    }
    await expect.poll(width).toBeLessThan(end - start)
    const zoomed = await rangeOf(studio)
    await studio.drag(middle, { x: middle.x - 200, y: middle.y })
    await expect.poll(async () => (await rangeOf(studio))[0]).toBeGreaterThan(zoomed[0])
  })

  await test.step('an export has all events', async () => {
    await studio.click('button', 'Export')
    await studio.click('label', 'Everything')
    await studio.click('dialog[open] button', 'Export')
    await studio.shows('dialog[open]', /Done: /)
    await expect.poll(() => eventsIn(driver.downloads)).toBe(EVENTS)
  })

  await test.step('two tabs show the same', async () => {
    const first = driver.tab()
    const io = raven.studio(`#/io?v=1&s=db:${NAME}`)
    await driver.goto('about:blank')
    await driver.goto(io)
    await expect.poll(() => studio.count()).toBeGreaterThan(0)
    await driver.openTab()
    await driver.goto(io)
    await expect.poll(() => studio.count()).toBeGreaterThan(0)
    const before = await studio.count()
    await write(50)
    await expect.poll(() => studio.count()).toBeGreaterThan(before)
    const after = await studio.count()
    await driver.toTab(first)
    await expect.poll(() => studio.count()).toBeGreaterThanOrEqual(after)
  })
}

/** Saves a report of a file’s timeline, and opens it from the disk: the file has to bring all that it shows. */
async function saveReport(driver: Driver, { raven, file }: World): Promise<void> {
  const studio = new Studio(driver)
  await driver.goto(raven.studio('#/files'))
  await studio.place('button', 'Open files…')
  await driver.chooseFile('[aria-label="Open files"]', file)
  await expect.poll(() => studio.count()).toBe(EVENTS)
  await studio.shows('[aria-label="Lanes"]', /Users.ByName/)
  await studio.click('nav a', 'Timeline')
  await studio.click('button', 'Save report')
  const saved = async (): Promise<string> => {
    const name = (await readdir(driver.downloads)).find((each) => each.endsWith('.html'))
    const text = name === undefined ? '' : await readFile(join(driver.downloads, name), 'utf8')
    return text.trimEnd().endsWith('</html>') ? join(driver.downloads, name ?? '') : ''
  }
  await expect.poll(saved, { timeout: 60_000 }).not.toBe('')
  await driver.goto(pathToFileURL(await saved()).href)
  await studio.shows('h1', /^Rookery: /)
  const found = await driver.evaluate(() => ({
    fetched: performance.getEntriesByType('resource').map(({ name }) => name.slice(0, 40)),
    foreign: [...document.querySelectorAll('script, link, iframe, object, img:not([src^="data:image/png;base64,"])')]
      .length,
    pictures: [...document.images].map(({ complete, naturalWidth }) => complete && naturalWidth > 1000),
    headings: [...document.querySelectorAll('h2')].map(({ textContent }) => textContent),
  }))
  expect(found.fetched.filter((name) => !name.startsWith('data:'))).toEqual([])
  expect(found).toMatchObject({ foreign: 0, pictures: [true] })
  expect(found.headings).toEqual(expect.arrayContaining(['Findings', 'Not known']))
}

/** Counts the events of a file by SQL: DuckDB is loaded into a worker of the page, under its policy. */
async function countBySql(driver: Driver, { raven, file }: World): Promise<void> {
  const studio = new Studio(driver)
  await driver.goto(raven.studio('#/files'))
  await studio.place('button', 'Open files…')
  await driver.chooseFile('[aria-label="Open files"]', file)
  await expect.poll(() => studio.count()).toBe(EVENTS)
  await driver.evaluate(() => void (location.hash = '#/archive?v=1&archive.view=ask'))
  const load = (): Promise<string> =>
    driver.evaluate(
      () =>
        [...document.querySelectorAll('button')]
          .map((each) => each.innerText)
          .find((each) => each.startsWith('Load DuckDB')) ?? '',
    )
  await expect.poll(load).not.toBe('')
  await studio.click('button', await load())
  await expect
    .poll(() => driver.evaluate(() => document.querySelector('[aria-label="SQL"]') !== null), { timeout: 120_000 })
    .toBe(true)
  await studio.click('[aria-label="SQL"]')
  await studio.control('a')
  await studio.type('select count(*) + 1 as one_more from io')
  await studio.click('button', 'Run')
  await studio.shows(
    'td, [role=cell]',
    new RegExp(`^${String(EVENTS + 1)}$|^${(EVENTS + 1).toLocaleString('en-US')}$`, 'm'),
  )
}

/** Number of events in the file that was downloaded last; -1 as long as it is not whole. */
async function eventsIn(folder: string): Promise<number> {
  const name = (await readdir(folder)).find((each) => each.endsWith('.json')) ?? ''
  try {
    const { Environments } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      Environments: { Files: { Recent: unknown[] }[] }[]
    }
    return Environments.flatMap(({ Files }) => Files).reduce((sum, { Recent }) => sum + Recent.length, 0)
  } catch {
    return -1
  }
}

/** Range of the view, in ticks. */
async function rangeOf(studio: Studio): Promise<readonly [number, number]> {
  const [, from, to] = /range=(\d+)\.\.(\d+)/.exec(await studio.hash()) ?? []
  return [Number(from), Number(to)]
}

for (const [name, start] of ENGINES)
  for (const [what, story] of [
    ['panels, palette, a large file, zoom, pan, export, two tabs', use],
    ['a saved report opens from the disk and fetches nothing', saveReport],
    ['SQL runs in the page over a file', countBySql],
  ] as const)
    test(`${name}: ${what} @full`, ({ world }, info) => inEngine(start, (driver) => story(driver, world), info))
