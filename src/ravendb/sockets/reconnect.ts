const FIRST_MS = 500
const MAX_MS = 30_000
/** Minimum pause, ms, if the random number is small. */
const MIN_MS = 100

/** A connection that lived this long, ms, was healthy: the next failure begins with the shortest pause again. */
export const HEALTHY_MS = 10_000

/**
 * Exponential back-off with full jitter: the n-th pause is uniformly random below `min(30 s, 0.5 s · 2ⁿ)`, so that many
 * pages do not reconnect together when their server restarts.
 */
export class Backoff {
  readonly #random: () => number
  #tries = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** The next pause, ms. */
  next(): number {
    const ceilingMs = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(this.#tries, 16))
    this.#tries++
    return Math.max(MIN_MS, Math.round(this.#random() * ceilingMs))
  }

  reset(): void {
    this.#tries = 0
  }
}
