import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan } from '../../../base/ticks.ts'
import type { SnapshotId, JobKey, NodeId } from './ids.ts'
import type { Job, StackLine, WaitKind } from './jobs.ts'
import type { TextMatch } from './search.ts'

/** I/O rates of a thread over the last second. Only 7.1 reports them. */
export interface ThreadIo {
  readonly readBytesPerSecond: number
  readonly writeBytesPerSecond: number
}

export interface ThreadRow {
  /** OS thread id. */
  readonly id: number
  readonly managedId: number | null
  /** Trimmed name; 'Unknown' if the server reports that; empty if no list has it. */
  readonly name: string
  readonly job: Job
  /** Source of the row: the newest live list, the snapshot, or both. */
  readonly seen: 'live' | 'snapshot' | 'both'
  /**
   * Percent of **all** cores, 0–100: one busy thread on 2 cores is 50. From the live list if it is there, else from the
   * snapshot. NaN: not known.
   */
  readonly cpuPercent: number
  /** CPU used since the shown snapshot, ms; NaN: not known. */
  readonly cpuSinceSnapshotMs: number
  /** CPU used since the thread started, ms: total, user mode, kernel. NaN: not reported. */
  readonly totalCpuMs: number
  readonly userCpuMs: number
  readonly kernelCpuMs: number
  readonly allocatedBytes: Bytes | null
  readonly io: ThreadIo | null
  /** .NET state: `Running`, `Wait`, …; null: not reported. */
  readonly state: string | null
  readonly priority: string | null
  /** .NET wait reason; null also for the server's `Unknown`. */
  readonly waitReason: string | null
  /** Time since the thread started; NaN: not reported. */
  readonly ageTicks: TickSpan
  /** Stack of the thread; null: not in the snapshot. */
  readonly stack: {
    /** Node in the unfolded top-down view. */
    readonly node: NodeId
    readonly depth: number
  } | null
  readonly line: StackLine | null
}

export type ThreadSort =
  | 'cpu'
  | 'cpuSince'
  | 'totalCpu'
  | 'userCpu'
  | 'kernelCpu'
  | 'name'
  | 'job'
  | 'id'
  | 'state'
  | 'priority'
  | 'age'
  | 'allocated'
  | 'read'
  | 'write'
  | 'wait'
  | 'depth'

export interface ThreadsParams {
  /** Snapshot whose stacks are joined; null: only the live list. */
  readonly snapshot: SnapshotId | null
  /** Whether the newest live list is joined. */
  readonly live: boolean
  readonly jobs: readonly JobKey[] | null
  readonly waits: readonly WaitKind[] | null
  /** Ids of the threads to list; null: all. Used for the row of a selected thread, whatever the filters. */
  readonly threadIds: readonly number[] | null
  /** Matches name, id, job, and the full text of every frame. */
  readonly match: TextMatch
  readonly sort: ThreadSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface ThreadsResponse {
  /** Number of threads before and after filtering. */
  readonly total: number
  readonly matched: number
  /** Why the expression is invalid; null: it is valid. An invalid one does not filter. */
  readonly matchError: string | null
  readonly rows: readonly ThreadRow[]
}
