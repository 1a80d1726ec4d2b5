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
  /** Name, trimmed; 'Unknown' where the server reports that; '' where no list reported it. */
  readonly name: string
  readonly job: Job
  /** Origin of the row: the newest live list, the snapshot, or both. */
  readonly seen: 'live' | 'snapshot' | 'both'
  /** Share of **all** cores, percent 0–100: one busy thread on 2 cores is 50. Live where it is, else of the snapshot. NaN: not known. */
  readonly cpuPercent: number
  /** CPU used since the snapshot that is shown, ms; NaN: not known. */
  readonly cpuSinceSnapshotMs: number
  /** CPU used since the thread began, ms: in all, in user mode, in the kernel. NaN: not reported. */
  readonly totalCpuMs: number
  readonly userCpuMs: number
  readonly kernelCpuMs: number
  readonly allocatedBytes: Bytes | null
  readonly io: ThreadIo | null
  /** Words of .NET: `Running`, `Wait`, …; null: not reported. */
  readonly state: string | null
  readonly priority: string | null
  /** Reason of the wait by .NET; null also for the server's `Unknown`. */
  readonly waitReason: string | null
  /** Time since the thread began; NaN where it is not reported. */
  readonly ageTicks: TickSpan
  /** Stack of the thread; null where the snapshot has none. */
  readonly stack: {
    /** Node of the unfolded top-down view. */
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
  /** Snapshot whose stacks are joined; null for the live list alone. */
  readonly snapshot: SnapshotId | null
  /** Whether the newest live list is joined. */
  readonly live: boolean
  readonly jobs: readonly JobKey[] | null
  readonly waits: readonly WaitKind[] | null
  /** Ids of the only threads to list; null for all. The panel reads the row of a selected thread so, whatever the filters. */
  readonly threadIds: readonly number[] | null
  /** Matched with name, id, job, and every frame's full text. */
  readonly match: TextMatch
  readonly sort: ThreadSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface ThreadsResponse {
  /** Number of threads before and after the filter. */
  readonly total: number
  readonly matched: number
  /** Reason why the expression is refused; null where it is accepted. All rows pass then. */
  readonly matchError: string | null
  readonly rows: readonly ThreadRow[]
}
