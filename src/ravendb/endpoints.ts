import type { Right } from './errors/errors.ts'
import { RavenError } from './errors/errors.ts'
import type { Since } from './versions.ts'

export type Params = Readonly<Record<string, string>>

export interface Endpoint {
  /** Path with the names of its parameters, as the meter shows it. */
  readonly route: string
  readonly kind: 'get' | 'socket'
  /** Whether a call loads an unloaded database; the gate checks it first. */
  readonly loadsDatabase: boolean
  /**
   * Whether a call, or opening the socket, renews the time after which the server unloads its database (`LastWork` of
   * `idleDatabases`). Seen on 7.1.5, 6.2.4 and 5.4.207 for every route below `/databases/{name}/` and for no other.
   */
  readonly movesLastWork: boolean
  readonly right: Right
  /** From the request to the last byte; for a socket, from opening to the handshake. */
  readonly timeoutMs: number
  /** Maximum size of a body, or of a frame. */
  readonly maxBytes: number
  /**
   * Server CPU of one call, ms, measured at 40 calls a minute on a quiet 7.1.5: a call that wakes an idle server costs
   * twice as much as one among a few a second. For a socket: of one frame, without its bytes (`costs.ts`).
   */
  readonly costMs: number
  /**
   * Server CPU for each byte of the response, ms; `costMs` applies until a response has arrived. 0: the cost does not
   * depend on the size. For a socket: for each byte of a frame.
   */
  readonly costMsPerByte: number
  /** Sockets: extra cost, ms, of frames with this text; null: there are none. */
  readonly expensiveFrame: { readonly matches: string; readonly costMs: number } | null
  /** Sockets: each frame is a snapshot, so that opening it for one frame is enough. */
  readonly isSnapshot: boolean
  /**
   * Sockets: extra server CPU of each frame, ms, if it wakes an idle server. Included in the overhead that is shown,
   * but not in the plan: a busy server, whose overhead matters, does not pay it.
   */
  readonly wakeMs: number
  /** Sockets: expected share of one core while it is open, until that has been measured. */
  readonly openShare: number
  /** Name in messages that it is paused or slowed down; empty: never named. */
  readonly what: string
  /** A short request that others wait for: it has a queue of its own, and its latency shows the state of the server. */
  readonly express: boolean
  /** First version line that has it; null: all supported versions. */
  readonly since: Since | null
  /** Effect of a call other than its response. Such a call needs a click. */
  readonly sideEffect: string | null
  /** The response is a file, not JSON. */
  readonly isFile: boolean
  /** An empty 204 counts as the response null. */
  readonly emptyIsNull: boolean
  /** Sockets: silence after which the connection counts as dead, ms. Heartbeats come every 3.5–5 s. */
  readonly silenceMs: number
  /** Sockets: a cheap GET that is refused for the same reasons and loads nothing, to find why a handshake failed. */
  readonly sibling: EndpointKey | null
  /** Sockets: the client may send frames. Any other socket is dropped by the server if the client sends. */
  readonly clientSends: boolean
  /**
   * Sockets: what a page needs when it joins another page's socket: the response of this GET, nothing, or (null) more
   * than is available, so that only callers with the same share name share it.
   */
  readonly history: EndpointKey | 'nothing' | null
  /** Path and query, percent-encoded. Errors: `RavenError` 'bad-request' when a parameter is missing. */
  readonly path: (params: Params) => string
}

/** Separates the texts of a list parameter. */
export const LIST_SEPARATOR = '\u0000'

interface Spec extends Partial<Omit<Endpoint, 'path' | 'route'>> {
  /** `list`: texts joined by `LIST_SEPARATOR`, each becomes a name-value pair of the query. */
  readonly query?: Readonly<Record<string, 'required' | 'optional' | 'list' | { readonly default: string }>>
}

const KB = 1024
const MB = 1024 * KB
/** Server CPU of a frame apart from its bytes, ms; a heartbeat every four seconds is too small to measure. */
const FRAME_MS = 0.4
/** Server CPU per byte of live data, ms: 135 MB a minute took 3 % of a core. */
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
 * Every endpoint that is used, each tried on 7.1.5, 6.2.4 and 5.4.207. Every route and socket below
 * `/databases/{name}/` loads an unloaded database; no other does.
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
   * A single database, or the shards of one; 5.4 sends it without the list around it. A 404 without a body: no database
   * of that name.
   */
  database: define('/databases?name={name}', {
    express: true,
    timeoutMs: 10_000,
    costMs: 4.2,
    query: { name: 'required' },
  }),
  /** Directory where a database of that name has its files, or would have them, on this node. */
  dataDirectory: define('/admin/studio-tasks/full-data-directory', {
    right: 'Operator',
    timeoutMs: 10_000,
    query: { name: 'required' },
  }),
  /** The record of a database. It has passwords: only what its readers pick is kept. */
  databaseRecord: define('/admin/databases', { right: 'Operator', maxBytes: 32 * MB, query: { name: 'required' } }),
  databases: define('/databases', { maxBytes: 32 * MB, costMs: 5.2, query: PAGE }),
  databasesState: define('/studio-tasks/databases/state', {
    maxBytes: 32 * MB,
    costMs: 3,
    since: [6, 2],
    query: { ...PAGE, name: 'optional' },
  }),
  /** Lists only recently used databases. */
  idleDatabases: define('/admin/debug/databases/idle', { right: 'Operator', maxBytes: 16 * MB, costMs: 2.7 }),
  serverId: define('/debug/server-id', { maxBytes: 64 * KB, costMs: 2.4 }),
  /** Operating system and version of this node. */
  nodeInfo: define('/cluster/node-info', { timeoutMs: 10_000, maxBytes: 256 * KB }),
  clusterTopology: define('/cluster/topology', { costMs: 2.7 }),
  clusterLog: define('/admin/cluster/log', { right: 'Operator', maxBytes: 16 * MB, costMs: 2.7 }),
  /** Zip of whole log files, those of before `from` left out: 130 ms of CPU for one of 68 MB. */
  storedLogs: define('/admin/logs/download', {
    right: 'Operator',
    isFile: true,
    timeoutMs: 60_000,
    maxBytes: 256 * MB,
    costMs: 1,
    costMsPerByte: 40 / 1_000_000,
    query: { from: 'optional' },
  }),
  cpuCredits: define('/debug/cpu-credits', {}),
  adminStats: define('/admin/stats', { right: 'Operator' }),
  adminMetrics: define('/admin/metrics', { right: 'Operator' }),
  tcpStats: define('/admin/debug/info/tcp/stats', { right: 'Operator' }),
  /** All TCP connections of the machine. */
  tcpConnections: define('/admin/debug/info/tcp/active-connections', { right: 'Operator', maxBytes: 32 * MB }),
  observerDecisions: define('/admin/cluster/observer/decisions', { right: 'Operator' }),
  transactions: define('/admin/debug/txinfo', { right: 'Operator' }),
  databaseTransactions: define('/databases/{database}/admin/debug/txinfo', { right: 'DatabaseAdmin' }),
  /** Tombstones that an index or task has not processed. */
  tombstones: define('/databases/{database}/admin/tombstones/state', { right: 'DatabaseAdmin', maxBytes: 16 * MB }),
  hugeDocuments: define('/databases/{database}/debug/documents/huge', { maxBytes: 16 * MB }),
  licenseStatus: define('/license/status', { maxBytes: 256 * KB }),
  /** Certificate of this client; null: none was sent, it is unknown, or the server is not secured. */
  whoami: define('/certificates/whoami', { right: 'none', emptyIsNull: true, maxBytes: 256 * KB }),
  adminIoMetrics: define('/admin/debug/io-metrics', { right: 'Operator', maxBytes: 64 * MB }),
  /**
   * The cost grows with the number of methods compiled so far: 0.2 s of CPU on the server, and as much in its helper
   * process.
   */
  threadsStackTrace: define('/admin/debug/threads/stack-trace', {
    right: 'Operator',
    timeoutMs: 60_000,
    maxBytes: 256 * MB,
    costMs: 400,
    sideEffect: 'Attaches a helper program to the server, which stops its threads for moments to read their stacks.',
  }),

  /** All rings of all environments: 4–17 MB and up to 0.3 s of server CPU. For a click, never for a poll. */
  ioMetrics: define('/databases/{database}/debug/io-metrics', {
    timeoutMs: 60_000,
    maxBytes: 256 * MB,
    costMs: 293,
    costMsPerByte: 22 / 1_000_000,
  }),
  /** A 404 without a body: the operation is unknown, or forgotten. */
  operationState: define('/databases/{database}/operations/state', { query: { id: 'required' } }),
  operations: define('/databases/{database}/operations', { maxBytes: 16 * MB }),
  /** Reserves an id for an export or import, by which its state is read. */
  nextOperationId: define('/databases/{database}/operations/next-operation-id', {}),
  serverOperationState: define('/operations/state', { query: { id: 'required' } }),
  /** Next operation id, which this request consumes: server operations that begin later have larger ids. */
  nextServerOperationId: define('/admin/operations/next-operation-id', { right: 'Operator' }),
  perfMetrics: define('/databases/{database}/debug/perf-metrics', { maxBytes: 16 * MB, costMs: 2.7 }),
  indexesNames: define('/databases/{database}/indexes', {
    maxBytes: 16 * MB,
    costMs: 2.9,
    query: { namesOnly: { default: 'true' }, start: { default: '0' }, pageSize: { default: '1024' } },
  }),
  /**
   * 2 ms for each index of the database; a poll passes its own cost. 25 batches of each index, up to 7 MB for 50
   * indexes.
   */
  indexesPerformance: define('/databases/{database}/indexes/performance', {
    timeoutMs: 30_000,
    maxBytes: 256 * MB,
    costMs: 102,
    costMsPerByte: 15 / 1_000_000,
  }),
  indexesStats: define('/databases/{database}/indexes/stats', { maxBytes: 32 * MB, costMs: 4.2 }),
  /** Up to 500 errors of each index, 1.3 KB each: 17 ms for two full indexes. For a click, never for a poll. */
  indexErrors: define('/databases/{database}/indexes/errors', {
    timeoutMs: 30_000,
    maxBytes: 128 * MB,
    costMs: 17,
    costMsPerByte: 12 / 1_000_000,
    query: { name: 'optional' },
  }),
  /** Alerts and performance hints of one database that are not dismissed. */
  databaseNotifications: define('/databases/{database}/notifications', { maxBytes: 16 * MB, query: PAGE }),
  /** Backups, replication, ETL and subscriptions of one database. */
  ongoingTasks: define('/databases/{database}/tasks', { maxBytes: 16 * MB }),
  indexesProgress: define('/databases/{database}/indexes/progress', { maxBytes: 16 * MB }),
  storageReport: define('/databases/{database}/debug/storage/report', { maxBytes: 16 * MB, costMs: 2.9 }),
  /** Report of one environment. */
  storageEnvironment: define('/databases/{database}/debug/storage/environment/report', {
    maxBytes: 16 * MB,
    costMs: 2.9,
    query: { name: 'required', type: 'required' },
  }),
  databaseStats: define('/databases/{database}/stats', { costMs: 2.9 }),
  collectionsStats: define('/databases/{database}/collections/stats', { maxBytes: 16 * MB }),
  /** Newest first; without a collection all documents. `binding`: the fields to send. */
  collectionPreview: define('/databases/{database}/studio/collections/preview', {
    maxBytes: 64 * MB,
    timeoutMs: 60_000,
    query: { collection: 'optional', start: 'required', pageSize: 'required', binding: 'list' },
  }),
  /** Documents by id prefix, without their content. */
  documentsByPrefix: define('/databases/{database}/docs', {
    maxBytes: 64 * MB,
    timeoutMs: 60_000,
    query: { startsWith: 'required', start: 'required', pageSize: 'required', metadataOnly: { default: 'true' } },
  }),
  /**
   * Every document of a collection, in one response from one snapshot, newest change first. Not a query, so it needs no
   * index; an unknown name has no documents. 200,000 documents of 200 bytes took 1 s on a quiet 7.1.5. For a click,
   * never for a poll.
   */
  collectionDocuments: define('/databases/{database}/collections/docs', {
    isFile: true,
    maxBytes: Number.POSITIVE_INFINITY,
    timeoutMs: Number.POSITIVE_INFINITY,
    query: { name: 'required', start: { default: '0' }, pageSize: { default: '2147483647' } },
  }),
  /** A 404 without a body: no document with that id. */
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
  /** Field names of a collection and the kinds of their values, from a sample of its documents. */
  collectionFields: define('/databases/{database}/studio/collections/fields', { query: { collection: 'required' } }),
  /** Field names of an index: lists by kind, or one list of objects on 7.1. */
  indexFields: define('/databases/{database}/indexes/debug', {
    query: { name: 'required', op: { default: 'entries-fields' } },
  }),
  indexDefinition: define('/databases/{database}/indexes', { maxBytes: 16 * MB, query: { name: 'required' } }),
  indexHistory: define('/databases/{database}/indexes/history', { maxBytes: 64 * MB, query: { name: 'required' } }),
  /** Static definition equivalent to an automatic index. */
  indexConvert: define('/databases/{database}/indexes/auto/convert', {
    since: [6, 2],
    query: { name: 'required', outputType: { default: 'Json' } },
  }),
  /** Trees of the reduce keys to which a document contributes. */
  indexTree: define('/databases/{database}/indexes/debug', {
    maxBytes: 64 * MB,
    query: { name: 'required', docId: 'required', op: { default: 'map-reduce-tree' } },
  }),
  /** Compares all definitions; needs a licence since 6.2. */
  indexMerges: define('/databases/{database}/indexes/suggest-index-merge', { maxBytes: 16 * MB }),
  footerStats: define('/databases/{database}/studio/footer/stats', {}),

  lowMemoryLog: define('/admin/debug/memory/low-mem-log', { right: 'Operator' }),
  /** Current text of the kernel; Linux only. */
  procStatus: define('/admin/debug/proc/status', { right: 'Operator', maxBytes: 256 * KB }),
  /** Memory of the whole machine, even inside a container. */
  procMeminfo: define('/admin/debug/proc/meminfo', { right: 'Operator', maxBytes: 256 * KB }),
  memoryGc: define('/admin/debug/memory/gc', { right: 'Operator' }),
  /** Walks the page tables: 11 ms of CPU for each resident GiB. Linux only. For an opened card, never for a poll. */
  memorySmaps: define('/admin/debug/memory/smaps', { right: 'Operator', costMs: 17 }),
  /**
   * Every setting of the server with its value, 200 KB. `scope` `ServerWideOnly` omits those that a database or an
   * index can override: 120 KB.
   */
  serverSettings: define('/admin/configuration/settings', {
    right: 'ClusterAdmin',
    costMs: 9,
    query: { scope: 'optional' },
  }),
  /** Certificates that the server knows, and its own. */
  certificates: define('/admin/certificates', { right: 'Operator', maxBytes: 16 * MB }),
  /** Memory of the process. Expensive: for a check that the user began, never for a poll. */
  memoryStats: define('/admin/debug/memory/stats', { right: 'Operator', costMs: 60 }),
  /** CPU time of the process since its start. */
  cpuStats: define('/admin/debug/cpu/stats', { right: 'Operator' }),
  /** CPU time of each thread since it began. */
  threadsRunaway: define('/admin/debug/threads/runaway', { right: 'Operator', maxBytes: 16 * MB }),
  /** The server calls all nodes of its cluster. */
  nodePing: define('/admin/debug/node/ping', { right: 'Operator', timeoutMs: 60_000 }),
  /** Definitions of all indexes. */
  indexesWhole: define('/databases/{database}/indexes', { maxBytes: 64 * MB }),
  /** Running queries, by index. */
  databaseQueries: define('/databases/{database}/debug/queries/running', { maxBytes: 32 * MB }),
  databaseMetrics: define('/databases/{database}/metrics', {}),
} satisfies Record<string, Endpoint>

export type EndpointKey = keyof typeof REQUESTS

const SOCKETS = {
  ioMetricsLive: socket('/databases/{database}/debug/io-metrics/live', { history: 'ioMetrics', what: 'I/O' }),
  /** Never compressed: 11.5 KB for each batch of each index, even if `name` is given. */
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
  /** Needs a frame `{"Command":"watch",…}` from the client; all other sockets are dropped when the client sends. */
  clusterDashboard: socket('/cluster-dashboard/watch', {
    clientSends: true,
    query: { node: 'required' },
    costMs: 0.75,
    // The server reads memory from the system, mapping by mapping.
    expensiveFrame: { matches: '"MemoryUsage"', costMs: 3.5 },
    openShare: 0.001,
    what: 'figures of the server',
  }),
  /** All persistent alerts first, then changes; server alerts only for operators. */
  serverNotifications: socket('/server/notification-center/watch', { what: 'alerts' }),
  /** The server reads each thread from the system for a frame: with 75 threads it has 27 KB and costs 6.4 ms. */
  threadsInfo: socket('/threads-info/watch', {
    costMs: 1,
    costMsPerByte: 200 / 1_000_000,
    openShare: 0.0064,
    history: 'nothing',
    what: 'the list of threads',
  }),
  /** Every request that the server answers, with its text. Measured on 7.1.5: 0.05 to 0.2 ms for each write. */
  trafficWatch: socket('/admin/traffic-watch', {
    right: 'Operator',
    sibling: 'adminStats',
    maxBytes: 16 * MB,
    costMs: 0.15,
    history: 'nothing',
    sideEffect: 'The server writes down every request for the listener.',
    what: 'single requests',
  }),
  /** Every line of the log, at its finest level, while a client listens: a few seconds at a time. It sends no heartbeat. */
  logsWatch: socket('/admin/logs/watch', {
    right: 'Operator',
    sibling: 'adminStats',
    maxBytes: 16 * MB,
    costMs: 0.1,
    history: 'nothing',
    sideEffect: 'The server formats every line for the listener.',
    what: 'the log',
  }),
  /** Running queries of all loaded databases, each second; `[]` if there are none. */
  runningQueries: socket('/debug/queries/running/live', {
    maxBytes: 32 * MB,
    costMs: 0.12,
    // Measured: 0.1 to 0.4 % of a core on an idle server, nothing measurable with five writes a second.
    wakeMs: 1,
    isSnapshot: true,
    openShare: 0.0002,
    what: 'running queries',
  }),
} satisfies Record<string, Endpoint>

export type SocketKey = keyof typeof SOCKETS

export const ENDPOINTS: Readonly<Record<EndpointKey | SocketKey, Endpoint>> = { ...REQUESTS, ...SOCKETS }

/**
 * Replaces `{name}` in the path by the parameter; a query in a route (`?name={name}`) is only its label. A parameter
 * that the endpoint does not know is an error: if it were ignored, a filter would not filter.
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

/** An unpaired surrogate, which an address may contain, cannot be encoded. */
function encode(route: string, name: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    throw invalid(route, `The parameter ${name} is not a text that can be sent.`)
  }
}

const invalid = (endpoint: string, message: string): RavenError =>
  new RavenError({ kind: 'bad-request', endpoint, message })
