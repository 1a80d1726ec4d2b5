import type { CssPx } from '../../../base/brand.ts'
import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import type { Job } from './jobs.ts'

export interface LiveState {
  /**
   * Phase of the socket. `off`: not needed. `first`: open, but the first frame (which is ignored) is pending or was
   * dropped.
   */
  readonly phase: 'off' | 'connecting' | 'first' | 'live' | 'waiting' | 'refused' | 'paused' | 'paused-by-rookery'
  readonly message: string
  readonly retryAtMs: number | null
  readonly error: ErrorInfo | null
  /** Server time of the newest list; NaN: none. */
  readonly atTicks: Ticks
  /** CPU of the machine and of the process, percent of all cores, 0–100; NaN: not reported. */
  readonly machinePercent: number
  readonly processPercent: number
}

/**
 * CPU over time, a column for each bucket. All are percent of all cores and add up to 100: jobs, `others`,
 * `restOfProcess`, `restOfMachine`, `idle`. NaN: no data in that bucket; for the last two also: the machine was not
 * reported.
 */
export interface HistoryResponse {
  readonly bucketTicks: TickSpan
  /** Start of each bucket. */
  readonly startTicks: Float64Array
  /** Jobs, highest CPU first, at most `limit`; `others` is the sum of the rest. */
  readonly jobs: readonly { readonly job: Job; readonly percent: Float32Array }[]
  readonly others: Float32Array
  readonly restOfProcess: Float32Array
  readonly restOfMachine: Float32Array
  readonly idle: Float32Array
}

export interface HistoryParams extends TimeRange {
  /** Width of the chart: about one bucket for each pixel. */
  readonly widthPx: CssPx
  /** Number of jobs with a band of their own. */
  readonly limit: number
}
