import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'

export interface ClockJump {
  readonly atTicks: Ticks
  /** Change of the clock; positive: it was set ahead. */
  readonly byMs: number
}

interface TimeEvents {
  /** Called when the clock was set. */
  readonly jumped: (isBack: boolean) => void
  /** Drops data with this time or a later one, which is wrong because the clock was far ahead. */
  readonly dropFrom: (atTicks: Ticks) => void
}

/**
 * The clock was set back if a timestamp is this much earlier than a previous one, and set ahead if it gained
 * `AHEAD_TICKS` on this computer's clock.
 */
const BACK_TICKS = 5 * TICKS_PER_SECOND
const AHEAD_TICKS = 30 * TICKS_PER_SECOND
/**
 * Difference above which the data of a clock that was ahead is dropped: otherwise a ring would mistake the present for
 * the past.
 */
const TOO_FAR_TICKS = 1800 * TICKS_PER_SECOND
const MOST_JUMPS = 20

/** The server's clock, estimated from its own timestamps. */
export class ServerTime {
  readonly clock = new ServerClock()
  readonly jumps: ClockJump[] = []
  readonly #events: TimeEvents
  #last: { readonly ticks: number; readonly ms: number } | null = null

  constructor(events: TimeEvents) {
    this.#events = events
  }

  /** Time of the newest frame that reported the time, by the server's clock; 0: none. */
  get lastTicks(): number {
    return this.#last?.ticks ?? 0
  }

  /** Time at which that frame arrived, by this computer's clock; null: none. */
  get receivedMs(): number | null {
    return this.#last?.ms ?? null
  }

  /** Time of the server's clock at a time of this computer's clock; null: the server has not reported its time yet. */
  at(nowMs: number): Ticks | null {
    return this.#last === null ? null : this.clock.at(nowMs)
  }

  /** Takes a timestamp: updates the estimate of the server's clock, and detects when the clock was set. */
  stamp(atTicks: Ticks, atMs: number): void {
    const last = this.#last
    if (last !== null) {
      const gained = atTicks - last.ticks - (atMs - last.ms) * TICKS_PER_MS
      const isBack = atTicks < last.ticks - BACK_TICKS
      // If the server's timestamps continued normally, this computer's clock was set back instead.
      const isAhead = gained > AHEAD_TICKS && atTicks - last.ticks > AHEAD_TICKS
      if (isBack || isAhead) {
        this.clock.reset()
        this.jumps.unshift({ atTicks, byMs: gained / TICKS_PER_MS })
        this.jumps.length = Math.min(this.jumps.length, MOST_JUMPS)
        this.#events.jumped(isBack)
      }
      if (last.ticks - atTicks > TOO_FAR_TICKS) this.#events.dropFrom(atTicks)
      if (!isBack && atTicks < last.ticks) {
        this.clock.observe(atTicks, atMs)
        return
      }
    }
    this.clock.observe(atTicks, atMs)
    this.#last = { ticks: atTicks, ms: atMs }
  }
}
