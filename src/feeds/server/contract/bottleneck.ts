import type { TimeRange } from '../../../base/ticks.ts'

/**
 * Resource that limits the server. `client`: the server waits for input. `none`: measured, and nothing is at its limit.
 */
export type BottleneckLabel = 'throttled' | 'memory' | 'disk' | 'cpu' | 'merger' | 'client' | 'none' | 'unknown'

/** Interval with one label. Sentences are facts with their units, ready to be shown as text. */
export interface Bottleneck extends TimeRange {
  readonly label: BottleneckLabel
  /** Name of the limit, for example `Disk`. */
  readonly title: string
  /** Facts that show the limit; if the label is `unknown`, the figures that were not measured. */
  readonly evidence: readonly string[]
  /** Other limits that were reached in a part of this interval. */
  readonly competing: readonly string[]
  /** Figures that were measured and are not at their limit. */
  readonly others: readonly string[]
}

export interface BottlenecksParams extends TimeRange {
  /** Maximum number of labels, 1–1000. A longer range is judged in longer steps. */
  readonly most: number
}

export interface BottlenecksResponse {
  /** Ascending; nothing before the first measured figure. */
  readonly intervals: readonly Bottleneck[]
  /** Rules of the judgement, in order of precedence. */
  readonly rules: readonly { readonly title: string; readonly reason: string }[]
}
