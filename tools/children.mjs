// @ts-check
/** Runs child processes, and registers clean-up of them and of folders. All of them end with this process. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** @type {Set<() => Promise<void>>} polite ends, run on a signal */
const polite = new Set()
/** @type {Set<() => void>} last, synchronous ends, run when the process exits whatever the reason */
const last = new Set()
let installed = false
let ending = false

/** Maximum time for the orderly end after a signal, ms, before the forced end follows. */
const GRACE_MS = 20_000

let quietly = false

/**
 * Makes Ctrl-C and similar signals end the process with code 0 and a message, for commands that run until they are
 * ended.
 */
export function endQuietly() {
  quietly = true
  install()
}

/**
 * Reports an error, unless a signal is already ending the process: then pending work fails while the orderly ends run.
 * @param {(error: unknown) => void} report
 * @returns {(error: unknown) => void}
 */
export const unlessEnding = (report) => (error) => {
  if (!ending) report(error)
}

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

function install() {
  if (installed) return
  installed = true
  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('exit', runLast)
}

function runLast() {
  // In reverse order: a process that writes into a folder ends before the folder is removed.
  for (const end of [...last].toReversed()) {
    try {
      end()
    } catch {
      // An error must not prevent the next end from running.
    }
  }
}

/** @param {NodeJS.Signals} signal */
function onSignal(signal) {
  const code = quietly ? 0 : signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 129
  if (ending) process.exit(code) // A second signal ends the process at once.
  ending = true
  if (quietly) process.stdout.write('\nEnding …\n')
  const alone = quietly || process.listenerCount(signal) === 1
  const all = Promise.allSettled([...polite].map((end) => end()))
  const limit = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())
  void Promise.race([all, limit]).then(() => {
    // A test runner has its own handler and ends by itself.
    if (alone) process.exit(code)
    ending = false
  })
}

/**
 * Registers functions that run on Ctrl-C and similar signals (`polite`), and when the process exits (`hard`,
 * synchronous).
 * @param {{ polite?: () => Promise<void>, hard?: () => void }} ends
 * @returns {() => void} takes it off again
 */
export function atEnd({ polite: gentle, hard }) {
  install()
  if (gentle) polite.add(gentle)
  if (hard) last.add(hard)
  return () => {
    if (gentle) polite.delete(gentle)
    if (hard) last.delete(hard)
  }
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] on top of this process's
 * @property {number} [timeout] milliseconds, after which it is killed
 * @property {AbortSignal} [signal] kills it
 * @property {boolean} [yielding] it and what it starts get the CPU that others leave
 * @property {boolean} [show] its output goes to the console instead of into the result
 * @property {(line: string) => void} [onLine] each line of its output
 *
 * @typedef {object} Ran
 * @property {number | null} code null when killed, or when it could not be started
 * @property {string} output standard output
 * @property {string} errors standard error
 * @property {boolean} timedOut
 * @property {string} missing why it could not be started, else ''
 * @property {number} cpuMs what it and all that it waited for have used, milliseconds; 0 where the system does not say
 */

/**
 * Runs a command to its end. Never rejects: a command that is missing or killed has the code null.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ran>}
 */
export function run(command, args, { cwd, env, timeout, signal, yielding = false, show = false, onLine } = {}) {
  return new Promise((resolve) => {
    const ran = { code: /** @type {number | null} */ (null), output: '', errors: '', timedOut: false, missing: '' }
    let cpuMs = 0
    // npm, npx and others are .cmd files on Windows, which only a shell can start.
    const shell = process.platform === 'win32' && !/[\\/.]/.test(command)
    // A separate process group, so that the command's children end with it.
    const detached = !show && process.platform !== 'win32'
    const child = spawn(command, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      shell,
      detached,
      windowsHide: true,
    })
    if (yielding && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    const kill = () => {
      if (detached && child.pid !== undefined) killGroup(child.pid)
      else child.kill('SIGKILL')
    }
    const gone = new Promise((done) => child.once('close', done).once('error', done))
    // A command that shows its output has clean-up of its own.
    const gently = async () => {
      child.kill('SIGTERM')
      await gone
    }
    takeChildrensCpu() // Discards the CPU time of children that ended before.
    child.once('exit', () => (cpuMs = takeChildrensCpu()))
    const off = atEnd({ hard: kill, ...(show ? { polite: gently } : {}) })
    const timer = timeout === undefined ? undefined : setTimeout(() => ((ran.timedOut = true), kill()), timeout)
    signal?.addEventListener('abort', kill, { once: true })
    if (signal?.aborted) kill()
    eachLine(child.stdout, (line) => ((ran.output += `${line}\n`), onLine?.(line)))
    eachLine(child.stderr, (line) => ((ran.errors += `${line}\n`), onLine?.(line)))
    let over = false
    /** @param {number | null} code */
    const end = (code) => {
      if (over) return
      over = true
      off()
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      resolve({ ...ran, code, cpuMs })
    }
    child.once('error', (error) => {
      ran.missing = error.message
      end(null)
    })
    child.once('close', end)
  })
}

let taken = 0

/**
 * CPU time of children that ended since the last call: user and system, including the processes for which they had
 * waited.
 * @returns {number} milliseconds; 0 where the system does not say
 */
function takeChildrensCpu() {
  const before = taken
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Hundredths of a second on every Linux that Node supports.
    taken = (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
  return taken - before
}

/** @param {number} pid of the group's first process */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

/**
 * Calls back for every complete line of a stream, and for the remaining text at its end.
 * @param {NodeJS.ReadableStream | null | undefined} stream
 * @param {(line: string) => void} onLine
 */
export function eachLine(stream, onLine) {
  if (!stream) return
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
    rest = ''
  })
}

const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|name resolution|NewConnectionError|ConnectTimeout|ReadTimeout/

/**
 * Reason why a command failed, on one line, for use in a message.
 * @param {Ran} ran
 * @returns {string}
 */
export function lastWords(ran) {
  if (ran.missing !== '') return ran.missing
  const reported = ran.errors.trim() || ran.output.trim()
  const network = NO_NETWORK.exec(reported)?.[0]
  if (network !== undefined) return `no way through the network, ${network}`
  if (ran.timedOut) return 'it took too long'
  const lines = reported.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => /error/i.test(line) && !/complete log of this run|^npm warn/i.test(line))
  return (errors.length > 0 ? errors.slice(0, 3) : lines.slice(-3))
    .map((line) => line.trim())
    .join(' | ')
    .slice(0, 400)
}

/**
 * Start time of a process, in a form that only serves to distinguish two processes with the same pid.
 * @param {number} pid
 * @returns {Promise<string>} '' when there is no such process, or it cannot be known
 */
export async function bornAt(pid) {
  if (process.platform === 'linux') {
    const { readFile } = await import('node:fs/promises')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return '' // dead, not yet collected
    return fields[19] ?? ''
  }
  if (process.platform === 'win32') return alive(pid) ? 'alive' : ''
  const ran = await run('ps', ['-o', 'lstart=', '-p', String(pid)])
  return ran.output.trim()
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
export function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
