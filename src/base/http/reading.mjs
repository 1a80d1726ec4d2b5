// @ts-check
/**
 * The requests that pass where changes are refused: by the page in view-only mode, and by the stand-alone server that only
 * looks. They are those that a studio reads with, and the form of the two-factor code; a test holds the list against the
 * table of endpoints. Anything else is refused, whether it would change something or not.
 */

/**
 * Method (`SOCKET` for a websocket), path with its parameters, and the allowed names of query parameters; `*` marks a
 * name that may be repeated, `name=value` a parameter that must be present with that value.
 */
export const READS = Object.freeze([
  'GET /admin/certificates',
  'GET /admin/cluster/log',
  'GET /admin/cluster/observer/decisions',
  'GET /admin/configuration/settings?scope',
  'GET /admin/databases?name',
  'GET /admin/debug/cpu/stats',
  'GET /admin/debug/databases/idle',
  'GET /admin/debug/info/tcp/active-connections',
  'GET /admin/debug/info/tcp/stats',
  'GET /admin/debug/io-metrics',
  'GET /admin/debug/memory/gc',
  'GET /admin/debug/memory/low-mem-log',
  'GET /admin/debug/memory/smaps',
  'GET /admin/debug/memory/stats',
  'GET /admin/debug/node/ping',
  'GET /admin/debug/proc/meminfo',
  'GET /admin/debug/proc/status',
  'GET /admin/debug/threads/runaway',
  'GET /admin/debug/threads/stack-trace',
  'GET /admin/debug/txinfo',
  'GET /admin/logs/download?from',
  'GET /admin/metrics',
  'GET /admin/stats',
  'GET /authentication/2fa/configuration',
  'GET /build/version',
  'GET /certificates/whoami',
  'GET /cluster/topology',
  'GET /databases?name',
  'GET /databases?start&pageSize',
  'GET /databases/{database}/admin/debug/txinfo',
  'GET /databases/{database}/admin/tombstones/state',
  'GET /databases/{database}/attachments?id&name',
  'GET /databases/{database}/collections/docs?name&start&pageSize',
  'GET /databases/{database}/collections/stats',
  'GET /databases/{database}/counters?docId&full',
  'GET /databases/{database}/debug/documents/huge',
  'GET /databases/{database}/debug/io-metrics',
  'GET /databases/{database}/debug/perf-metrics',
  'GET /databases/{database}/debug/queries/running',
  'GET /databases/{database}/debug/storage/environment/report?name&type',
  'GET /databases/{database}/debug/storage/report',
  'GET /databases/{database}/docs/size?id',
  'GET /databases/{database}/docs?id',
  'GET /databases/{database}/docs?id&metadataOnly',
  'GET /databases/{database}/docs?startsWith&start&pageSize&metadataOnly',
  'GET /databases/{database}/indexes',
  'GET /databases/{database}/indexes?name',
  'GET /databases/{database}/indexes?namesOnly&start&pageSize',
  'GET /databases/{database}/indexes/auto/convert?name&outputType',
  'GET /databases/{database}/indexes/debug?name&docId&op',
  'GET /databases/{database}/indexes/debug?name&op',
  'GET /databases/{database}/indexes/errors?name',
  'GET /databases/{database}/indexes/history?name',
  'GET /databases/{database}/indexes/performance',
  'GET /databases/{database}/indexes/progress',
  'GET /databases/{database}/indexes/staleness?name',
  'GET /databases/{database}/indexes/stats',
  'GET /databases/{database}/indexes/suggest-index-merge',
  'GET /databases/{database}/metrics',
  'GET /databases/{database}/notifications?start&pageSize',
  'GET /databases/{database}/operations',
  'GET /databases/{database}/operations/state?id',
  'GET /databases/{database}/revisions?changeVector',
  'GET /databases/{database}/revisions?id&start&pageSize&metadataOnly',
  'GET /databases/{database}/stats',
  'GET /databases/{database}/studio/collections/preview?collection&start&pageSize&binding*',
  'GET /databases/{database}/studio/footer/stats',
  'GET /databases/{database}/studio/collections/fields?collection',
  'GET /databases/{database}/tasks',
  'GET /databases/{database}/timeseries/stats?docId',
  'GET /databases/{database}/timeseries?docId&name&from&to&start&pageSize',
  'GET /debug/cpu-credits',
  'GET /debug/is-loaded?name',
  'GET /debug/server-id',
  'GET /license/status',
  'GET /operations/state?id',
  'GET /studio-tasks/databases/state?start&pageSize&name',
  // These create no index: the server refuses a query that needs a new one, or describes it.
  'POST /databases/{database}/queries?disableAutoIndexCreation=true',
  'POST /databases/{database}/queries?debug=explain',
  'POST /databases/{database}/queries?disableAutoIndexCreation=true&debug=entries',
  // Gives the certificate access to the server; changes nothing else.
  'POST /authentication/2fa?hasLimits&sessionDurationInMin',
  'SOCKET /admin/debug/io-metrics/live',
  'SOCKET /admin/logs/watch',
  'SOCKET /admin/traffic-watch',
  'SOCKET /cluster-dashboard/watch?node',
  'SOCKET /databases/{database}/debug/io-metrics/live',
  'SOCKET /databases/{database}/indexes/performance/live',
  'SOCKET /debug/queries/running/live',
  'SOCKET /server/notification-center/watch',
  'SOCKET /threads-info/watch',
])

/** @type {readonly { readonly method: string, readonly path: RegExp, readonly names: readonly string[], readonly repeated: readonly string[], readonly fixed: readonly string[] }[]} */
const RULES = READS.map((read) => {
  const [method = '', route = ''] = read.split(' ')
  const [path = '', names = ''] = route.split('?')
  const parts = path.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part))
  const all = names === '' ? [] : names.split('&')
  return {
    method,
    path: new RegExp(`^${parts.join('/')}$`),
    names: all.map((each) => each.replace(/[*=].*/, '')),
    repeated: all.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : [])),
    fixed: all.filter((each) => each.includes('=')),
  }
})

/**
 * Characters that RFC 3986 allows in a path and a query, without any that would have to be normalised, apart from
 * percent-encoding.
 */
const TARGET = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[\dA-Fa-f]{2})+)*\/?(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})*)?$/

/**
 * Whether every reader takes an address for the same: no fragment, no empty part, no part that leads elsewhere or that
 * would become two when it is decoded, nothing that is not UTF-8.
 * @param {string} url path and query, percent-encoded
 * @returns {boolean}
 */
export function isPlain(url) {
  if (!url.startsWith('/') || !TARGET.test(url)) return false
  try {
    const [path = ''] = url.split('?')
    return !path.split('/').some((part) => {
      const text = decodeURIComponent(part)
      // eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
      return text === '.' || text === '..' || /[/\\\u0000-\u001f\u007f]/.test(text)
    })
  } catch {
    return false
  }
}

/**
 * @param {string} method as it is sent; `SOCKET` for a websocket
 * @param {string} url path and query, percent-encoded, as they are sent
 * @returns {boolean} whether it is one of {@link READS}
 */
export function isReading(method, url) {
  if (!isPlain(url)) return false
  const [path = '', ...queries] = url.split('?')
  if (queries.length > 1) return false
  const pairs = queries.flatMap((query) => query.split('&'))
  const names = pairs.map((pair) => pair.split('=', 1)[0] ?? '')
  return RULES.some((rule) => {
    if (rule.method !== method || !rule.path.test(path)) return false
    const single = names.filter((name) => !rule.repeated.includes(name))
    const isKnown = new Set(single).size === single.length && names.every((name) => rule.names.includes(name))
    return isKnown && rule.fixed.every((pair) => pairs.includes(pair))
  })
}
