import type { TimeRange } from '../../../base/ticks.ts'

/** Limit of the server: `client`: it waits for input. `none`: measured, and nothing is at its limit. */
export type BottleneckLabel = 'throttled' | 'memory' | 'disk' | 'cpu' | 'merger' | 'client' | 'none' | 'unknown'

/** A stretch of time with one label. Sentences are facts with their units, ready to be shown as text. */
export interface Bottleneck extends TimeRange {
  readonly label: BottleneckLabel
  /** `Disk`. */
  readonly title: string
  /** Facts that show the limit; of `unknown`: what was not measured. */
  readonly evidence: readonly string[]
  /** Other limits that were reached in a part of this time. */
  readonly competing: readonly string[]
  /** Figures that were measured and not at their limit. */
  readonly others: readonly string[]
}

export interface BottlenecksParams extends TimeRange {
  /** Labels at most, 1–1000: longer ranges are judged in longer steps. */
  readonly most: number
}

export interface BottlenecksResponse {
  /** Ascending; nothing before the first figure. */
  readonly intervals: readonly Bottleneck[]
  /** Rules of the judgement, in the order in which they win. */
  readonly rules: readonly { readonly title: string; readonly reason: string }[]
}
