import type { SnapshotId } from './ids.ts'
import type { Job } from './jobs.ts'

export interface LanesParams {
  readonly snapshots: readonly SnapshotId[]
}

/** Lane of a job with a cell for each snapshot (columns in the order of `snapshots`). */
export interface StackLane {
  readonly job: Job
  /** Wait of most threads of the job (running wins a tie, then the order of `WAIT_KINDS`); 255 without a thread of it there. */
  readonly wait: Uint8Array
  readonly threads: Uint16Array
  /** Threads with that wait. */
  readonly dominant: Uint16Array
  /** CPU of the job, percent of all cores; NaN where it is not reported. */
  readonly cpuPercent: Float32Array
}

export interface LanesResponse {
  readonly version: number
  readonly snapshots: readonly SnapshotId[]
  /** Times of the snapshots; NaN where they are not reported. */
  readonly atTicks: Float64Array
  /** Lanes with most CPU first, then by label. */
  readonly lanes: readonly StackLane[]
}
