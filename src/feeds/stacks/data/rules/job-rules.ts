import type { JobKind } from '../../contract/jobs.ts'

/** Maximum length of a thread's name on Linux. */
export const COMM_LENGTH = 15

/**
 * Rule for the job of a thread, by its name. `pattern`: as the server's own list has it, and as Linux has it (named groups
 * `db` and `name`). `fixed`: whole names; each also counts when Linux cut it. Source: names recorded on 5.4, 6.2 and 7.1,
 * and, for threads that those servers had no licence to run, the texts that `Sparrow.Server.Utils.ThreadNames` and its
 * callers put together (`recorded/thread-names.json`). A subscription has no thread of its own: its connection works on the
 * thread pool, so the stack shows it.
 */
export interface NameRule {
  readonly id: string
  readonly kind: JobKind
  readonly label: string
  readonly pattern?: RegExp
  readonly fixed?: readonly string[]
}

/** The first matching rule is used. */
export const NAME_RULES: readonly NameRule[] = [
  { id: 'index', kind: 'index', label: 'Index', pattern: /^Indexing of (?<name>.+) of (?<db>\S+)$/ },
  { id: 'index-short', kind: 'index', label: 'Index', pattern: /^Idx (?<db>\S+)(?: (?<name>.*))?$/ },
  { id: 'index-cut', kind: 'index', label: 'Index', pattern: /^Indexing of (?<name>.{0,3})$/ },
  {
    id: 'merger',
    kind: 'merger',
    label: 'Transaction merger',
    pattern: /^'(?<db>[^']+)' (?:Transaction Merging Thread|TxMT)$/,
  },
  { id: 'merger-cut', kind: 'merger', label: 'Transaction merger', pattern: /^'(?<db>[^']+)(?:' .*)?$/ },
  { id: 'merger-short', kind: 'merger', label: 'Transaction merger', pattern: /^TxMrgr (?<db>\S+)$/ },
  {
    id: 'cluster-transactions',
    kind: 'cluster-transactions',
    label: 'Cluster transactions',
    pattern: /^(?:ClstrTx|Cluster Transaction Thread) (?<db>\S+)$/,
  },
  {
    id: 'replication-in',
    kind: 'replication',
    label: 'Replication',
    pattern: /^Incoming replication In database (?:[A-Z]{1,4}-)?(?<db>\S+) @ \S+ (?<name>from .+)$/,
  },
  {
    id: 'replication-out',
    kind: 'replication',
    label: 'Replication',
    pattern: /^(?:Outgoing replication|Pull replication as hub) from (?<db>\S+) at \S+ (?<name>to .+)$/,
  },
  {
    id: 'replication-sink',
    kind: 'replication',
    label: 'Replication',
    pattern: /^Pull Replication as Sink (?<name>from (?<db>\S+) at .+)$/,
  },
  {
    id: 'replication-short',
    kind: 'replication',
    label: 'Replication',
    pattern: /^(?:IncRep|OutRpl|PllRepHb|PllRepSnk) (?<db>\S+)(?: .*)?$/,
  },
  {
    id: 'etl',
    kind: 'etl',
    label: 'ETL',
    pattern: /^(?:Raven|SQL|OLAP|ElasticSearch|Queue|Snowflake) ETL process: (?<name>.+)$/,
  },
  { id: 'ai', kind: 'etl', label: 'AI task', pattern: /^(?:AI\/Embeddings Generation|Gen\/AI) process: (?<name>.+)$/ },
  { id: 'queue-sink', kind: 'etl', label: 'Queue sink', pattern: /^(?:Kafka|RabbitMQ) Sink process: (?<name>.+)$/ },
  {
    id: 'etl-short',
    kind: 'etl',
    label: 'ETL',
    pattern: /^Etl (?:(?:Raven|SQL|OLAP|ElasticSearch|Queue|Snowflake) ETL|Gen\/AI)?(?<name>.*)$/,
  },
  { id: 'queue-sink-short', kind: 'etl', label: 'Queue sink', pattern: /^QuSnk .+$/ },
  {
    id: 'backup',
    kind: 'backup',
    label: 'Backup',
    pattern: /^Backup (?:task|thread) (?<name>.+) for database '(?<db>[^']+)'$/,
  },
  {
    id: 'backup-files',
    kind: 'backup',
    label: 'Backup',
    pattern: /^(?:Upload|Delete) backup file of database '(?<db>[^']+)' (?:to|from) .+ \(task: '(?<name>.+)'\)$/,
  },
  // Backups are named by task if that is known, otherwise by database.
  { id: 'backup-task-short', kind: 'backup', label: 'Backup', pattern: /^BkpTsk (?<name>.+)$/ },
  {
    id: 'backup-short',
    kind: 'backup',
    label: 'Backup',
    pattern: /^(?:Bkp|UpBkp|DlBkp) (?<db>\S+)(?: .*)?$/,
  },
  {
    id: 'observer',
    kind: 'cluster',
    label: 'Cluster observer',
    pattern: /^(?:Cluster observer for term|Observer) \d+$/,
  },
  {
    id: 'heartbeat',
    kind: 'cluster',
    label: 'Cluster heartbeat',
    pattern: /^(?:Heartbeats (?:supervisor from|worker connection to leader)|HrtbtSpv|HrtbtWrkr) .+$/,
  },
  {
    id: 'consensus',
    kind: 'cluster',
    label: 'Consensus',
    pattern:
      /^(?:Consensus Leader - |CnsnsLdr-|Follower thread from |Fllwr |Follower Ambassador for |FllwrAmb |Candidate for - |Cnddte for |Candidate Ambassador for |CndAm for |Elector for candidate |Elctr ).+$/,
  },
  {
    id: 'maintenance',
    kind: 'cluster',
    label: 'Cluster maintenance',
    fixed: ['Cluster Maintenance Setup Task', 'Update Topology Change Notification Task'],
  },
  { id: 'flushing', kind: 'storage', label: 'Flushes to data files', fixed: ['Voron Flushing Thread'] },
  { id: 'prefetching', kind: 'storage', label: 'Prefetches data files', fixed: ['Voron Prefetching Thread'] },
  { id: 'gc', kind: 'gc', label: 'Garbage collector', fixed: ['.NET Server GC', '.NET BGC', '.NET Background GC'] },
  { id: 'finalizer', kind: 'gc', label: 'Finalizer', fixed: ['.NET Finalizer'] },
  {
    id: 'pool',
    kind: 'pool',
    label: 'Thread pool',
    fixed: ['.NET TP Worker', '.NET TP Gate', '.NET TP Wait', '.NET ThreadPool Worker', '.NET ThreadPool Gate'],
  },
  { id: 'raven-pool', kind: 'pool', label: 'Idle threads of the server', fixed: ['Available Pool Thread'] },
  { id: 'sockets', kind: 'runtime', label: 'Sockets', fixed: ['.NET Sockets'] },
  { id: 'timers', kind: 'runtime', label: 'Timers', fixed: ['.NET Timer', 'Kestrel Timer'] },
  { id: 'jit', kind: 'runtime', label: 'Compiler', fixed: ['.NET Tiered Compilation Worker'] },
  {
    id: 'diagnostics',
    kind: 'runtime',
    label: 'Diagnostics',
    fixed: ['.NET EventPipe', '.NET DebugPipe', '.NET Debugger', '.NET DiagnosticServer'],
  },
  { id: 'runtime', kind: 'runtime', label: 'Runtime', pattern: /^\.NET\b.*$/ },
  { id: 'lucene', kind: 'index', label: 'Merges of Lucene indexes', pattern: /^Lucene Merge Thread #\d+$/ },
  { id: 'credits', kind: 'server', label: 'CPU credits', fixed: ['CPU Credits Monitoring'] },
  { id: 'memory', kind: 'server', label: 'Memory watch', fixed: ['Low memory notification thread'] },
  { id: 'metrics', kind: 'server', label: 'Metrics', fixed: ['Metrics Scheduler'] },
  { id: 'logging', kind: 'server', label: 'Logging', fixed: ['Logging Thread'] },
  { id: 'tasks', kind: 'server', label: 'Tasks', fixed: ['Tasks Executor'] },
  { id: 'main', kind: 'server', label: 'Main thread', fixed: ['Raven.Server'] },
]

/**
 * Rule for the job of a pool thread, and of a thread without a specific name, by a frame of its stack (`Type.Method`, or
 * `Type.*`); the innermost match counts.
 */
export interface StackRule {
  readonly id: string
  readonly kind: JobKind
  readonly label: string
  readonly frames: readonly string[]
}

export const STACK_RULES: readonly StackRule[] = [
  {
    id: 'request:snapshot',
    kind: 'request',
    label: 'The snapshot itself',
    frames: ['ThreadsHandler.StackTrace', 'ThreadsHandler.OutputResultToStream'],
  },
  {
    id: 'request',
    kind: 'request',
    label: 'Requests',
    frames: [
      'RequestRouter.*',
      'RavenServerStartup.RequestHandler',
      'HttpProtocol.*',
      'Http1Connection.*',
      'Http2Stream.*',
      'KestrelConnection.*',
      'SocketConnection.*',
      'IOQueue.*',
      'HttpConnection.*',
      'SslStream.*',
    ],
  },
  {
    id: 'storage:flush',
    kind: 'storage',
    label: 'Flushes to data files',
    frames: ['GlobalFlushingBehavior.*', 'StorageEnvironment.BackgroundFlushWritesToDataFile'],
  },
  {
    id: 'replication',
    kind: 'replication',
    label: 'Replication',
    frames: [
      'ReplicationLoader.*',
      'IncomingReplicationHandler.*',
      'AbstractIncomingReplicationHandler.*',
      'OutgoingReplicationHandler.*',
      'AbstractOutgoingReplicationHandler.*',
      'DatabaseOutgoingReplicationHandler.*',
      'OutgoingPullReplicationHandlerAsHub.*',
    ],
  },
  { id: 'etl', kind: 'etl', label: 'ETL', frames: ['EtlProcess.*', 'EtlLoader.*', 'QueueSinkProcess.*'] },
  {
    id: 'backup',
    kind: 'backup',
    label: 'Backup',
    frames: ['BackupTask.*', 'PeriodicBackupRunner.*', 'BackupUtils.*', 'RestoreBackupTask.*'],
  },
  {
    id: 'subscription',
    kind: 'subscription',
    label: 'Subscription',
    frames: [
      'SubscriptionConnection.*',
      'SubscriptionConnectionBase.*',
      'SubscriptionBinder.*',
      'SubscriptionPatchDocument.*',
      'DatabaseSubscriptionProcessor.*',
      'SubscriptionStorage.*',
    ],
  },
  {
    id: 'cluster',
    kind: 'cluster',
    label: 'Cluster',
    frames: [
      'RachisConsensus.*',
      'Leader.*',
      'Follower.*',
      'FollowerAmbassador.*',
      'Candidate.*',
      'ClusterMaintenanceWorker.*',
      'ClusterMaintenanceSupervisor+ClusterNode.*',
      'ClusterObserver.*',
    ],
  },
  {
    id: 'index',
    kind: 'index',
    label: 'Indexes',
    frames: ['Index.ExecuteIndexing', 'IndexStore.*'],
  },
  {
    id: 'merger',
    kind: 'merger',
    label: 'Transaction merger',
    frames: ['AbstractTransactionOperationsMerger.*', 'TransactionOperationsMerger.*'],
  },
  { id: 'server:logging', kind: 'server', label: 'Logging', frames: ['LoggingSource.*'] },
  { id: 'server:main', kind: 'server', label: 'Main thread', frames: ['Program.Main', 'Program.RunAsNonInteractive'] },
  {
    id: 'server:database',
    kind: 'server',
    label: 'Databases',
    frames: ['DatabasesLandlord.*', 'DocumentDatabase.*', 'ServerStore.*'],
  },
]
