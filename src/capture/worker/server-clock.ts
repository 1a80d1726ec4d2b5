import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, ticksFromMs } from '../../base/ticks.ts'

/** A response's header has whole seconds, and a proxy in front may give a clock of its own: rows are believed within this. */
const SLACK_TICKS = 2 * TICKS_PER_SECOND

/** A stamp is late from here on, against the shortest way. */
const LATE_TICKS = 30 * TICKS_PER_SECOND
/** All are, when they have been for so long by the server's clock. */
const ALL_LATE_TICKS = 10 * TICKS_PER_SECOND

/**
 * The server's clock, as far as it can be known: what it stamps arrives at most a few seconds later, so the smallest
 * delay seen between a stamp and its arrival is the difference of the clocks and the shortest way.
 *
 * What is idle stamps nothing new: of it only old rows arrive, and their age would be taken for that difference. So a
 * clock that is learnt from rows knows another one, of all responses of the server, which it does not fall behind.
 */
export class ServerClock {
  readonly #responses: ServerClock | null
  #behindTicks: number | null = null
  /** Stamp of the first of those that came so late since, and the least delay of them. */
  #late: { readonly sinceTicks: number; readonly leastTicks: number } | null = null

  /** @param responses the clock of the same server by the dates of its responses; null: there is none */
  constructor(responses: ServerClock | null = null) {
    this.#responses = responses
  }

  /** A row that ended at `stampTicks` (server) arrived at `atMs` (here). */
  observe(stampTicks: number, atMs: number): void {
    const behind = ticksFromMs(atMs) - stampTicks
    if (!Number.isFinite(behind)) return
    if (this.#behindTicks === null || behind < this.#behindTicks) this.#behindTicks = behind
    this.#behindTicks = this.#afterLate(stampTicks, behind, this.#behindTicks)
  }

  /**
   * Corrects the delay: rows that are held back on their way come late for a moment; if all come late from now on, this
   * computer's clock was set ahead.
   */
  #afterLate(stampTicks: number, behind: number, leastTicks: number): number {
    if (behind - leastTicks <= LATE_TICKS) {
      this.#late = null
      return leastTicks
    }
    const { sinceTicks, leastTicks: leastLate } = this.#late ?? { sinceTicks: stampTicks, leastTicks: behind }
    this.#late = { sinceTicks, leastTicks: Math.min(leastLate, behind) }
    if (stampTicks - sinceTicks < ALL_LATE_TICKS) return leastTicks
    const { leastTicks: now } = this.#late
    this.#late = null
    return now
  }

  /** Server time at a moment of this browser's clock; this browser's own time while nothing was observed. */
  at(atMs: number): Ticks {
    return (ticksFromMs(atMs) - (this.#behind ?? 0)) as Ticks
  }

  /** How far this computer's clock is ahead of the server's, ms; 0 while nothing was observed. */
  get aheadMs(): number {
    return (this.#behind ?? 0) / TICKS_PER_MS
  }

  /** The clock was set: what was learnt before does not hold. */
  reset(): void {
    this.#behindTicks = null
    this.#late = null
  }

  get #behind(): number | null {
    const byRows = this.#behindTicks
    const byResponses = this.#responses === null ? null : this.#responses.#behind
    if (byRows === null || byResponses === null) return byRows ?? byResponses
    return byRows > byResponses + SLACK_TICKS ? byResponses : byRows
  }
}
