// @ts-check
/** Runs a suite: a command that passes or fails as a whole, Vitest, or Playwright. Reads the report of each. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureBuild } from '../build.mjs'
import { PROJECT } from '../cache.mjs'
import { run } from '../children.mjs'
import { getRavenDb } from '../ravendb/get.mjs'
import { PACKAGED } from '../ravendb/versions.mjs'
import { createSay, Plain } from '../say.mjs'

/**
 * @typedef {object} Broken
 * @property {string} name
 * @property {string} why first lines of what it threw
 */

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed flaky ones as well: a test that needs a second try has failed
 * @property {number} [retried] tests that needed a second try
 * @property {number} cpuMs
 * @property {readonly { name: string, ms: number }[]} [tests] how long each took
 * @property {readonly Broken[]} [broken] tests that failed or needed a second try
 */

/** Time limits, ms: several times the duration on two quiet cores, of which a shared machine may have only a part. */
const VITEST_MS = 2_400_000
const PLAYWRIGHT_MS = 7_200_000

/** Servers and browsers for tests, fetched while other suites run. */
export class Provisions {
  /** @type {Promise<string> | undefined} */
  #chromium
  /** @type {Promise<void> | undefined} */
  #servers

  /**
   * Browser for suites without a server.
   * @returns {Promise<string>} path of Chromium, empty where Playwright finds its own
   * @throws {Plain} when there is none
   */
  browser() {
    this.#chromium ??= findBrowser()
    this.#chromium.catch(() => {})
    return this.#chromium
  }

  /**
   * The browser and RavenDB.
   * @returns {Promise<string>} path of Chromium, empty where Playwright finds its own
   * @throws {Plain} when something cannot be had
   */
  async all() {
    const chromium = await this.browser()
    this.#servers ??= getServers()
    await this.#servers
    return chromium
  }

  /**
   * Gets Firefox and WebKitGTK, after the others: system packages are installed one after the other.
   * @throws {Plain} when one cannot be had
   */
  async engines() {
    await this.all()
    const { findEngines } = await import('../engines.mjs')
    return findEngines({ install: true, say: createSay() })
  }
}

/** @returns {Promise<string>} */
async function findBrowser() {
  const { findChromium } = await import('../browser.mjs')
  const { path = '' } = await findChromium({ install: true, say: createSay() })
  return path
}

async function getServers() {
  // Fetched in turn: in parallel they would be no faster, and take three times the disk space meanwhile.
  for (const version of PACKAGED.keys()) await getRavenDb({ version, say: createSay() })
}

/**
 * Runs a command that passes or fails as a whole. Its output is shown when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ show?: boolean, timeout?: number, env?: NodeJS.ProcessEnv }} [options] `show`: also when it passes
 * @returns {Promise<Outcome>}
 */
export async function one(command, args, { show = false, timeout = 300_000, env = {} } = {}) {
  const ran = await run(command, args, { cwd: PROJECT, timeout, env, yielding: true })
  const good = ran.code === 0
  const reported = `${ran.output}${ran.errors}`.trim()
  if (show || !good) process.stdout.write(`${reported || ran.missing || 'No output.'}\n`)
  if (ran.timedOut) process.stdout.write(`It was ended after ${timeout / 1000} s.\n`)
  return { passed: good ? 1 : 0, failed: good ? 0 : 1, cpuMs: ran.cpuMs }
}

/**
 * @param {string} name of package.json's scripts
 * @param {{ timeout?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Outcome>}
 */
export function script(name, options) {
  return one('npm', ['run', '--silent', name], options)
}

/** @type {Promise<number> | undefined} */
let building

/**
 * Builds the studio once, for suites that run in parallel.
 * @param {boolean} [always] even when nothing changed
 * @returns {Promise<number>} CPU that it took, milliseconds
 */
export function builtOnce(always = false) {
  building ??= ensureBuild(createSay(), { always })
  return building
}

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} status
 * @property {string} [message] why it could not be loaded
 * @property {{ fullName: string, status: string, duration?: number | null, failureMessages?: string[] }[]} assertionResults
 */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {VitestFile[]} testResults
 */

/**
 * @param {readonly string[]} args of `vitest run`
 * @param {string} report file
 * @param {{ env?: NodeJS.ProcessEnv, yielding?: boolean, files?: readonly string[] }} [options] `files`: files and folders
 *   of tests; one of which the chosen projects have no test has failed, as vitest is content with the others
 * @returns {Promise<Outcome>}
 */
export async function vitest(args, report, { env = {}, yielding = false, files = [] } = {}) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ran = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args, ...files], {
    cwd: PROJECT,
    timeout: VITEST_MS,
    show: true,
    env,
    yielding,
  })
  const { numPassedTests, numFailedTests, testResults } = /** @type {VitestReport} */ (readReport(report, 'vitest'))
  // A file that could not be loaded has no tests.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const left = files.filter((path) => !testResults.some(({ name }) => relative(PROJECT, name).startsWith(path)))
  return {
    ...countOf(ran.code, numPassedTests, numFailedTests + broken.length + left.length),
    cpuMs: ran.cpuMs,
    tests: testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({ name: fullName, ms: duration ?? 0 })),
    ),
    broken: [
      ...broken.map(({ name, message = '' }) => ({ name, why: begin(message) })),
      ...left.map((name) => ({ name, why: 'None of the projects of this suite has it.' })),
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages = [] }) => ({
            name: `${relative(PROJECT, name)}: ${fullName}`,
            why: begin(failureMessages[0] ?? ''),
          })),
      ),
    ],
  }
}

/**
 * @typedef {object} PlaywrightTest
 * @property {string} projectName
 * @property {'expected' | 'unexpected' | 'flaky' | 'skipped'} status
 * @property {{ duration: number, error?: { message?: string } }[]} results of each try
 */

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, tests: PlaywrightTest[] }[]} [specs]
 */

/**
 * @param {string} name of the suite
 * @param {readonly string[]} args of `playwright test`
 * @param {string} report file
 * @param {string} chromium its program, empty where Playwright finds its own
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Outcome>}
 */
export async function playwright(name, args, report, chromium, env = {}) {
  await builtOnce()
  const how = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
    // Each run first empties its folder.
    `--output=${join(PROJECT, 'test-results', name)}`,
  ]
  const ran = await run(process.execPath, [...how, ...args], {
    cwd: PROJECT,
    timeout: PLAYWRIGHT_MS,
    show: true,
    env: { ...(chromium === '' ? {} : { E2E_CHROMIUM: chromium }), PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...env },
  })
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number }, suites: PlaywrightSuite[] }} */
  const { stats, suites } = readReport(report, 'playwright')
  return {
    ...countOf(ran.code, stats.expected, stats.unexpected + stats.flaky),
    retried: stats.flaky,
    cpuMs: ran.cpuMs,
    ...testsOf(suites),
  }
}

/**
 * @param {readonly PlaywrightSuite[]} all
 * @returns {{ tests: { name: string, ms: number }[], broken: Broken[] }}
 */
export function testsOf(all) {
  const each = all.flatMap(flat)
  return {
    tests: each.map(({ name, results }) => ({ name, ms: results.reduce((sum, { duration }) => sum + duration, 0) })),
    broken: each
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ name, status, results }) => ({
        name: status === 'flaky' ? `${name} (passed at a second try)` : name,
        why: begin(results.find(({ error }) => error !== undefined)?.error?.message ?? ''),
      })),
  }
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {(PlaywrightTest & { name: string })[]}
 */
function flat({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map((test) => ({ ...test, name: `${test.projectName} ${file}: ${title}` })),
  )
  return [...own, ...suites.flatMap(flat)]
}

const LINES_SHOWN = 12

/**
 * @param {string} message of an error, coloured for a terminal
 * @returns {string} its first lines, plain
 */
const begin = (message) => stripVTControlCharacters(message).trim().split('\n').slice(0, LINES_SHOWN).join('\n')

/**
 * @param {string} path
 * @param {string} tool
 * @returns {any}
 * @throws {Plain} when the tool left none
 */
function readReport(path, tool) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Plain(`${tool} ended without a report: see its output above.`)
  }
}

/**
 * @param {number | null} code of the tool
 * @param {number} passed
 * @param {number} failed
 * @returns {{ passed: number, failed: number }}
 */
function countOf(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) }
}
