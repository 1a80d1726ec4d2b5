import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, ticksFromMs } from '../../base/ticks.ts'

/** Tolerance, ticks: a response's date has whole seconds, and a proxy may set it by another clock. */
const SLACK_TICKS = 2 * TICKS_PER_SECOND

/** Delay, ticks, above the shortest one from which on a stamp is late. */
const LATE_TICKS = 30 * TICKS_PER_SECOND
/** Time, by the server's clock, after which all stamps count as late. */
const ALL_LATE_TICKS = 10 * TICKS_PER_SECOND

/**
 * The server's clock as far as it can be known. A stamp arrives at most a few seconds later, so the smallest delay
 * between a stamp and its arrival is the difference of the clocks plus the shortest way. An idle source stamps nothing
 * new: only old rows arrive from it, whose age would be mistaken for that difference. So a clock that learns from rows
 * also uses the clock from all responses of the server as a lower bound.
 */
export class ServerClock {
  readonly #responses: ServerClock | null
  #behindTicks: number | null = null
  /** First stamp of the current late ones, and their smallest delay. */
  #late: { readonly sinceTicks: number; readonly leastTicks: number } | null = null

  /** @param responses the clock of the same server by the dates of its responses; null: there is none */
  constructor(responses: ServerClock | null = null) {
    this.#responses = responses
  }

  /** Records that a row which ended at `stampTicks` (server) arrived at `atMs` (here). */
  observe(stampTicks: number, atMs: number): void {
    const behind = ticksFromMs(atMs) - stampTicks
    if (!Number.isFinite(behind)) return
    if (this.#behindTicks === null || behind < this.#behindTicks) this.#behindTicks = behind
    this.#behindTicks = this.#afterLate(stampTicks, behind, this.#behindTicks)
  }

  /**
   * Corrects the delay: rows that are held up are late for a moment; if all are late from now on, this computer's clock
   * was set ahead.
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

  /** Server time at a moment of this browser's clock; this browser's own time without observations. */
  at(atMs: number): Ticks {
    return (ticksFromMs(atMs) - (this.#behind ?? 0)) as Ticks
  }

  /** Time by which this computer's clock is ahead of the server's, ms; 0 without observations. */
  get aheadMs(): number {
    return (this.#behind ?? 0) / TICKS_PER_MS
  }

  /** The clock was set: drops earlier observations. */
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
