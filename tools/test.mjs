// @ts-check
/**
 * `npm test`: the gate. `npm run test:all`: all suites. RavenDB and a browser are downloaded while the first suites
 * run. The last line is `N passed, N failed`.
 */
import { availableParallelism } from 'node:os'
import { PROJECT } from './cache.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { options } from './options.mjs'
import { createSay, Plain, seconds, sentence } from './say.mjs'
import { temporaryFolder } from './temporary.mjs'
import { Provisions } from './test/runs.mjs'
import { changedTests } from './test/imports.mjs'
import { changedSinceMain, specsOf } from './test/reach.mjs'
import { measureMachine, whatFailed, whereTimeWent } from './test/spent.mjs'
import { isReached, suites } from './test/suites.mjs'
import { removeOldTransforms, TRANSFORMS } from './test/transforms.mjs'

const HELP = `
npm test -- [options] [-- arguments for vitest or playwright]

  --only NAMES   some suites only, separated by commas; a wrong name lists them
  --all          what npm run test:all runs: the gate, and all that takes too long for it
  --changed      static checks, and the tests that what changed since main can reach
  --help
`

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

/** @returns {Promise<import('./test/suites.mjs').Reached>} */
async function reachedByChange() {
  const paths = await changedSinceMain()
  const specs = specsOf(paths)
  const unit = await changedTests(paths)
  const named = [...specs.page, ...specs.real]
  process.stdout.write(
    `${paths.length} files changed; files of unit tests: ${unit?.length ?? 'all'}; end-to-end tests: ${
      named.join(', ') || 'none'
    }\n`,
  )
  return { unit, ...specs }
}

async function main() {
  const argv = process.argv.slice(2)
  const cut = argv.indexOf('--')
  const given = options(
    { only: { type: 'string' }, all: { type: 'boolean' }, changed: { type: 'boolean' } },
    HELP,
    cut < 0 ? argv : argv.slice(0, cut),
  )
  const scratch = temporaryFolder('test')
  const provisions = new Provisions()
  const more = cut < 0 ? [] : argv.slice(cut + 1)
  const reached = given['changed'] === true ? await reachedByChange() : null
  const table = suites({ all: given['all'] === true, more, scratch, provisions, reached })
  const usual = table.filter(
    (suite) => (suite.full !== true || given['all'] === true) && (reached === null || isReached(suite, reached)),
  )
  const names = new Set(usual.map(({ name }) => name))
  const only =
    typeof given['only'] === 'string'
      ? chosen(
          given['only'],
          table.map(({ name }) => name),
        )
      : names
  const wanted = table.filter(({ name }) => only.has(name))

  const began = Date.now()
  const busy = measureMachine()
  await ensureDependencies(createSay())
  removeOldTransforms(TRANSFORMS)
  if (wanted.some(({ servers = false }) => servers)) provisions.all().catch(() => {})
  /** @type {import('./test/spent.mjs').Spent[]} */
  const spent = []
  /** @param {import('./test/suites.mjs').Suite} suite */
  const runSuite = async ({ name, what, run }) => {
    process.stdout.write(`\n── ${name}: ${what}\n`)
    const start = Date.now()
    const outcome = await run().catch((/** @type {unknown} */ error) => {
      process.stdout.write(`${sentence(error)}\n`)
      return { passed: 0, failed: 1, cpuMs: 0 }
    })
    spent.push({ name, ms: Date.now() - start, outcome })
    const { passed, failed } = outcome
    process.stdout.write(`── ${name}: ${passed} passed, ${failed} failed in ${seconds(Date.now() - start)}\n`)
  }
  /** @param {import('./test/suites.mjs').Suite['when']} when */
  const those = (when) => wanted.filter((suite) => suite.when === when)
  const inTurn = async (/** @type {readonly import('./test/suites.mjs').Suite[]} */ list) => {
    for (const suite of list) await runSuite(suite)
  }
  const waiting = those('static')
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runSuite(next)
  }
  const others = async () => {
    await inTurn(those('first'))
    /** @type {Map<string, Promise<void>>} */
    const begun = new Map()
    /** @param {import('./test/suites.mjs').Suite} suite */
    const begin = async (suite) => {
      if (suite.after !== undefined) await begun.get(suite.after)
      await runSuite(suite)
    }
    const beside = those('beside').toSorted((a, b) => Number(a.after !== undefined) - Number(b.after !== undefined))
    for (const suite of beside) begun.set(suite.name, begin(suite))
    await Promise.all(begun.values())
  }
  await Promise.all([others(), ...Array.from({ length: availableParallelism() }, lane)])
  const last = those('last')
  await Promise.all([
    inTurn(last.filter(({ servers = false }) => servers)),
    inTurn(last.filter(({ servers = false }) => !servers)),
  ])

  const order = wanted.map(({ name }) => name)
  spent.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const sum = (/** @type {'passed' | 'failed'} */ what) => spent.reduce((all, { outcome }) => all + outcome[what], 0)
  const failed = whatFailed(spent)
  process.stdout.write(
    `\n${whereTimeWent(spent, busy())}\n${failed === '' ? '' : `${failed}\n`}It took ${seconds(Date.now() - began)}.\n`,
  )
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exit(sum('failed') > 0 ? 1 : 0)
}

process.chdir(PROJECT)
main().catch((/** @type {unknown} */ error) => {
  process.stdout.write(`${sentence(error)}\n0 passed, 1 failed\n`)
  process.exit(1)
})
