// @ts-check
import { expect, test } from 'vitest'
import { run } from '../children.mjs'
import { testsOf } from './runs.mjs'
import { measureMachine, whatFailed, whereTimeWent } from './spent.mjs'

test('a run ends with where its time went', () => {
  const tests = Array.from({ length: 12 }, (_, n) => ({ name: `test ${n}`, ms: n * 1000 }))
  const lines = whereTimeWent([
    { name: 'lock', ms: 400, outcome: { passed: 1, failed: 0, cpuMs: 0 } },
    { name: 'page', ms: 90_000, outcome: { passed: 12, failed: 1, retried: 1, cpuMs: 120_000, tests } },
  ]).split('\n')
  expect(lines.slice(0, 6)).toEqual([
    '             wall        CPU',
    '  lock      0.4 s          –',
    '  page     90.0 s    120.0 s',
    '  all                120.0 s',
    'Slowest tests:',
    '     11.0 s  page: test 11',
  ])
  expect(lines).toHaveLength(16)
  expect(lines.at(-1)).toBe('Retries used: 1')
})

test('a run says how much of the machine was used, by anything', () => {
  const busy = measureMachine()
  const endMs = performance.now() + 200
  while (performance.now() < endMs);
  const part = busy()
  expect([part > 0, part <= 1]).toEqual([true, true])
  const suite = { name: 'lock', ms: 400, outcome: { passed: 1, failed: 0, cpuMs: 0 } }
  expect(whereTimeWent([suite], 0.914)).toContain('The machine was at work 91 % of the time.')
})

test('a run ends with what failed, and why', () => {
  const error = { message: '\u001B[31mexpected 2\u001B[39m\nreceived 1' }
  const { broken } = testsOf([
    {
      suites: [
        {
          specs: [
            {
              title: 'counts',
              file: 'io.spec.ts',
              tests: [
                { projectName: '7.1.5', status: 'flaky', results: [{ duration: 5, error }, { duration: 4 }] },
                { projectName: '6.2.4', status: 'expected', results: [{ duration: 5 }] },
                { projectName: '5.4.207', status: 'unexpected', results: [{ duration: 5, error }] },
              ],
            },
          ],
        },
      ],
    },
  ])
  const suites = [
    { name: 'lint', ms: 1, outcome: { passed: 0, failed: 1, cpuMs: 0 } },
    { name: 'real', ms: 1, outcome: { passed: 1, failed: 2, cpuMs: 0, broken } },
  ]
  expect(whatFailed(suites)).toBe(
    [
      'Failed: lint: see its output above.',
      'Failed: real: 7.1.5 io.spec.ts: counts (passed at a second try)',
      '    expected 2',
      '    received 1',
      'Failed: real: 5.4.207 io.spec.ts: counts',
      '    expected 2',
      '    received 1',
    ].join('\n'),
  )
  expect(whatFailed([{ name: 'page', ms: 1, outcome: { passed: 1, failed: 0, cpuMs: 0 } }])).toBe('')
})

test.runIf(process.platform === 'linux')('the CPU of a command is its own and that of its children', async () => {
  const burn = 'const end = process.cpuUsage().user + 200000; while (process.cpuUsage().user < end);'
  const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(burn)}])`
  const { code, cpuMs } = await run(process.execPath, ['-e', parent])
  expect(code).toBe(0)
  expect(cpuMs).toBeGreaterThanOrEqual(200)
})
