// @ts-check
/**
 * `npm run audit`: compares every figure that the studio shows of a real server under a known load with another source.
 */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tableOf, writeSection } from '../bench/results.mjs'
import { findChromium } from './browser.mjs'
import { ensureBuild } from './build.mjs'
import { PROJECT } from './cache.mjs'
import { run } from './children.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { options } from './options.mjs'
import { getRavenDb } from './ravendb/get.mjs'
import { PACKAGED, resolveVersion } from './ravendb/versions.mjs'
import { createSay, fail, Plain } from './say.mjs'

const HELP = `
npm run audit -- [options]

Starts RavenDB with the studio, puts a database under a load that it counts, opens the studio in Chromium, reads the
figures of the panels by role and name, and computes each from another source:
the kernel (/proc, statfs), the files, endpoints and sockets of a client of its own, and what the load counted. Prints
figure, shown, truth, difference, verdict and tolerance. Takes about twenty minutes; needs Linux.
Ends with code 1 when a figure differs beyond its tolerance.

  --ravendb VERSION  7.1.5, 6.2.4 or 5.4.207; short forms such as 6.2 will do (7.1.5)
  --only "A; B"      audits these alone, by the titles that a run says: "Held up; Errors"
  --write            writes a summary of the run into bench/results
  --help
`

const RUN_MS = 2_400_000
const RESULTS = join(PROJECT, 'test-results', 'audit')

async function main() {
  const given = options({ ravendb: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean' } }, HELP)
  const version = resolveVersion(typeof given['ravendb'] === 'string' ? given['ravendb'] : '7.1.5')
  if (!PACKAGED.has(version)) throw new Plain(`The audit knows RavenDB ${[...PACKAGED.keys()].join(', ')}.`)
  const only = typeof given['only'] === 'string' ? given['only'].split(';') : []
  if (given['write'] === true && only.length > 0) throw new Plain('Only a whole run is written: leave out --only.')
  if (process.platform !== 'linux') throw new Plain('The audit reads /proc, which only Linux has.')
  const say = createSay()
  await ensureDependencies(say)
  await ensureBuild(say)
  await getRavenDb({ version, say })
  const { path } = await findChromium({ install: true, say })
  say.step(`Auditing the studio on RavenDB ${version}`)
  const results = join(RESULTS, `${version}.json`)
  await mkdir(RESULTS, { recursive: true })
  await rm(results, { force: true })
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts']
  const how = [
    `--project=${version}`,
    '--reporter=./e2e/audit/reporter.ts',
    '--output=test-results/audit-run',
    '--retries=0',
  ]
  const ran = await run(process.execPath, [...playwright, ...how, 'e2e/real/audit.spec.ts'], {
    cwd: PROJECT,
    timeout: RUN_MS,
    show: true,
    env: {
      ROOKERY_AUDIT: results,
      ROOKERY_AUDIT_ONLY: only.map((title) => title.trim()).join(';'),
      ...(path === undefined ? {} : { E2E_CHROMIUM: path }),
    },
  })
  if (ran.timedOut) throw new Plain(`The audit did not end within ${RUN_MS / 60_000} min.`)
  if (given['write'] === true) await write(version, results)
  process.exit(ran.code === 0 ? 0 : 1)
}

/**
 * @param {string} version
 * @param {string} results file
 */
async function write(version, results) {
  const text = await readFile(results, 'utf8').catch(() => {
    throw new Plain('The audit did not come to its end, so there is nothing to write.')
  })
  /** @type {import('../e2e/audit/report.ts').Summary} */
  const { panels, figures, values, wrong } = JSON.parse(text)
  const table = tableOf(
    ['panel', 'figures', 'values', 'false', 'nearest to its tolerance', 'shown', 'truth'],
    panels.map((each) => [
      each.panel,
      String(each.figures),
      String(each.values),
      String(each.wrong),
      each.nearest?.figure ?? '',
      each.nearest?.shown ?? '',
      each.nearest?.truth ?? '',
    ]),
  )
  const sentence = `RavenDB ${version}: ${figures} figures, ${values} values, ${wrong} false.`
  await writeSection(`audit ${version}`, 'npm run audit', `${sentence}\n\n${table}`)
  process.stdout.write('bench/results has a summary of this run.\n')
}

process.chdir(PROJECT)
main().catch(fail)
