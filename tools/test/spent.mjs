// @ts-check
/** End of a run's report: time spent by each suite, and the tests that failed. */
import { cpus } from 'node:os'
import { seconds } from '../say.mjs'

const SLOWEST = 10

/**
 * Measures the CPU use of the whole machine. Browsers and servers outlive the process that started them, so no suite
 * includes their CPU time.
 * @returns {() => number} part of its CPU time that was used since; NaN where the system does not say
 */
export function measureMachine() {
  const times = () => {
    const all = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({ used: user + nice + sys + irq, idle }))
    return all.reduce((sum, core) => ({ used: sum.used + core.used, idle: sum.idle + core.idle }), { used: 0, idle: 0 })
  }
  const before = times()
  return () => {
    const { used, idle } = times()
    return (used - before.used) / (used - before.used + idle - before.idle)
  }
}

/**
 * @typedef {object} Spent
 * @property {string} name of the suite
 * @property {number} ms
 * @property {import('./runs.mjs').Outcome} outcome
 */

/**
 * @param {readonly Spent[]} suites in the order in which they are shown
 * @param {number} [busy] part of the machine's CPU time that was used, by anything; NaN: not known
 * @returns {string} wall and CPU time of each suite, the slowest tests, and second tries
 */
export function whereTimeWent(suites, busy = Number.NaN) {
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
    ...(Number.isNaN(busy) ? [] : [`The machine was at work ${Math.round(busy * 100)} % of the time.`]),
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
