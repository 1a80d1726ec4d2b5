// @ts-check
/** `npm run soak`: injects random faults while the studio watches a real server, and checks its findings. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tableOf, writeSection } from '../bench/results.mjs'
import { findChromium } from './browser.mjs'
import { ensureBuild } from './build.mjs'
import { PROJECT } from './cache.mjs'
import { run } from './children.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { number, options } from './options.mjs'
import { getRavenDb } from './ravendb/get.mjs'
import { PACKAGED, resolveVersion } from './ravendb/versions.mjs'
import { createSay, fail, Plain } from './say.mjs'

const HELP = `
npm run soak -- [options]

Starts RavenDB with the studio and puts a database under load; opens the studio in Chromium through a proxy, and listens to the
server beside it. Then plays faults at random: stops, kills and restarts the server, refuses, holds back, cuts and slows
connections, disables the database, resets and deletes indexes, opens, hides, freezes and closes tabs. Checks that what
the pages show equals what was received but for the gaps that they declare, that gaps have the right reasons, that nothing
is reported without cause, that pages recover in time without a storm of requests, and that memory is bounded.
Ends with code 1 when something is wrong.

  --minutes N        how long (3)
  --seed S           another seed plays other faults in another order (1)
  --seeds S,S        one run for each, side by side
  --version V        7.1.5, 6.2.4 or 5.4.207; short forms such as 6.2 will do (7.1.5)
  --faults F,F       these only, such as kill,black-hole
  --write            writes a summary of the runs into bench/results
  --help
`

/** Time that a run takes in addition to its minutes, ms. */
const BESIDE_MS = 300_000
const RESULTS = join(PROJECT, 'test-results', 'soak')

async function main() {
  const given = options(
    {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      version: { type: 'string' },
      faults: { type: 'string' },
      write: { type: 'boolean' },
    },
    HELP,
  )
  const version = resolveVersion(typeof given['version'] === 'string' ? given['version'] : '7.1.5')
  if (!PACKAGED.has(version)) throw new Plain(`The soak knows RavenDB ${[...PACKAGED.keys()].join(', ')}.`)
  const minutes = number('--minutes', given['minutes'], { min: 1, max: 1440 }) ?? 3
  const list = typeof given['seeds'] === 'string' ? given['seeds'].split(',') : [given['seed'] ?? '1']
  const seeds = list.map((seed) => number('--seed', seed) ?? 1)
  const say = createSay()
  await ensureDependencies(say)
  await ensureBuild(say)
  await getRavenDb({ version, say })
  const { path } = await findChromium({ install: true, say })
  const results = join(RESULTS, `${version}-${seeds.join('-')}.ndjson`)
  await mkdir(RESULTS, { recursive: true })
  await rm(results, { force: true })
  say.step(`Playing faults of seed ${seeds.join(', ')} on RavenDB ${version} for ${minutes} min`)
  const faults = typeof given['faults'] === 'string' ? { ROOKERY_SOAK_FAULTS: given['faults'] } : {}
  const chromium = path === undefined ? {} : { E2E_CHROMIUM: path }
  const environment = { ROOKERY_SOAK: results, ROOKERY_SOAK_MINUTES: String(minutes), ...faults, ...chromium }
  const runs = seeds.map((seed) => play(version, seed, minutes, environment))
  const isGood = (await Promise.all(runs)).every(Boolean)
  const table = await tableFrom(results)
  process.stdout.write(`\n${table}\n`)
  if (given['write'] === true) {
    await writeSection(`soak ${version}`, 'npm run soak', table)
    process.stdout.write('bench/results has a summary of these runs.\n')
  }
  process.exit(isGood ? 0 : 1)
}

/**
 * @param {string} version
 * @param {number} seed
 * @param {number} minutes
 * @param {Record<string, string>} environment
 * @returns {Promise<boolean>} whether nothing was wrong
 */
async function play(version, seed, minutes, environment) {
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts', '--retries=0']
  const report = [
    '--reporter=./e2e/audit/reporter.ts',
    `--output=test-results/soak-run-${version}-${seed}`,
    '--trace=off',
  ]
  const ran = await run(process.execPath, [...playwright, `--project=${version}`, ...report, 'e2e/real/soak.spec.ts'], {
    cwd: PROJECT,
    timeout: minutes * 60_000 + BESIDE_MS,
    show: true,
    env: { ...environment, ROOKERY_SOAK_SEED: String(seed) },
  })
  if (ran.timedOut) throw new Plain(`The soak of seed ${seed} did not end in time.`)
  return ran.code === 0
}

/**
 * @param {string} results file
 * @returns {Promise<string>} a table with one line for each run
 */
async function tableFrom(results) {
  const text = await readFile(results, 'utf8').catch(() => {
    throw new Plain('The soak did not come to its end, so there is nothing to sum up.')
  })
  /** @type {import('../e2e/soak/story.ts').SoakReport[]} */
  const reports = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return tableOf(
    [
      'seed',
      'minutes',
      'faults',
      'checks',
      'I/O events, bytes',
      'left out of the live socket',
      'index batches',
      'in declared gaps',
      'latest timer, page or frame',
      'slowest recovery',
      'most asked in 10 s',
      'heap, first to last',
      'problems',
    ],
    reports.map((each) => [
      String(each.seed),
      String(each.minutes),
      String(each.faults),
      String(each.checks),
      `${each.events.toLocaleString('en-US')}, ${Math.round(each.bytes / 1e6)} MB`,
      each.unsent.toLocaleString('en-US'),
      each.batches.toLocaleString('en-US'),
      each.lacking.toLocaleString('en-US'),
      `${(each.latest / 1000).toFixed(1)} s`,
      `${each.slowestRecovery.seconds.toFixed(1)} s (${each.slowestRecovery.fault})`,
      String(each.mostAsked),
      `${each.heapMegabytes[0] ?? 0} to ${each.heapMegabytes.at(-1) ?? 0} MB`,
      String(each.problems.length),
    ]),
  )
}

process.chdir(PROJECT)
main().catch(fail)
