// @ts-check
/** `npx rookery record`: records servers into a folder that the studio opens and other tools read. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { number, options, serverUrl } from './options.mjs'
import { CLICKHOUSE_PASSWORD, clickHouseAddress, isClickHouse, passwordOf } from './record/clickhouse-address.mjs'
import { mustBeFree } from './ravendb/server.mjs'
import { watchOver } from './record/watchdog.mjs'
import { createSay, fail, Plain } from './say.mjs'
import { introduce } from './serve/introduce.mjs'
import { IDENTITY_OPTIONS, PASSPHRASE, readIdentity } from './serve/identity.mjs'

const KEEP_DAYS = 30
const KEEP_EVENTS_DAYS = 3
const KEEP_MINUTES_DAYS = 365
const MAX_SIZE = '10 GB'
const LIMIT_PERCENT = 0.5
const FLUSH_SECONDS = 4
const FOLD_MINUTES = 60
/** Maximum time until rows are in ClickHouse, minutes. */
const SEND_MINUTES = 1
/** Stack snapshots an hour. */
const SNAPSHOTS = 4
const SPOOL = 'rookery-spool'
const DAY_MS = 86_400_000

const HELP = `
npx rookery record --server URL [--server URL …] --to FOLDER [options]

Records servers without a page: every I/O event, index batch and figure that the studio would show, into FOLDER, as
Parquet and a journal. “npx rookery open FOLDER” shows it. Nothing is changed on the servers, and no database is loaded.

  --server URL       a server such as http://127.0.0.1:8080; give it again for each further one
  --to FOLDER        the archive; a recording in it is continued
  --to clickhouse://USER@HOST[:PORT]/DATABASE
                     the same rows in ClickHouse, for many servers; clickhouses:// for TLS. The password is that of
                     ${CLICKHOUSE_PASSWORD}, or in --password-file FILE
  --spool FOLDER     where rows wait for ClickHouse, up to --max-size (${SPOOL})
  --keep DAYS[,SIZE] deletes older rows (${KEEP_DAYS}), and the oldest beyond SIZE: 30,500MB
  --keep-events DAYS[,SIZE]
                     of older I/O events, keeps slow ones and sums by second and minute (${KEEP_EVENTS_DAYS})
  --keep-slow DAYS[,SIZE], --keep-seconds DAYS[,SIZE]
                     deletes older ones of those (default: as --keep)
  --keep-minutes DAYS[,SIZE]
                     deletes older sums by minute (${KEEP_MINUTES_DAYS})
  --max-size SIZE    of everything together; the oldest rows beyond it are deleted: 500 MB, 20 GB (${MAX_SIZE})
  --limit PERCENT    of a core of each server that recording may cost (${LIMIT_PERCENT})
  --logs LEVEL       lines of the server's log files from this level on (7.1): trace, debug, info, warn, error, fatal
  --stacks MS[,N]    a stack snapshot after a journal write of MS ms and more, at most N an hour (${SNAPSHOTS}): 1000,12.
                     Each attaches a helper to the server for about a second; off by default
  --listen [HOST:]PORT
                     serves /healthz and /metrics (OpenMetrics) there; HOST is 127.0.0.1 unless it is given
  --page PORT        serves the studio with this recording at that port of this machine (0: any free one)
  --flush SECONDS    time between two writes of received data to the disk (${FLUSH_SECONDS})
  --fold MINUTES     time after which the journal is converted to Parquet, and sent (${FOLD_MINUTES}; for ClickHouse ${SEND_MINUTES})
  --help

For secured servers, as for “npm start -- --server https://…”:

  --pfx FILE, or --cert FILE and --key FILE, --ca FILE, --fingerprint HEX, --passphrase-file FILE (or ${PASSPHRASE})
`

/**
 * Extracts each `--server URL` from the arguments. The other options may occur once.
 * @param {readonly string[]} argv
 * @returns {{ servers: string[], rest: string[] }}
 */
function takeServers(argv) {
  /** @type {string[]} */
  const servers = []
  /** @type {string[]} */
  const rest = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    if (word === '--server' && argv[i + 1] !== undefined) servers.push(argv[++i] ?? '')
    else if (word.startsWith('--server=')) servers.push(word.slice('--server='.length))
    else rest.push(word)
  }
  return { servers, rest }
}

const UNITS = new Map([
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
])

/**
 * @param {string} text such as `20 GB`
 * @param {string} [option] that it is of
 * @returns {number} bytes
 * @throws {Plain}
 */
export function sizeOf(text, option = '--max-size') {
  const [, digits = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]B)\s*$/i.exec(text) ?? []
  const bytes = Number(digits) * (UNITS.get(unit.toUpperCase()) ?? Number.NaN)
  if (!(bytes >= 1e6)) throw new Plain(`${option} takes a size such as 500 MB or 20 GB, not ${JSON.stringify(text)}.`)
  return bytes
}

/**
 * @param {string} option
 * @param {string | undefined} text such as `30` or `30,500MB`
 * @param {number} byDefault days
 * @returns {{ keepMs: number, maxBytes: number | null }}
 * @throws {Plain}
 */
export function limitOf(option, text, byDefault) {
  const [days, size] = text?.split(/,(.*)/s) ?? []
  return {
    keepMs: (number(option, days, { min: 1, max: 3650 }) ?? byDefault) * DAY_MS,
    maxBytes: size === undefined ? null : sizeOf(size, option),
  }
}

/**
 * @param {string | undefined} text such as `1000` or `1000,4`; undefined: no snapshots
 * @returns {{ leastMs: number, perHour: number } | undefined}
 * @throws {Plain}
 */
export function snapshotRuleOf(text) {
  if (text === undefined) return undefined
  const [least, most] = text.split(/,(.*)/s)
  return {
    leastMs: number('--stacks', least, { min: 1, max: 600_000 }) ?? 0,
    perHour: number('--stacks MS,N', most, { min: 1, max: 60 }) ?? SNAPSHOTS,
  }
}

/**
 * @param {string | undefined} text
 * @returns {{ host: string, port: number } | null}
 * @throws {Plain}
 */
export function placeOf(text) {
  if (text === undefined) return null
  const [, host = '127.0.0.1', port = ''] = /^(?:\[?([^\]]+?)\]?:)?(\d+)$/.exec(text) ?? []
  if (port === '' || Number(port) > 65_535)
    throw new Plain(`--listen takes a port, or a host and a port such as 0.0.0.0:9464, not ${JSON.stringify(text)}.`)
  return { host, port: Number(port) }
}

/** @param {string[]} argv */
export async function record(argv) {
  const { servers, rest } = takeServers(argv)
  const given = options(
    {
      to: { type: 'string' },
      spool: { type: 'string' },
      'password-file': { type: 'string' },
      keep: { type: 'string' },
      'keep-events': { type: 'string' },
      'keep-slow': { type: 'string' },
      'keep-seconds': { type: 'string' },
      'keep-minutes': { type: 'string' },
      'max-size': { type: 'string' },
      limit: { type: 'string' },
      logs: { type: 'string' },
      stacks: { type: 'string' },
      listen: { type: 'string' },
      page: { type: 'string' },
      flush: { type: 'string' },
      fold: { type: 'string' },
      cert: { type: 'string' },
      key: { type: 'string' },
      pfx: { type: 'string' },
      'passphrase-file': { type: 'string' },
      ca: { type: 'string' },
      fingerprint: { type: 'string' },
    },
    HELP,
    rest,
  )
  /** @param {string} name */
  const text = (name) => {
    const value = given[name]
    return typeof value === 'string' ? value : undefined
  }
  const targets = servers.map((server) => /** @type {URL} */ (serverUrl('--server', server)))
  const to = text('to')
  if (targets.length === 0 || to === undefined)
    throw new Plain('Both --server URL and --to FOLDER are needed: see --help.')
  const twice = targets.find(({ host }, i) => targets.findIndex((other) => other.host === host) !== i)
  if (twice !== undefined) throw new Plain(`${twice.origin} is named twice: once is enough.`)
  const send = isClickHouse(to) ? clickHouseAddress(to, await passwordOf(text('password-file'))) : null
  const unused = ['spool', 'password-file'].find((name) => send === null && given[name] !== undefined)
  if (unused !== undefined) throw new Plain(`--${unused} is for --to clickhouse://….`)
  const odd = IDENTITY_OPTIONS.find((name) => given[name] !== undefined)
  if (odd !== undefined && !targets.some(({ protocol }) => protocol === 'https:'))
    throw new Plain(`--${odd} is for a secured server: name it with --server https://….`)
  const all = limitOf('--keep', text('keep'), KEEP_DAYS)
  const keepDays = all.keepMs / DAY_MS
  const events = limitOf('--keep-events', text('keep-events'), Math.min(KEEP_EVENTS_DAYS, keepDays))
  const classes = {
    rest: all,
    // Events are kept no longer than everything else, since their context would be missing.
    events: { ...events, keepMs: Math.min(events.keepMs, all.keepMs) },
    slow: limitOf('--keep-slow', text('keep-slow'), keepDays),
    seconds: limitOf('--keep-seconds', text('keep-seconds'), keepDays),
    minutes: limitOf('--keep-minutes', text('keep-minutes'), KEEP_MINUTES_DAYS),
  }
  const sized = Object.entries(classes).find(([, { maxBytes: size }]) => size !== null)
  if (send !== null && sized !== undefined)
    throw new Plain(
      'ClickHouse keeps rows for days: leave sizes out of --keep and the like. --max-size is that of --spool.',
    )
  const limit = number('--limit', given['limit'], { min: 0.05, max: 20, whole: false }) ?? LIMIT_PERCENT
  const flush = number('--flush', given['flush'], { min: 0.5, max: 5, whole: false }) ?? FLUSH_SECONDS
  const minutes =
    number('--fold', given['fold'], { min: 1, max: 1440 }) ?? (send === null ? FOLD_MINUTES : SEND_MINUTES)
  const maxBytes = sizeOf(text('max-size') ?? MAX_SIZE)
  const listen = placeOf(text('listen'))
  const page = number('--page', text('page'), { max: 65_535 })
  if (page !== undefined && send !== null)
    throw new Plain('--page shows a folder: “npx rookery open clickhouse://…” shows what is in ClickHouse.')
  const logs = text('logs')
  const stacks = snapshotRuleOf(text('stacks'))
  const say = createSay()
  await ensureDependencies(say)
  // These modules need the dependencies, so they are imported after the installation.
  const { createNetwork } = await import('./record/network.mjs')
  const { loadRecorder } = await import('./record/build.mjs')
  const identity = odd === undefined ? {} : await readIdentity(given)
  for (const target of targets) {
    const { version, who } = await introduceOrWait(target, identity, say)
    const as = who === undefined ? '' : ` as “${who.name}” (${who.clearance})`
    if (version !== undefined) say.note(`records RavenDB ${version} at ${target.origin}${as}`)
  }
  if (page !== undefined) {
    if (page !== 0) await mustBeFree(page, '127.0.0.1')
    await ensureBuild(say)
  }
  const recorder = await loadRecorder(say)
  const level = recorder.LOG_LEVELS.find((each) => each === logs)
  if (logs !== undefined && level === undefined)
    throw new Plain(`--logs takes ${recorder.LOG_LEVELS.join(', ')}, not ${JSON.stringify(logs)}.`)
  const wanted = {
    to: resolve(process.env['INIT_CWD'] ?? '', send === null ? to : (text('spool') ?? SPOOL)),
    send,
    // The library's sockets have events with additional fields.
    servers: /** @type {any[]} */ (
      targets.map((target) => createNetwork(target, target.protocol === 'https:' ? identity : {}))
    ),
    retention: { classes, maxBytes },
    limit: limit / 100,
    flushMs: flush * 1000,
    foldMs: minutes * 60_000,
    logs: level,
    stacks,
    listen,
    say: (/** @type {string} */ sentence) => say.note(sentence),
  }
  watchOver(stuckSentence(wanted.to))
  const recording = await recorder.record(wanted).catch((error) => {
    throw inWords(error, wanted.to)
  })
  if (recording.url !== null) say.note(`health and metrics: ${recording.url}/healthz and ${recording.url}/metrics`)
  if (page !== undefined) {
    const { serveFolder } = await import('./record/open.mjs')
    const url = await serveFolder(wanted.to, page, recording.journals).catch(async (error) => {
      await recording.stop()
      throw error
    })
    say.note(`the studio with this recording: ${url}`)
  }
  say.note('Ctrl-C ends the recording; what was received is written first')
  try {
    await Promise.race([recording.over, signalled()])
  } catch (error) {
    throw inWords(error, wanted.to)
  }
  await recording.stop()
  say.note('the recording ended, and everything that was received is written')
  process.exit(0)
}

/**
 * Reads the version and the certificate of a server. A server that is down is recorded as soon as it responds; one that
 * refuses is reported at once.
 * @param {URL} target
 * @param {import('./serve/identity.mjs').Identity} identity
 * @param {import('./say.mjs').Say} say
 * @returns {Promise<Partial<import('./serve/introduce.mjs').Introduced>>}
 */
async function introduceOrWait(target, identity, say) {
  try {
    const introduced = await introduce(target, identity)
    if (introduced.wantsCode)
      throw new Plain(`${target.origin} requires a two-factor code with this certificate: use one that needs none.`)
    return introduced
  } catch (error) {
    if (!(error instanceof Plain) || !error.message.includes('does not answer')) throw error
    say.note(`${error.message} Its recording begins when it does.`)
    return {}
  }
}

/** @param {string} folder */
const stuckSentence = (folder) =>
  `${folder} has not answered for a minute: a read or write there hangs, as on a mount whose server is gone. The recorder is ended. What was written stays; what the server no longer remembers at the next start is a gap.`

/** Errors of the recorder that are one sentence each. */
const PLAIN = new Set(['DiskFull', 'FolderRefused', 'ClickHouseError'])

/**
 * Turns the errors of a disk, of a folder and of a database that refuses into one-sentence messages.
 * @param {unknown} error
 * @param {string} folder
 */
function inWords(error, folder) {
  if (!(error instanceof Error)) return error
  if (PLAIN.has(error.name)) return new Plain(error.message)
  if ('syscall' in error && 'path' in error)
    return new Plain(`${folder} cannot be recorded to: ${error.message}. What was written before stays.`)
  return error
}

/** @returns {Promise<void>} resolves with the first signal to end; at the second the process ends at once */
function signalled() {
  return new Promise((done) => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, () => done())
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  record(process.argv.slice(2)).catch(fail)
