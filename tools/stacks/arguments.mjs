// @ts-check
/** Parses the helper's arguments as RavenDB passes them, and two additional ones for tests. */
import { Plain } from '../say.mjs'

/**
 * @typedef {object} Arguments
 * @property {number} pid
 * @property {readonly number[]} threads to show; all when it is empty
 * @property {number} boundMs after which the helper ends itself
 * @property {boolean} addresses lists addresses and names in place of stacks
 */

/** Maximum duration of a capture, ms. RavenDB waits for its helper without a limit, and holds a lock meanwhile. */
export const BOUND_MS = 30_000

/** Options with an integer value. */
const NUMBERS = new Set(['--pid', '--tid', '--bound'])
/** Options without a value. `--includeStackObjects` has had no effect since RavenDB's own tool began to sample. */
const FLAGS = new Set(['--wait', '--includeStackObjects', '--addresses'])

/**
 * @param {readonly string[]} argv without program and script
 * @returns {Arguments}
 * @throws {Plain}
 */
export function parseArguments([command, ...rest]) {
  if (command !== 'stack-traces')
    throw new Plain(`This helper only reads stack traces, not ${JSON.stringify(command ?? '')}.`)
  /** @type {Map<string, number[]>} */
  const numbers = new Map()
  const flags = new Set()
  const left = rest.values()
  for (const name of left) {
    if (FLAGS.has(name)) flags.add(name)
    else if (NUMBERS.has(name)) {
      const value = left.next().value ?? ''
      if (!/^[+-]?\d{1,10}$/.test(value)) throw new Plain(`${name} takes a whole number, not ${JSON.stringify(value)}.`)
      numbers.set(name, [...(numbers.get(name) ?? []), Number(value)])
    } else throw new Plain(`There is no option ${JSON.stringify(name)}.`)
  }
  const pid = numbers.get('--pid')?.at(-1) ?? 0
  if (pid <= 0) throw new Plain('--pid is missing: it takes the number of a process.')
  return {
    pid,
    threads: numbers.get('--tid') ?? [],
    boundMs: Math.min(BOUND_MS, Math.max(1, numbers.get('--bound')?.at(-1) ?? BOUND_MS)),
    addresses: flags.has('--addresses'),
  }
}
