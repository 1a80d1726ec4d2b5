// @ts-check
/** Formats figures as text, and writes tables into bench/RESULTS.md, each between two comments with its name. */
import { readFile, writeFile } from 'node:fs/promises'
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
 * Writes `body` between `<!-- begin -->` and `<!-- end -->`, with the day, the machine and the command; at the end of
 * the file if it has no such place.
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
  const path = resolve(import.meta.dirname, 'RESULTS.md')
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}${more}`
  const made = `${command} ${process.argv.slice(2).join(' ')}`.trim()
  const day = new Date().toISOString().slice(0, 10)
  const block = `<!-- ${begin} -->\n\n${day}, ${machine}\n\n\`${made}\`\n\n${body}\n\n<!-- ${end} -->`
  const text = await readFile(path, 'utf8').catch(() => '')
  const from = text.indexOf(`<!-- ${begin} -->`)
  const to = text.indexOf(`<!-- ${end} -->`, from)
  const next =
    from === -1 || to === -1
      ? `${text.trimEnd()}\n\n${block}\n`
      : text.slice(0, from) + block + text.slice(to + `<!-- ${end} -->`.length)
  await writeFile(path, next)
}
