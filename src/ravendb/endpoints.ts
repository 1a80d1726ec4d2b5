import type { Right } from './http/errors.ts'
import { RavenError } from './http/errors.ts'
import type { Since } from './versions.ts'

export type Params = Readonly<Record<string, string>>

export interface Endpoint {
  /** As the meter shows it: the path with its parameters' names. */
  readonly route: string
  readonly kind: 'get' | 'socket'
  /** Loads an unloaded database by being called; the gate checks it first. */
  readonly loadsDatabase: boolean
  /**
   * Renews the time after which the server unloads its database (`LastWork` of `idleDatabases`); a socket by being opened.
   * Seen on 7.1.5, 6.2.4 and 5.4.207 of every route below `/databases/{name}/`, and of no other.
   */
  readonly movesLastWork: boolean
  readonly right: Right
  /** From the request to its last byte. A socket: from its opening to its handshake. */
  readonly timeoutMs: number
  /** Limit of a body, or of one frame. */
  readonly maxBytes: number
  /**
   * Server CPU of one call, ms, as measured at 40 calls a minute on a quiet 7.1.5: a call that wakes an idle server costs
   * twice what it costs at a few calls a second. A socket: of one frame; its bytes come on top (`costs.ts`).
   */
  readonly costMs: number
  /**
   * Server CPU of each byte of the response, ms, where that is what it costs: `costMs` counts until a response came. 0: it
   * is not. A socket: of each byte of a frame.
   */
  readonly costMsPerByte: number
  /** Sockets: frames that say this cost so much more than the others, ms; null: there are none. */
  readonly expensiveFrame: { readonly matches: string; readonly costMs: number } | null
  /** Sockets: each frame is a snapshot, so that opening it for one frame is enough. */
  readonly isSnapshot: boolean
  /**
   * Sockets: server CPU of each frame on top, ms, where it wakes a server that is otherwise idle. It counts in the overhead
   * that is shown, and not in what is planned: a busy server, whose overhead matters, does not pay it.
   */
  readonly wakeMs: number
  /** Sockets: share of one core that it is expected to cost while it is open, until that was measured. */
  readonly openShare: number
  /** Its name for users in messages that it is paused or slowed down; empty: no message names it. */
  readonly what: string
  /** A short request that others wait for: it has its own lane, and its latency shows how the server is. */
  readonly express: boolean
  /** First line of versions that has it; null: all that are supported. */
  readonly since: Since | null
  /** Effect of a call besides its response. Never called without a click. */
  readonly sideEffect: string | null
  /** Its response is no JSON but the bytes of a file. */
  readonly isFile: boolean
  /** An empty 204 is a response: null. */
  readonly emptyIsNull: boolean
  /** Sockets: silence after which it is taken for dead, ms. Heartbeats come every 3.5–5 s. */
  readonly silenceMs: number
  /** Sockets: a cheap GET that is refused for the same reasons and loads nothing: it shows why a handshake failed. */
  readonly sibling: EndpointKey | null
  /** Sockets: frames may be sent. Any other drops when the client sends anything. */
  readonly clientSends: boolean
  /**
   * Sockets: what a page that joins the socket of another one needs of what came before: the response of this GET, nothing,
   * or (null) more than can be had, so that it is shared only by those who agree on a name for it.
   */
  readonly history: EndpointKey | 'nothing' | null
  /** Path and query, percent-encoded. Errors: `RavenError` 'bad-request' when a parameter is missing. */
  readonly path: (params: Params) => string
}

/** Between the texts of a parameter that is a list. */
export const LIST_SEPARATOR = '\u0000'

interface Spec extends Partial<Omit<Endpoint, 'path' | 'route'>> {
  /** `list`: texts joined by `LIST_SEPARATOR`, one pair of the query each. */
  readonly query?: Readonly<Record<string, 'required' | 'optional' | 'list' | { readonly default: string }>>
}

const KB = 1024
const MB = 1024 * KB
/** Server CPU of a frame of a socket besides its bytes, ms: a heartbeat every four seconds is lost in the noise. */
const FRAME_MS = 0.4
/** Server CPU of sending a byte of live data: 135 MB a minute were 3 % of a core (security-and-faults §6), ms. */
const FRAME_MS_PER_BYTE = 13 / 1_000_000
const PAGE = { start: { default: '0' }, pageSize: { default: '256' } } as const

function define(route: string, spec: Spec): Endpoint {
  const { query = {}, ...rest } = spec
  return {
    kind: 'get',
    right: route.startsWith('/databases/') ? 'Database' : 'ValidUser',
    timeoutMs: 15_000,
    maxBytes: 4 * MB,
    costMs: 2.4,
    costMsPerByte: 0,
    expensiveFrame: null,
    isSnapshot: false,
    wakeMs: 0,
    openShare: 0,
    what: '',
    express: false,
    since: null,
    sideEffect: null,
    isFile: false,
    emptyIsNull: false,
    silenceMs: 15_000,
    sibling: null,
    clientSends: false,
    history: null,
    loadsDatabase: route.startsWith('/databases/'),
    movesLastWork: route.startsWith('/databases/'),
    ...rest,
    route,
    path: (params) => buildPath(route, query, params),
  }
}

const socket = (route: string, spec: Spec): Endpoint =>
  define(route, {
    kind: 'socket',
    maxBytes: 256 * MB,
    timeoutMs: 15_000,
    costMs: FRAME_MS,
    costMsPerByte: FRAME_MS_PER_BYTE,
    openShare: 0.0001,
    ...spec,
  })

/**
 * Every endpoint that is used, once. Source: endpoints.md (7.1.5, 6.2.4, 5.4.207), each path tried on a running server.
 * Every route and socket below `/databases/{name}/` loads an unloaded database; none of the others does.
 */
const REQUESTS = {
  buildVersion: define('/build/version', { express: true, timeoutMs: 5000, maxBytes: 64 * KB, costMs: 2.4 }),
  isLoaded: define('/debug/is-loaded', {
    right: 'Database',
    express: true,
    timeoutMs: 5000,
    maxBytes: 64 * KB,
    costMs: 2.4,
    query: { name: 'required' },
  }),
  /**
   * Single database, or the shards of one; on 5.4 without the list around it. 404 without a body: there is none of that
   * name.
   */
  database: define('/databases?name={name}', {
    express: true,
    timeoutMs: 10_000,
    costMs: 4.2,
    query: { name: 'required' },
  }),
  /** Where a database of that name keeps its files, or would; of this node. */
  dataDirectory: define('/admin/studio-tasks/full-data-directory', {
    right: 'Operator',
    timeoutMs: 10_000,
    query: { name: 'required' },
  }),
  /** Its record, with passwords: nothing of it is kept or shown but its number. */
  databaseRecord: define('/admin/databases', { right: 'Operator', maxBytes: 32 * MB, query: { name: 'required' } }),
  databases: define('/databases', { maxBytes: 32 * MB, costMs: 5.2, query: PAGE }),
  databasesState: define('/studio-tasks/databases/state', {
    maxBytes: 32 * MB,
    costMs: 3,
    since: [6, 2],
    query: { ...PAGE, name: 'optional' },
  }),
  /** Lists the recently used ones only. */
  idleDatabases: define('/admin/debug/databases/idle', { right: 'Operator', maxBytes: 16 * MB, costMs: 2.7 }),
  serverId: define('/debug/server-id', { maxBytes: 64 * KB, costMs: 2.4 }),
  /** System and version of this node. */
  nodeInfo: define('/cluster/node-info', { timeoutMs: 10_000, maxBytes: 256 * KB }),
  clusterTopology: define('/cluster/topology', { costMs: 2.7 }),
  clusterLog: define('/admin/cluster/log', { right: 'Operator', maxBytes: 16 * MB, costMs: 2.7 }),
  cpuCredits: define('/debug/cpu-credits', {}),
  adminStats: define('/admin/stats', { right: 'Operator' }),
  adminMetrics: define('/admin/metrics', { right: 'Operator' }),
  tcpStats: define('/admin/debug/info/tcp/stats', { right: 'Operator' }),
  /** Connections of the whole machine, one by one. */
  tcpConnections: define('/admin/debug/info/tcp/active-connections', { right: 'Operator', maxBytes: 32 * MB }),
  observerDecisions: define('/admin/cluster/observer/decisions', { right: 'Operator' }),
  transactions: define('/admin/debug/txinfo', { right: 'Operator' }),
  databaseTransactions: define('/databases/{database}/admin/debug/txinfo', { right: 'DatabaseAdmin' }),
  /** Tombstones that each index and task has not processed. */
  tombstones: define('/databases/{database}/admin/tombstones/state', { right: 'DatabaseAdmin', maxBytes: 16 * MB }),
  hugeDocuments: define('/databases/{database}/debug/documents/huge', { maxBytes: 16 * MB }),
  licenseStatus: define('/license/status', { maxBytes: 256 * KB }),
  /** Certificate of this client; null: it sent none, or an unknown one, or the server is not secured. */
  whoami: define('/certificates/whoami', { right: 'none', emptyIsNull: true, maxBytes: 256 * KB }),
  adminIoMetrics: define('/admin/debug/io-metrics', { right: 'Operator', maxBytes: 64 * MB }),
  /** Its cost grows with the methods that were ever compiled: 0.2 s of CPU on the server, the same in its helper. */
  threadsStackTrace: define('/admin/debug/threads/stack-trace', {
    right: 'Operator',
    timeoutMs: 60_000,
    maxBytes: 256 * MB,
    costMs: 400,
    sideEffect: 'Attaches a helper program to the server, which stops its threads for moments to read their stacks.',
  }),

  /** Whole rings of all environments: 4–17 MB and up to 0.3 s of server CPU. For a click, never for a poll. */
  ioMetrics: define('/databases/{database}/debug/io-metrics', {
    timeoutMs: 60_000,
    maxBytes: 256 * MB,
    costMs: 293,
    costMsPerByte: 22 / 1_000_000,
  }),
  /** 404 without a body: not known, or not any more. */
  operationState: define('/databases/{database}/operations/state', { query: { id: 'required' } }),
  operations: define('/databases/{database}/operations', { maxBytes: 16 * MB }),
  /** A number for an export or import, by which its state is read. */
  nextOperationId: define('/databases/{database}/operations/next-operation-id', {}),
  serverOperationState: define('/operations/state', { query: { id: 'required' } }),
  /**
   * Next operation id, which the request uses up: operations of the server itself that begin later have larger ones.
   */
  nextServerOperationId: define('/admin/operations/next-operation-id', { right: 'Operator' }),
  perfMetrics: define('/databases/{database}/debug/perf-metrics', { maxBytes: 16 * MB, costMs: 2.7 }),
  indexesNames: define('/databases/{database}/indexes', {
    maxBytes: 16 * MB,
    costMs: 2.9,
    query: { namesOnly: { default: 'true' }, start: { default: '0' }, pageSize: { default: '1024' } },
  }),
  /** 2 ms for each index of the database: a poll of it passes its cost. 25 batches of each, up to 7 MB for 50 indexes. */
  indexesPerformance: define('/databases/{database}/indexes/performance', {
    timeoutMs: 30_000,
    maxBytes: 256 * MB,
    costMs: 102,
    costMsPerByte: 15 / 1_000_000,
  }),
  indexesStats: define('/databases/{database}/indexes/stats', { maxBytes: 32 * MB, costMs: 4.2 }),
  /** Up to 500 of each index, 1.3 KB each: 17 ms for two full indexes. For a click, never for a poll. */
  indexErrors: define('/databases/{database}/indexes/errors', {
    timeoutMs: 30_000,
    maxBytes: 128 * MB,
    costMs: 17,
    costMsPerByte: 12 / 1_000_000,
    query: { name: 'optional' },
  }),
  /** Alerts and performance hints of one database that were not dismissed. */
  databaseNotifications: define('/databases/{database}/notifications', { maxBytes: 16 * MB, query: PAGE }),
  /** Backups, replication, ETL and subscriptions of one database. */
  ongoingTasks: define('/databases/{database}/tasks', { maxBytes: 16 * MB }),
  indexesProgress: define('/databases/{database}/indexes/progress', { maxBytes: 16 * MB }),
  storageReport: define('/databases/{database}/debug/storage/report', { maxBytes: 16 * MB, costMs: 2.9 }),
  /** Report of a single environment. */
  storageEnvironment: define('/databases/{database}/debug/storage/environment/report', {
    maxBytes: 16 * MB,
    costMs: 2.9,
    query: { name: 'required', type: 'required' },
  }),
  databaseStats: define('/databases/{database}/stats', { costMs: 2.9 }),
  collectionsStats: define('/databases/{database}/collections/stats', { maxBytes: 16 * MB }),
  /** Newest first; without a collection all documents. `binding`: the only fields that are sent. */
  collectionPreview: define('/databases/{database}/studio/collections/preview', {
    maxBytes: 64 * MB,
    timeoutMs: 60_000,
    query: { collection: 'optional', start: 'required', pageSize: 'required', binding: 'list' },
  }),
  /** Documents by the beginning of their ids, without their content. */
  documentsByPrefix: define('/databases/{database}/docs', {
    maxBytes: 64 * MB,
    timeoutMs: 60_000,
    query: { startsWith: 'required', start: 'required', pageSize: 'required', metadataOnly: { default: 'true' } },
  }),
  /**
   * Every document of a collection, in one response of one snapshot, newest change first: no query, so no index. A name that
   * is not known has none. 200,000 documents of 200 bytes took 1 s of a quiet 7.1.5. For a click, never for a poll.
   */
  collectionDocuments: define('/databases/{database}/collections/docs', {
    isFile: true,
    maxBytes: Number.POSITIVE_INFINITY,
    timeoutMs: Number.POSITIVE_INFINITY,
    query: { name: 'required', start: { default: '0' }, pageSize: { default: '2147483647' } },
  }),
  /** 404 without a body: there is none of that id. */
  document: define('/databases/{database}/docs', { maxBytes: 256 * MB, timeoutMs: 120_000, query: { id: 'required' } }),
  documentMetadata: define('/databases/{database}/docs', {
    query: { id: 'required', metadataOnly: { default: 'true' } },
  }),
  documentSize: define('/databases/{database}/docs/size', { query: { id: 'required' } }),
  /** Newest first. */
  revisionsOf: define('/databases/{database}/revisions', {
    query: { id: 'required', start: 'required', pageSize: 'required', metadataOnly: { default: 'true' } },
  }),
  revision: define('/databases/{database}/revisions', {
    maxBytes: 256 * MB,
    timeoutMs: 120_000,
    query: { changeVector: 'required' },
  }),
  attachment: define('/databases/{database}/attachments', {
    isFile: true,
    maxBytes: 1024 * MB,
    timeoutMs: 600_000,
    query: { id: 'required', name: 'required' },
  }),
  counters: define('/databases/{database}/counters', {
    maxBytes: 16 * MB,
    query: { docId: 'required', full: { default: 'false' } },
  }),
  timeSeriesStats: define('/databases/{database}/timeseries/stats', { query: { docId: 'required' } }),
  timeSeries: define('/databases/{database}/timeseries', {
    maxBytes: 64 * MB,
    query: {
      docId: 'required',
      name: 'required',
      from: 'optional',
      to: 'optional',
      start: 'required',
      pageSize: 'required',
    },
  }),
  indexStaleness: define('/databases/{database}/indexes/staleness', { query: { name: 'required' } }),
  /** Names of the fields of a collection, from a sample of its documents, with the kind of their values. */
  collectionFields: define('/databases/{database}/studio/collections/fields', { query: { collection: 'required' } }),
  /** Names of the fields of an index: lists by kind, one list of objects on 7.1. */
  indexFields: define('/databases/{database}/indexes/debug', {
    query: { name: 'required', op: { default: 'entries-fields' } },
  }),
  indexDefinition: define('/databases/{database}/indexes', { maxBytes: 16 * MB, query: { name: 'required' } }),
  indexHistory: define('/databases/{database}/indexes/history', { maxBytes: 64 * MB, query: { name: 'required' } }),
  /** Definition of a static index that does what an automatic one does. */
  indexConvert: define('/databases/{database}/indexes/auto/convert', {
    since: [6, 2],
    query: { name: 'required', outputType: { default: 'Json' } },
  }),
  /** Trees of the keys to which a document adds, in a map-reduce index. */
  indexTree: define('/databases/{database}/indexes/debug', {
    maxBytes: 64 * MB,
    query: { name: 'required', docId: 'required', op: { default: 'map-reduce-tree' } },
  }),
  /** Compares all definitions; needs a licence since 6.2. */
  indexMerges: define('/databases/{database}/indexes/suggest-index-merge', { maxBytes: 16 * MB }),
  footerStats: define('/databases/{database}/studio/footer/stats', {}),

  lowMemoryLog: define('/admin/debug/memory/low-mem-log', { right: 'Operator' }),
  /** Text of the kernel, of this moment; Linux only. */
  procStatus: define('/admin/debug/proc/status', { right: 'Operator', maxBytes: 256 * KB }),
  /** Memory of the whole machine, even inside a container. */
  procMeminfo: define('/admin/debug/proc/meminfo', { right: 'Operator', maxBytes: 256 * KB }),
  memoryGc: define('/admin/debug/memory/gc', { right: 'Operator' }),
  /** Walks the page tables: 11 ms of CPU for each GiB that is resident. Linux only. For an opened card, never for a poll. */
  memorySmaps: define('/admin/debug/memory/smaps', { right: 'Operator', costMs: 17 }),
  /**
   * Every setting of the server with its value, 200 KB. `scope` `ServerWideOnly`: without those that a database or an index
   * may have of its own, 120 KB.
   */
  serverSettings: define('/admin/configuration/settings', {
    right: 'ClusterAdmin',
    costMs: 9,
    query: { scope: 'optional' },
  }),
  /** Queries that run, by index. */
  databaseQueries: define('/databases/{database}/debug/queries/running', { maxBytes: 32 * MB }),
  databaseMetrics: define('/databases/{database}/metrics', {}),
} satisfies Record<string, Endpoint>

export type EndpointKey = keyof typeof REQUESTS

const SOCKETS = {
  ioMetricsLive: socket('/databases/{database}/debug/io-metrics/live', { history: 'ioMetrics', what: 'I/O' }),
  /** Never compressed: 11.5 KB for each batch of each index, whatever `name` says. */
  indexesPerformanceLive: socket('/databases/{database}/indexes/performance/live', {
    history: 'indexesPerformance',
    what: 'batches of indexes',
  }),
  adminIoMetricsLive: socket('/admin/debug/io-metrics/live', {
    right: 'Operator',
    sibling: 'adminIoMetrics',
    history: 'adminIoMetrics',
    what: 'I/O of the server',
  }),
  /** Wants `{"Command":"watch",…}` sent by the client; all the others drop when anything is sent. */
  clusterDashboard: socket('/cluster-dashboard/watch', {
    clientSends: true,
    query: { node: 'required' },
    costMs: 0.75,
    // Memory is read from the system, mapping by mapping.
    expensiveFrame: { matches: '"MemoryUsage"', costMs: 3.5 },
    openShare: 0.001,
    what: 'figures of the server',
  }),
  /** All persistent alerts at first, then what changes; server alerts for operators only. */
  serverNotifications: socket('/server/notification-center/watch', { what: 'alerts' }),
  /** The server reads each thread's figures from the system for it: a frame of 27 KB lists 75 threads and costs 6.4 ms. */
  threadsInfo: socket('/threads-info/watch', {
    costMs: 1,
    costMsPerByte: 200 / 1_000_000,
    openShare: 0.0064,
    history: 'nothing',
    what: 'the list of threads',
  }),
  /** Every request that the server answers, with its text, while a client listens. At a click, for seconds. */
  trafficWatch: socket('/admin/traffic-watch', {
    right: 'Operator',
    sibling: 'adminStats',
    maxBytes: 16 * MB,
    history: 'nothing',
    sideEffect: 'The server writes down every request for the listener.',
    what: 'single requests',
  }),
  /** Running queries of all loaded databases, each second; `[]` while there is none. */
  runningQueries: socket('/debug/queries/running/live', {
    maxBytes: 32 * MB,
    costMs: 0.12,
    // Measured: 0.1 to 0.4 % of a core on an idle server, nothing measurable on one with five writes a second.
    wakeMs: 1,
    isSnapshot: true,
    openShare: 0.0002,
    what: 'running queries',
  }),
} satisfies Record<string, Endpoint>

export type SocketKey = keyof typeof SOCKETS

export const ENDPOINTS: Readonly<Record<EndpointKey | SocketKey, Endpoint>> = { ...REQUESTS, ...SOCKETS }

/**
 * `{name}` in the path is taken from the parameters; a route that shows its query (`?name={name}`) is only labelled so.
 * Parameters that the endpoint does not know are an error: a silent one would be a filter that does not filter.
 */
function buildPath(route: string, query: NonNullable<Spec['query']>, params: Params): string {
  const used = new Set<string>()
  const need = (name: string): string => {
    used.add(name)
    const value = params[name]
    if (value === undefined || value === '') throw invalid(route, `The parameter ${name} is missing.`)
    return value
  }
  const path = (route.split('?')[0] ?? route).replace(/\{(\w+)\}/g, (_, name: string) =>
    encode(route, name, need(name)),
  )
  const pairs: string[] = []
  for (const [name, rule] of Object.entries(query)) {
    if (rule === 'list') {
      used.add(name)
      const items = params[name]?.split(LIST_SEPARATOR) ?? []
      for (const item of items) pairs.push(`${name}=${encode(route, name, item)}`)
      continue
    }
    const value = rule === 'required' ? need(name) : (params[name] ?? (rule === 'optional' ? undefined : rule.default))
    used.add(name)
    if (value !== undefined) pairs.push(`${name}=${encode(route, name, value)}`)
  }
  const unknown = Object.keys(params).find((name) => !used.has(name))
  if (unknown !== undefined) throw invalid(route, `The parameter ${unknown} is not known.`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Half a surrogate pair, as an address of ours may hold, cannot be encoded. */
function encode(route: string, name: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    throw invalid(route, `The parameter ${name} is not a text that can be sent.`)
  }
}

const invalid = (endpoint: string, message: string): RavenError =>
  new RavenError({ kind: 'bad-request', endpoint, message })
