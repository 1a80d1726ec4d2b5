import type { TimeRange } from '../../../base/ticks.ts'

/** A stretch of an operation with one pace. Sentences are facts with their units, ready to be shown as text. */
export interface OperationSpan extends TimeRange {
  /**
   * Activity that took most of the time of a bulk insert; `running`: no single one did, or it is not reported.
   * `unknown`: not reported since.
   */
  readonly label: 'client' | 'merger' | 'disk' | 'running' | 'unknown'
  /** `Bulk insert 1,200 /s`. */
  readonly title: string
  readonly evidence: readonly string[]
}

export interface OperationsOverTime {
  /** No two spans of a row overlap; ascending. */
  readonly rows: readonly (readonly OperationSpan[])[]
  /** Operations of this time that have no row. */
  readonly left: number
}
