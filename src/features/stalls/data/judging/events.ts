import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { StallCause } from '../../contract.ts'

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
  readonly compressions: Events
}

/** A write by its lane, and its row in the lane's writes. */
export interface WriteRef {
  readonly lane: number
  readonly row: number
}

/** A journal write that took too long. */
export interface Stall extends WriteRef {
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** When the newest write of the lane before it began that did not stall, ms; -∞: there is none. */
  readonly freeSince: number
}

/** What a stall is put down to. */
export interface Claim {
  readonly cause: StallCause
  readonly confidence: number
  /** Lane that is to blame; null: itself or nothing. */
  readonly blamed: number | null
}

export interface JudgedStall extends Stall, Claim {}

/** A span in which a cause was present. `lane`: whose it is; `bytes`: of the sync or commit. */
export interface Interval {
  readonly start: number
  readonly end: number
  readonly lane: number
  readonly bytes: number
}

export const durationOf = (events: Events, row: number): number => (events.end[row] ?? 0) - (events.start[row] ?? 0)

/** Rows of the events that start in [from, to). */
export function rowsWithin({ start }: Events, from: number, to: number): readonly [first: number, end: number] {
  return [bisectNumbers(start, from), bisectNumbers(start, to)]
}

/** How many events start in [from, to). */
export function countWithin(events: Events, from: number, to: number): number {
  const [first, end] = rowsWithin(events, from, to)
  return end - first
}
