import type { WaitKind } from '../../contract/jobs.ts'

/**
 * Methods that only wait, by `Type.Method` or `Type.*`. Their caller shows the reason; `wait` is used if no rule knows
 * the caller (null: it could be anything).
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
