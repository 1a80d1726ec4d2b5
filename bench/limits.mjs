// @ts-check
/** Opens files with an extreme number of one thing. Measures the memory of the page's process, and its longest task. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generateEnvironments, generateFiles, generateKinds, generateOperations } from './generate-limits.mjs'
import { openInStudio } from './opening.mjs'
import { ms, tableOf, writeResults } from './results.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** @type {readonly { name: string, file: string, rows: number, panel: 'io' | 'indexing', make: (file: string) => Promise<unknown> }[]} */
const CASES = [
  ...[10_000, 100_000, 1_000_000].map((count) => ({
    name: `${count.toLocaleString('en-US')} environments`,
    file: `environments-${count}.json`,
    rows: count,
    panel: /** @type {const} */ ('io'),
    make: (/** @type {string} */ file) => generateEnvironments(file, count),
  })),
  {
    name: '5,000 kinds',
    file: 'kinds-5000.json',
    rows: 5000,
    panel: 'io',
    make: (file) => generateKinds(file, 5000),
  },
  {
    name: '200,000 files of one environment',
    file: 'files-200000.json',
    rows: 200_000,
    panel: 'io',
    make: (file) => generateFiles(file, 200_000),
  },
  {
    name: 'a batch of 100,000 operations',
    file: 'operations-100000.json',
    rows: 1,
    panel: 'indexing',
    make: (file) => generateOperations(file, 100_000),
  },
]

/** @param {Bench} bench @param {string} folder @param {{ isWritten: boolean }} options */
export async function runLimits(bench, folder, { isWritten }) {
  const head = ['file', 'opened and drawn', 'longest task, opening', 'process above its base, opening / at rest']
  /** @type {(readonly string[])[]} */
  const rows = []
  for (const { name, file, rows: count, panel, make } of CASES) {
    const path = join(folder, file)
    if (!existsSync(path)) await make(path)
    const row = [name, ...(await cellsOf(bench, path, count, panel))]
    rows.push(row)
    process.stdout.write(`${row.join(' · ')}\n`)
  }
  if (isWritten) await writeResults({ begin: 'limits', end: 'end limits' }, tableOf(head, rows), bench.browser)
}

/** @param {Bench} bench @param {string} path @param {number} count @param {'io' | 'indexing'} panel */
async function cellsOf(bench, path, count, panel) {
  try {
    const { ms: tookMs, longestTaskMs, openingMb, restMb, page } = await openInStudio(bench, path, count, panel)
    await page.close()
    const longest = longestTaskMs === 0 ? 'under 50 ms' : ms(longestTaskMs)
    return [ms(tookMs), longest, `${Math.round(openingMb)} / ${Math.round(restMb)} MB`]
  } catch (error) {
    // A file that hangs or crashes the tab has no figures.
    return [error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), '–', '–']
  }
}
