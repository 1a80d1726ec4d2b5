import type { GovernorEnv, TimerId } from '../env.ts'

/** Heartbeats come every 3.5 to 5 s: two of them are missing. */
export const STILL_MS = 10_000
/** A timer that is later than this shows that this page itself was paused: asleep or stopped. */
const LATE_MS = 1500

/** A time in which the server sent nothing at all although the connection was open, wall clock, ms. */
export interface Still {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Distinguishes a server that is unresponsive (its process stopped, a long pause of its memory management, a machine that is suspended,
 * a network that holds everything back) from one that has no data to send, which sends heartbeats. This page is
 * a witness only as long as it was awake itself: its timer came in time.
 */
export class StillWatch {
  readonly #env: GovernorEnv
  #receivedMs: number | null = null
  /** Since when nothing has come for long, while this page was awake. */
  #sinceMs: number | null = null
  #timer: TimerId | null = null

  constructor(env: GovernorEnv) {
    this.#env = env
  }

  /** Something arrived, or another request was answered; null: the server had not been unresponsive. */
  receive(atMs: number): Still | null {
    const fromMs = this.#sinceMs
    this.#sinceMs = null
    this.#receivedMs = atMs
    if (this.#timer === null) this.#arm(STILL_MS)
    return fromMs === null ? null : { fromMs, toMs: atMs }
  }

  /** The connection ended: an unresponsive time continues until the server answers again; nothing else begins. */
  pause(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
    this.#receivedMs = null
  }

  /** No one listens any more. */
  reset(): void {
    this.pause()
    this.#sinceMs = null
  }

  /** Arms a single timer that checks when it is due, instead of a timer for each frame. */
  #arm(delayMs: number): void {
    const dueMs = this.#env.now() + delayMs
    this.#timer = this.#env.setTimeout(() => {
      this.#timer = null
      this.#probe(this.#env.now() - dueMs > LATE_MS)
    }, delayMs)
  }

  #probe(wasAsleep: boolean): void {
    if (this.#receivedMs === null || this.#sinceMs !== null) return
    const quietMs = this.#env.now() - this.#receivedMs
    if (quietMs < STILL_MS) this.#arm(STILL_MS - quietMs)
    else if (!wasAsleep) this.#sinceMs = this.#receivedMs
  }
}
