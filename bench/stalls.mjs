// @ts-check
/**
 * Measures the stalls of I/O metrics that are open in the panel I/O, once: the time from the click to the first result,
 * to the complete one, and for a script.
 */
import { fileOf } from './io.mjs'
import { openInStudio } from './opening.mjs'
import { ms, tableOf, writeResults } from './results.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** @param {Bench} bench @param {string} folder @param {{ sizes: readonly number[], isWritten: boolean }} options */
export async function runStalls(bench, folder, { sizes, isWritten }) {
  const head = [
    'events',
    'first answer',
    'of the newest writes',
    'whole answer',
    'of writes',
    '`rookery.stalls()` after it',
    'stalls',
  ]
  /** @type {(readonly string[])[]} */
  const rows = []
  for (const events of sizes) {
    const { page } = await openInStudio(bench, await fileOf(folder, events), events)
    const { firstMs, first, allMs, all } = await answersOf(page)
    const { scriptMs, stalls } = await page.evaluate(async () => {
      const from = performance.now()
      const stalls = await globalThis.rookery.stalls()
      return { scriptMs: performance.now() - from, stalls: stalls.length }
    })
    await page.close()
    const row = [
      events.toLocaleString('en-US'),
      ms(firstMs),
      first,
      ms(allMs),
      all,
      ms(scriptMs),
      stalls.toLocaleString('en-US'),
    ]
    rows.push(row)
    process.stdout.write(`${row.join(' · ')}\n`)
  }
  if (isWritten) await writeResults({ begin: 'stalls', end: 'end stalls' }, tableOf(head, rows), bench.browser)
}

/**
 * Opens the panel and reads the number of judged writes from its coverage sentence.
 * @param {import('@playwright/test').Page} page
 */
async function answersOf(page) {
  return page.evaluate(async () => {
    const main = /** @type {HTMLElement} */ (document.querySelector('main'))
    const coverage = () => /[\d,]+ single journal writes?(?:, the newest ones)?/.exec(main.textContent)?.[0] ?? ''
    const judged = (/** @type {string} */ text) => /[\d,]+/.exec(text)?.[0] ?? ''
    const until = async (/** @type {(text: string) => boolean} */ isThere) => {
      const giveUpAt = performance.now() + 120_000
      while (!isThere(coverage())) {
        if (performance.now() > giveUpAt) throw new Error(`Nothing was judged: ${main.innerText.slice(0, 300)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return { at: performance.now(), text: judged(coverage()) }
    }
    const from = performance.now()
    location.hash = location.hash.replace('#/io', '#/stalls')
    const first = await until((text) => text !== '')
    const all = await until((text) => text !== '' && !text.includes('the newest ones'))
    return { firstMs: first.at - from, first: first.text, allMs: all.at - from, all: all.text }
  })
}
