// @ts-check
/** Starts a RavenDB server from a folder, on loopback only. The server ends with this process. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd, eachLine, run } from '../children.mjs'
import { codeOf, Plain } from '../say.mjs'
import { temporaryFolder } from '../temporary.mjs'
import { json } from './client.mjs'
import { layoutOf } from './layout.mjs'
import { clearOrphan, removePid, writePid } from './pidfile.mjs'

/**
 * @typedef {object} ServerOptions
 * @property {string} [dataDir] kept; a folder of the temporary folder, removed in the end, when left out
 * @property {number} [port] 0: any free one
 * @property {string} [host] an address of loopback
 * @property {string} [studioPath] folder of `Raven.Studio.zip`
 * @property {Record<string, string>} [settings] the server's own, such as `{ 'Storage.IO.Metrics.Enabled': 'false' }`
 * @property {Security} [security] it is served by https then
 * @property {NodeJS.ProcessEnv} [env] on top of this process's
 * @property {(line: string) => void} [onLine] each line that it prints
 *
 * @typedef {object} Security
 * @property {string} pfx file with its certificate and key
 * @property {string} admin thumbprint of a certificate that it takes for a cluster administrator's
 * @property {import('./client.mjs').Identity} identity for the requests that check whether it runs
 *
 * @typedef {object} RunningRavenDb
 * @property {string} url without a slash at its end
 * @property {number} pid
 * @property {string} dataDir absolute
 * @property {string} version full version, such as `7.1.5`
 * @property {() => Promise<void>} stop SIGTERM, after 15 s SIGKILL; resolves when it is gone
 * @property {() => Promise<void>} kill SIGKILL; resolves when it is gone
 * @property {Promise<number | null>} exited its exit code; null when a signal ended it
 */

/** Maximum time for a server to respond after its start, ms. */
const START_MS = 90_000
/** Time for a server to end after SIGTERM before it is killed, ms. */
const STOP_MS = 15_000

const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/

/**
 * @param {ServerOptions & { dir: string }} options `dir` holds the server
 * @returns {Promise<RunningRavenDb>} once it answered its version
 * @throws {Plain} when it cannot start, with its last words
 */
export async function startServer({
  dir,
  port = 0,
  host = '127.0.0.1',
  studioPath,
  settings = {},
  security,
  env,
  onLine,
  ...rest
}) {
  const layout = layoutOf(dir)
  if (!layout) throw new Plain(`There is no RavenDB server in ${dir} that could be started.`)
  if (!LOOPBACK.test(host)) throw new Plain(`${host} is not an address of loopback, and nothing else is served here.`)
  const kept = rest.dataDir !== undefined
  const dataDir = resolve(rest.dataDir ?? temporaryFolder('ravendb'))
  await mkdir(dataDir, { recursive: true })
  await clearOrphan(dataDir)
  if (port !== 0) await mustBeFree(port, host)

  const all = {
    ServerUrl: `http${security ? 's' : ''}://${host}:${port}`,
    'ServerUrl.Tcp': `tcp://${host}:0`,
    DataDir: dataDir,
    'Logs.Path': join(dataDir, 'logs'),
    'License.Eula.Accepted': 'true',
    'Setup.Mode': 'None',
    ...(security
      ? { 'Security.Certificate.Path': security.pfx, 'Security.WellKnownCertificates.Admin': security.admin }
      : { 'Security.UnsecuredAccessAllowed': 'Local' }),
    'Updates.BackgroundChecks.Disable': 'true',
    ...(studioPath === undefined ? {} : { 'Studio.Path': resolve(studioPath) }),
    ...settings,
  }
  const args = [...layout.args, ...Object.entries(all).map(([key, value]) => `--${key}=${value}`), '--non-interactive']
  const [command, ...before] = [...(await dieWithParent()), layout.command]
  const child = spawn(command, [...before, ...args], {
    cwd: layout.server,
    env: { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', ...layout.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })

  /** @type {string[]} */
  const tail = []
  /** @type {(url: string) => void} */
  let available = () => {}
  /** @type {Promise<string>} */
  const announced = new Promise((done) => (available = done))
  const receive = (/** @type {string} */ line) => {
    tail.push(line)
    if (tail.length > 30) tail.shift()
    const url = /Server available on:\s*(\S+)/.exec(line)?.[1]
    if (url !== undefined) available(url.replace(/\/+$/, ''))
    onLine?.(line)
  }
  eachLine(child.stdout, receive)
  eachLine(child.stderr, receive)

  /** @type {Promise<number | null>} */
  const exited = new Promise((done) => {
    child.once('error', (error) => (tail.push(error.message), done(null)))
    child.once('close', done)
  })
  let gone = false
  const tidied = exited.then(async () => {
    gone = true
    off()
    await removePid(dataDir)
    if (!kept) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  })
  const kill = () => {
    if (!gone) child.kill('SIGKILL')
    return tidied
  }
  const stop = async () => {
    if (!gone) child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await tidied
    clearTimeout(timer)
  }
  const off = atEnd({
    polite: stop,
    hard: () => {
      child.kill('SIGKILL')
      if (!kept) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  })
  if (child.pid !== undefined) await writePid(dataDir, child.pid)

  const died = exited.then((code) => {
    throw new Plain(
      `RavenDB in ${dir} ended at its start${code === null ? '' : ` with code ${code}`}: ${lastLines(tail)}`,
    )
  })
  died.catch(() => {})
  try {
    const late = sleep(START_MS, undefined, { ref: false }).then(() => {
      throw new Plain(`RavenDB in ${dir} did not answer within ${START_MS / 1000} s: ${lastLines(tail)}`)
    })
    late.catch(() => {})
    const url = await Promise.race([announced, died, late])
    const version = await Promise.race([requestVersion(url, security?.identity), died, late])
    return { url, pid: child.pid ?? 0, dataDir, version, stop, kill, exited }
  } catch (error) {
    await kill()
    throw error
  }
}

/**
 * @param {string} url
 * @param {import('./client.mjs').Identity | undefined} identity
 * @returns {Promise<string>} full version
 * @throws {Plain}
 */
async function requestVersion(url, identity) {
  for (let attempt = 0; ; attempt++) {
    try {
      // ProductVersion is the short form, such as 7.1.
      const { FullVersion: full } = await json(url, '/build/version', { timeout: 10_000, identity })
      const version = /^\d+\.\d+\.\d+/.exec(String(full))?.[0]
      if (version !== undefined) return version
      throw new Error(`its FullVersion is ${String(full)}`)
    } catch (error) {
      if (attempt === 5) throw new Plain(`RavenDB at ${url} does not report its version: ${String(error)}`)
      await sleep(300)
    }
  }
}

/**
 * Returns the last output of the server, on one line: its own error if there is one, without the stack.
 * @param {readonly string[]} tail
 * @returns {string}
 */
function lastLines(tail) {
  const lines = tail.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('at '))
  const reported = lines.filter((line) =>
    /exception|error|fail|denied|cannot|unable|could not|in use|unrecognized/i.test(line),
  )
  return (reported.length > 0 ? reported.slice(0, 3) : lines.slice(-3)).join(' | ').slice(0, 700) || 'no output.'
}

/**
 * @param {number} port
 * @param {string} [host]
 * @throws {Plain} when it is taken
 */
export async function mustBeFree(port, host = '127.0.0.1') {
  const code = await new Promise((done) => {
    const probe = createServer()
    probe.once('error', (error) => done(codeOf(error)))
    probe.listen(port, host, () => probe.close(() => done('')))
  })
  if (code === '') return
  if (code === 'EADDRINUSE')
    throw new Plain(`Port ${port} is taken by another program: end it, or choose another one with --port.`)
  throw new Plain(`Port ${port} cannot be used (${code}): choose another one with --port.`)
}

/** @returns {Promise<number>} a port of loopback that is free now */
export function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** @type {Promise<readonly string[]> | undefined} */
let prefix

/**
 * Command that, on Linux, makes the kernel end the server even if this process is killed and cannot do it itself.
 * @returns {Promise<readonly string[]>}
 */
function dieWithParent() {
  prefix ??= (async () => {
    if (process.platform !== 'linux') return []
    const help = await run('setpriv', ['--help'], { timeout: 5000 })
    return help.output.includes('--pdeathsig') ? ['setpriv', '--pdeathsig', 'TERM', '--'] : []
  })()
  return prefix
}
