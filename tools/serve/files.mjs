// @ts-check
/** Serves the files of a build over HTTP, with the content types that RavenDB uses. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { POLICY } from '../policy.mjs'

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/** @type {ReadonlyMap<string, string>} */
const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['htm', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['map', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['eot', 'application/vnd.ms-fontobject'],
])

/**
 * Resolves the path of a URL to a file.
 * @param {string} dist absolute
 * @param {string} path what follows `/studio/`, still encoded
 * @returns {string | undefined} absolute; undefined when it is outside of `dist`, or of no known type
 */
export function fileOf(dist, path) {
  let name
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (/[\0\\:]/.test(name) || name.split('/').some((part) => part === '' || part.startsWith('.'))) return undefined
  const file = resolve(dist, name)
  return file.startsWith(dist + sep) && typeOf(file) !== undefined ? file : undefined
}

/** @param {string} file */
function typeOf(file) {
  return TYPES.get(/\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '')
}

/**
 * @param {string} dist absolute
 * @param {string} path what follows `/studio/`, still encoded, without the query
 * @param {Request} request
 * @param {Response} response
 */
export async function serveFile(dist, path, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const file = fileOf(dist, path)
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined)
  if (file === undefined || bytes === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', ...SAFE }).end('There is no such file.\n')
    return
  }
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers = { etag, 'cache-control': 'no-cache', ...SAFE }
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-type': typeOf(file) ?? '', 'content-length': bytes.length })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

const SAFE = {
  'referrer-policy': 'no-referrer',
  'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * @param {string | undefined} header If-None-Match
 * @param {string} etag
 */
function isKnown(header, etag) {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
