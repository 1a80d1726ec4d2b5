import type { GovernorEnv, TimerId } from '../env.ts'

/** Time without data, ms, that means two missing heartbeats, which come every 3.5 to 5 s. */
export const STILL_MS = 10_000
/** A timer later than this shows that this page itself was suspended. */
const LATE_MS = 1500

/** Time in which the server sent nothing over an open connection, wall clock, ms. */
export interface Still {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Distinguishes an unresponsive server (process stopped, long garbage collection, suspended machine, blocked network)
 * from one without data to send, which still sends heartbeats. The page counts as a witness only while its own timers
 * are on time.
 */
export class StillWatch {
  readonly #env: GovernorEnv
  #receivedMs: number | null = null
  /** Start of a long silence during which this page was awake; null: none. */
  #sinceMs: number | null = null
  #timer: TimerId | null = null

  constructor(env: GovernorEnv) {
    this.#env = env
  }

  /** Records that something arrived or was answered. Returns the silence that this ends; null: there was none. */
  receive(atMs: number): Still | null {
    const fromMs = this.#sinceMs
    this.#sinceMs = null
    this.#receivedMs = atMs
    if (this.#timer === null) this.#arm(STILL_MS)
    return fromMs === null ? null : { fromMs, toMs: atMs }
  }

  /** The connection ended. An unresponsive time continues until the server answers again; no new one begins. */
  pause(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
    this.#receivedMs = null
  }

  /** Resets the state: no listener is left. */
  reset(): void {
    this.pause()
    this.#sinceMs = null
  }

  /** Uses a single timer that is checked when it fires, instead of one for each frame. */
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
