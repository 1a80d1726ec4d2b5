import { groupBy } from '../../src/base/columns/group-by.ts'
import type { ProxyRequest } from './proxy.ts'

const WINDOW_MS = 10_000
const MOST_PATHS = 8

/**
 * Requests and sockets of the busiest ten seconds between two moments. Files of the page itself do not count: they cost the
 * server next to nothing and come once.
 */
export function busiest(requested: readonly ProxyRequest[], fromMs: number, toMs: number): readonly ProxyRequest[] {
  const all = requested.filter(
    ({ atMs, what, path }) => what !== 'connection' && !path.startsWith('/studio/') && atMs >= fromMs && atMs <= toMs,
  )
  let most = { first: 0, end: 0 }
  for (let first = 0, end = 1; end <= all.length; end++) {
    while ((all[end - 1]?.atMs ?? 0) - (all[first]?.atMs ?? 0) >= WINDOW_MS) first++
    if (end - first > most.end - most.first) most = { first, end }
  }
  return all.slice(most.first, most.end)
}

/** Most requested paths: `12 × /build/version, …`. */
export const pathsOf = (requested: readonly ProxyRequest[]): string =>
  groupBy(requested, ({ what, path }) => `${what === 'socket' ? 'socket ' : ''}${path.replace(/\?.*/, '')}`)
    .map(([path, { length }]) => ({ path, length }))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_PATHS)
    .map(({ path, length }) => `${length} × ${path}`)
    .join(', ')
