// @ts-check
/** The suites of `npm test` and `npm run test:all`: what each checks, when it runs, and with which command. */
import { join } from 'node:path'
import { DEFAULT_VERSION, PACKAGED } from '../ravendb/versions.mjs'
import { builtOnce, one, playwright, script, vitest } from './runs.mjs'

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} what it does
 * @property {'static' | 'first' | 'beside' | 'last'} when `static`: as many at once as the machine has cores, with what
 *   CPU others leave; `first`: before those that run beside each other; `beside`: at once, but for what is `after` another; `last`: when
 *   the others have ended, those with servers one after the other, and beside them those without, with what CPU they leave
 * @property {string} [after] of `beside`: begins when this one has ended; what waits for a page within seconds fails where
 *   ten processes share two cores
 * @property {boolean} [full] belongs to `npm run test:all` only
 * @property {boolean} [servers] needs RavenDB or a browser
 * @property {() => Promise<import('./runs.mjs').Outcome>} run
 */

const SOAK_MS = 1_800_000
const FUZZ_MS = 900_000
const LABELLED_MS = 3_600_000

/** Vitest projects that need no server. */
const UNIT = ['unit', 'pure', 'dom', 'dom-alone', 'tools']

/**
 * @typedef {object} Reached
 * @property {readonly string[] | null} unit paths of tests in Node; null: all
 * @property {readonly string[]} page filters of Playwright
 * @property {readonly string[]} real
 */

/**
 * @param {Suite} suite
 * @param {Reached} reached
 * @returns {boolean} whether it has anything to do with the change
 */
export function isReached({ name, when }, { unit, page, real }) {
  if (name === 'page') return page.length > 0
  if (name === 'real') return real.length > 0
  if (name === 'unit') return unit === null || unit.length > 0
  return when === 'static' && name !== 'bundle'
}

/**
 * @param {object} given
 * @param {boolean} given.all all of it, not the gate alone
 * @param {readonly string[]} given.more arguments for vitest or playwright
 * @param {string} given.scratch a folder for reports
 * @param {import('./runs.mjs').Provisions} given.provisions
 * @param {Reached | null} given.reached only what a change can reach; null: all
 * @returns {readonly Suite[]}
 */
export function suites({ all, more, scratch, provisions, reached }) {
  const report = (/** @type {string} */ name) => join(scratch, `${name}.json`)
  const env = { ROOKERY_TESTS: all ? 'all' : 'gate' }
  /**
   * @param {string} name
   * @param {readonly string[]} projects
   * @param {number} workers
   */
  const e2e = (name, projects, workers) => async () =>
    playwright(
      name,
      [
        `--workers=${workers}`,
        ...projects.map((project) => `--project=${project}`),
        ...(reached === null ? [] : name === 'page' ? reached.page : reached.real),
        ...more,
      ],
      report(name),
      await (name === 'page' ? provisions.browser() : provisions.all()),
      env,
    )
  return [
    {
      name: 'lock',
      what: 'package-lock.json is complete for every platform',
      when: 'static',
      run: () => one(process.execPath, ['tools/check-lock.mjs']),
    },
    {
      name: 'types',
      what: 'tsc -b',
      when: 'static',
      // Each checker computes shared types again, and uncollected memory costs no CPU: this takes 17 s instead of 26.
      run: () => one('npm', ['run', '--silent', 'typecheck', '--', '--checkers', '1'], { env: { GOGC: 'off' } }),
    },
    { name: 'lint', what: 'oxlint', when: 'static', run: () => script('lint') },
    { name: 'imports', what: 'imports go one way, without cycles', when: 'static', run: () => script('deps') },
    { name: 'unused', what: 'no unused files, exports, dependencies', when: 'static', run: () => script('unused') },
    {
      name: 'format',
      what: all ? 'prettier' : 'prettier, where oxfmt would write otherwise',
      when: 'static',
      run: () => one(process.execPath, ['tools/check-format.mjs', ...(all ? ['--all'] : [])]),
    },
    {
      name: 'build',
      what: 'vite build',
      when: 'first',
      run: async () => ({ passed: 1, failed: 0, cpuMs: await builtOnce(true) }),
    },
    {
      name: 'bundle',
      what: all ? 'size, file types, policy, the same bytes again' : 'size, file types, policy',
      when: 'static',
      run: async () => {
        await builtOnce()
        return one(process.execPath, ['tools/check-build.mjs', ...(all ? ['--again'] : [])], { show: true })
      },
    },
    {
      name: 'real',
      what: 'playwright on real servers',
      when: 'beside',
      after: 'page',
      servers: true,
      run: e2e('real', reached === null ? [...PACKAGED.keys()] : [DEFAULT_VERSION], 3),
    },
    { name: 'page', what: 'playwright on a fake server', when: 'beside', servers: true, run: e2e('page', ['page'], 2) },
    {
      name: 'versions',
      what: 'vitest on a real server of each version',
      when: 'beside',
      // Servers that run in parallel with browsers respond too late for these tests.
      after: 'real',
      servers: true,
      run: async () => {
        await provisions.all()
        const versions = [...PACKAGED.keys()]
        const args = [...versions.map((version) => `--project=${version}`), ...more]
        return vitest(args, report('versions'), { env: { ...env, ROOKERY_TEST_SERVER: versions.join() } })
      },
    },
    {
      name: 'engines',
      what: all ? 'Firefox and WebKitGTK' : 'Firefox and WebKitGTK on a fake server',
      when: 'beside',
      servers: true,
      run: async () => {
        await provisions.engines()
        return e2e('engines', ['engines'], 1)()
      },
    },
    {
      name: 'unit',
      what: 'vitest',
      when: 'beside',
      // The unit tests use the CPU that the servers of `versions` leave idle; browsers leave none.
      after: 'real',
      run: () =>
        vitest([...UNIT.map((name) => `--project=${name}`), ...(reached?.unit ?? []), ...more], report('unit'), {
          env,
          yielding: true,
        }),
    },
    {
      name: 'firefox',
      what: 'the page suite in the Firefox of the system',
      when: 'last',
      full: true,
      servers: true,
      run: async () => {
        await provisions.engines()
        return e2e('firefox', ['firefox'], 2)()
      },
    },
    {
      name: 'exact',
      what: '10,000 random documents, each with one value changed, on a real server',
      when: 'last',
      full: true,
      servers: true,
      run: async () => {
        await provisions.all()
        return vitest([`--project=${DEFAULT_VERSION}`], report('exact'), {
          files: ['src/features/documents'],
          env: { ROOKERY_TEST_SERVER: DEFAULT_VERSION, EXACT_DOCUMENTS: '10000' },
        })
      },
    },
    {
      name: 'clickhouse',
      what: 'what is recorded of a real server, in ClickHouse',
      when: 'last',
      full: true,
      servers: true,
      run: async () => {
        await provisions.all()
        return vitest([`--project=${DEFAULT_VERSION}`], report('clickhouse'), {
          files: ['src/recorder/clickhouse'],
          env: { ROOKERY_TEST_SERVER: DEFAULT_VERSION, ROOKERY_CLICKHOUSE: '1' },
        })
      },
    },
    {
      name: 'soak',
      what: 'faults at random, two seeds',
      when: 'last',
      full: true,
      servers: true,
      run: () => one(process.execPath, ['tools/soak.mjs', '--seeds', '1,2'], { timeout: SOAK_MS }),
    },
    {
      name: 'recorded',
      what: 'outages, kills and eight hours of a recorder by a clock of its own, half an hour at most',
      when: 'last',
      full: true,
      run: () =>
        vitest(['--project=unit', '--project=pure'], report('recorded'), {
          files: ['src/recorder/soak.test.ts', 'src/recorder/resume.test.ts'],
          env: { RECORDER_SOAK_HOURS: '8' },
          yielding: true,
        }),
    },
    {
      name: 'killed',
      what: 'ten minutes of a recorder that is killed, and of its server that is restarted, against a listener',
      when: 'last',
      full: true,
      servers: true,
      run: async () => {
        await provisions.all()
        return vitest([`--project=${DEFAULT_VERSION}`], report('killed'), {
          files: ['src/recorder/kills'],
          env: { ROOKERY_TEST_SERVER: DEFAULT_VERSION, RECORDER_KILL_MINUTES: '10' },
        })
      },
    },
    {
      name: 'fuzz',
      what: 'odd requests against the stand-alone server, ten minutes',
      when: 'last',
      full: true,
      run: () => one(process.execPath, ['tools/fuzz.mjs', '--minutes', '10'], { show: true, timeout: FUZZ_MS }),
    },
    {
      name: 'labelled',
      what: 'causes of stalls of a real server whose delays are known, 25 minutes',
      when: 'last',
      full: true,
      servers: true,
      run: () => one(process.execPath, ['bench/labelled.mjs', '--no-write'], { show: true, timeout: LABELLED_MS }),
    },
    {
      name: 'stats',
      what: 'causes of stalls and comparisons, with more seeds',
      when: 'last',
      full: true,
      run: () =>
        vitest(['--project=unit', '--project=pure'], report('stats'), {
          files: ['src/features/stalls', 'src/features/compare', 'src/app/facts/compare-server.test.ts'],
          env: { STALL_SEEDS: '20', STALL_MINUTES: '9', COMPARE_SEEDS: '8' },
          yielding: true,
        }),
    },
  ]
}
