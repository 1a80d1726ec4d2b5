// @ts-check
/** Formats figures as text, and writes tables into files of bench/results, each between two comments with its name. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { resolve } from 'node:path'

export const median = (/** @type {readonly number[]} */ numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

export const ms = (/** @type {number} */ value) =>
  Number.isNaN(value) ? '–' : value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`

export const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
export const tableOf = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Writes `body` between `<!-- begin -->` and `<!-- end -->` of the file that has this place, with the day, the machine
 * and the command; without such a file into a new one with the name of the place.
 * @param {{ begin: string, end: string }} place @param {string} body @param {import('@playwright/test').Browser} browser
 */
export async function writeResults(place, body, browser) {
  await write(place, 'node bench/run.mjs', body, `, Chromium ${browser.version()}`)
}

/**
 * Like `writeResults`, between `<!-- name -->` and `<!-- end name -->`, for results that need no browser.
 * @param {string} name @param {string} command that makes it again, without its options @param {string} body
 */
export async function writeSection(name, command, body) {
  await write({ begin: name, end: `end ${name}` }, command, body, '')
}

/** @param {{ begin: string, end: string }} place @param {string} command @param {string} body @param {string} more of the machine */
async function write({ begin, end }, command, body, more) {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}${more}`
  const made = `${command} ${process.argv.slice(2).join(' ')}`.trim()
  const day = new Date().toISOString().slice(0, 10)
  const block = `<!-- ${begin} -->\n\n${day}, ${machine}\n\n\`${made}\`\n\n${body}\n\n<!-- ${end} -->`
  for (const name of await readdir(RESULTS)) {
    const path = resolve(RESULTS, name)
    const text = await readFile(path, 'utf8')
    const from = text.indexOf(`<!-- ${begin} -->`)
    const to = text.indexOf(`<!-- ${end} -->`, from)
    if (from === -1 || to === -1) continue
    await writeFile(path, text.slice(0, from) + block + text.slice(to + `<!-- ${end} -->`.length))
    return
  }
  await writeFile(resolve(RESULTS, `${begin.replaceAll(/\W+/g, '-')}.md`), `# ${begin}\n\n${block}\n`)
}

const RESULTS = resolve(import.meta.dirname, 'results')
