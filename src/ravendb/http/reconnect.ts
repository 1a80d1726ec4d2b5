const FIRST_MS = 500
const MAX_MS = 30_000
/** A ceiling of half a second times a small random number must still be a pause. */
const MIN_MS = 100

/** A connection that lived this long was a good one: the next failure begins at the first ceiling again. */
export const HEALTHY_MS = 10_000

/**
 * Exponential backoff with full jitter: the n-th pause is evenly random below `min(30 s, 0.5 s · 2ⁿ)`, so that many
 * pages whose server restarts do not come back together.
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
