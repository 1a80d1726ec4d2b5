// @ts-check
/** Parses options of a command line. An invalid one throws a one-sentence error; `--help` prints the help text. */
import { parseArgs } from 'node:util'
import { Plain } from './say.mjs'

/**
 * @typedef {Record<string, { type: 'string' | 'boolean', short?: string, multiple?: true }>} Specs
 */

/**
 * @param {Specs} specs `help` is added
 * @param {string} help shown for `--help`, which ends the process
 * @param {string[]} [argv]
 * @returns {Record<string, string | boolean | undefined>}
 * @throws {Plain}
 */
export function options(specs, help, argv = process.argv.slice(2)) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: { ...specs, help: { type: 'boolean', short: 'h' } },
      allowPositionals: false,
    })
    if (values['help'] === true) {
      process.stdout.write(`${help.trim()}\n`)
      process.exit(0)
    }
    return values
  } catch (error) {
    // Advice on positional arguments, which no command here takes, follows the first sentence.
    const why = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? '') : String(error)
    throw new Plain(`${why.replace(/\.$/, '')}: see --help.`)
  }
}

/**
 * @param {string} name for the sentence
 * @param {string | boolean | undefined} value
 * @param {{ min?: number, max?: number, whole?: boolean }} [limits]
 * @returns {number | undefined} undefined when it was not given
 * @throws {Plain}
 */
export function number(name, value, { min = 0, max = Number.MAX_SAFE_INTEGER, whole = true } = {}) {
  if (value === undefined) return undefined
  const result = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (!(result >= min && result <= max) || (whole && !Number.isInteger(result)))
    throw new Plain(
      `${name} takes a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not ${JSON.stringify(value)}.`,
    )
  return result
}

/**
 * @param {string} name for the sentence
 * @param {string | boolean | undefined} value
 * @returns {URL | undefined} undefined when it was not given
 * @throws {Plain}
 */
export function serverUrl(name, value) {
  if (value === undefined) return undefined
  const text = String(value)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new Plain(
      `${name} takes the address of a RavenDB server such as http://127.0.0.1:8080, not ${JSON.stringify(text)}.`,
    )
  // RavenDB serves from the root of its address only, so that a path would be dropped.
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Plain(`${name} takes the address of a RavenDB server without a path: ${url.origin}, not ${text}.`)
  return url
}
