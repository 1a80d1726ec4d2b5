// @ts-check
/**
 * Which requests only read. One list for the page and for the stand-alone server, both of which refuse all others in
 * view-only mode. What is not known to read counts as changing.
 */

/** GETs of RavenDB that change something, by path without the database. */
const CHANGING_GETS = [
  /^\/admin\/memory\/gc$/,
  /^\/admin\/debug\/(?:gc)?dump$/,
  /^\/admin\/test\//,
  /^\/admin\/smuggler\//,
  /^\/smuggler\/import/,
  /^\/admin\/transactions-mode$/,
  /^\/hilo\//,
]

/** They create an index for what they ask, unless a parameter forbids it; streamed queries heed no such parameter. */
const QUERIES = /^\/queries$/
const STREAMED_QUERIES = /^\/streams\/queries$/

/** POSTs that only read, by path without the database. */
const READING_POSTS = [
  /^\/docs$/,
  /^\/indexes\/has-changed$/,
  /^\/smuggler\/validate-options$/,
  /^\/studio\/index-(?:type|fields)$/,
  /^\/studio-tasks\/format$/,
  /^\/admin\/restore\/points$/,
]

/** The form of the two-factor code: it opens the server to the certificate and changes nothing else. */
const SIGNING_IN = /^\/authentication\/2fa$/

/**
 * @param {string} method as sent
 * @param {string} url path and query, percent-encoded
 * @returns {boolean} false also for what cannot be read
 */
export function isReading(method, url) {
  const [rawPath = '', rawQuery = ''] = url.split('#')[0]?.split(/\?(.*)/s) ?? []
  let path
  try {
    path = decodeURIComponent(rawPath).toLowerCase().replaceAll(/\/+/g, '/')
  } catch {
    return false
  }
  if (path.split('/').some((part) => part === '..' || part === '.')) return false
  const inside = path.replace(/^\/databases\/[^/]+(?=\/)/, '').replace(/\/$/, '')
  const query = new URLSearchParams(rawQuery.toLowerCase())
  const is = (/** @type {string} */ name, /** @type {string} */ value) =>
    query.getAll(name).length > 0 && query.getAll(name).every((each) => each === value)
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (QUERIES.test(inside)) return is('disableautoindexcreation', 'true') || is('debug', 'explain')
      return !STREAMED_QUERIES.test(inside) && !CHANGING_GETS.some((changing) => changing.test(inside))
    case 'POST':
      if (QUERIES.test(inside)) return is('disableautoindexcreation', 'true') || is('debug', 'explain')
      return SIGNING_IN.test(path) || READING_POSTS.some((reading) => reading.test(inside))
    default:
      return false
  }
}
