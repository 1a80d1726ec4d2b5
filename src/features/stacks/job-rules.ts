import type { JobKind } from './queries.ts'

/** Linux keeps so many characters of a thread's name. */
export const COMM_LENGTH = 15

/**
 * In whose name a thread works, by its name. `pattern`: as the server's own list has it, and as Linux has it (named
 * groups `db` and `name`). `fixed`: whole names; each also counts when Linux cut it.
 * Source: `ThreadNames` of the server, as recorded on 5.4, 6.2 and 7.1, and its 15-character forms (stack-helper.md §6).
 */
export interface NameRule {
  readonly id: string
  readonly kind: JobKind
  readonly label: string
  readonly pattern?: RegExp
  readonly fixed?: readonly string[]
}

/** The first that fits counts. */
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
    pattern: /^(?:ClstrTx|Cluster Transaction Thread|Cluster transactions?(?: of)?) '?(?<db>[^'\s]+)'?$/,
  },
  {
    id: 'replication-in',
    kind: 'replication',
    label: 'Replication in',
    pattern: /^(?:Incoming replication|Pull replication|InRepl)\b:?(?: of (?<db>\S+))?(?: ?(?:from )?(?<name>.+))?$/i,
  },
  {
    id: 'replication-out',
    kind: 'replication',
    label: 'Replication out',
    pattern: /^(?:Outgoing (?:\w+ )?replication|OutRepl)\b:?(?: of (?<db>\S+))?(?: ?(?:to )?(?<name>.+))?$/i,
  },
  {
    id: 'replication-cut',
    kind: 'replication',
    label: 'Replication',
    pattern: /^(?:Incoming replic|Outgoing replic|Outgoing intern|Pull replicatio)$/,
  },
  {
    id: 'etl',
    kind: 'etl',
    label: 'ETL',
    pattern:
      /^(?:(?:Raven(?:DB)?|SQL|OLAP|Elastic ?Search|Kafka|RabbitMQ|Queue|Amazon SQS|Azure Queue Storage|Snowflake|AI|Embeddings Generation|GenAI) ETL(?: process)?|ETL(?: process)?)\b:? ?(?<name>.*)$/i,
  },
  {
    id: 'queue-sink',
    kind: 'etl',
    label: 'Queue sink',
    pattern: /^(?:Kafka|RabbitMQ|Queue) Sink(?: process)?:? ?(?<name>.*)$/i,
  },
  {
    id: 'backup',
    kind: 'backup',
    label: 'Backup',
    pattern:
      /^(?:Backup task|Periodic backup|Backup thread|Bckup)\b ?(?<name>.*?)(?: (?:for database|of|for) '?(?<db>[^'\s]+)'?)?$/i,
  },
  {
    id: 'subscription',
    kind: 'subscription',
    label: 'Subscription',
    pattern: /^(?:Subscription|Subscr)\b(?: connection)?:? ?(?<name>.*)$/i,
  },
  { id: 'observer', kind: 'cluster', label: 'Cluster observer', pattern: /^(?:Cluster observer\b.*|Observer \d+.*)$/ },
  { id: 'observer-cut', kind: 'cluster', label: 'Cluster observer', fixed: ['Cluster observer for term 1'] },
  {
    id: 'heartbeat',
    kind: 'cluster',
    label: 'Cluster heartbeat',
    pattern: /^(?:Heartbeats? |HrtbtSpv |HrtbtWrk |Heartbeats supe|Heartbeats work).*$/,
  },
  {
    id: 'consensus',
    kind: 'cluster',
    label: 'Consensus',
    pattern:
      /^(?:Consensus Leader|Consensus Leade|CnsnsLdr|Follower (?:thread|Ambassador)|Follower|FlwrAmbsdr|Flwr|Candidate|CandAmb|Elector|Rachis)\b.*$/,
  },
  {
    id: 'maintenance',
    kind: 'cluster',
    label: 'Cluster maintenance',
    fixed: ['Cluster Maintenance Setup Task', 'Update Topology Change Notification Task'],
  },
  { id: 'flushing', kind: 'storage', label: 'Flushes to data files', fixed: ['Voron Flushing Thread'] },
  { id: 'syncing', kind: 'storage', label: 'Syncs data files', pattern: /^Voron (?:Sync|Global Sync)\w* .*$/ },
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
  { id: 'memory', kind: 'server', label: 'Memory watch', fixed: ['Low memory notification thread'] },
  { id: 'metrics', kind: 'server', label: 'Metrics', fixed: ['Metrics Scheduler'] },
  { id: 'logging', kind: 'server', label: 'Logging', fixed: ['Logging Thread', 'Nlog', 'NLog'] },
  { id: 'tasks', kind: 'server', label: 'Tasks', fixed: ['Tasks Executor'] },
  { id: 'main', kind: 'server', label: 'Main thread', fixed: ['Raven.Server', 'Raven.Server.Main'] },
]

/**
 * What a thread of a pool works at, and what one without a telling name is, by a frame of its stack (`Type.Method`, or
 * `Type.*`); the innermost that fits counts.
 */
export interface StackRule {
  readonly id: string
  readonly kind: JobKind
  readonly label: string
  readonly frames: readonly string[]
}

export const STACK_RULES: readonly StackRule[] = [
  {
    id: 'request:capture',
    kind: 'request',
    label: 'The capture itself',
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
      'TcpManager.*',
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
      'OutgoingReplicationHandlerBase.*',
      'DatabaseOutgoingReplicationHandlerBase.*',
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
    frames: ['SubscriptionConnection.*', 'SubscriptionConnectionBase.*', 'SubscriptionStorage.*'],
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
