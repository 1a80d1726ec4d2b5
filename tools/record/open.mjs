// @ts-check
/**
 * `npx rookery open FOLDER` or `open` with the address of a ClickHouse database: serves the studio and an archive from
 * one origin, on loopback.
 */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DIST, ensureBuild } from '../build.mjs'
import { endQuietly } from '../children.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { openInBrowser } from '../open.mjs'
import { number, options } from '../options.mjs'
import { mustBeFree } from '../ravendb/server.mjs'
import { codeOf, createSay, Plain } from '../say.mjs'
import { temporaryFolder } from '../temporary.mjs'
import { loadRecorder } from './build.mjs'
import { CLICKHOUSE_PASSWORD, clickHouseAddress, isClickHouse, passwordOf } from './clickhouse-address.mjs'
import { openedFleet } from './fleet.mjs'
import { PAGE, servePage } from './page-server.mjs'

const HOST = '127.0.0.1'

const HELP = `
npx rookery open FOLDER [options]
npx rookery open clickhouse://USER@HOST[:PORT]/DATABASE [options]

Shows an archive that “npx rookery record” writes, also while it does: a folder, or the servers of a database, worst
first. Both are only read; Ctrl-C ends it.

  --port N    (any free one)
  --no-open   do not open a browser
  --password-file FILE
              the password for ClickHouse (or ${CLICKHOUSE_PASSWORD})
  --help
`

/** @param {string[]} argv */
export async function open(argv) {
  const [first = '', ...rest] = argv
  const isNamed = first !== '' && !first.startsWith('-')
  const given = options(
    { port: { type: 'string' }, 'no-open': { type: 'boolean' }, 'password-file': { type: 'string' } },
    HELP,
    isNamed ? rest : argv,
  )
  if (!isNamed) throw new Plain('Name the folder of the archive: npx rookery open FOLDER.')
  const file = given['password-file']
  const database = isClickHouse(first)
    ? clickHouseAddress(first, await passwordOf(typeof file === 'string' ? file : undefined))
    : null
  const folder = resolve(process.env['INIT_CWD'] ?? '', first)
  const port = number('--port', given['port'], { min: 0, max: 65_535 }) ?? 0
  if (port !== 0) await mustBeFree(port, HOST)
  if (database === null) await manifestOf(folder)
  endQuietly()
  const say = createSay()
  await ensureDependencies(say)
  await ensureBuild(say)
  const recorder = await loadRecorder(say)
  const url =
    database === null
      ? await serveFolder(folder, port, (scratch) => new recorder.OpenJournals(folder, scratch))
      : await served(port, await openedFleet(database, recorder))
  process.stdout.write(`\nThe archive is at ${url}\nCtrl-C ends it.\n\n`)
  if (given['no-open'] !== true) openInBrowser(url)
}

/**
 * Serves the studio, which is built, and the archive in a folder.
 * @param {string} folder
 * @param {number} port 0: any free one
 * @param {(scratch: string) => Journals} journalsOf rows of its journals; `scratch`: folder for files of them for SQL
 * @returns {Promise<string>} address of the page
 */
export const serveFolder = async (folder, port, journalsOf) =>
  served(port, openedFolder(folder, journalsOf(temporaryFolder('open'))))

/** @param {number} port @param {import('./page-server.mjs').Opened} opened */
async function served(port, opened) {
  const { url } = await servePage({ dist: DIST, port, opened })
  return `${url}${PAGE}`
}

/**
 * @param {string} folder
 * @returns {Promise<unknown>}
 * @throws {Plain} when it is no archive
 */
async function manifestOf(folder) {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  } catch (error) {
    throw new Plain(
      codeOf(error) === 'ENOENT'
        ? `${folder} is no archive: it has no manifest.json.`
        : `The manifest.json of ${folder} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}

/**
 * Resolves a path to a file of an archive. Only the archive's own files are served, by their own names; nothing above
 * or beside them.
 * @param {string} root absolute
 * @param {string} path what follows `/archive/`, still encoded
 * @returns {string | undefined} absolute
 */
export function archiveFileOf(root, path) {
  let name
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (/[\0\\:]/.test(name) || name.split('/').some((part) => part === '' || part.startsWith('.'))) return undefined
  if (!/\.(?:parquet|journal)$/.test(name)) return undefined
  const file = resolve(root, name)
  return file.startsWith(root + sep) ? file : undefined
}

/**
 * @param {string} folder
 * @param {Journals} journals
 * @returns {import('./page-server.mjs').Opened}
 */
export const openedFolder = (folder, journals) => ({
  list: () => listing(folder, journals),
  send: async (path, response, _signal, range) => {
    const file = archiveFileOf(folder, path)
    return file !== undefined && send(file, response, range)
  },
  ask: (request, response) => answerAsk(folder, journals, request, response),
})

/** Maximum length of an SQL statement, bytes. */
const MOST_SQL = 100_000

/**
 * Responds with the tables (GET), or with the rows of a statement (POST, `{ "sql": "…" }`).
 * @param {string} folder
 * @param {Journals} journals
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answerAsk(folder, journals, request, response) {
  /** @param {number} status @param {unknown} value */
  const answer = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
  // Loaded only here: the module is large, and few archives are queried.
  const { ask, tablesForPage, whyNot } = await import('./ask.mjs')
  if (request.method === 'GET') answer(200, { tables: tablesForPage(), missing: await whyNot() })
  // A form of another site cannot send this content type.
  else if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
    answer(405, { error: 'A question is sent as JSON.' })
  else {
    try {
      let text = ''
      for await (const piece of request.setEncoding('utf8')) {
        text += piece
        if (text.length > MOST_SQL) throw new Error('The question is too long.')
      }
      const { sql } = JSON.parse(text)
      const { manifest, files } = await journals.read()
      answer(200, await ask(folder, { files: [...manifest.files, ...files()] }, String(sql)))
    } catch (error) {
      answer(422, { error: error instanceof Error ? error.message : String(error) })
    }
  }
}

/** @typedef {Pick<import('../../src/recorder/open-journals.ts').OpenJournals, 'read'>} Journals */

/** @param {string} folder @param {Journals} journals */
async function listing(folder, journals) {
  const { manifest, hours } = await journals.read().catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new Error(
      `${folder} has no manifest.json any more: put the folder back where it was, or open it where it is.`,
    )
  })
  const names = await readdir(join(folder, 'journal')).catch((error) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return {
    name: basename(folder),
    manifest,
    journals: names.map((name) => `journal/${name}`),
    journalHours: hours,
  }
}

/**
 * @param {string} file
 * @param {import('node:http').ServerResponse} response
 * @param {string | undefined} range as requested
 * @returns {Promise<boolean>} false: it is gone, as files become one
 */
async function send(file, response, range) {
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) return false
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' }
  const part = rangeOf(range, size)
  if (part === null) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end()
    return true
  }
  // A journal may grow: only the bytes that it has now are sent.
  const { start, end } = part ?? { start: 0, end: size - 1 }
  const place = part && { 'content-range': `bytes ${start}-${end}/${size}` }
  response.writeHead(part ? 206 : 200, { ...headers, ...place, 'content-length': end - start + 1 })
  if (size === 0) response.end()
  else await pipeline(createReadStream(file, { start, end }), response)
  return true
}

/**
 * Parses a byte range of the form `bytes=10-19` or `bytes=10-`, the end inclusive (RFC 9110, 14.2).
 * @param {string | undefined} text
 * @param {number} size
 * @returns {{ start: number, end: number } | null | undefined} null: the file lacks it; undefined: the whole file is sent
 */
export function rangeOf(text, size) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined || (last && Number(last) < Number(first))) return undefined
  const start = Number(first)
  return start < size ? { start, end: last ? Math.min(Number(last), size - 1) : size - 1 } : null
}
