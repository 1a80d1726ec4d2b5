import type { Ticks } from '../base/ticks.ts'

/**
 * Name, without extension, of the package entry for the response of a route: the route after its database, without the
 * segments `debug`. Seen in packages of 7.1.5, 6.2.4 and 5.4.207.
 */
export const entryOf = (route: string): string =>
  route
    .replace(/^\/databases\/\{\w+\}/, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'debug')
    .join('.')

/** Entries of a server about itself that rules or panels use in packages. */
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

/** Entries of a database that packages use; not the record of a database, since it has secrets. */
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
  'perf-metrics',
])

/** Endings that the server writes, and what browsers, file managers and mail programs make of a file's name. */
const ENDING = /(?<renamed> ?\(\d+\)| - copy)?\.(?:json|txt|error)(?<mailed>\.txt)?$/i

/** Name of the entry in a file of a package, and whether the file has another name than the server gave it; null: none. */
export function packedNameOf(file: string): { readonly name: string; readonly isRenamed: boolean } | null {
  const ending = ENDING.exec(file)
  if (ending === null) return null
  const { renamed, mailed } = ending.groups ?? {}
  const name = file.slice(0, ending.index)
  // Old archivers write all letters large; no entry has such a name.
  return {
    name: name === name.toUpperCase() ? name.toLowerCase() : name,
    isRenamed: renamed !== undefined || mailed !== undefined,
  }
}

/** Whether a file has the text that the server writes in place of a failed endpoint. */
export const isNotGathered = (path: string): boolean => /\.error(?:\.txt)?$/i.test(path)

/** Whether the package entry with this path is read as a response of its server. */
export function isPackedResponse(path: string): boolean {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const name = packedNameOf(file)?.name ?? file
  return OWN_PACKED.has(name) || DATABASE_PACKED.has(name) || name === 'database-record'
}

/** A response in a package, or the reason why there is none. */
export type Answer<Value> =
  /** `atTicks`: time of the response; null: it has none. */
  | { readonly kind: 'answered'; readonly value: Value; readonly atTicks: Ticks | null; readonly entry: string }
  /** The server could not produce it, or it cannot be read; `message` says why in a sentence. */
  | { readonly kind: 'failed'; readonly message: string; readonly entry: string }
  | { readonly kind: 'absent' }

export const ABSENT = { kind: 'absent' } as const

/** Value of an answer; null: missing in this source, or failed. */
export const valueOf = <Value>(answer: Answer<Value>): Value | null =>
  answer.kind === 'answered' ? answer.value : null
