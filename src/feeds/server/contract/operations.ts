import type { TimeRange } from '../../../base/ticks.ts'

/** Part of an operation with a constant pace. Sentences are facts with their units, ready to be shown as text. */
export interface OperationSpan extends TimeRange {
  /**
   * Activity that took most of the time of a bulk insert. `running`: no single activity did, or it is not reported.
   * `unknown`: no report since.
   */
  readonly label: 'client' | 'merger' | 'disk' | 'running' | 'unknown'
  /** Text for the span, for example `Bulk insert 1,200 /s`. */
  readonly title: string
  readonly evidence: readonly string[]
}

export interface OperationsOverTime {
  /** Rows of spans: ascending, without overlap within a row. */
  readonly rows: readonly (readonly OperationSpan[])[]
  /** Number of operations in this time range that did not fit into a row. */
  readonly left: number
}
