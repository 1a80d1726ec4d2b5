import type { WaitKind } from '../../contract/jobs.ts'

/**
 * Rule for the wait of a thread, by the first frame that is not a primitive. `waiting`: counts only below a primitive (a
 * method that now and then waits); otherwise the method itself is the wait (a call to the disk or the network), and may
 * also stand a little above the leaf.
 */
export interface WaitRule {
  readonly id: string
  readonly frames: readonly string[]
  readonly wait: WaitKind
  readonly waitsFor: string
  readonly waiting: boolean
}

/** Frames of outgoing replication in 5.4 and in later versions. */
export const OUTGOING = [
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
