import type { TimeRange } from '../../base/ticks.ts'
import type { IoEventRow, IoFilter, IoRows } from './contract.ts'

/** Cells of a chart of size against duration, for each factor of ten of the duration and of two of the size. */
export const CELLS_PER_DECADE = 8
export const CELLS_PER_DOUBLING = 2

export interface IoSizesParams extends TimeRange {
  readonly rows: IoRows
  readonly filter: IoFilter
  /** Of each kind. */
  readonly slowestLimit: number
}

/**
 * Events of one kind that start in the range, by size and duration; columns, cells without an event are left out. Cell `i`
 * begins at 10^(i / `CELLS_PER_DECADE`) ticks, and at 2^(i / `CELLS_PER_DOUBLING`) bytes; 0 holds what is smaller, too.
 */
export interface IoKindSizes {
  readonly kind: string
  readonly size: Uint16Array
  readonly duration: Uint16Array
  readonly count: Uint32Array
  /** Single events, slowest first. */
  readonly slowest: readonly IoEventRow[]
}

export interface IoSizesResponse {
  readonly version: number
  /** Those that have events in the range. */
  readonly kinds: readonly IoKindSizes[]
}

/** What details of the I/O panel request. */
export interface IoDetailRequests {
  'io.sizes': { params: IoSizesParams; response: IoSizesResponse }
}
