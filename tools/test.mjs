// @ts-check
/**
 * `npm test`: everything. RavenDB and a browser are fetched while the first suites run. The last line is
 * `N passed, N failed`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild } from './build.mjs'
import { PROJECT } from './cache.mjs'
import { atEnd, run } from './children.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { options } from './options.mjs'
import { getRavenDb } from './ravendb/get.mjs'
import { PACKAGED } from './ravendb/versions.mjs'
import { createSay, Plain, seconds, sentence } from './say.mjs'

/** @typedef {{ passed: number, failed: number }} Count */

const HELP = `
npm test -- [options] [-- arguments for vitest or playwright]

  --only NAMES   some suites only, separated by commas: lock, types, lint, imports, unused, format, unit, build,
                 bundle, page, real
  --help
`

/** Projects of Playwright. */
const REAL = [...PACKAGED.keys()]

/** Suites that say nothing until they end, and take the CPU that others leave: as many at once as the machine has cores. */
const STATIC = new Set(['lock', 'types', 'lint', 'imports', 'unused', 'format'])
/** Computes on all cores all the time, and its tests wait but seconds for a page: it runs alone. */
const ALONE = new Set(['unit', 'build'])
/** Takes longest, and waits much of its time for what a server sends or forgets: all others run beside it. */
const LONGEST = 'real'
const STATIC_MS = 300_000
const UNIT_MS = 1_200_000
/** Twice what it takes on two quiet cores: a machine that others use, too, has half of them at times. */
const E2E_MS = 3_600_000

/** What the end-to-end tests need, fetched while other suites run. */
class Provisions {
  /** @type {Promise<{ chromium: string, wrong: string }> | undefined} */
  #ready

  get() {
    this.#ready ??= this.#fetch()
    return this.#ready
  }

  /** @returns {Promise<{ chromium: string, wrong: string }>} never rejects */
  async #fetch() {
    try {
      const { findChromium } = await import('./browser.mjs')
      // one after the other: together they would be no faster, and take three times the disk meanwhile
      for (const version of PACKAGED.keys()) await getRavenDb({ version, say: createSay() })
      const { path } = await findChromium({ install: true, say: createSay() })
      return { chromium: path ?? '', wrong: '' }
    } catch (error) {
      return { chromium: '', wrong: sentence(error) }
    }
  }
}

/**
 * @param {string[]} more arguments for vitest or playwright
 * @param {string} scratch a folder for reports
 * @param {Provisions} provisions
 * @returns {readonly (readonly [string, string, () => Promise<Count>])[]} name, what it does, and how
 */
function suites(more, scratch, provisions) {
  return [
    ['lock', 'package-lock.json is complete for every platform', () => one(process.execPath, ['tools/check-lock.mjs'])],
    ['types', 'tsc -b', () => script('typecheck')],
    ['lint', 'oxlint', () => script('lint')],
    ['imports', 'imports go one way, without cycles', () => script('deps')],
    ['unused', 'no unused files, exports, dependencies', () => script('unused')],
    ['format', 'prettier --check', () => one('npx', ['--no-install', 'prettier', '--check', '--cache', '.'])],
    ['unit', 'vitest', () => unit(more, join(scratch, 'unit.json'))],
    ['build', 'vite build', build],
    ['bundle', 'size, file types, policy, the same bytes again', bundle],
    ['page', 'playwright on a fake server', () => e2e('page', ['page'], 1, more, scratch, provisions)],
    ['real', 'playwright on real servers', () => e2e('real', REAL, 4, more, scratch, provisions)],
  ]
}

/**
 * A command that passes or fails as a whole; what it says is shown when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {boolean} [show] also when it passes
 * @returns {Promise<Count>}
 */
async function one(command, args, show = false) {
  const ran = await run(command, args, { cwd: PROJECT, timeout: STATIC_MS, yielding: true })
  const good = ran.code === 0
  const reported = `${ran.output}${ran.errors}`.trim()
  if (show || !good) process.stdout.write(`${reported || ran.missing || 'No output.'}\n`)
  if (ran.timedOut) process.stdout.write(`It was ended after ${STATIC_MS / 1000} s.\n`)
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/**
 * @param {string} name of package.json's scripts
 * @returns {Promise<Count>}
 */
function script(name) {
  return one('npm', ['run', '--silent', name])
}

/** @returns {Promise<Count>} */
async function build() {
  await builtOnce(true)
  return { passed: 1, failed: 0 }
}

/** @type {Promise<void> | undefined} */
let building

/**
 * For suites that run side by side.
 * @param {boolean} [always] even when nothing changed
 */
function builtOnce(always = false) {
  building ??= ensureBuild(createSay(), { always })
  return building
}

/** @returns {Promise<Count>} */
async function bundle() {
  await builtOnce()
  return one(process.execPath, ['tools/check-build.mjs'], true)
}

/**
 * @param {readonly string[]} more
 * @param {string} report file
 * @returns {Promise<Count>}
 */
async function unit(more, report) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ran = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...more], {
    cwd: PROJECT,
    timeout: UNIT_MS,
    show: true,
  })
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} */
  const { numPassedTests, numFailedTests, testResults } = readReport(report, 'vitest')
  // a file that could not even be loaded has no tests
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return countOf(ran.code, numPassedTests, numFailedTests + broken.length)
}

/**
 * @param {string} name of the suite
 * @param {readonly string[]} projects
 * @param {number} workers
 * @param {readonly string[]} more
 * @param {string} scratch
 * @param {Provisions} provisions
 * @returns {Promise<Count>}
 */
async function e2e(name, projects, workers, more, scratch, provisions) {
  const report = join(scratch, `${name}.json`)
  const { chromium, wrong } = await provisions.get()
  if (wrong !== '') throw new Plain(wrong)
  await builtOnce()
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
    `--workers=${workers}`,
    // Each run empties its folder first.
    `--output=${join(PROJECT, 'test-results', name)}`,
    ...projects.map((name) => `--project=${name}`),
  ]
  const ran = await run(process.execPath, [...args, ...more], {
    cwd: PROJECT,
    timeout: E2E_MS,
    show: true,
    env: { ...(chromium === '' ? {} : { E2E_CHROMIUM: chromium }), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number } }} */
  const { stats } = readReport(report, 'playwright')
  return countOf(ran.code, stats.expected + stats.flaky, stats.unexpected)
}

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
 * @returns {Count}
 */
function countOf(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) }
}

/**
 * @param {string} given such as `unit,e2e`
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
function chosen(given, names) {
  const list = given.split(',').map((name) => name.trim())
  const odd = list.find((name) => !names.includes(name))
  if (odd !== undefined) throw new Plain(`There is no suite ${JSON.stringify(odd)}: choose of ${names.join(', ')}.`)
  return new Set(list)
}

async function main() {
  const argv = process.argv.slice(2)
  const cut = argv.indexOf('--')
  const given = options({ only: { type: 'string' } }, HELP, cut < 0 ? argv : argv.slice(0, cut))
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-test-'))
  atEnd({ hard: () => rmSync(scratch, { recursive: true, force: true }) })
  const provisions = new Provisions()
  const all = suites(cut < 0 ? [] : argv.slice(cut + 1), scratch, provisions)
  const names = all.map(([name]) => name)
  const only = typeof given['only'] === 'string' ? chosen(given['only'], names) : new Set(names)

  const began = Date.now()
  await ensureDependencies(createSay())
  if (only.has('page') || only.has('real')) void provisions.get()
  const sum = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const bad = []
  /** @param {typeof all[number]} suite */
  const runSuite = async ([name, what, suite]) => {
    process.stdout.write(`\n── ${name}: ${what}\n`)
    const start = Date.now()
    const { passed, failed } = await suite().catch((/** @type {unknown} */ error) => {
      process.stdout.write(`${sentence(error)}\n`)
      return { passed: 0, failed: 1 }
    })
    sum.passed += passed
    sum.failed += failed
    if (failed > 0) bad.push(name)
    process.stdout.write(`── ${name}: ${passed} passed, ${failed} failed in ${seconds(Date.now() - start)}\n`)
  }
  const wanted = all.filter(([name]) => only.has(name))
  /** @param {(name: string) => boolean} isOne */
  const inTurn = async (isOne) => {
    for (const suite of wanted.filter(([name]) => isOne(name))) await runSuite(suite)
  }
  const waiting = wanted.filter(([name]) => STATIC.has(name))
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runSuite(next)
  }
  const others = async () => {
    await Promise.all(Array.from({ length: availableParallelism() }, lane))
    await inTurn((name) => !STATIC.has(name) && !ALONE.has(name) && name !== LONGEST)
  }
  await inTurn((name) => ALONE.has(name))
  await Promise.all([inTurn((name) => name === LONGEST), others()])
  process.stdout.write(
    `\n${bad.length > 0 ? `Failed: ${bad.join(', ')}. ` : ''}It took ${seconds(Date.now() - began)}.\n`,
  )
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`)
  process.exit(sum.failed > 0 ? 1 : 0)
}

process.chdir(PROJECT)
main().catch((/** @type {unknown} */ error) => {
  process.stdout.write(`${sentence(error)}\n0 passed, 1 failed\n`)
  process.exit(1)
})
