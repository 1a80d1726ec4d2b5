import type { WaitKind } from '../contract/jobs.ts'

/**
 * Methods that only wait, by `Type.Method` or `Type.*`. Their caller shows what for; `wait` is what they
 * wait for when no rule knows the caller (null: it could be anything).
 */
export interface PrimitiveRule {
  readonly frames: readonly string[]
  readonly wait: WaitKind | null
  readonly waitsFor: string
}

export const PRIMITIVES: readonly PrimitiveRule[] = [
  {
    frames: ['Thread.Sleep', 'Thread.SleepInternal', 'Thread.UninterruptibleSleep0'],
    wait: 'timer',
    waitsFor: 'a pause to end',
  },
  {
    frames: [
      'Monitor.Enter',
      'Monitor.ReliableEnter',
      'Monitor.Enter_Slowpath',
      'Monitor.TryEnter',
      'Monitor.ReliableEnterTimeout',
      'Lock.*',
      'LowLevelLock.*',
      'SpinLock.*',
      'ReaderWriterLockSlim.*',
      'ReaderWriterLock.*',
      'Mutex.*',
    ],
    wait: 'lock',
    waitsFor: 'a lock',
  },
  {
    frames: [
      'LowLevelLifoSemaphore.*',
      'LowLevelLifoSemaphoreBase.*',
      'PortableThreadPool+WorkerThread.WaitForSignal',
      'PortableThreadPool+WorkerThread.WaitOnSemaphore',
    ],
    wait: 'work',
    waitsFor: 'work of the thread pool',
  },
  {
    frames: [
      'WaitHandle.*',
      'Monitor.Wait',
      'Monitor.ObjWait',
      'ManualResetEventSlim.*',
      'SemaphoreSlim.*',
      'Semaphore.*',
      'CountdownEvent.*',
      'Barrier.*',
      'EventWaitHandle.*',
      'LowLevelMonitor.*',
      'Condition.*',
      'WaitSubsystem.*',
      'SpinWait.*',
      'Thread.SpinWait',
      'Thread.SpinWaitInternal',
      'Thread.Join',
      'Thread.Yield',
      'Thread.YieldInternal',
      'Task.Wait',
      'Task.WaitAny',
      'Task.WaitAnyCore',
      'Task.WaitAll',
      'Task.WaitAllCore',
      'Task.InternalWait',
      'Task.InternalWaitCore',
      'Task.SpinThenBlockingWait',
      'Task.GetResultCore',
      'Task.get_Result',
      'TaskAwaiter.*',
      'ValueTaskAwaiter.*',
      'ConfiguredTaskAwaitable+ConfiguredTaskAwaiter.*',
      'AsyncHelpers.RunSync',
      'BlockingCollection.*',
      'AsyncManualResetEvent.*',
      'SynchronizationContext.*',
    ],
    wait: null,
    waitsFor: '',
  },
]

/**
 * What a thread waits for, by the first frame that is not a primitive. `waiting`: counts only below a primitive (a method
 * that now and then waits); otherwise the method itself is the wait (a call to the disk or the network), and may also
 * stand a little above the leaf.
 */
export interface WaitRule {
  readonly id: string
  readonly frames: readonly string[]
  readonly wait: WaitKind
  readonly waitsFor: string
  readonly waiting: boolean
}

/** Of 5.4 and of later versions. */
const OUTGOING = [
  'OutgoingReplicationHandler.*',
  'AbstractOutgoingReplicationHandler.*',
  'DatabaseOutgoingReplicationHandler.*',
  'OutgoingPullReplicationHandlerAsHub.*',
]

export const WAIT_RULES: readonly WaitRule[] = [
  {
    id: 'journal',
    frames: ['JournalWriter.*', 'JournalFile.Write', 'Pal.rvn_write_journal', 'Pal.rvn_open_journal_for_writes'],
    wait: 'disk',
    waitsFor: 'the disk: journal write',
    waiting: false,
  },
  {
    id: 'data-file',
    frames: [
      'WriteAheadJournal+JournalApplicator.ApplyPagesToDataFileFromScratch',
      'AbstractPager.CopyPageImpl',
      'AbstractPager.Sync',
      'RvnMemoryMapPager.*',
      'Simple4KbBatchWrites.*',
      'Posix32BitsMemoryMapPager+Posix32Bit4KbBatchWrites.*',
      'Windows32BitsMemoryMapPager+Windows32Bit4KbBatchWrites.*',
      'Pal.*',
      'Syscall.*',
      'WriteAheadJournal+JournalApplicator+SyncOperation.*',
    ],
    wait: 'disk',
    waitsFor: 'the disk: data file',
    waiting: false,
  },
  {
    id: 'file',
    frames: [
      'RandomAccess.*',
      'FileStream.*',
      'OSFileStreamStrategy.*',
      'BufferedFileStreamStrategy.*',
      'UnixFileStreamStrategy.*',
      'File.*',
      'FileSystem.*',
      'Directory.*',
      'Interop+Sys.Read',
      'Interop+Sys.Write',
      'Interop+Sys.PRead',
      'Interop+Sys.PWrite',
      'Interop+Sys.FSync',
    ],
    wait: 'disk',
    waitsFor: 'the disk: a file',
    waiting: false,
  },
  {
    id: 'sockets',
    frames: ['SocketAsyncEngine.EventLoop', 'SocketAsyncEngine.*'],
    wait: 'work',
    waitsFor: 'something to arrive at any socket',
    waiting: false,
  },
  {
    id: 'network',
    frames: [
      'Socket.*',
      'SocketPal.*',
      'SocketAsyncContext.*',
      'NetworkStream.*',
      'SslStream.*',
      'HttpClient.*',
      'HttpConnection.*',
      'HttpConnectionPool.*',
      'Dns.*',
      'Interop+Sys.Send',
      'Interop+Sys.SendMessage',
      'Interop+Sys.Receive',
      'Interop+Sys.ReceiveMessage',
      'Interop+Sys.Connect',
    ],
    wait: 'network',
    waitsFor: 'the network',
    waiting: false,
  },
  {
    id: 'process',
    frames: ['ProcessWaitState.*', 'Process.WaitForExit', 'Process.WaitForExitCore'],
    wait: 'process',
    waitsFor: 'another program to end',
    waiting: false,
  },
  {
    id: 'collection',
    frames: [
      'GC.*',
      'Thread.PollGC',
      'RuntimeHelpers.AllocateUninitializedClone',
      'NativeMemory.ThrowFailedToAllocate',
    ],
    wait: 'memory',
    waitsFor: 'the garbage collector',
    waiting: false,
  },
  {
    id: 'low-memory',
    frames: ['MemoryUsageGuard.*'],
    wait: 'memory',
    waitsFor: 'memory',
    waiting: true,
  },
  {
    id: 'pool-work',
    frames: [
      'PortableThreadPool+WorkerThread.*',
      'PoolOfThreads+PooledThread.*',
      'TaskExecutor+Runner.Run',
      'PortableThreadPool+WaitThread.WaitThreadStart',
    ],
    wait: 'work',
    waitsFor: 'work of the thread pool',
    waiting: true,
  },
  {
    id: 'index-work',
    frames: ['Index.ExecuteIndexing', 'Index.HandleStoppedBatchesConcurrently'],
    wait: 'work',
    waitsFor: 'new documents to index',
    waiting: true,
  },
  {
    id: 'merger-work',
    frames: [
      'AbstractTransactionOperationsMerger.MergeOperationThreadProc',
      'TransactionOperationsMerger.MergeOperationThreadProc',
    ],
    wait: 'work',
    waitsFor: 'writes to merge',
    waiting: true,
  },
  {
    id: 'merger-disk',
    frames: [
      'AbstractTransactionOperationsMerger.*',
      'TransactionOperationsMerger.*',
      'LowLevelTransaction.EndAsyncCommit',
      'LowLevelTransaction.BeginAsyncCommitAndStartNewTransaction',
    ],
    wait: 'disk',
    waitsFor: 'the commit of the transaction before',
    waiting: true,
  },
  {
    id: 'merged',
    frames: ['MergedTransactionCommand.*', 'BatchHandler.*', 'BulkInsertHandler.*'],
    wait: 'lock',
    waitsFor: 'the transaction merger',
    waiting: true,
  },
  {
    id: 'cluster-transactions',
    frames: ['DocumentDatabase.ExecuteClusterTransaction', 'AbstractClusterTransactionRequestProcessor.*'],
    wait: 'work',
    waitsFor: 'cluster transactions',
    waiting: true,
  },
  {
    id: 'flush-work',
    frames: ['GlobalFlushingBehavior.*'],
    wait: 'work',
    waitsFor: 'storage to flush',
    waiting: true,
  },
  {
    id: 'flush-state',
    frames: [
      'WriteAheadJournal+JournalApplicator.WaitForJournalStateToBeUpdated',
      'WriteAheadJournal+JournalApplicator.ApplyJournalStateAfterFlush',
    ],
    wait: 'lock',
    waitsFor: 'the write transaction, to note what was flushed',
    waiting: true,
  },
  {
    id: 'write-transaction',
    frames: [
      'StorageEnvironment.NewLowLevelTransaction',
      'StorageEnvironment.WriteTransaction',
      'StorageEnvironment.*',
    ],
    wait: 'lock',
    waitsFor: 'the write transaction of the storage',
    waiting: true,
  },
  {
    id: 'prefetch-work',
    frames: ['GlobalPrefetchingBehavior.*'],
    wait: 'work',
    waitsFor: 'pages to read ahead',
    waiting: true,
  },
  {
    id: 'leader',
    frames: ['Leader.Run', 'Follower.*', 'FollowerAmbassador.*', 'Candidate.Run', 'RachisConsensus.*', 'Elector.*'],
    wait: 'work',
    waitsFor: 'news of the cluster',
    waiting: true,
  },
  {
    id: 'cluster-timer',
    frames: ['ClusterObserver.Run', 'ClusterMaintenanceSupervisor+ClusterNode.*', 'ClusterMaintenanceWorker.*'],
    wait: 'timer',
    waitsFor: 'the next look at the nodes',
    waiting: true,
  },
  {
    id: 'server-work',
    frames: [
      'ServerStore.ClusterMaintenanceSetupTask',
      'ServerStore.UpdateTopologyChangeNotification',
      'ServerStore.*',
      'LoggingSource.*',
    ],
    wait: 'work',
    waitsFor: 'something to do',
    waiting: true,
  },
  {
    id: 'timers',
    frames: [
      'TimerQueue.TimerThread',
      'Heartbeat.TimerLoop',
      'MetricsScheduler.SchedulerTicking',
      'PortableThreadPool+GateThread.GateThreadStart',
      'CpuUtilizationReader.*',
    ],
    wait: 'timer',
    waitsFor: 'the next tick',
    waiting: true,
  },
  {
    id: 'memory-watch',
    frames: ['LowMemoryNotification.*'],
    wait: 'timer',
    waitsFor: 'the next look at memory',
    waiting: true,
  },
  {
    id: 'main',
    frames: ['Program.RunAsNonInteractive', 'Program.RunInteractive', 'Program.Main'],
    wait: 'work',
    waitsFor: 'the server to stop',
    waiting: true,
  },
  {
    id: 'replication-work',
    frames: [...OUTGOING, 'ReplicationLoader.*'],
    wait: 'work',
    waitsFor: 'changes to replicate',
    waiting: true,
  },
  {
    id: 'replication-in',
    frames: ['IncomingReplicationHandler.*', 'AbstractIncomingReplicationHandler.*', 'TcpConnectionOptions.*'],
    wait: 'network',
    waitsFor: 'the other node',
    waiting: true,
  },
  {
    id: 'etl-work',
    frames: ['EtlProcess.*', 'QueueSinkProcess.*'],
    wait: 'work',
    waitsFor: 'changes to hand on',
    waiting: true,
  },
  {
    id: 'subscription-work',
    frames: ['SubscriptionConnection.*', 'SubscriptionConnectionBase.*'],
    wait: 'work',
    waitsFor: 'changes for its client',
    waiting: true,
  },
  { id: 'backup-work', frames: ['PeriodicBackupRunner.*'], wait: 'timer', waitsFor: 'the next backup', waiting: true },
]

/** What a stack does, by the innermost frame that a rule knows. */
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
