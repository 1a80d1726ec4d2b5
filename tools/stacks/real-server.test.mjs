// @ts-check
/**
 * The helper beside a real server. Runs when ROOKERY_TEST_SERVER names a version, such as `7.1.5`: it is got and started
 * by tools/ravendb on a free port, and ended afterwards. Takes about two minutes.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRavenDb } from '../ravendb/run.mjs'
import { silent } from '../say.mjs'
import { runWorkload } from '../workload/run.mjs'
import { socketOf } from './ipc.mjs'
import { callOf, perfMap } from './testing/perf-map.mjs'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
const PROGRAM = fileURLToPath(new URL('./raven-debug.mjs', import.meta.url))

/** @typedef {import('../ravendb/run.mjs').RunningRavenDb} Running */
/** @typedef {{ Results: import('./merge.mjs').Entry[], Threads: { Id: number, Name: string }[] }} Answer */

/**
 * @param {Running} server
 * @param {string} [query]
 * @returns {Promise<Response>}
 */
function request({ url }, query = '') {
  return fetch(`${url}/admin/debug/threads/stack-trace${query}`)
}

/**
 * @param {Running} server
 * @param {string} [query]
 * @returns {Promise<Answer>}
 */
async function stacks(server, query) {
  const response = await request(server, query)
  expect(response.status).toBe(200)
  return /** @type {Promise<Answer>} */ (response.json())
}

/**
 * @param {Answer} answer
 * @param {RegExp} name of a thread
 * @returns {string[]} the stacks of threads with such names, a frame a line
 */
function stacksOf({ Results: results, Threads: threads }, name) {
  const ids = new Set(threads.filter((thread) => name.test(thread.Name)).map(({ Id: id }) => id))
  return results
    .filter(({ ThreadIds: seen }) => seen.some((id) => ids.has(id)))
    .map(({ StackTrace: frames }) => frames.join('\n'))
}

/**
 * @param {number} pid
 * @returns {number[]} its children
 */
function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => {
      try {
        return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ')
      } catch {
        return []
      }
    })
    .filter((child) => child !== '')
    .map(Number)
}

/**
 * @param {Running} server
 * @returns {Promise<number>} the helper, while it has a connection to the server's diagnostics socket
 */
async function helperAtWork({ pid }) {
  const socket = socketOf(pid)
  for (;;) {
    const ends = readFileSync('/proc/net/unix', 'utf8').split('\n')
    const [child] = childrenOf(pid)
    // the first one listens
    if (child !== undefined && ends.filter((line) => line.endsWith(` ${socket}`)).length > 1) return child
    await sleep(2)
  }
}

/** The gate has tests of it in the browser. */
const isGate = process.env['ROOKERY_TESTS'] === 'gate'

describe.skipIf(version === '' || isGate)('the helper beside a real server', () => {
  /** @type {Running} */
  let server
  beforeAll(async () => {
    server = await startRavenDb({ version, say: silent })
  }, 600_000)
  afterAll(() => server.stop())

  test('has it answer with the stacks of its threads', async () => {
    const { Results: results, Threads: threads } = await stacks(server)
    const frames = results.flatMap(({ StackTrace: trace }) => trace)
    expect(frames).toContain('Raven.Server!Raven.Server.Program.Main(class System.String[])')
    expect(frames.filter((frame) => frame.endsWith('?')).length).toBeLessThan(frames.length * 0.05)
    const ids = new Set(threads.map(({ Id: id }) => id))
    const seen = results.flatMap(({ ThreadIds: threads }) => threads)
    // a thread of the pool may end between the two lists
    expect(seen.filter((id) => !ids.has(id)).length).toBeLessThanOrEqual(2)
    expect(seen.length).toBeGreaterThan(10)
  })

  test('filters by thread, and knows none that is gone', async () => {
    const { Results: one } = await stacks(server, `?threadId=${server.pid}`)
    expect(one.map(({ ThreadIds: ids }) => ids)).toEqual([[server.pid]])
    const { Results: none } = await stacks(server, '?threadId=-5&includeStackObjects=true')
    expect(none).toEqual([])
  })

  test('answers four at once, and leaves no process behind', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => stacks(server)))
    expect(answers.every(({ Results: results }) => results.length > 5)).toBe(true)
    expect(childrenOf(server.pid)).toEqual([])
  })

  test('that is killed in the middle is an error, and the next one works', async () => {
    const answer = request(server)
    process.kill(await helperAtWork(server), 'SIGKILL')
    const response = await answer
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('exit code: 137')
    await stacks(server)
  })

  test('finds the engine at work', async () => {
    const stop = new AbortController()
    const load = runWorkload({ url: server.url, fillRate: 0, pauses: false, signal: stop.signal, say: silent }).catch(
      () => {},
    )
    const wanted = { indexing: false, journal: false }
    const endMs = Date.now() + 120_000
    while (!(wanted.indexing && wanted.journal) && Date.now() < endMs) {
      const answer = await stacks(server)
      wanted.indexing ||= stacksOf(answer, /^(?:Idx|Indexing of) /).some((stack) =>
        /^(?:Corax|Lucene\.Net|Voron)!/m.test(stack),
      )
      wanted.journal ||= answer.Results.some(({ StackTrace: frames }) => {
        const stack = frames.join('\n')
        return /TransactionMerger|OperationsMerger/.test(stack) && /Voron\.Impl\.Journal\./.test(stack)
      })
      await sleep(200)
    }
    stop.abort()
    await load
    expect(wanted).toEqual({ indexing: true, journal: true })
  }, 200_000)

  test('ends with a server that is killed in the middle', async () => {
    // the sockets of a killed process stay behind
    const tmp = mkdtempSync(join(tmpdir(), 'rookery-stacks-test-'))
    const other = await startRavenDb({ version, say: silent, env: { TMPDIR: tmp } })
    const answer = request(other).catch(() => 'gone')
    const helper = await helperAtWork(other)
    await other.kill()
    rmSync(tmp, { recursive: true })
    expect(await answer).toBe('gone')
    for (let waited = 0; isAlive(helper) && waited < 5000; waited += 50) await sleep(50)
    expect(isAlive(helper)).toBe(false)
  }, 200_000)

  test('says that diagnostics are switched off', async () => {
    const other = await startRavenDb({ version, say: silent, env: { DOTNET_EnableDiagnostics: '0' } })
    const response = await request(other)
    const text = await response.text()
    await other.stop()
    expect(response.status).toBe(500)
    expect(text).toContain('DOTNET_EnableDiagnostics=0 switched it off')
  }, 200_000)

  test('names code as the runtime itself does', async () => {
    // precompiled code is not in the runtime's map, so there shall be none
    const env = { DOTNET_PerfMapEnabled: '1', DOTNET_ReadyToRun: '0' }
    const other = await startRavenDb({ version, say: silent, env })
    try {
      const stop = new AbortController()
      const load = runWorkload({ url: other.url, rate: 2000, signal: stop.signal, say: silent }).catch(() => {})
      /** @type {Map<number, string>} */
      const ours = new Map()
      for (let round = 0; round < 8; round++) {
        await sleep(1500)
        for (const { address, name } of await addressesOf(other.pid)) ours.set(address, name)
      }
      stop.abort()
      await load
      const theirs = perfMap(readFileSync(`/tmp/perf-${other.pid}.map`, 'utf8'))
      const known = [...ours].filter(([address, name]) => !name.endsWith('?') && theirs(address) !== undefined)
      const equal = known.filter(([address, name]) => callOf(name) === theirs(address))
      process.stdout.write(`${ours.size} addresses, ${known.length} that both know, ${equal.length} named the same\n`)
      expect(known.length).toBeGreaterThan(200)
      expect(equal.length / known.length).toBeGreaterThanOrEqual(0.99)
    } finally {
      await other.stop()
      for (const name of ['perf', 'perfinfo']) rmSync(`/tmp/${name}-${other.pid}.map`, { force: true })
    }
  }, 300_000)
})

/**
 * @param {number} pid
 * @returns {Promise<import('./capture.mjs').Named[]>}
 */
async function addressesOf(pid) {
  const args = [PROGRAM, 'stack-traces', '--pid', String(pid), '--addresses']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 })
  return JSON.parse(stdout).Addresses
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
