import type { Bytes } from '../../base/brand.ts'
import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { SnapshotInfo } from '../../feeds/stacks/contract/snapshots.ts'
import type { Job, JobKind, StackLine, WaitKind } from '../../feeds/stacks/contract/jobs.ts'
import { FAKE_START } from './generated-io.ts'
import { seededRandom } from '../../base/random.ts'

export interface GenerateStacksOptions {
  readonly seed: number
  /** Threads of the process; some of them have no managed stack. */
  readonly threads: number
  readonly snapshots: number
  readonly everySeconds: number
  readonly source: SourceId
}

export interface FakeSample {
  readonly threadId: number
  readonly name: string
  readonly job: Job
  /** Root first, as the server writes them; empty: no managed stack. */
  readonly frames: readonly string[]
  readonly line: StackLine
  /** Share of all cores, percent. */
  readonly cpuPercent: number
}

export interface FakeStackSnapshot {
  readonly info: SnapshotInfo
  readonly samples: readonly FakeSample[]
}

export const snapshotInfo = (parts: Partial<SnapshotInfo> = {}): SnapshotInfo => ({
  id: 1,
  source: 'server',
  nodeTag: 'A',
  origin: 'click',
  reason: null,
  atTicks: FAKE_START,
  series: null,
  cost: { tookMs: 1070, bytes: 79_872 as Bytes, pauseMs: null },
  sampled: 57,
  threads: 57,
  problems: [],
  ...parts,
})

export const fakeJob = (kind: JobKind, name = '', database: string | null = null): Job => {
  const label =
    kind === 'index'
      ? `Index ${name}`
      : kind === 'merger'
        ? 'Transaction merger'
        : kind === 'pool'
          ? 'Thread pool'
          : kind === 'gc'
            ? 'Garbage collector'
            : name === ''
              ? kind
              : name
  return {
    key: [kind, database, name].filter((part) => part !== null && part !== '').join(':'),
    kind,
    label,
    database,
    name: name === '' ? null : name,
    isCut: false,
  }
}

/** Activity of a thread: its inner frames (root first), its wait, and how likely it is. */
interface Scene {
  readonly frames: readonly string[]
  readonly wait: WaitKind
  readonly runs: string
  readonly waitsFor: string
  readonly odds: number
  /** Mean CPU of one thread in it, percent of all cores. */
  readonly cpu: number
}

const THREAD_START = [
  'System.Private.CoreLib!System.Threading.Thread+StartHelper.Callback(class System.Object)',
  'System.Private.CoreLib!System.Threading.ExecutionContext.RunInternal(class System.Threading.ExecutionContext,class System.Threading.ContextCallback,class System.Object)',
]
const POOL_START = ['System.Private.CoreLib!System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()']
const SERVER = 'Raven.Server!Raven.Server.Documents'
const JOURNAL = [
  'Voron!Voron.Impl.LowLevelTransaction.CommitStage2_WriteToJournal()',
  'Voron!Voron.Impl.Journal.WriteAheadJournal.WriteToJournal(class Voron.Impl.LowLevelTransaction)',
  'Voron!Voron.Impl.Journal.JournalFile.Write(class Voron.Impl.LowLevelTransaction,value class CompressedPagesResult)',
  'Voron!Voron.Impl.Journal.JournalWriter.Write(int64,unsigned int8*,int32)',
]
const WAIT_ONE =
  'System.Private.CoreLib!System.Threading.WaitHandle.WaitOneNoCheck(int32,bool,class System.Object,value class WaitHandleWaitSourceMap)'

const INDEX_BASE = [
  ...THREAD_START,
  `${SERVER}.Indexes.Index.ExecuteIndexing()`,
  `${SERVER}.Indexes.Index.DoIndexingWork(class ${SERVER.slice(13)}.IndexingStatsScope,value class System.Threading.CancellationToken)`,
]
const MAP = [
  `${SERVER}.Indexes.Workers.MapItems.Execute(class QueryOperationContext,class TransactionOperationContext)`,
  `${SERVER}.Indexes.MapIndex.HandleMap(class IndexItem,class System.Collections.IEnumerable)`,
]

const INDEX: readonly Scene[] = [
  {
    frames: [
      ...INDEX_BASE,
      ...MAP,
      'Corax!Corax.Indexing.IndexWriter.Update(value class System.ReadOnlySpan`1<unsigned int8>)',
      'Voron!Voron.Util.NativeList`1[Corax.Indexing.TermInEntryModification].Grow(class Sparrow.Server.ByteStringContext,int32)',
    ],
    wait: 'running',
    runs: 'Writes entries of the index',
    waitsFor: '',
    odds: 3,
    cpu: 9,
  },
  {
    frames: [
      ...INDEX_BASE,
      ...MAP,
      'Index_Users_ByName.a0e3b8ac.index!Raven.Server.Documents.Indexes.Static.Generated.Index_Users_ByName+<>c.<.ctor>b__1_2(class System.Object)',
      'System.Linq!System.Linq.Enumerable.Sum(class System.Collections.Generic.IEnumerable`1<!!0>,class System.Func`2<!!0,!!1>)',
    ],
    wait: 'running',
    runs: 'Maps documents',
    waitsFor: '',
    odds: 2,
    cpu: 11,
  },
  {
    frames: [...INDEX_BASE, 'Voron!Voron.Impl.Transaction.Commit()', ...JOURNAL],
    wait: 'disk',
    runs: 'Writes the journal of the index',
    waitsFor: 'the disk: journal write',
    odds: 4,
    cpu: 1,
  },
  {
    frames: [...THREAD_START, `${SERVER}.Indexes.Index.ExecuteIndexing()`, WAIT_ONE],
    wait: 'work',
    runs: 'Looks for work of the index',
    waitsFor: 'changes of documents',
    odds: 5,
    cpu: 0,
  },
]

const MERGER: readonly Scene[] = [
  {
    frames: [
      ...THREAD_START,
      `${SERVER}.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].MergeOperationThreadProc()`,
      `${SERVER}.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].MergeTransactionsOnce()`,
      ...JOURNAL,
    ],
    wait: 'disk',
    runs: 'Commits merged transactions',
    waitsFor: 'the disk: journal write',
    odds: 4,
    cpu: 2,
  },
  {
    frames: [
      ...THREAD_START,
      `${SERVER}.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].MergeOperationThreadProc()`,
      `${SERVER}.DocumentPutAction.PutDocument(class DocumentsOperationContext,class System.String)`,
      'Voron!Voron.Data.Tables.Table.Insert(class Voron.Data.Tables.TableValueBuilder)',
      'Sparrow.Server!Sparrow.Server.Compression.LZ4.Encode64(unsigned int8*,unsigned int8*,int32,int32,int32)',
    ],
    wait: 'running',
    runs: 'Writes documents',
    waitsFor: '',
    odds: 3,
    cpu: 14,
  },
]

const POOL: readonly Scene[] = [
  {
    frames: [
      ...POOL_START,
      'System.Private.CoreLib!System.Threading.LowLevelLifoSemaphore.WaitForSignal(int32)',
      'System.Private.CoreLib!System.Threading.LowLevelLifoSemaphore.WaitNative(class Microsoft.Win32.SafeHandles.SafeWaitHandle,int32)',
    ],
    wait: 'work',
    runs: 'Thread of the pool',
    waitsFor: 'work',
    odds: 8,
    cpu: 0,
  },
  {
    frames: [
      ...POOL_START,
      'Raven.Server!Raven.Server.Routing.RequestRouter.HandlePath(class Raven.Server.Web.RequestHandlerContext)',
      `${SERVER}.Handlers.BatchHandler.BulkDocs()`,
      `${SERVER}.TransactionMerger.AbstractTransactionOperationsMerger\`2[System.__Canon,System.__Canon].Enqueue(class MergedTransactionCommand)`,
      'System.Private.CoreLib!System.Threading.Monitor.Enter(class System.Object,bool&)',
    ],
    wait: 'lock',
    runs: 'Handles a batch of documents',
    waitsFor: 'a lock: Monitor.Enter',
    odds: 2,
    cpu: 0,
  },
  {
    frames: [
      ...POOL_START,
      'Microsoft.AspNetCore.Server.Kestrel.Core!Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequestsAsync(class IHttpApplication)',
      'Raven.Server!Raven.Server.Routing.RequestRouter.HandlePath(class Raven.Server.Web.RequestHandlerContext)',
      `${SERVER}.Queries.QueryRunner.ExecuteQuery(class IndexQueryServerSide)`,
      'Corax!Corax.Querying.IndexSearcher.GetEntryTermsReader(int64,value class Voron.Page&)',
    ],
    wait: 'running',
    runs: 'Runs a query',
    waitsFor: '',
    odds: 2,
    cpu: 4,
  },
]

const lone = (frames: readonly string[], wait: WaitKind, runs: string, waitsFor: string): readonly Scene[] => [
  { frames, wait, runs, waitsFor, odds: 1, cpu: 0 },
]

interface Role {
  readonly name: string
  readonly job: Job
  readonly scenes: readonly Scene[]
}

const INDEX_NAMES = ['Users/ByName', 'Users/ByCity', 'Orders/Totals', 'Orders/FanOut', 'Places/Near', 'Users/Search']

function rolesOf(threads: number): Role[] {
  const roles: Role[] = [
    { name: "'shop' TxMT", job: fakeJob('merger', '', 'shop'), scenes: MERGER },
    {
      name: '.NET Timer',
      job: fakeJob('runtime', 'Timers'),
      scenes: lone(
        [WAIT_ONE, 'System.Private.CoreLib!System.Threading.TimerQueue.TimerThread()'].toReversed(),
        'timer',
        'Fires timers',
        'its next turn',
      ),
    },
    { name: '.NET Server GC', job: fakeJob('gc'), scenes: lone([], 'unknown', '', '') },
    {
      name: 'Voron Flushing Thread',
      job: fakeJob('storage', 'Voron flushing'),
      scenes: lone(
        [
          ...THREAD_START,
          'Voron!Voron.GlobalFlushingBehavior.VoronEnvironmentFlushing()',
          'Voron!Voron.Impl.Paging.Pager.Sync(int64)',
        ],
        'disk',
        'Flushes data files',
        'the disk: data sync',
      ),
    },
    {
      name: 'Heartbeats supervisor from A to B',
      job: fakeJob('cluster', 'Heartbeats'),
      scenes: lone(
        [
          ...THREAD_START,
          'Raven.Server!Raven.Server.ServerWide.Maintenance.ClusterMaintenanceSupervisor+ClusterNode.ListenToMaintenanceWorker()',
          'System.Net.Sockets!System.Net.Sockets.SocketPal.Receive(class System.Net.Sockets.SafeSocketHandle)',
        ],
        'network',
        'Listens to node B',
        'the network: an answer of node B',
      ),
    },
    {
      name: 'My plugin',
      job: fakeJob('unrecognised', 'My plugin'),
      scenes: lone([...THREAD_START, 'Plugin!Acme.Plugin.Run()'], 'unknown', '', ''),
    },
  ]
  const indexes = Math.max(1, Math.min(Math.floor(threads / 8), 4000))
  for (let i = 0; i < indexes; i++) {
    const name = INDEX_NAMES[i] ?? `Generated/Index${i}`
    roles.push({ name: `Indexing of ${name} of shop`, job: fakeJob('index', name, 'shop'), scenes: INDEX })
  }
  while (roles.length < threads) roles.push({ name: '.NET TP Worker', job: fakeJob('pool'), scenes: POOL })
  return roles.slice(0, threads)
}

function pick(scenes: readonly Scene[], at: number): Scene {
  let left = at * scenes.reduce((sum, { odds }) => sum + odds, 0)
  for (const scene of scenes) {
    left -= scene.odds
    if (left < 0) return scene
  }
  return scenes[0]!
}

const DEFAULTS: GenerateStacksOptions = { seed: 1, threads: 60, snapshots: 1, everySeconds: 10, source: 'server' }

/** Snapshots of a server under load: indexes that map and write, a merger at its journal, a pool, and what is always there. */
export function generateStacks(options: Partial<GenerateStacksOptions> = {}): FakeStackSnapshot[] {
  const { seed, threads, snapshots, everySeconds, source } = { ...DEFAULTS, ...options }
  const next = seededRandom(seed)
  const roles = rolesOf(threads)
  return Array.from({ length: snapshots }, (_, at): FakeStackSnapshot => {
    const samples = roles.map((role, i): FakeSample => {
      const scene = pick(role.scenes, next())
      return {
        threadId: 1000 + i,
        name: role.name,
        job: role.job,
        frames: scene.frames,
        line: { runs: scene.runs, wait: scene.wait, waitsFor: scene.waitsFor },
        cpuPercent: (scene.cpu * (0.5 + next())) / Math.max(1, threads / 60),
      }
    })
    const sampled = samples.filter(({ frames }) => frames.length > 0).length
    return {
      info: snapshotInfo({
        id: at + 1,
        source,
        origin: snapshots > 1 ? 'series' : 'click',
        series: snapshots > 1 ? 1 : null,
        atTicks: (FAKE_START + at * everySeconds * TICKS_PER_SECOND) as Ticks,
        sampled,
      }),
      samples,
    }
  })
}

/** The snapshot as the server would answer it: `/admin/debug/threads/stack-trace`, threads with equal stacks merged. */
export function stackTraceJson(snapshot: FakeStackSnapshot): string {
  const { info, samples } = snapshot
  const merged = new Map<string, { ThreadIds: number[]; StackTrace: string[] }>()
  for (const { threadId, frames, line } of samples) {
    if (frames.length === 0) continue
    const trace = [line.wait === 'running' ? 'CPU_TIME' : '[Native Frames]', ...frames.toReversed()]
    const key = trace.join('\n')
    const entry = merged.get(key) ?? { ThreadIds: [], StackTrace: trace }
    entry.ThreadIds.push(threadId)
    merged.set(key, entry)
  }
  return JSON.stringify({
    '@metadata': { DateTime: formatTicks(info.atTicks), WebUrl: 'http://127.0.0.1:8080', NodeTag: 'A' },
    Results: [...merged.values()],
    Threads: threadRows(snapshot),
  })
}

/** The server's list of threads at a snapshot. */
export const threadRows = ({ info, samples }: FakeStackSnapshot): object[] =>
  samples.map(({ threadId, name, cpuPercent, line }) => ({
    Id: threadId,
    ManagedThreadId: null,
    Name: name,
    CpuUsage: cpuPercent,
    UnmanagedAllocationsInBytes: 65_536,
    StartingTime: formatTicks((info.atTicks - 3600 * TICKS_PER_SECOND) as Ticks),
    Duration: 1234,
    TotalProcessorTime: '00:00:01.2340000',
    PrivilegedProcessorTime: '00:00:00.2340000',
    UserProcessorTime: '00:00:01.0000000',
    State: line.wait === 'running' ? 2 : 5,
    Priority: 'Normal',
    WaitReason: line.wait === 'running' ? null : 13,
  }))
