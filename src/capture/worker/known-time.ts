import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../client/state.ts'
import type { ServerClock } from './server-clock.ts'

/**
 * A live feed of the server collects every 2.6 to 3.4 s, and sends a heartbeat after 3.5 to 4.5 s without a frame. So a
 * heartbeat covers everything up to this time before it, ms, with a margin for a server that is short of CPU.
 */
const HEARTBEAT_AFTER_MS = 5000
/** A heartbeat less than this time, ms, after the message before it was delayed: when it was sent is not known. */
const HELD_UP_MS = 3000

/**
 * A frame is collected one environment after the other, and without enough CPU events are reported some time after
 * their end. What ended this time, ticks, before its newest row is in it.
 */
const SKEW_TICKS = TICKS_PER_SECOND

/**
 * Time up to which everything that happened at a source was received. A live feed sends what it has collected every 3
 * s, so the time between its last frame and the end of its connection is unknown, even though the connection was open.
 * The known time ends a second before the newest row, since others of that second may be missing.
 */
export class KnownTime {
  readonly #clock: ServerClock
  #untilTicks = Number.NEGATIVE_INFINITY
  /** Wall clock of the request for the whole document with which a connection begins, ms; null: it has arrived. */
  #requestedMs: number | null = null
  #arrivedMs = Number.NEGATIVE_INFINITY
  /** Arrival of a message that is a heartbeat unless a frame follows. */
  #heartbeatMs: number | null = null

  constructor(clock: ServerClock) {
    this.#clock = clock
  }

  /** A connection begins, whose first frame is a whole document. Nothing else extends the known time before that. */
  connecting(atMs: number): void {
    this.#countHeartbeat()
    this.#requestedMs = atMs
  }

  /** Anything arrived, a heartbeat or a frame; called before {@link took} for a frame. */
  arrived(atMs: number): void {
    this.#countHeartbeat()
    this.#heartbeatMs = this.#requestedMs === null && atMs - this.#arrivedMs >= HELD_UP_MS ? atMs : null
    this.#arrivedMs = atMs
  }

  /** The rows of a frame are in the tables. `newestTicks`: end of its newest row; NaN: it has none. */
  took(newestTicks: number): void {
    this.#heartbeatMs = null
    this.#extend(newestTicks - SKEW_TICKS)
    if (this.#requestedMs !== null) this.#extend(this.#clock.at(this.#requestedMs))
    this.#requestedMs = null
  }

  /** The message was a frame and not a heartbeat: it counts only once it is in the tables. */
  framed(): void {
    this.#heartbeatMs = null
  }

  /** The server's clock was set back. */
  reset(newestTicks: number): void {
    this.#untilTicks = newestTicks
  }

  /** Server time; null: nothing was received yet. */
  get untilTicks(): Ticks | null {
    this.#countHeartbeat()
    return Number.isFinite(this.#untilTicks) ? (this.#untilTicks as Ticks) : null
  }

  #countHeartbeat(): void {
    if (this.#heartbeatMs !== null) this.#extend(this.#clock.at(this.#heartbeatMs - HEARTBEAT_AFTER_MS))
    this.#heartbeatMs = null
  }

  #extend(ticks: number): void {
    if (ticks > this.#untilTicks) this.#untilTicks = ticks
  }
}

/** Server time up to which everything that happened at a source was received; null: not known, as for a file. */
export type KnownUntil = (source: SourceId) => Ticks | null

/** Ranges of sources from their first event to the known time, which may be after their last event. */
export function knownSpans(spans: ReadonlyMap<SourceId, TimeRange>, knownUntil: KnownUntil): Map<SourceId, TimeRange> {
  return new Map(
    Array.from(spans, ([source, span]) => {
      const untilTicks = knownUntil(source) ?? span.endTicks
      return [source, untilTicks > span.endTicks ? { ...span, endTicks: untilTicks } : span]
    }),
  )
}
