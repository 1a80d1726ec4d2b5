// @ts-check
/**
 * Compares documents and queries with the official Studio, on one server and alternately: a list of a million
 * documents, a document of 10 MB, typing in one of 1 MB, a query with 100,000 results. Limited to ten minutes. Writes
 * its section of bench/results.
 * `npm run bench:documents [-- --documents 1000000 --results 100000 --rounds 3 --only list,large,typing,query
 * --no-write]`
 */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import http from 'node:http'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { createDatabase, databasePath, json } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { serveStudio } from '../tools/serve.mjs'
import { peers } from './documents-peers.mjs'
import { median, megabytes, ms, tableOf, writeSection } from './results.mjs'

/** @typedef {import('./documents-peers.mjs').Peer} Peer @typedef {import('@playwright/test').Page} Page */

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    results: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'list,large,typing,query' },
    'no-write': { type: 'boolean', default: false },
  },
})
const DOCUMENTS = Number(values.documents)
const RESULTS = Number(values.results)
/** Time after which no further round begins, ms. */
const MOST_MS = 480_000
const STEP_MS = 45_000
const KEYS = 40

/** Measured steps, in the order of the table. */
const STEPS = {
  first: 'list: first rows, of a new browser',
  middle: 'list: the middle by one move of the bar',
  last: 'list: the end by one move of the bar',
  frames: 'list: frames while scrolling, p95',
  shown: '10 MB document: shown',
  found: '10 MB document: a text near its end found',
  edited: '10 MB document: from a key to the frame, median',
  typed: '1 MB document: from a key to the frame, p95',
  queried: `query of ${RESULTS.toLocaleString('en')} results: first rows`,
  exported: `query of ${RESULTS.toLocaleString('en')} results: exported as CSV`,
}

const all = { list: measureList, large: measureLarge, typing: measureTyping, query: measureQuery }
const parts = Object.entries(all).flatMap(([name, part]) => (values.only.split(',').includes(name) ? [part] : []))

const began = performance.now()
const server = await startRavenDb({ version: '7.1.5' })
await fill('million', 'people', DOCUMENTS)
await fill('results', 'people', RESULTS)
await createDatabase(server.url, 'large')
await putLarge('large/10mb', 70_000, 100)
await putLarge('large/1mb', 8000, 80)
const alone = await serveStudio({ dist: await builtStudio(), target: server.url })
const { path } = await findChromium()
const browser = await chromium.launch({
  ...(path === undefined ? {} : { executablePath: path }),
  args: ['--enable-precise-memory-info'],
})

/** @type {Map<string, Map<keyof typeof STEPS, number[]>>} figures by name of the studio */
const figures = new Map()
/** @type {Map<string, string>} what was noted besides, by name of the studio */
const notes = new Map()
for (let round = 0; round < Number(values.rounds) && performance.now() - began < MOST_MS; round++) {
  const both = peers({ rookery: alone.url, official: server.url })
  for (const peer of round % 2 === 0 ? both : both.toReversed()) {
    /** @param {keyof typeof STEPS} step @param {number} figure */
    const keep = (step, figure) => {
      const of = figures.get(peer.name) ?? new Map()
      figures.set(peer.name, of.set(step, [...(of.get(step) ?? []), figure]))
      console.log(`${peer.name}, ${STEPS[step]}: ${ms(figure)}`)
    }
    for (const part of parts)
      await inNewPage((page) => part(peer, page, keep, (note) => void notes.set(peer.name, note))).catch((error) =>
        console.log(`${peer.name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`),
      )
  }
}
const emptyP95 = await inNewPage(async (page) => {
  await page.setContent('<div style="height: 30000000px">empty</div>')
  return framesWhile(page)
})

const of = (/** @type {string} */ name, /** @type {keyof typeof STEPS} */ step) =>
  median(figures.get(name)?.get(step) ?? [])
const table = tableOf(
  ['', 'Rookery', 'official Studio', 'ratio'],
  /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS)).map((step) => {
    const [own, official] = [of('Rookery', step), of('official Studio', step)]
    return [STEPS[step], ms(own), ms(official), Number.isNaN(own / official) ? '–' : (own / official).toFixed(2)]
  }),
)
const body = [
  table,
  `Frames of an empty page of that height while scrolling, p95: ${ms(emptyP95)}. ${[...notes].map(([name, note]) => `${name}: ${note}`).join(' ')}`,
].join('\n\n')
console.log(body)
if (!values['no-write']) await writeSection('documents', 'npm run bench:documents --', body)
await browser.close()
await alone.close()
await server.stop()
process.exit(0)

/** @template T @param {(page: Page) => Promise<T>} run @returns {Promise<T>} */
async function inNewPage(run) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_MS)
  // In both studios, small exports are then saved as downloads.
  await page.addInitScript('Reflect.deleteProperty(globalThis, "showSaveFilePicker")')
  try {
    return await run(page)
  } finally {
    await context.close()
  }
}

/** @param {() => Promise<unknown>} run @returns {Promise<number>} ms */
async function took(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/**
 * Waits until the number of a document in view is between two values.
 * @param {Page} page @param {number} from @param {number} to
 */
function seen(page, from, to) {
  return page.waitForFunction(
    ([least, most]) =>
      Array.from(document.querySelectorAll('a, button')).some((each) => {
        const number = /^people\/(\d+)$/.exec(each.textContent.trim())?.[1]
        return number !== undefined && Number(number) >= (least ?? 0) && Number(number) <= (most ?? 0)
      }),
    [from, to],
  )
}

/** Moves the scroll bar of the list. @param {Page} page @param {number} share of its whole way */
function moveBar(page, share) {
  return page.evaluate((to) => {
    const boxes = Array.from(document.querySelectorAll('div'))
    const box = boxes.find((each) => each.scrollHeight > 100_000 && getComputedStyle(each).overflowY !== 'visible')
    if (box !== undefined) box.scrollTop = (box.scrollHeight - box.clientHeight) * to
  }, share)
}

/** @typedef {(step: keyof typeof STEPS, figure: number) => void} Keep */

/** @param {Peer} peer @param {Page} page @param {Keep} keep @param {(note: string) => void} note */
async function measureList(peer, page, keep, note) {
  keep(
    'first',
    await took(async () => {
      await page.goto(peer.list('million'))
      await seen(page, DOCUMENTS - 40, DOCUMENTS)
    }),
  )
  await peer.settle(page)
  keep('frames', await framesWhile(page))
  await moveBar(page, 0)
  await seen(page, DOCUMENTS - 40, DOCUMENTS)
  keep('middle', await took(() => moveBar(page, 0.5).then(() => seen(page, DOCUMENTS * 0.4, DOCUMENTS * 0.6))))
  const end = await took(() => moveBar(page, 1).then(() => seen(page, 0, DOCUMENTS * 0.2)))
  const reached = await page.evaluate(() =>
    Math.min(
      ...Array.from(document.querySelectorAll('a, button')).flatMap((each) => {
        const number = /^people\/(\d+)$/.exec(each.textContent.trim())?.[1]
        return number === undefined ? [] : [Number(number)]
      }),
    ),
  )
  keep('last', end)
  const heap = await page.evaluate(() => Reflect.get(performance, 'memory')?.usedJSHeapSize ?? Number.NaN)
  note(`its bar ends at row ${(DOCUMENTS - reached).toLocaleString('en')}; heap ${megabytes(heap)}.`)
}

/** Turns the wheel for 2 s. @param {Page} page @returns {Promise<number>} time between two frames, p95, ms */
async function framesWhile(page) {
  await page.mouse.move(800, 500)
  await page.evaluate(() => {
    const frames = { times: /** @type {number[]} */ ([]) }
    Object.assign(globalThis, { frames })
    const step = (/** @type {number} */ at) => {
      frames.times.push(at)
      if (frames.times.length < 2000) requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })
  for (let i = 0; i < 80; i++) {
    await page.mouse.wheel(0, 120)
    await page.waitForTimeout(25)
  }
  const times = await page.evaluate(
    () => /** @type {number[]} */ (/** @type {unknown} */ (Reflect.get(Reflect.get(globalThis, 'frames'), 'times'))),
  )
  return p95(times.slice(1).map((at, i) => at - (times[i] ?? at)))
}

/** @param {readonly number[]} numbers */
function p95(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? Number.NaN
}

/** @param {Peer} peer @param {Page} page @param {Keep} keep */
async function measureLarge(peer, page, keep) {
  keep(
    'shown',
    await took(async () => {
      await page.goto(peer.document('large', 'large/10mb'))
      await peer.untilText(page, '"Price"')
    }),
  )
  await peer.settle(page)
  await peer.focusText(page)
  keep('edited', median(await keysIn(page, 15)))
  await page.keyboard.press('Control+f')
  await peer.searchField(page).waitFor()
  keep(
    'found',
    await took(async () => {
      await page.keyboard.type('row 69000 ')
      await page.keyboard.press('Enter')
      await peer.untilText(page, 'row 69000 ')
    }),
  )
}

/** @param {Peer} peer @param {Page} page @param {Keep} keep */
async function measureTyping(peer, page, keep) {
  await page.goto(peer.document('large', 'large/1mb'))
  await peer.untilText(page, '"Price"')
  await peer.settle(page)
  await peer.focusText(page)
  keep('typed', p95(await keysIn(page, KEYS)))
}

/** Types letters. @param {Page} page @param {number} count @returns {Promise<number[]>} from each key to the end of its frame, ms */
async function keysIn(page, count) {
  await page.evaluate(() => {
    const keys = { ms: /** @type {number[]} */ ([]) }
    Object.assign(globalThis, { keys })
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => keys.ms.push(performance.now() - timeStamp)
          port2.postMessage(null)
        }),
      { capture: true },
    )
  })
  for (let i = 0; i < count; i++) {
    await page.keyboard.press('x')
    await page.waitForTimeout(60)
  }
  await page.waitForFunction(
    (all) => /** @type {{ ms: number[] }} */ (Reflect.get(globalThis, 'keys')).ms.length >= all,
    count,
  )
  return page.evaluate(() => /** @type {{ ms: number[] }} */ (Reflect.get(globalThis, 'keys')).ms)
}

/** @param {Peer} peer @param {Page} page @param {Keep} keep */
async function measureQuery(peer, page, keep) {
  await peer.writeQuery(page, 'results', 'from People')
  keep(
    'queried',
    await took(async () => {
      await page.keyboard.press('Control+Enter')
      await seen(page, 0, RESULTS)
    }),
  )
  await peer.settle(page)
  let bytes = 0
  keep(
    'exported',
    await took(async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), peer.exportCsv(page)])
      bytes = (await stat(await download.path())).size
    }),
  )
  if (bytes < RESULTS * 10) throw new Error(`the export has ${bytes} bytes`)
}

/** @param {string} database @param {string} collection @param {number} count of documents, by bulk insert */
async function fill(database, collection, count) {
  await createDatabase(server.url, database)
  const { Id: id } = await json(server.url, `${databasePath(database)}/operations/next-operation-id`)
  const request = http.request(`${server.url}${databasePath(database)}/bulk_insert?id=${id}`, { method: 'POST' })
  const answered = once(request, 'response').then(([response]) => once(response.resume(), 'end'))
  request.write('[')
  for (let number = 0; number < count;) {
    const lines = []
    for (const end = Math.min(count, number + 2000); number < end; number++) {
      const own = { Name: `Person ${number}`, City: `City ${number % 977}`, Age: number % 90, Score: number * 1.5 }
      const body = { ...own, '@metadata': { '@collection': 'People' } }
      const command = { Id: `${collection}/${number}`, ChangeVector: null, Type: 'PUT', Document: body }
      lines.push((number === 0 ? '' : ',') + JSON.stringify(command))
    }
    if (!request.write(lines.join(''))) await once(request, 'drain')
  }
  request.end(']')
  await answered
}

/** @param {string} id @param {number} rows @param {number} width of the text in each, in characters */
async function putLarge(id, rows, width) {
  const text = 'x'.repeat(width)
  const all = Array.from({ length: rows }, (_, i) => `{"Number":${i},"Text":"row ${i} ${text}","Value":${i}.10}`)
  const body = `{"@metadata":{"@collection":"Large"},"Price":1.10,"Rows":[${all.join(',')}]}`
  const response = await fetch(`${server.url}${databasePath('large')}/docs?id=${encodeURIComponent(id)}`, {
    method: 'PUT',
    body,
  })
  if (!response.ok) throw new Error(`${id}: ${response.status}`)
}
