import { type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { ArchiveHour } from './manifest.ts'
import type { Recording } from './recordings.ts'

/** Sums over the hours of a range of what was recorded of a server, of gaps as well; its longest write is that of all hours. */
export interface FleetServer extends Omit<ArchiveHour, 'startTicks'> {
  readonly url: string
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
