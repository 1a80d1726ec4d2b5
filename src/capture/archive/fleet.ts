import { type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { ArchiveHour } from './manifest.ts'
import type { Recording } from './recordings.ts'

/** Sums over the hours of a range for one server, gaps included; its longest write is that of all hours. */
export interface FleetServer extends Omit<ArchiveHour, 'startTicks'> {
  readonly url: string
  /** End of the newest recorded row, in the range or before; null: none is kept. */
  readonly lastTicks: Ticks | null
  /** Start of the longest journal write; null: none. */
  readonly slowestAt: Ticks | null
  /** Start of the hour with the most findings, critical ones first; null: none. */
  readonly findingsAt: Ticks | null
  /** Start of the hour with the longest gap; null: none. */
  readonly gapAt: Ticks | null
}

/** Recordings of many servers, opened one at a time. */
export interface Fleet {
  readonly name: string
  /** Errors: `Error`. */
  readonly servers: (range: TimeRange, signal: AbortSignal) => Promise<readonly FleetServer[]>
  /** Errors: `Error`. */
  readonly recording: (node: string) => Promise<Recording>
}

let known: Fleet | null = null
const listeners = new Set<() => void>()

/** Servers whose recordings the page can open, for `useSyncExternalStore`; null: there is no such list. */
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
