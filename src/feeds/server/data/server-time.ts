import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'

export interface ClockJump {
  readonly atTicks: Ticks
  /** Ahead is positive. */
  readonly byMs: number
}

interface TimeEvents {
  /** The clock was set. */
  readonly jumped: (isBack: boolean) => void
  /** Drops what was stamped at this moment and later, which is not true: the clock was far ahead. */
  readonly dropFrom: (atTicks: Ticks) => void
}

/** The clock was set back when a stamp is this much before an earlier one, ahead when it gained this much on ours. */
const BACK_TICKS = 5 * TICKS_PER_SECOND
const AHEAD_TICKS = 30 * TICKS_PER_SECOND
/** A ring would take the present for the past when the clock was further ahead: then what it stamped is dropped. */
const TOO_FAR_TICKS = 1800 * TICKS_PER_SECOND
const MOST_JUMPS = 20

/** The server's clock, as its own stamps show it. */
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

  /** The same by our clock; null: none. */
  get receivedMs(): number | null {
    return this.#last?.ms ?? null
  }

  /** The server's clock at a moment of ours; null while it never reported the time. */
  at(nowMs: number): Ticks | null {
    return this.#last === null ? null : this.clock.at(nowMs)
  }

  /** Learns the server's clock, and notices when it was set. */
  stamp(atTicks: Ticks, atMs: number): void {
    const last = this.#last
    if (last !== null) {
      const gained = atTicks - last.ticks - (atMs - last.ms) * TICKS_PER_MS
      const isBack = atTicks < last.ticks - BACK_TICKS
      // Where its own stamps went on as ever, it is this computer's clock that was set back.
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
