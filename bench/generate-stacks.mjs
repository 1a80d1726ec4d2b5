// @ts-check
/**
 * Generates realistic responses of `/admin/debug/threads/stack-trace` from a seed, with any number of threads and
 * snapshots: thread names of an actual server; stacks that share their beginnings (a tree whose branches are chosen
 * with a heavy tail, so that few paths occur often and very many occur once); depths about a mean, also with a heavy
 * tail; idle threads that all wait at the same frame. Both formats: threads with equal stacks merged (frames in the
 * sampler's notation), and one entry per thread (the older tool's). Snapshots follow one another, each on a line.
 */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { randomOf } from './generate.mjs'

const START_MS = Date.UTC(2026, 10, 20, 4)
const EVERY_MS = 10_000

/** Frames root first, as on a real server (7.1). */
const CORE = 'System.Private.CoreLib!System.'
const KESTREL = 'Microsoft.AspNetCore.Server.Kestrel.Core!Microsoft.AspNetCore.Server.Kestrel.Core.Internal.'
const SERVER = 'Raven.Server!Raven.Server.'
const ASYNC = `${CORE}Runtime.CompilerServices.AsyncMethodBuilderCore.Start(!!0&)`
const WAIT_ONE = `${CORE}Threading.WaitHandle.WaitOneNoCheck(int32,bool,class System.Object,value class WaitHandleWaitSourceMap)`
const POOL = [`${CORE}Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()`]
const REQUEST = [
  ...POOL,
  `${CORE}Threading.ThreadPoolWorkQueue.Dispatch()`,
  `${KESTREL}Infrastructure.KestrelConnection\`1[System.__Canon].System.Threading.IThreadPoolWorkItem.Execute()`,
  `${KESTREL}Infrastructure.KestrelConnection\`1[System.__Canon].ExecuteAsync()`,
  ASYNC,
  `${KESTREL}Infrastructure.KestrelConnection\`1+<ExecuteAsync>d__8[System.__Canon].MoveNext()`,
  `${KESTREL}HttpConnectionMiddleware\`1[System.__Canon].OnConnectionAsync(class Microsoft.AspNetCore.Connections.ConnectionContext)`,
  ASYNC,
  `${KESTREL}HttpConnection+<ProcessRequestsAsync>d__12\`1[System.__Canon].MoveNext()`,
  `${KESTREL}Http.HttpProtocol.ProcessRequestsAsync(class Microsoft.AspNetCore.Hosting.Server.IHttpApplication\`1<!!0>)`,
  ASYNC,
  `${KESTREL}Http.HttpProtocol+<ProcessRequests>d__238\`1[System.__Canon].MoveNext()`,
  'Microsoft.AspNetCore.WebSockets!Microsoft.AspNetCore.WebSockets.WebSocketMiddleware.Invoke(class Microsoft.AspNetCore.Http.HttpContext)',
  ASYNC,
  `${SERVER}RavenServerStartup+<RequestHandler>d__14.MoveNext()`,
  ASYNC,
  `${SERVER}Routing.RequestRouter+<HandlePath>d__16.MoveNext()`,
]
const OWN_POOL = [
  `${CORE}Threading.ExecutionContext.RunInternal(class System.Threading.ExecutionContext,class System.Threading.ContextCallback,class System.Object)`,
  `${SERVER}Utils.PoolOfThreads+PooledThread.Run()`,
  `${SERVER}Utils.PoolOfThreads+PooledThread.DoWork()`,
]
const INDEX = [
  ...OWN_POOL,
  `${SERVER}Documents.Indexes.Index.<StartIndexingThread>b__167_0(class System.Object)`,
  `${SERVER}Documents.Indexes.Index.ExecuteIndexing()`,
]
const MERGER = [
  ...OWN_POOL,
  `${SERVER}Documents.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].MergeOperationThreadProc()`,
  `${SERVER}Documents.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].MergeTransactionsOnce()`,
]
const INDEXING = `${SERVER}Documents.Indexes.Index.DoIndexingWork(class Raven.Server.Documents.Indexes.IndexingStatsScope,value class System.Threading.CancellationToken)`
const MAP_ITEMS = `${SERVER}Documents.Indexes.Workers.MapItems.Execute(class Raven.Server.Documents.Indexes.QueryOperationContext,class Raven.Server.ServerWide.Context.TransactionOperationContext,class System.Lazy\`1<class Raven.Server.Documents.Indexes.Persistence.IndexWriteOperationBase>,class Raven.Server.Documents.Indexes.IndexingStatsScope,value class System.Threading.CancellationToken)`
const JOURNAL = [
  'Voron!Voron.Impl.LowLevelTransaction.CommitStage2_WriteToJournal()',
  'Voron!Voron.Impl.Journal.WriteAheadJournal.WriteToJournal(class Voron.Impl.LowLevelTransaction)',
  'Voron!Voron.Impl.Journal.JournalFile.Write(class Voron.Impl.LowLevelTransaction,value class Voron.Impl.Journal.CompressedPagesResult)',
  'Voron!Voron.Impl.Journal.JournalWriter.Write(int64,unsigned int8*,int32)',
]

/**
 * @typedef {object} Role
 * @property {(n: number) => string} name of the thread, as the server's own list has it
 * @property {number} share of all threads
 * @property {readonly string[]} idle where the thread is while it is idle; empty: no managed stack
 * @property {readonly (readonly string[])[]} busy where its work begins
 * @property {number} busyShare
 */

const DATABASES = ['shop', 'telemetry', 'billing', 'crm-eu']
const INDEXES = [
  'Orders/ByCompany',
  'Orders/Totals',
  'Users/Search',
  'Places/Near',
  'Auto/Orders/ByLines',
  'Audit/Daily',
]
const database = (/** @type {number} */ n) => DATABASES[n % DATABASES.length]

/** @type {readonly Role[]} */
const ROLES = [
  {
    name: (n) => `Indexing of ${INDEXES[n % INDEXES.length]}${n < 24 ? '' : `/${n}`} of ${database(Math.floor(n / 6))}`,
    share: 0.4,
    idle: [
      ...INDEX,
      `${CORE}Threading.WaitHandle.WaitMultiple(value class System.ReadOnlySpan\`1<class System.Threading.WaitHandle>,bool,int32)`,
    ],
    busy: [
      [...INDEX, INDEXING, MAP_ITEMS],
      [
        ...INDEX,
        INDEXING,
        `${SERVER}Documents.Indexes.MapReduce.ReduceMapResultsBase\`1[System.__Canon].HandleTreeReduction(class Raven.Server.ServerWide.Context.TransactionOperationContext)`,
      ],
      [...INDEX, INDEXING, 'Corax!Corax.Indexing.IndexWriter.Commit(value class System.Threading.CancellationToken)'],
      [...INDEX, 'Voron!Voron.Impl.Transaction.Commit()', ...JOURNAL],
    ],
    busyShare: 0.85,
  },
  {
    name: () => '.NET TP Worker',
    share: 0.45,
    idle: [
      ...POOL,
      `${CORE}Threading.LowLevelLifoSemaphore.WaitForSignal(int32)`,
      `${CORE}Threading.LowLevelLifoSemaphore.WaitNative(class Microsoft.Win32.SafeHandles.SafeWaitHandle,int32)`,
    ],
    busy: [
      [...REQUEST, `${SERVER}Documents.Handlers.QueriesHandler+<Post>d__0.MoveNext()`, ASYNC],
      [...REQUEST, `${SERVER}Documents.Handlers.BatchHandler+<BulkDocs>d__3.MoveNext()`, ASYNC],
      [...REQUEST, `${SERVER}Documents.Handlers.DocumentHandler+<Get>d__1.MoveNext()`, ASYNC],
      [...REQUEST, `${SERVER}Documents.Handlers.Streaming.StreamingHandler+<StreamQueryGet>d__4.MoveNext()`, ASYNC],
    ],
    busyShare: 0.85,
  },
  {
    name: (n) => `'${database(n)}' TxMT`,
    share: 0.01,
    idle: [...MERGER, WAIT_ONE],
    busy: [
      [...MERGER, ...JOURNAL],
      [
        ...MERGER,
        `${SERVER}Documents.DocumentsStorage.Put(class Raven.Server.ServerWide.Context.DocumentsOperationContext,class System.String,class System.String)`,
      ],
    ],
    busyShare: 0.9,
  },
  {
    name: (n) => `Outgoing replication to ${database(n)} on B`,
    share: 0.03,
    idle: [...OWN_POOL, `${SERVER}Documents.Replication.Outgoing.OutgoingReplicationHandlerBase.Replicate()`, WAIT_ONE],
    busy: [[...OWN_POOL, `${SERVER}Documents.Replication.Outgoing.OutgoingReplicationHandlerBase.Replicate()`]],
    busyShare: 0.4,
  },
  {
    name: (n) => `RavenDB ETL: reports-${n}`,
    share: 0.03,
    idle: [
      ...OWN_POOL,
      `${SERVER}Documents.ETL.EtlProcess\`4[System.__Canon,System.__Canon,System.__Canon,System.__Canon].Run()`,
      WAIT_ONE,
    ],
    busy: [
      [
        ...OWN_POOL,
        `${SERVER}Documents.ETL.EtlProcess\`4[System.__Canon,System.__Canon,System.__Canon,System.__Canon].Run()`,
      ],
    ],
    busyShare: 0.5,
  },
  {
    name: (n) => `Backup task ${n} for database '${database(n)}'`,
    share: 0.005,
    idle: [...OWN_POOL, WAIT_ONE],
    busy: [
      [
        ...OWN_POOL,
        `${SERVER}Documents.PeriodicBackup.BackupTask.RunPeriodicBackup(class Raven.Client.Documents.Operations.IOperationProgress)`,
      ],
    ],
    busyShare: 0.5,
  },
  { name: () => '.NET Server GC\n', share: 0.03, idle: [], busy: [[]], busyShare: 0 },
  {
    name: () => '.NET Sockets\n',
    share: 0.02,
    idle: ['System.Net.Sockets!System.Net.Sockets.SocketAsyncEngine.EventLoop()'],
    busy: [[]],
    busyShare: 0,
  },
  {
    name: () => 'Voron Flushing Thread',
    share: 0.005,
    idle: [...OWN_POOL, 'Voron!Voron.GlobalFlushingBehavior.VoronEnvironmentFlushing()', WAIT_ONE],
    busy: [[...OWN_POOL, 'Voron!Voron.GlobalFlushingBehavior.VoronEnvironmentFlushing()']],
    busyShare: 0.5,
  },
  {
    name: (n) => `Acme.Plugin worker ${n % 3}`,
    share: 0.02,
    idle: [...OWN_POOL, 'Acme.Plugin!Acme.Plugin.Loop.Run()', WAIT_ONE],
    busy: [[...OWN_POOL, 'Acme.Plugin!Acme.Plugin.Loop.Run()']],
    busyShare: 0.5,
  },
]

const AREAS = [
  'Voron!Voron.Data.BTrees',
  'Voron!Voron.Impl',
  'Voron!Voron.Data.Containers',
  'Corax!Corax.Indexing',
  'Corax!Corax.Querying.Matches',
  'Raven.Server!Raven.Server.Documents.Indexes.Static',
  'Raven.Server!Raven.Server.Documents.Queries',
  'Raven.Server!Raven.Server.Json',
  'Sparrow!Sparrow.Json',
  'Sparrow.Server!Sparrow.Server.Compression',
  'System.Linq!System.Linq',
  'System.Private.CoreLib!System.Collections.Generic',
  'Jint!Jint.Runtime.Interpreter.Expressions',
  'Lucene.Net!Lucene.Net.Index',
]
const NOUNS = [
  'Tree',
  'Page',
  'Entry',
  'Term',
  'Posting',
  'Lookup',
  'Container',
  'Reader',
  'Writer',
  'Cursor',
  'Field',
  'Match',
  'Token',
  'Blittable',
  'Scope',
  'Iterator',
]
const VERBS = [
  'Read',
  'Write',
  'Seek',
  'Insert',
  'Remove',
  'MoveNext',
  'Fill',
  'AndWith',
  'Commit',
  'Allocate',
  'Compress',
  'Evaluate',
  'Decode',
  'Split',
  'Merge',
  'Flush',
]
const ARGUMENTS = [
  '',
  '',
  '',
  'int32',
  'int64',
  'bool,int32',
  'class System.String',
  'int64,value class Voron.Page&',
  'value class System.Span`1<unsigned int8>',
  'class Voron.Impl.LowLevelTransaction,int32',
  'class Sparrow.Json.JsonOperationContext,class System.String',
  'class Raven.Server.ServerWide.Context.TransactionOperationContext,class Raven.Server.Documents.Indexes.IndexingStatsScope,value class System.Threading.CancellationToken',
]
/**
 * Number of layers of a program, and of functions in each: in total somewhat more functions than a loaded server was
 * seen to run.
 */
const LAYERS = 64
const PER_LAYER = 80

const frames = Array.from({ length: LAYERS * PER_LAYER }, (_, i) => {
  const random = randomOf(i + 77)
  const of = (/** @type {readonly string[]} */ words) => words[Math.floor(random() * words.length)] ?? ''
  const generic = random() < 0.2 ? '`1[System.__Canon]' : ''
  return `${of(AREAS)}.${of(NOUNS)}${of(NOUNS)}${i % 97}${generic}.${of(VERBS)}${of(NOUNS)}(${of(ARGUMENTS)})`
})

/** Share of calls in which a function calls another function than its usual one. */
const ASIDE = 0.035

/** @typedef {object} Shape
 * @property {number} threads @property {number} snapshots
 * @property {number} depth frames of a stack, about the mean of all
 * @property {boolean} [perThread] the older tool's shape
 * @property {number} [seed] */

/**
 * @typedef {object} StackTotals what the file holds, to check against
 * @property {number} samples threads with a stack, over all snapshots
 * @property {number} frames of all of them
 * @property {number} entries stacks that were written
 */

/**
 * Writes snapshots to `path`, one per line.
 * @param {string} path @param {Shape} shape @returns {Promise<StackTotals>}
 */
export async function generateStacks(path, { threads, snapshots, depth, perThread = false, seed = 1 }) {
  const out = createWriteStream(path, { highWaterMark: 4 << 20 })
  const random = randomOf(seed)
  const process = threadsOf(threads)
  const totals = { samples: 0, frames: 0, entries: 0 }
  for (let at = 0; at < snapshots; at++) {
    const text = snapshotText(process, at, depth, perThread, random, totals)
    if (!out.write(`${text}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
  return totals
}

/** @param {number} count */
function threadsOf(count) {
  /** @type {{ id: number, name: string, role: Role }[]} */
  const threads = []
  for (const role of ROLES)
    for (let n = 0; n < Math.max(1, Math.floor(count * role.share)) && threads.length < count; n++)
      threads.push({ id: 1000 + threads.length, name: role.name(n), role })
  const pool = /** @type {Role} */ (ROLES[1])
  while (threads.length < count) threads.push({ id: 1000 + threads.length, name: pool.name(0), role: pool })
  return threads
}

/**
 * Creates a stack, root first: its beginning, and the indexes of `frames` below it.
 * @param {Role} role @param {number} depth @param {() => number} random
 */
function walk(role, depth, random) {
  const isBusy = random() < role.busyShare
  if (!isBusy) return { begin: role.idle, path: [], isBusy }
  const way = Math.floor(random() ** 2 * role.busy.length)
  const begin = role.busy[way] ?? []
  // Depths are distributed about the mean, with a long tail: recursion makes few stacks very deep.
  const wanted = Math.min(600, Math.round(depth * (0.75 + 0.5 * (1 - random()) ** -0.35 * random())))
  let frame = ROLES.indexOf(role) * 31 + way
  const path = []
  // A function calls few others, mostly one of them, and all of them in the layer below; after the last layer, calls
  // continue in the first.
  for (let at = begin.length; at < wanted; at++) {
    const rank = random() > ASIDE ? 0 : 1 + Math.floor(5 * random() ** 3)
    let mixed = Math.imul(frame * 8 + rank + 1, 0x9e3779b1)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 8
    frame = (at % LAYERS) * PER_LAYER + (mixed % PER_LAYER)
    path.push(frame)
  }
  return { begin, path, isBusy }
}

/**
 * @param {readonly { id: number, name: string, role: Role }[]} threads @param {number} at @param {number} depth
 * @param {boolean} perThread @param {() => number} random @param {StackTotals} totals
 */
function snapshotText(threads, at, depth, perThread, random, totals) {
  const when = new Date(START_MS + at * EVERY_MS + Math.floor(random() * 900)).toISOString().replace('Z', '0000Z')
  /** @type {Map<string, { ids: number[], stack: string[] }>} */
  const entries = new Map()
  const listed = []
  for (const { id, name, role } of threads) {
    const { begin, path, isBusy } = walk(role, depth, random)
    const stack = [...begin, ...path.map((frame) => frames[frame] ?? '')].toReversed()
    if (stack.length > 0) {
      totals.samples++
      totals.frames += stack.length
      const pseudo = isBusy && random() < 0.6 ? 'CPU_TIME' : '[Native Frames]'
      const key = perThread ? String(id) : `${pseudo}|${begin.length}|${begin.at(-1) ?? ''}|${path.join()}`
      const entry = entries.get(key)
      if (entry === undefined)
        entries.set(key, { ids: [id], stack: perThread ? stack.map(asOlderTool) : [pseudo, ...stack] })
      else entry.ids.push(id)
    }
    listed.push(threadOf(id, name, isBusy, threads.length, random))
  }
  totals.entries += entries.size
  const results = Array.from(entries.values(), ({ ids, stack }) =>
    perThread
      ? {
          OSThreadId: ids[0],
          ManagedThreadId: (ids[0] ?? 0) - 990,
          IsNative: false,
          ThreadType: 'Other',
          StackTrace: stack,
        }
      : { ThreadIds: ids, StackTrace: stack },
  )
  const metadata = { DateTime: when, WebUrl: 'http://127.0.0.1:8080', NodeTag: 'A' }
  return JSON.stringify({ '@metadata': metadata, Results: results, Threads: listed })
}

/** `Module!Type.Method(int32)` → `Type.Method(Int32)`. @param {string} frame */
const asOlderTool = (frame) =>
  frame
    .slice(frame.indexOf('!') + 1)
    .replaceAll(/(?:value )?class /g, '')
    .replaceAll('int32', 'Int32')
    .replaceAll('int64', 'Int64')

/**
 * @param {number} id @param {string} name @param {boolean} isBusy @param {number} threads all of them: together they use
 * most of the machine, few of them most of that @param {() => number} random
 */
function threadOf(id, name, isBusy, threads, random) {
  const userMs = Math.floor(random() ** 6 * 3_600_000)
  const kernelMs = Math.floor(userMs * random() * 0.3)
  return {
    Id: id,
    CpuUsage: isBusy ? (14 / threads) * (1 / (1.001 - random())) : 0,
    Name: name,
    ManagedThreadId: id - 990,
    UnmanagedAllocationsInBytes: Math.floor(random() ** 8 * 5e7),
    StartingTime: new Date(START_MS - 86_400_000 + id * 1000).toISOString().replace('Z', '1729Z'),
    Duration: userMs + kernelMs,
    TotalProcessorTime: span(userMs + kernelMs),
    PrivilegedProcessorTime: span(kernelMs),
    UserProcessorTime: span(userMs),
    State: isBusy ? 2 : 5,
    Priority: 0,
    WaitReason: isBusy ? null : 13,
    IoStats: {
      IoSyscallsPerSecLast: isBusy ? random() * 100 : 0,
      ReadThroughputKbPerSecLast: isBusy ? random() * 900 : 0,
      WriteThroughputKbPerSecLast: isBusy ? random() * 2000 : 0,
      ReadThroughputKbTotal: random() * 1e6,
      WriteThroughputKbTotal: random() * 1e6,
    },
  }
}

/** .NET's `hh:mm:ss.fffffff`. @param {number} ms */
const span = (ms) => `${new Date(ms).toISOString().slice(11, 23)}0000`
