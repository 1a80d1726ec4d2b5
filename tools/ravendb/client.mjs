// @ts-check
/** The few calls to a RavenDB server that commands and tests need. Each has a time limit. */
import { once } from 'node:events'
import https from 'node:https'
import { text as readText } from 'node:stream/consumers'

/** Error for a response with a status other than success. */
export class RavenError extends Error {
  /** @override */
  name = 'RavenError'

  /**
   * @param {string} what method and path
   * @param {number} status of HTTP
   * @param {string} type the server's name of its error, '' when there is none
   * @param {string} message the server's message
   */
  constructor(what, status, type, message) {
    super(`${what} answered ${status}: ${message.split('\n')[0]?.slice(0, 400) ?? ''}`)
    this.status = status
    this.type = type
  }
}

const TIMEOUT_MS = 60_000

/**
 * @typedef {object} CallOptions
 * @property {string} [method]
 * @property {unknown} [body] sent as JSON
 * @property {AbortSignal | undefined} [signal]
 * @property {number} [timeout] milliseconds
 * @property {Identity | undefined} [identity] of a secured server
 *
 * @typedef {object} Identity how to talk to a secured server, all PEM
 * @property {string} ca of the authority that signed the server's certificate
 * @property {string} [cert] of the caller; anonymous when left out
 * @property {string} [key]
 */

/**
 * Calls an endpoint and reads its JSON.
 * @param {string} url of the server, without a slash at its end
 * @param {string} path with a leading slash
 * @param {CallOptions} [options]
 * @returns {Promise<any>} undefined for an empty body
 * @throws {RavenError} for any status but 2xx; a TypeError of fetch when there is no answer
 */
export async function json(url, path, { method = 'GET', body, signal, timeout = TIMEOUT_MS, identity } = {}) {
  const { status, text } = await within(timeout, signal, (ending) =>
    exchange(url + path, identity, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: ending,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  if (status < 200 || status > 299) throw errorOf(`${method} ${path}`, status, text)
  return text === '' ? undefined : JSON.parse(text)
}

/**
 * Runs a call that ends after `timeout` ms, or with `signal`, whatever the call does. (Node 20 may collect the signals
 * of `AbortSignal.timeout` while `fetch` waits for a body, which then waits forever.)
 * @template T
 * @param {number} timeout
 * @param {AbortSignal | undefined} signal
 * @param {(ending: AbortSignal) => Promise<T>} call
 * @returns {Promise<T>}
 */
async function within(timeout, signal, call) {
  signal?.throwIfAborted()
  const controller = new AbortController()
  /** @type {Promise<never>} */
  const ended = new Promise((_resolve, reject) =>
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason)),
  )
  const stop = () => controller.abort(signal?.reason)
  const late = () => controller.abort(new DOMException(`No answer within ${timeout} ms.`, 'TimeoutError'))
  const timer = setTimeout(late, timeout)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([call(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Sends a request with a client certificate, which Node's `fetch` does not support.
 * @param {string} url
 * @param {Identity | undefined} identity
 * @param {{ method: string, headers: Record<string, string>, signal: AbortSignal, body?: string }} init
 * @returns {Promise<{ status: number, text: string }>}
 */
async function exchange(url, identity, { body, ...init }) {
  if (identity === undefined) {
    const response = await fetch(url, { ...init, ...(body === undefined ? {} : { body }) })
    return { status: response.status, text: await response.text() }
  }
  // Node sends the body of a DELETE only if its length is given.
  const headers = body === undefined ? init.headers : { ...init.headers, 'content-length': Buffer.byteLength(body) }
  const request = https.request(url, { ...init, ...identity, headers, agent: false })
  request.end(body)
  const [response] = /** @type {[import('node:http').IncomingMessage]} */ (await once(request, 'response'))
  return { status: response.statusCode ?? 0, text: await readText(response) }
}

/**
 * @param {string} what
 * @param {number} status
 * @param {string} text
 * @returns {RavenError}
 */
function errorOf(what, status, text) {
  try {
    const { Type: type, Message: message } = JSON.parse(text)
    return new RavenError(what, status, String(type ?? ''), String(message ?? ''))
  } catch {
    return new RavenError(what, status, '', text)
  }
}

/**
 * @param {string} name of a database
 * @returns {string} such as `/databases/demo`
 */
export function databasePath(name) {
  return `/databases/${encodeURIComponent(name)}`
}

/**
 * Whether a database exists; the request does not load it.
 * @param {string} url
 * @param {string} name
 * @param {Pick<CallOptions, 'signal' | 'identity'>} [options]
 * @returns {Promise<boolean>}
 */
export async function databaseExists(url, name, options = {}) {
  const { Databases: databases } = await json(url, '/databases?namesOnly=true', options)
  const lower = name.toLowerCase()
  return databases.some((/** @type {unknown} */ known) => typeof known === 'string' && known.toLowerCase() === lower)
}

/**
 * @param {string} url
 * @param {string} name
 * @param {{ settings?: Record<string, string> } & Pick<CallOptions, 'signal' | 'identity'>} [options] settings of the database
 * @returns {Promise<boolean>} false when it was there already
 */
export async function createDatabase(url, name, { settings = {}, ...options } = {}) {
  // A request to create an existing database makes the server wait until that database is loaded.
  if (await databaseExists(url, name, options)) return false
  const body = { DatabaseName: name, Settings: settings }
  try {
    await json(url, `/admin/databases?name=${encodeURIComponent(name)}&replicationFactor=1`, {
      method: 'PUT',
      body,
      ...options,
    })
    return true
  } catch (error) {
    if (error instanceof RavenError && error.status === 409) return false
    throw error
  }
}

/**
 * Deletes a database and its files, and waits until it is gone.
 * @param {string} url
 * @param {string} name
 */
export async function deleteDatabase(url, name) {
  const body = { DatabaseNames: [name], HardDelete: true, TimeToWaitForConfirmation: '00:00:30' }
  await json(url, '/admin/databases', { method: 'DELETE', body })
}

/**
 * A command of a bulk, as `POST /databases/X/bulk_docs` takes it.
 * @typedef {{ Type: 'PUT', Id: string, ChangeVector: null, Document: Record<string, unknown> }
 *   | { Type: 'DELETE', Id: string, ChangeVector: null }
 *   | { Type: 'TimeSeries', Id: string, TimeSeries: { Name: string, Appends: Append[] } }} Command
 *
 * @typedef {{ Timestamp: string, Values: number[], Tag?: string }} Append one entry of a time series; time in UTC
 */

/**
 * @param {string} id
 * @param {string} collection
 * @param {Record<string, unknown>} document
 * @returns {Command}
 */
export function put(id, collection, document) {
  return {
    Type: 'PUT',
    Id: id,
    ChangeVector: null,
    Document: { ...document, '@metadata': { '@collection': collection } },
  }
}

/**
 * @param {string} id
 * @returns {Command}
 */
export function remove(id) {
  return { Type: 'DELETE', Id: id, ChangeVector: null }
}

/**
 * @param {string} id of the document
 * @param {string} name of the series
 * @param {Append[]} entries
 * @returns {Command}
 */
export function append(id, name, entries) {
  return { Type: 'TimeSeries', Id: id, TimeSeries: { Name: name, Appends: entries } }
}

/**
 * Writes commands in one transaction.
 * @param {string} url
 * @param {string} database
 * @param {Command[]} commands
 * @param {AbortSignal} [signal]
 */
export async function bulk(url, database, commands, signal) {
  await json(url, `${databasePath(database)}/bulk_docs`, { method: 'POST', body: { Commands: commands }, signal })
}

/**
 * @typedef {object} IndexDefinition
 * @property {string} Name
 * @property {string[]} Maps C# or JavaScript
 * @property {string} [Reduce]
 * @property {Record<string, Record<string, unknown>>} [Fields]
 * @property {Record<string, string>} [Configuration]
 */

/**
 * Creates static indexes. Leaves existing ones that are equal.
 * @param {string} url
 * @param {string} database
 * @param {readonly IndexDefinition[]} indexes
 * @param {AbortSignal} [signal]
 */
export async function putIndexes(url, database, indexes, signal) {
  const path = `${databasePath(database)}/admin/indexes`
  await json(url, path, { method: 'PUT', body: { Indexes: indexes }, signal })
}

/**
 * Makes a storage environment write its pages into its data file (`flush`) or fsync that file (`sync`).
 * @param {string} url
 * @param {string} database
 * @param {'flush' | 'sync'} what
 * @param {{ type: 'Documents' | 'Index' | 'Configuration', name: string }} environment `name`: of the index or database
 * @param {AbortSignal} [signal]
 */
export async function force(url, database, what, { type, name }, signal) {
  const query = `name=${encodeURIComponent(name)}&type=${type}`
  await json(url, `${databasePath(database)}/admin/storage/manual-${what}?${query}`, { method: 'POST', signal })
}
