import type { Ticks } from '../base/brand.ts'
import { ticksFromMs } from '../base/ticks.ts'

/**
 * The server's clock, as far as it can be known: what it stamps arrives at most a few seconds later, so the smallest
 * delay seen between a stamp and its arrival is the difference of the clocks and the shortest way.
 */
export class ServerClock {
  #behindTicks: number | null = null

  /** A row that ended at `stampTicks` (server) arrived at `atMs` (here). */
  observe(stampTicks: number, atMs: number): void {
    const behind = ticksFromMs(atMs) - stampTicks
    if (Number.isFinite(behind) && (this.#behindTicks === null || behind < this.#behindTicks))
      this.#behindTicks = behind
  }

  /** Server time at a moment of this browser's clock; this browser's own time while nothing was observed. */
  at(atMs: number): Ticks {
    return (ticksFromMs(atMs) - (this.#behindTicks ?? 0)) as Ticks
  }

  /** The clock was set: what was learnt before does not hold. */
  reset(): void {
    this.#behindTicks = null
  }
}
