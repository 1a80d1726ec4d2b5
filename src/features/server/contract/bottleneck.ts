import type { TimeRange } from '../../../base/ticks.ts'

/** What limits the server: `client`: it waits for input. `none`: measured, and nothing is at its limit. */
export type BottleneckLabel = 'throttled' | 'memory' | 'disk' | 'cpu' | 'merger' | 'client' | 'none' | 'unknown'

/** A stretch of time with one label. Sentences are facts with their units, ready to be shown as text. */
export interface Bottleneck extends TimeRange {
  readonly label: BottleneckLabel
  /** `Disk`. */
  readonly title: string
  /** What shows it; of `unknown`: what was not measured. */
  readonly evidence: readonly string[]
  /** What else was at its limit in a part of this time. */
  readonly competing: readonly string[]
  /** What was measured and not at its limit. */
  readonly others: readonly string[]
}

export interface BottlenecksParams extends TimeRange {
  /** Labels at most, 1–1000: longer ranges are judged in longer steps. */
  readonly most: number
}

export interface BottlenecksResponse {
  /** Ascending; nothing before the first figure. */
  readonly intervals: readonly Bottleneck[]
  /** By which it is judged, in the order in which they win. */
  readonly rules: readonly { readonly title: string; readonly reason: string }[]
}
