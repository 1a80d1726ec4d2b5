// @ts-check
/** The peer: the official Studio of the server that the tests run, driven in the same browser with the same file. */
import { createDatabase } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** Time limit for opening a file, ms. */
const MOST_MS = 90_000
/** Time without a drawn frame and without a long task after which the page counts as at rest, ms. */
const REST_MS = 3000

/**
 * @typedef {object} Official
 * @property {string} version
 * @property {(bench: Bench, file: string) => Promise<{ ms: number, longestTaskMs: number } | { refused: string }>} open
 * @property {() => Promise<void>} close
 */

/** Starts a server with its own Studio, and a database whose page opens the files. @returns {Promise<Official>} */
export async function startOfficial() {
  const server = await startRavenDb({ version: '7.1.5' })
  await createDatabase(server.url, 'bench')
  return {
    version: server.version,
    open: (bench, file) => openThere(server.url, bench, file),
    close: () => server.stop(),
  }
}

/** @param {string} url @param {Bench} bench @param {string} file */
async function openThere(url, { browser }, file) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  /** @type {string[]} */
  const reported = []
  page.on('pageerror', (error) => reported.push(error.message))
  page.on('crash', () => reported.push('the page crashed'))
  try {
    await page.goto(`${url}/studio/index.html#databases/status/ioStats?&database=bench`)
    await page.waitForSelector('#importFilePicker', { state: 'attached', timeout: 60_000 })
    await page.waitForTimeout(3000)
    await page.evaluate(() => {
      const marks = { start: 0, drawn: 0, longest: 0, lastTask: 0 }
      Object.assign(globalThis, { bench: marks })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          marks.longest = Math.max(marks.longest, entry.duration)
          marks.lastTask = entry.startTime + entry.duration
        }
      }).observe({ type: 'longtask', buffered: false })
      // eslint-disable-next-line typescript/unbound-method -- called with the canvas as this, below
      const { clearRect } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.clearRect = function clear(...args) {
        marks.drawn = performance.now()
        clearRect.apply(this, args)
      }
      document
        .querySelector('#importFilePicker')
        ?.addEventListener('change', () => (marks.start = performance.now()), { capture: true })
    })
    await page.setInputFiles('#importFilePicker', file)
    const result = await page.evaluate(
      async ({ rest, most }) => {
        const { bench } =
          /** @type {{ bench: { start: number, drawn: number, longest: number, lastTask: number } }} */ (
            /** @type {unknown} */ (globalThis)
          )
        const startedMs = performance.now()
        for (;;) {
          await new Promise((done) => setTimeout(done, 100))
          const now = performance.now()
          const busy = Math.max(bench.drawn, bench.lastTask)
          if (bench.drawn > bench.start && now - busy > rest) break
          if (now - startedMs > most) return null
        }
        return { ms: Math.max(bench.drawn, bench.lastTask) - bench.start, longestTaskMs: bench.longest }
      },
      { rest: REST_MS, most: MOST_MS },
    )
    return result ?? { refused: reported[0] ?? `nothing was drawn within ${MOST_MS / 1000} s` }
  } catch (error) {
    return { refused: reported[0] ?? (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)) }
  } finally {
    await page.close().catch(() => undefined)
  }
}
