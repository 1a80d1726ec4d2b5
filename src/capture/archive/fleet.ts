import { type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { Recording } from './recordings.ts'

/** Sums over a range of what was recorded of a server. */
export interface FleetServer {
  readonly node: string
  readonly url: string
  readonly events: number
  readonly writes: number
  /** Journal writes of `SLOW_MS` or more. */
  readonly slow: number
  readonly slowTicks: number
  /** The longest journal write. */
  readonly slowestTicks: number
  /** Findings by level. */
  readonly critical: number
  readonly warning: number
  /** Time of which a source is not known; hours count singly. */
  readonly gapTicks: number
  /** Until when anything was recorded, in the range or before; null: no row is kept. */
  readonly lastTicks: Ticks | null
  /** Start of the longest journal write; null: there was none. */
  readonly slowestAt: Ticks | null
  /** Begin of the hour with the most findings, critical ones first; null: there were none. */
  readonly findingsAt: Ticks | null
  /** Begin of the hour with the longest gap; null: there was none. */
  readonly gapAt: Ticks | null
}

/** Recordings of many servers, of which one is opened at a time. */
export interface Fleet {
  readonly name: string
  /** Errors: `Error`. */
  readonly servers: (range: TimeRange) => Promise<readonly FleetServer[]>
  /** Errors: `Error`. */
  readonly recording: (node: string) => Promise<Recording>
}

let known: Fleet | null = null
const listeners = new Set<() => void>()

/** Servers whose recordings the page can open, for `useSyncExternalStore`; null: the page has no such list. */
export const fleet = {
  get: (): Fleet | null => known,
  set: (next: Fleet | null): void => {
    known = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
