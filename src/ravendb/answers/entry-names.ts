import type { Ticks } from '../../base/ticks.ts'

/**
 * Name of the entry into which the server packs the response of a route, without its ending: the route from behind its
 * database on, without the segments `debug`. Seen on packages of 7.1.5, 6.2.4 and 5.4.207.
 */
export const entryOf = (route: string): string =>
  route
    .replace(/^\/databases\/\{\w+\}/, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'debug')
    .join('.')

/** Entries of a server about itself that are read in packages, by which they are judged or which panels show. */
export const OWN_PACKED: ReadonlySet<string> = new Set([
  'build.version',
  'admin.stats',
  'server-id',
  'cluster.topology',
  'admin.cluster.log',
  'admin.cluster.observer.decisions',
  'admin.node.ping',
  'admin.info.tcp.active-connections',
  'admin.txinfo',
  'admin.memory.stats',
  'admin.memory.gc',
  'admin.memory.low-mem-log',
  'admin.cpu.stats',
  'admin.threads.runaway',
  'admin.threads.stack-trace',
  'admin.io-metrics',
  'cpu-credits',
])

/** Entries of a database that are read in packages. The record of a database, which has secrets, is no response of a panel. */
export const DATABASE_PACKED: ReadonlySet<string> = new Set([
  'stats',
  'indexes',
  'indexes.stats',
  'indexes.errors',
  'indexes.performance',
  'documents.huge',
  'tasks',
  'admin.tombstones.state',
  'admin.txinfo',
  'storage.report',
  'notifications',
  'queries.running',
  'io-metrics',
])

/** Whether an entry of a package is read as a response of its server, by its path. */
export function isPackedResponse(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.json$/, '')
  return OWN_PACKED.has(name) || DATABASE_PACKED.has(name) || name === 'database-record'
}

/** A response as it lies in a package, or why there is none. */
export type Answer<Value> =
  /** `atTicks`: when the server responded; null: the response has no time. */
  | { readonly kind: 'answered'; readonly value: Value; readonly atTicks: Ticks | null; readonly entry: string }
  /** The server could not gather it, or it cannot be read: why, in a sentence. */
  | { readonly kind: 'failed'; readonly message: string; readonly entry: string }
  | { readonly kind: 'absent' }

export const ABSENT = { kind: 'absent' } as const

/** Value of an answer; null: the source does not have it, or it failed. */
export const valueOf = <Value>(answer: Answer<Value>): Value | null =>
  answer.kind === 'answered' ? answer.value : null
