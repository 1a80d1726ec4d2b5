import type { RavenError } from '../errors/errors.ts'

const MAX_FACTOR = 16
/** Duration, ms, above which a call that costs the server 0.1 ms shows that server or connection are in trouble. */
const SLOW_MS = 1000
/** Factor by which polls slow down while the server reports a shortage. */
const STRESSED = 4
/** Maximum slowdown of a vital poll; the maximum wait for a Retry-After follows, ms. */
const VITAL_FACTOR = 2
const VITAL_WAIT_MS = 15_000
/** Refusals within this time, ms, count once, since their calls were pending together. */
const DOUBLE_AT_MOST_EVERY_MS = 1000
/** Good responses in a row, and time since the last step, before the pace is doubled again. */
const GOOD_RESPONSES = 3
const RECOVER_AT_MOST_EVERY_MS = 2000

/**
 * Factor by which polls are slowed down: 1 normally; doubled (up to 16) when the server says that it is busy, does not
 * answer in time, or answers a cheap request slowly; halved after good responses. A server that was away and came back
 * is not busy: its first response, or the first socket that opens, sets 1, whatever timed out before.
 */
export class Slowdown {
  readonly #now: () => number
  readonly #changed: () => void
  #step = 1
  #why = ''
  #wasGone = false
  #good = 0
  #lastStepMs = Number.NEGATIVE_INFINITY
  #untilMs = Number.NEGATIVE_INFINITY
  #vitalUntilMs = Number.NEGATIVE_INFINITY
  #stress: string | null = null

  constructor(now: () => number, changed: () => void) {
    this.#now = now
    this.#changed = changed
  }

  /** The factor: 1, 2, 4, 8 or 16. */
  get factor(): number {
    return Math.max(this.#step, this.#stress === null ? 1 : STRESSED)
  }

  /** Factor for vital polls: stress is no reason to stop observing the server. */
  get vitalFactor(): number {
    return Math.min(VITAL_FACTOR, this.#step)
  }

  /**
   * Sets the finding in the server's own figures, since a machine that is short of CPU must not be polled at full pace.
   * With null there is no finding.
   */
  pressed(why: string | null): void {
    const changed = (why === null) !== (this.#stress === null)
    this.#stress = why
    if (changed) this.#changed()
  }

  /** Time before which no poll is sent (wall clock, ms), from the server's Retry-After. */
  get notBeforeMs(): number {
    return this.#untilMs
  }

  get vitalNotBeforeMs(): number {
    return this.#vitalUntilMs
  }

  /** Reason in a sentence; null: polls run as planned. */
  get reason(): string | null {
    if (this.#stress !== null && this.#step <= STRESSED)
      return `${this.#stress}: polls go ${STRESSED} times slower than planned.`
    if (this.#step > 1) return `${this.#why}: polls go ${this.#step} times slower than planned.`
    return this.#untilMs > this.#now() ? `${this.#why}: polls wait as long as it asked.` : null
  }

  /** `isSilent`: no other data arrived from the server for a while either. */
  failed(error: RavenError, isSilent = false): void {
    if (error.retryAfterMs !== null) {
      this.#untilMs = Math.max(this.#untilMs, this.#now() + error.retryAfterMs)
      this.#vitalUntilMs = Math.min(this.#untilMs, this.#now() + VITAL_WAIT_MS)
      this.#why = 'The server asked to be left alone for a while'
    }
    if (error.kind === 'busy') this.#slower(`The server is busy (status ${error.status ?? 0})`, false)
    else if (error.kind === 'timeout') this.#slower('The server did not answer in time', this.#wasGone || isSilent)
    else if (error.kind === 'network') this.#slower('The server does not answer', true)
  }

  /** `latencyMs`: of a cheap call; null: of a call whose duration says nothing about the server. */
  answered(latencyMs: number | null): void {
    if (this.#wasGone) this.#set(1)
    else if (latencyMs !== null && latencyMs > SLOW_MS)
      this.#slower(`The server took ${(latencyMs / 1000).toFixed(1)} s for a request that takes a millisecond`, false)
    else if (
      this.#step > 1 &&
      ++this.#good >= GOOD_RESPONSES &&
      this.#now() - this.#lastStepMs >= RECOVER_AT_MOST_EVERY_MS
    )
      this.#set(this.#step / 2)
  }

  #slower(why: string, gone: boolean): void {
    this.#good = 0
    this.#why = why
    this.#wasGone = gone
    if (this.#now() - this.#lastStepMs < DOUBLE_AT_MOST_EVERY_MS && this.#step > 1) return
    this.#set(Math.min(MAX_FACTOR, this.#step * 2), gone)
  }

  #set(step: number, gone = false): void {
    const before = this.#step
    this.#step = step
    this.#wasGone = gone
    this.#good = 0
    this.#lastStepMs = this.#now()
    if (step !== before) this.#changed()
  }
}
