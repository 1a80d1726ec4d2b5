// @ts-check
/** Reads Linux figures of a process and its threads from /proc, once, without watching them. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { codeOf, Plain } from '../say.mjs'

/**
 * @typedef {object} Activity what the scheduler says of a thread
 * @property {string} state one letter: R running or ready, S waiting, D waiting for a disk, T stopped, …
 * @property {number} cpuNs CPU time since the thread's start, nanoseconds; NaN where the kernel does not count it
 */

/**
 * Start time of a process, in clock ticks since boot. Together with the pid it identifies the process.
 * @param {number} pid
 * @returns {string} a whole number
 * @throws {Plain} when there is no such process
 */
export function startTicksOf(pid) {
  const [, , , , , , , , , , , , , , , , , , , ticks] = fieldsOf(readProc(pid, 'stat'))
  if (ticks === undefined) throw new Plain(`Process ${pid} does not report when it began.`)
  return ticks
}

/**
 * @param {string} stat
 * @returns {string[]} the fields from the third one on: the second is a name in brackets that can hold any character
 */
function fieldsOf(stat) {
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .trim()
    .split(' ')
}

/**
 * Folder for the temporary files of a process, as set when the process started.
 * @param {number} pid
 * @returns {string} absolute
 * @throws {Plain} when it belongs to another user
 */
export function tmpOf(pid) {
  const setting = readProc(pid, 'environ')
    .split('\0')
    .find((line) => line.startsWith('TMPDIR='))
  return setting === undefined || setting === 'TMPDIR=' ? '/tmp' : setting.slice('TMPDIR='.length)
}

/**
 * @param {number} pid
 * @param {string} name
 * @returns {string}
 * @throws {Plain}
 */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(codeOf(error)))
      throw new Plain(`Process ${pid} belongs to another user: only its own user can read its stacks.`)
    throw new Plain(`There is no process ${pid} (${codeOf(error)}).`)
  }
}

/**
 * @param {number} pid
 * @returns {Map<number, Activity>} by thread; threads that end meanwhile are left out, all of them when the process ends
 */
export function activityOf(pid) {
  /** @type {Map<number, Activity>} */
  const threads = new Map()
  const dir = `/proc/${pid}/task`
  for (const name of namesIn(dir)) {
    const [state] = fieldsOf(textOf(`${dir}/${name}/stat`))
    if (state === undefined || state === '') continue
    const [cpu = ''] = textOf(`${dir}/${name}/schedstat`).split(' ')
    threads.set(Number(name), { state, cpuNs: cpu === '' ? Number.NaN : Number(cpu) })
  }
  return threads
}

/**
 * @param {string} dir
 * @returns {string[]}
 */
function namesIn(dir) {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

/**
 * @param {string} path
 * @returns {string} '' when it is gone
 */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * @param {number} pid
 * @returns {(address: number) => string | undefined} the name of the managed library whose file is mapped there
 */
export function mappedModules(pid) {
  return modulesIn(textOf(`/proc/${pid}/maps`))
}

/**
 * @param {string} maps text of /proc/<pid>/maps
 * @returns {(address: number) => string | undefined}
 */
export function modulesIn(maps) {
  /** @type {{ start: number, end: number, name: string }[]} */
  const ranges = []
  for (const [, start = '', end = '', path = ''] of maps.matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ +(\/.*\.dll)$/gm,
  ))
    ranges.push({ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), name: basename(path, '.dll') })
  return (address) => ranges.find(({ start, end }) => start <= address && address < end)?.name
}
