// @ts-check
/**
 * Measures opening a debug package of many databases without a server: the time until Triage shows its sentence, and
 * until everything is read.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { median, ms, tableOf, writeResults } from './results.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

const RECORDED = new URL('../src/testing/recorded/7.1/debug-info-package.zip', import.meta.url)
const DATABASES = 300
/** Time for which a page rests before it opens a file, ms. */
const REST_MS = 3000
/** Number of entries per database: those that a server packs, and additional ones of unknown endpoints. */
const ENTRIES_OF_EACH = 166

/**
 * Packs a recorded server, with many copies of its database. Returns the number of entries.
 * @param {string} file
 */
function generatePackage(file) {
  const recorded = Object.entries(unzipSync(readFileSync(RECORDED)))
  /** @type {Record<string, Uint8Array>} */
  const entries = {}
  for (const [path, bytes] of recorded) if (path.startsWith('server-wide/')) entries[path] = bytes
  const own = recorded.flatMap(([path, bytes]) => (path.startsWith('northwind/') ? [[path.slice(10), bytes]] : []))
  for (let i = 0; i < DATABASES; i++) {
    const folder = `database-${String(i).padStart(3, '0')}`
    for (const [name, bytes] of own) entries[`${folder}/${String(name)}`] = /** @type {Uint8Array} */ (bytes)
    for (let n = own.length; n < ENTRIES_OF_EACH; n++)
      entries[`${folder}/unknown.${n}.json`] = strToU8(`{"Results":[{"N":${n},"Database":"${folder}"}]}`)
  }
  writeFileSync(file, zipSync(entries, { level: 1 }))
  return Object.keys(entries).length
}

/** @param {Bench} bench @param {string} folder @param {{ rounds: number, isWritten: boolean }} options */
export async function runPackage({ browser, studioUrl }, folder, { rounds, isWritten }) {
  const file = join(folder, `package-${DATABASES}.zip`)
  if (!existsSync(file)) generatePackage(file)
  /** @type {{ sentenceMs: number, readMs: number }[]} */
  const opened = []
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${studioUrl}#/triage?v=1`)
    await page.waitForFunction(() => 'rookery' in globalThis)
    await page.waitForTimeout(REST_MS)
    const startMs = performance.now()
    await page.getByLabel('Open files', { exact: true }).setInputFiles(file)
    await page
      .getByRole('region', { name: 'Triage' })
      .getByText(/^As of .* by \d+ of \d+ checks: 300 databases/)
      .waitFor()
    const sentenceMs = performance.now() - startMs
    await page.evaluate(() => globalThis.rookery.idle())
    opened.push({ sentenceMs, readMs: performance.now() - startMs })
    await page.close()
  }
  const head = ['package', 'until the sentence of Triage', 'until all of it is read']
  const row = [
    `${DATABASES} databases, ${(DATABASES * ENTRIES_OF_EACH).toLocaleString('en-US')} entries`,
    ms(median(opened.map((each) => each.sentenceMs))),
    ms(median(opened.map((each) => each.readMs))),
  ]
  process.stdout.write(`${row.join(' · ')}\n`)
  if (isWritten) await writeResults({ begin: 'package', end: 'end package' }, tableOf(head, [row]), browser)
}
