// @ts-check
/**
 * Measures opening a file in the studio, from passing the file until the last event is in tables and drawn, beside the
 * browser's floor.
 */

import { readFileSync } from 'node:fs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** Time for which a page rests before it opens a file, ms, as for the peer (`official.mjs`). */
const REST_MS = 3000

/**
 * Measures the floor: a worker that reads the file and calls `JSON.parse` on it, or on each line if it has several.
 * @param {Bench} bench @param {string} file
 * @returns {Promise<number>} milliseconds; NaN where a string cannot hold the file
 */
export async function floorOf({ browser, emptyUrl }, file) {
  const page = await browser.newPage()
  await page.goto(emptyUrl)
  await page.setInputFiles('input', file)
  const ms = await page.evaluate(async () => {
    const input = /** @type {HTMLInputElement} */ (document.querySelector('input'))
    const source = `onmessage = async ({ data }) => {
      const start = performance.now()
      try { for (const line of (await data.text()).trimEnd().split('\\n')) JSON.parse(line); postMessage(performance.now() - start) } catch { postMessage(NaN) }
    }`
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    /** @type {Promise<number>} */
    const answer = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(/** @type {number} */ (data))
    })
    worker.postMessage(input.files?.[0])
    const result = await answer
    worker.terminate()
    return result
  })
  await page.close()
  return ms
}

/**
 * @typedef {object} Opening
 * @property {number} ms until every event is in tables and drawn
 * @property {number} readMs until every event is in tables
 * @property {number} firstMs until the first events are in tables
 * @property {number} longestTaskMs of the main thread while opening
 * @property {number} rows
 * @property {number} openingMb memory of the page's process while opening, at its highest, above that before, MB
 * @property {number} restMb the same once all is at rest and rubbish is collected, MB
 * @property {number} bytesPerRow tables and pyramids
 * @property {import('@playwright/test').Page} page still open
 */

/**
 * @param {Bench} bench @param {string} file @param {number} events @param {'io' | 'indexing'} [panel]
 * @returns {Promise<Opening>}
 */
export async function openInStudio({ browser, studioUrl }, file, events, panel = 'io') {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${studioUrl}#/${panel}?v=1`)
  await page.waitForFunction(() => 'rookery' in globalThis)
  await page.evaluate(() => globalThis.rookery.idle())
  await page.waitForTimeout(REST_MS)
  await page.evaluate(() => {
    const marks = { start: 0, end: 0, first: 0, longest: 0, drawn: 0 }
    Object.assign(globalThis, { bench: marks })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) marks.longest = Math.max(marks.longest, entry.duration)
    }).observe({ type: 'longtask', buffered: false })
    // The last frame that was drawn before everything came to rest: canvases are cleared at its beginning.
    // eslint-disable-next-line typescript/unbound-method -- called with the canvas as this, below
    const { clearRect } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.clearRect = function clear(...args) {
      marks.drawn = performance.now()
      clearRect.apply(this, args)
    }
    const input = /** @type {HTMLInputElement} */ (document.querySelector('input[aria-label="Open files"]'))
    input.addEventListener('change', () => {
      marks.start = performance.now()
      const look = () => {
        const { rows } = globalThis.rookery.memory()
        if (rows > 0 && marks.first === 0) marks.first = performance.now() - marks.start
        if (marks.end === 0) setTimeout(look, 20)
      }
      look()
      void globalThis.rookery.idle().then(() => (marks.end = performance.now()))
    })
  })
  const memory = await watchMemory(browser)
  await page.locator('input[aria-label="Open files"]').setInputFiles(file)
  await page.waitForFunction(
    () => /** @type {{ bench: { end: number } }} */ (/** @type {unknown} */ (globalThis)).bench.end > 0,
    undefined,
    { timeout: 600_000 },
  )
  const result = await page.evaluate(() => {
    const { bench } =
      /** @type {{ bench: { start: number, end: number, first: number, longest: number, drawn: number } }} */ (
        /** @type {unknown} */ (globalThis)
      )
    const memory = globalThis.rookery.memory()
    const [read] = performance.getEntriesByName('rookery:file-read')
    return {
      ms: bench.drawn - bench.start,
      readMs: (read?.startTime ?? NaN) - bench.start,
      firstMs: bench.first,
      longestTaskMs: bench.longest,
      rows: memory.rows,
      bytesPerRow: memory.tables / memory.rows,
    }
  })
  await page.evaluate(() => /** @type {{ gc?: () => void }} */ (/** @type {unknown} */ (globalThis)).gc?.())
  await page.waitForTimeout(500)
  const { highestMb, nowMb } = memory.stop()
  if (result.rows !== events) throw new Error(`${file}: ${result.rows} of ${events} events arrived`)
  return { ...result, openingMb: highestMb, restMb: nowMb, page }
}

/**
 * Measures resident memory of the largest page process above its base, sampled every 50 ms. NaN if the system does not
 * report it.
 * @param {import('@playwright/test').Browser} browser
 */
async function watchMemory(browser) {
  const session = await browser.newBrowserCDPSession()
  /** @type {{ processInfo: { type: string, id: number }[] }} */
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  const resident = (/** @type {number} */ id) => {
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1000
    } catch {
      return Number.NaN
    }
  }
  const bases = ids.map(resident)
  const above = () =>
    Math.max(...ids.map((id, i) => resident(id) - (bases[i] ?? Number.NaN)).filter((mb) => !Number.isNaN(mb)))
  let highestMb = 0
  const timer = setInterval(() => (highestMb = Math.max(highestMb, above())), 50)
  return {
    stop: () => {
      clearInterval(timer)
      return { highestMb, nowMb: above() }
    },
  }
}
