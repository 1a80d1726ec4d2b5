// @ts-check
/** `npx rookery open FOLDER`: the studio and an archive from one origin, on loopback. */
import { createReadStream, rmSync } from 'node:fs'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DIST, ensureBuild } from '../build.mjs'
import { endQuietly } from '../children.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { openInBrowser } from '../open.mjs'
import { number, options } from '../options.mjs'
import { mustBeFree } from '../ravendb/server.mjs'
import { codeOf, createSay, Plain } from '../say.mjs'
import { serveFile } from '../serve/files.mjs'
import { refusal } from '../serve/guard.mjs'
import { loadRecorder } from './build.mjs'

const HOST = '127.0.0.1'
const PAGE = '/studio/index.html?archive#/archive'

const HELP = `
npx rookery open FOLDER [options]

Shows an archive that “npx rookery record” writes, also while it does. The folder is only read; Ctrl-C ends it.

  --port N    (any free one)
  --no-open   do not open a browser
  --help
`

/** @param {string[]} argv */
export async function open(argv) {
  const [first = '', ...rest] = argv
  const isNamed = first !== '' && !first.startsWith('-')
  const given = options({ port: { type: 'string' }, 'no-open': { type: 'boolean' } }, HELP, isNamed ? rest : argv)
  if (!isNamed) throw new Plain('Name the folder of the archive: npx rookery open FOLDER.')
  const folder = resolve(process.env['INIT_CWD'] ?? '', first)
  const port = number('--port', given['port'], { min: 0, max: 65_535 }) ?? 0
  if (port !== 0) await mustBeFree(port, HOST)
  await manifestOf(folder)
  endQuietly()
  const say = createSay()
  await ensureDependencies(say)
  await ensureBuild(say)
  const journals = await journalsOf(folder, say)
  const { url } = await serveArchive({ dist: DIST, folder, port, journals })
  process.stdout.write(`\nThe archive is at ${url}${PAGE}\nCtrl-C ends it.\n\n`)
  if (given['no-open'] !== true) openInBrowser(`${url}${PAGE}`)
}

/**
 * Reads what is in journals alone; files that it makes of them are removed at the end.
 * @param {string} folder
 * @param {import('../say.mjs').Say} say
 */
async function journalsOf(folder, say) {
  const { OpenJournals } = await loadRecorder(say)
  const scratch = await mkdtemp(join(tmpdir(), 'rookery-open-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  return new OpenJournals(folder, scratch)
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
 * Resolves a path to a file of an archive: only its own files by their own names are served, nothing above or beside them.
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
 * @param {{ dist: string, folder: string, port?: number, journals: Journals }} options
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveArchive({ dist, folder, port = 0, journals }) {
  let actual = port
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const isPage = path === '/' || path.startsWith('/studio/') || path === '/favicon.ico'
    const why = refusal(request, actual, { page: isPage })
    /** @param {number} status @param {string} text */
    const answer = (status, text) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
    if (why !== '') answer(403, why)
    else if (path === '/ask') answerAsk(folder, journals, request, response).catch(() => response.destroy())
    else if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'An archive is only read.')
    else if (path === '/') response.writeHead(302, { location: PAGE }).end()
    else if (isPage) {
      const name = path === '/favicon.ico' ? 'favicon.ico' : path.slice('/studio/'.length)
      serveFile(resolve(dist), name, request, response).catch(() => response.destroy())
    } else if (path === '/archive') {
      listing(folder, journals).then(
        (list) => {
          const json = Buffer.from(JSON.stringify(list))
          const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': json.length }
          response.writeHead(200, headers).end(json)
        },
        (error) => answer(500, error instanceof Error ? error.message : String(error)),
      )
    } else {
      const file = path.startsWith('/archive/') ? archiveFileOf(folder, path.slice('/archive/'.length)) : undefined
      if (file === undefined) answer(404, 'There is no such file, and no server behind this page.')
      else send(file, response).catch(() => (response.headersSent ? response.destroy() : answer(404, 'It is gone.')))
    }
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, HOST, () => done(undefined))
  })
  const address = server.address()
  if (typeof address === 'object' && address) actual = address.port
  return {
    url: `http://${HOST}:${actual}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Longest text of a question, bytes. */
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
  // The module is large, and few archives are queried.
  const { ask, tablesForPage, whyNot } = await import('./ask.mjs')
  if (request.method === 'GET') answer(200, { tables: tablesForPage(), missing: await whyNot() })
  // A form of another site cannot send this type.
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
  const { manifest, hours } = await journals.read()
  const names = await readdir(join(folder, 'journal')).catch(() => [])
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
 */
async function send(file, response) {
  const { size } = await stat(file)
  // A journal grows: what it has now is sent.
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  if (size === 0) response.end()
  else await pipeline(createReadStream(file, { end: size - 1 }), response)
}
