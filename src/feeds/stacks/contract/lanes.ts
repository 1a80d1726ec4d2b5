import type { SnapshotId } from './ids.ts'
import type { Job } from './jobs.ts'

export interface LanesParams {
  readonly snapshots: readonly SnapshotId[]
}

/** Lane of a job with a cell for each snapshot (columns in the order of `snapshots`). */
export interface StackLane {
  readonly job: Job
  /**
   * Most frequent wait of the job's threads (ties: running, then the order of `WAIT_KINDS`); 255: no thread in the
   * snapshot.
   */
  readonly wait: Uint8Array
  readonly threads: Uint16Array
  /** Number of threads with that wait. */
  readonly dominant: Uint16Array
  /** CPU of the job, percent of all cores; NaN: not reported. */
  readonly cpuPercent: Float32Array
}

export interface LanesResponse {
  readonly version: number
  readonly snapshots: readonly SnapshotId[]
  /** Times of the snapshots; NaN: not reported. */
  readonly atTicks: Float64Array
  /** Sorted by CPU, highest first, then by label. */
  readonly lanes: readonly StackLane[]
}
