// @ts-check
/** Websockets that RavenDB has for a studio. Anything else that wants to become another protocol is not forwarded. */

/** `*` represents one part of the path. Source: the routes of 7.1.5, 6.2.4 and 5.4.207 (`/debug/routes`). */
const PATHS = [
  '/admin/cluster-dashboard/remote/watch',
  '/admin/debug/io-metrics/live',
  '/admin/logs/watch',
  '/admin/traffic-watch',
  '/cluster-dashboard/watch',
  '/debug/queries/running/live',
  '/server-dashboard/watch',
  '/server/notification-center/watch',
  '/threads-info/watch',
  '/databases/*/changes',
  '/databases/*/debug/io-metrics/live',
  '/databases/*/etl/performance/live',
  '/databases/*/indexes/performance/live',
  '/databases/*/notification-center/watch',
  '/databases/*/queue-sink/performance/live',
  '/databases/*/replication/performance/live',
  '/databases/*/replication/pulses/live',
  '/databases/*/subscriptions/performance/live',
].map((path) => new RegExp(`^${path.replaceAll('*', '[^/]+')}$`))

/**
 * @param {import('node:http').IncomingMessage} request that wants to upgrade
 * @returns {boolean}
 */
export function isSocket({ url = '', headers }) {
  const path = url.replace(/\?.*$/s, '')
  return headers.upgrade?.toLowerCase() === 'websocket' && PATHS.some((known) => known.test(path))
}
