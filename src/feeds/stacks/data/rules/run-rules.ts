import { OUTGOING } from './wait-rules.ts'

/** Rule for the action of a stack, by the innermost frame that a rule knows. */
export interface RunRule {
  readonly runs: string
  readonly frames: readonly string[]
}

export const RUN_RULES: readonly RunRule[] = [
  { runs: 'Writes the journal', frames: ['JournalWriter.*', 'JournalFile.Write', 'WriteAheadJournal.WriteToJournal'] },
  {
    runs: 'Compresses for the journal',
    frames: ['WriteAheadJournal.PrepareToWriteToJournal', 'DiffPages.ComputeDiff', 'DiffPages.ComputeNew'],
  },
  {
    runs: 'Commits a storage transaction',
    frames: [
      'LowLevelTransaction.Commit',
      'LowLevelTransaction.CommitStage1_CompleteTransaction',
      'LowLevelTransaction.CommitStage2_WriteToJournal',
      'LowLevelTransaction.CommitStage3_DisposeTransactionResources',
      'Transaction.Commit',
    ],
  },
  {
    runs: 'Flushes the storage to its data file',
    frames: ['WriteAheadJournal+JournalApplicator.*', 'StorageEnvironment.BackgroundFlushWritesToDataFile'],
  },
  { runs: 'Syncs a data file', frames: ['WriteAheadJournal+JournalApplicator+SyncOperation.*'] },
  { runs: 'Looks for storage to flush', frames: ['GlobalFlushingBehavior.*'] },
  { runs: 'Reads data files ahead', frames: ['GlobalPrefetchingBehavior.*'] },
  {
    runs: 'Runs JavaScript',
    frames: ['Engine.*', 'JintScript.*', 'JavaScriptIndex.*', 'ScriptFunction.*'],
  },
  { runs: 'Maps documents', frames: ['MapItems.Execute', 'TimeCountingEnumerable+Enumerator.MoveNext'] },
  {
    runs: 'Reduces',
    frames: ['ReduceMapResultsBase.*', 'ReduceMapResultsOfStaticIndex.*', 'ReduceMapResultsOfAutoIndex.*'],
  },
  { runs: 'Stores map results', frames: ['MapReduceIndexBase.PutMapResults', 'MapReduceIndex.HandleMap'] },
  {
    runs: 'Writes the index (Lucene)',
    frames: ['IndexWriter.AddDocument', 'DocumentsWriter.*', 'LuceneIndexWriteOperation.*', 'TermsHashPerField.*'],
  },
  { runs: 'Merges the index (Lucene)', frames: ['IndexWriter.Merge', 'SegmentMerger.*', 'ConcurrentMergeScheduler.*'] },
  {
    runs: 'Writes the index (Corax)',
    frames: [
      'IndexWriter.Commit',
      'CoraxIndexWriteOperation.*',
      'IndexWriter+TextualFieldInserter.*',
      'IndexWriter+IndexEntryBuilder.*',
    ],
  },
  {
    runs: 'Answers a query',
    frames: [
      'IndexSearcher.*',
      'CoraxIndexReadOperation.*',
      'LuceneIndexReadOperation.*',
      'QueryRunner.*',
      'QueriesHandler.*',
      'AbstractQueriesHandlerProcessorForGet.*',
      'Index.Query',
      'Index.QueryInternal',
    ],
  },
  { runs: 'Indexes', frames: ['Index.DoIndexingWork', 'Index.ExecuteIndexing'] },
  { runs: 'Puts documents', frames: ['DocumentPutAction.PutDocument', 'DocumentsStorage.Put', 'Table.Insert'] },
  {
    runs: 'Takes a bulk insert',
    frames: [
      'BulkInsertHandler.*',
      'AbstractBulkInsertHandlerProcessor.*',
      'BulkInsertHandler+MergedInsertBulkCommand.*',
    ],
  },
  {
    runs: 'Takes a batch of writes',
    frames: ['BatchHandler.*', 'AbstractBatchHandlerProcessorForBulkDocs.*', 'MergedBatchCommand.*'],
  },
  {
    runs: 'Merges write transactions',
    frames: ['AbstractTransactionOperationsMerger.*', 'TransactionOperationsMerger.*'],
  },
  { runs: 'Executes cluster transactions', frames: ['DocumentDatabase.ExecuteClusterTransaction'] },
  {
    runs: 'Reads or writes JSON',
    frames: [
      'BlittableJsonTextWriter.*',
      'AsyncBlittableJsonTextWriter.*',
      'UnmanagedJsonParser.*',
      'BlittableJsonDocumentBuilder.*',
      'JsonOperationContext.*',
    ],
  },
  {
    runs: 'Replicates to another node',
    frames: [...OUTGOING, 'ReplicationDocumentSenderBase.*'],
  },
  { runs: 'Takes replication in', frames: ['IncomingReplicationHandler.*', 'AbstractIncomingReplicationHandler.*'] },
  { runs: 'Hands changes on (ETL)', frames: ['EtlProcess.*'] },
  { runs: 'Backs up', frames: ['BackupTask.*'] },
  { runs: 'Serves a subscription', frames: ['SubscriptionConnection.*', 'SubscriptionConnectionBase.*'] },
  { runs: 'Takes this stack snapshot', frames: ['ThreadsHandler.StackTrace', 'ThreadsHandler.OutputResultToStream'] },
  {
    runs: 'Lists threads',
    frames: ['ThreadsHandler.*', 'ThreadsUsage.*', 'ThreadsInfoHandler.*', 'ThreadsInfoNotificationSender.*'],
  },
  { runs: 'Leads the cluster', frames: ['Leader.*'] },
  { runs: 'Follows the leader', frames: ['Follower.*', 'FollowerAmbassador.*'] },
  { runs: 'Observes the cluster', frames: ['ClusterObserver.*'] },
  { runs: 'Listens to a node', frames: ['ClusterMaintenanceSupervisor+ClusterNode.*', 'ClusterMaintenanceWorker.*'] },
  { runs: 'Sets up maintenance of the cluster', frames: ['ServerStore.ClusterMaintenanceSetupTask'] },
  { runs: 'Watches the topology', frames: ['ServerStore.UpdateTopologyChangeNotification'] },
  { runs: 'Watches memory', frames: ['LowMemoryNotification.*'] },
  { runs: 'Writes the log', frames: ['LoggingSource.*'] },
  { runs: 'Measures', frames: ['MetricsScheduler.*', 'CpuUtilizationReader.*', 'MetricCacher.*'] },
  { runs: 'Runs tasks', frames: ['TaskExecutor+Runner.*'] },
  { runs: 'Ticks for the web server', frames: ['Heartbeat.*'] },
  { runs: 'Fires timers', frames: ['TimerQueue.*', 'TimerQueueTimer.*'] },
  { runs: 'Watches sockets', frames: ['SocketAsyncEngine.*'] },
  { runs: 'Sends an answer', frames: ['SocketConnection.DoSend', 'SocketSender.*'] },
  {
    runs: 'Receives a request',
    frames: [
      'SocketConnection.DoReceive',
      'SocketReceiver.*',
      'HttpProtocol.*',
      'Http1Connection.*',
      'KestrelConnection.*',
      'IOQueue.*',
    ],
  },
  { runs: 'Handles a request', frames: ['RequestRouter.*', 'RavenServerStartup.*'] },
  { runs: 'Sizes the thread pool', frames: ['PortableThreadPool+GateThread.*'] },
  {
    runs: 'Idles in the thread pool',
    frames: [
      'PortableThreadPool+WorkerThread.*',
      'PortableThreadPool+WaitThread.*',
      'PoolOfThreads+PooledThread.*',
      'LowLevelLifoSemaphore.*',
    ],
  },
  { runs: 'Keeps the server up', frames: ['Program.*'] },
]
