/** Events of one kind in one environment, sorted by start. Times in ms from a common origin. */
export interface Events {
  readonly start: Float64Array
  readonly end: Float64Array
  readonly bytes: Float64Array
}

/** One storage environment, as far as stalls are concerned. */
export interface Lane {
  readonly environment: string
  /** Environments with the same text share a device; a text of its own where nothing is known. */
  readonly volume: string
  readonly isVolumeKnown: boolean
  readonly writes: Events
  readonly syncs: Events
}

/** A journal write that took too long. */
export interface Stall {
  /** Index of its lane, and row of its writes. */
  readonly lane: number
  readonly row: number
  readonly start: number
  readonly end: number
  readonly bytes: number
}

/** Spans in which a cause was present, sorted by start. `lane`: whose they are. */
export interface Interval {
  readonly start: number
  readonly end: number
  readonly lane: number
}

export const durationOf = (events: Events, row: number): number => (events.end[row] ?? 0) - (events.start[row] ?? 0)

/** First row that starts at or after `at`. */
export function firstAt(starts: Float64Array, at: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return low
}
