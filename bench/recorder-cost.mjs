// @ts-check
/**
 * Measures the cost of the recorder to a quiet server, and of the recorder itself: CPU of both processes as Linux
 * counts it, the server alone and recorded alternately, on two servers: one with default settings, one with
 * `RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY`, without which 7.1.5 keeps spending CPU on live feeds that have ended. Then
 * measures how often each request is sent, and the cost of one such call to the server. Writes its section of
 * bench/results.
 * `npm run bench:recorder [-- --seconds 120 --pairs 3 --databases 1 --only pairs|calls --no-write]`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createDatabase, putIndexes } from '../tools/ravendb/client.mjs'
import { startRavenDb } from '../tools/ravendb/run.mjs'
import { INDEXES } from '../tools/workload/indexes.mjs'
import { median, tableOf, writeSection } from './results.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    pairs: { type: 'string', default: '3' },
    databases: { type: 'string', default: '1' },
    version: { type: 'string', default: '7.1.5' },
    only: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
/** Time for which a server compiles its code after the start, and a recorder reads existing data, ms. */
const SETTLE_MS = 30_000
/** Number of consecutive calls of one endpoint. */
const CALLS = 300
const FEWEST_CALLS = 2

/** User and system time of a process, ms. @param {number} pid */
async function cpuMs(pid) {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Starts a server of this bench. @param {NodeJS.ProcessEnv} env */
async function quietServer(env) {
  const server = await startRavenDb({ version: values.version, env })
  for (let at = 0; at < Number(values.databases); at++) {
    await createDatabase(server.url, `quiet${String(at)}`)
    await putIndexes(server.url, `quiet${String(at)}`, INDEXES)
  }
  return server
}

/** @param {readonly number[]} pids */
async function over(pids) {
  const before = await Promise.all(pids.map(cpuMs))
  const beganMs = performance.now()
  await sleep(seconds * 1000)
  const after = await Promise.all(pids.map(cpuMs))
  return after.map((ms, at) => ((ms - (before[at] ?? 0)) / (performance.now() - beganMs)) * 100)
}

/** @typedef {{ counts: [string, { requests: number, frames: number, bytes: number }][], cpuMs: number, bytes: number }} Counts */

/** @param {string} url */
async function startRecorder(url) {
  const to = await mkdtemp(join(tmpdir(), 'rookery-cost-'))
  const child = fork(resolve(import.meta.dirname, 'recorder-process.mjs'), [to, url])
  await once(child, 'message')
  return {
    pid: child.pid ?? 0,
    /** @returns {Promise<Counts>} */
    counts: async () => {
      child.send('counts')
      return (await once(child, 'message'))[0]
    },
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
      await rm(to, { recursive: true, force: true })
    },
  }
}

/** @typedef {{ alone: number[], recorded: number[], recorder: number[], rss: number, counts: Counts['counts'] }} Measured */

/** @param {Awaited<ReturnType<typeof quietServer>>} server @returns {Promise<Measured>} */
async function inTurns(server) {
  /** @type {Measured} */
  const measured = { alone: [], recorded: [], recorder: [], rss: 0, counts: [] }
  await sleep(SETTLE_MS)
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const [alone = Number.NaN] = await over([server.pid])
    measured.alone.push(alone)
    const recorder = await startRecorder(server.url)
    await sleep(SETTLE_MS)
    const { counts: before } = await recorder.counts()
    const [recorded = Number.NaN, own = Number.NaN] = await over([server.pid, recorder.pid])
    const { counts, bytes } = await recorder.counts()
    measured.recorded.push(recorded)
    measured.recorder.push(own)
    measured.rss = bytes
    measured.counts = difference(before, counts)
    await recorder.stop()
    console.log(`alone ${alone.toFixed(2)} %, recorded ${recorded.toFixed(2)} %, recorder ${own.toFixed(2)} %`)
    await sleep(5000)
  }
  return measured
}

/** @param {Counts['counts']} before @param {Counts['counts']} after @returns {Counts['counts']} */
function difference(before, after) {
  const known = new Map(before)
  return after.map(([key, { requests, frames, bytes }]) => {
    const was = known.get(key) ?? { requests: 0, frames: 0, bytes: 0 }
    return [key, { requests: requests - was.requests, frames: frames - was.frames, bytes: bytes - was.bytes }]
  })
}

/** CPU of the server for one call of each path, ms. @param {string} url @param {number} pid @param {readonly string[]} paths */
async function costOfCalls(url, pid, paths) {
  /** @type {Map<string, number>} */
  const costs = new Map()
  for (const path of paths) {
    const address = `${url}${path.replace(' ', '?path=')}`
    for (let at = 0; at < CALLS / 3; at++) await (await fetch(address)).arrayBuffer()
    const cpu = await cpuMs(pid)
    for (let at = 0; at < CALLS; at++) await (await fetch(address)).arrayBuffer()
    costs.set(path, ((await cpuMs(pid)) - cpu) / CALLS)
  }
  return costs
}

const percent = (/** @type {readonly number[]} */ shares) =>
  `${median(shares).toFixed(2)} (${shares.map((share) => share.toFixed(2)).join(', ')})`

const kinds = {
  'as it comes': {},
  'with `RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY`': { RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY: 'true' },
}
const servers = await Promise.all(Object.values(kinds).map(quietServer))
const measured = await Promise.all(servers.map(inTurns))
const table = tableOf(
  ['server', 'alone, % of a core', 'recorded', 'recorder', 'its memory'],
  Object.keys(kinds).map((kind, at) => {
    const { alone = [], recorded = [], recorder = [], rss = 0 } = measured[at] ?? {}
    return [kind, percent(alone), percent(recorded), percent(recorder), `${String(Math.round(rss / 1e6))} MB`]
  }),
)
const [, second] = servers
const counts = (measured[1]?.counts ?? []).filter(([, { requests, frames }]) => requests + frames >= FEWEST_CALLS)
const calls = counts.filter(([, { frames }]) => frames === 0).map(([path]) => path)
const costs = second === undefined ? new Map() : await costOfCalls(second.url, second.pid, calls)
const sent = tableOf(
  ['path', 'requests a minute', 'frames a minute', 'bytes a minute', 'CPU of a call'],
  counts.map(([path, { requests, frames, bytes }]) => [
    `\`${path}\``,
    ((requests * 60) / seconds).toFixed(1),
    ((frames * 60) / seconds).toFixed(1),
    String(Math.round((bytes * 60) / seconds)),
    costs.has(path) ? `${costs.get(path).toFixed(2)} ms` : '–',
  ]),
)
const body = `${table}\n\n${sent}`
console.log(body)
if (!values['no-write']) await writeSection('recorder-cost', 'node bench/recorder-cost.mjs', body)
for (const server of servers) await server.stop()
process.exit(0)
