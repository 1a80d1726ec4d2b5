// @ts-check
/** End of a run's report: where its time went, and what failed. */
import { seconds } from '../say.mjs'

const SLOWEST = 10

/**
 * @typedef {object} Spent
 * @property {string} name of the suite
 * @property {number} ms
 * @property {import('./runs.mjs').Outcome} outcome
 */

/**
 * @param {readonly Spent[]} suites in the order in which they are shown
 * @returns {string} wall and CPU time of each suite, the slowest tests, and second tries
 */
export function whereTimeWent(suites) {
  const width = Math.max(...suites.map(({ name }) => name.length), 'all'.length)
  const line = (/** @type {string} */ name, /** @type {string} */ wall, /** @type {number} */ cpuMs) =>
    `  ${name.padEnd(width)}  ${wall.padStart(9)}  ${(cpuMs > 0 ? seconds(cpuMs) : '–').padStart(9)}`
  const cpuMs = suites.reduce((sum, { outcome }) => sum + outcome.cpuMs, 0)
  const slowest = suites
    .flatMap(({ name: suite, outcome }) => (outcome.tests ?? []).map(({ name, ms }) => ({ suite, name, ms })))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
  const retried = suites.reduce((sum, { outcome }) => sum + (outcome.retried ?? 0), 0)
  return [
    `  ${''.padEnd(width)}  ${'wall'.padStart(9)}  ${'CPU'.padStart(9)}`,
    ...suites.map(({ name, ms, outcome }) => line(name, seconds(ms), outcome.cpuMs)),
    line('all', '', cpuMs),
    ...(slowest.length === 0 ? [] : ['Slowest tests:']),
    ...slowest.map(({ suite, name, ms }) => `  ${seconds(ms).padStart(9)}  ${suite}: ${name}`),
    `Retries used: ${retried}`,
  ].join('\n')
}

/**
 * @param {readonly Spent[]} suites in the order in which they are shown
 * @returns {string} the tests that failed with the first lines of why; empty when none did
 */
export function whatFailed(suites) {
  return suites
    .filter(({ outcome }) => outcome.failed > 0)
    .flatMap(({ name: suite, outcome: { broken = [] } }) =>
      broken.length === 0
        ? [`Failed: ${suite}: see its output above.`]
        : broken.map(({ name, why }) => `Failed: ${suite}: ${name}\n${why.replaceAll(/^/gm, '    ')}`),
    )
    .join('\n')
}
