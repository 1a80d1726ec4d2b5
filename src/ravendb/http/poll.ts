import type { GovernorEnv, TimerId } from '../env.ts'
import type { RavenError } from '../errors/errors.ts'
import { asRavenError } from '../errors/errors.ts'
import { isAway, SOON_MS } from '../health/outage.ts'
import { NO_AUDIENCE, type Audience, type PollWant } from '../budget/plan.ts'

export interface PollOptions<T> {
  readonly everyMs: number
  /** `requestedMs`: time of the request, by this page or another one; the response is not older. Wall clock, ms. */
  readonly onResponse: (response: T, atMs: number, requestedMs: number) => void
  readonly onError: (error: RavenError, atMs: number) => void
  /** Server CPU of one call, ms, if it depends on the database and the caller knows it better than the table. */
  readonly costMs?: () => number
  /**
   * Maximum interval under the overhead limit, if half of the limit suffices for all polls with this option: with a
   * longer one the panel would be wrong. A server in trouble still gets fewer requests.
   */
  readonly atLeastEveryMs?: number
  readonly audience?: Audience
  /** Random variation of the interval in both directions, as a share of it, 0–1, to spread polls. Default 0.1. */
  readonly jitter?: number
  /**
   * Vital: neither the overhead limit nor a server under stress slows it down; its cost is taken from the budget of the
   * others. If the server does not answer, it keeps at least half its pace.
   */
  readonly vital?: boolean
  /** Whether it continues while the page is hidden, as a recording needs. */
  readonly inBackground?: (() => boolean) | undefined
}

export interface PollHost {
  readonly env: GovernorEnv
  readonly isHidden: () => boolean
  /** Whether every request is refused. */
  readonly isBarred: () => boolean
  /** Factor by which polls are slowed down because the server is slow. */
  readonly pace: (isVital: boolean) => number
  /** Factor by which the interval of a poll is stretched to stay within the overhead limit. */
  readonly stretch: (want: PollWant) => number
  /** Whether the panel in front of an attentive user shows it. */
  readonly isFront: (audience: Audience) => boolean
  /** Earliest time of the next poll (wall clock, ms). */
  readonly notBeforeMs: (isVital: boolean) => number
}

const NOTHING: PollWant = { share: 0, least: 0, vital: 0, isFront: false }

/** Maximum interval on a slow server, ms; a longer planned one is kept. */
const MAX_STRETCHED_MS = 60_000

/** Result if another page of this browser is requesting the same now; its response follows (`received`). */
export const REQUESTED_ELSEWHERE = Symbol('requested elsewhere')
/** Time to wait for the other page's response, ms; then the request is sent here. */
const ELSEWHERE_MS = 1000

/** Repeats a request, at the start first; never two at a time nor while hidden, less often on a slow server. */
export class Poll<T> {
  readonly #host: PollHost
  readonly endpoint: string
  readonly #costMs: () => number
  readonly #options: PollOptions<T>
  readonly #request: (signal: AbortSignal) => Promise<T | typeof REQUESTED_ELSEWHERE>
  readonly #controller = new AbortController()
  #vary = 1
  #timer: TimerId | null = null
  #running = false
  #endedMs: number | null = null
  /** The last response did not arrive, or was not from the server. */
  #isAway = false

  constructor(
    host: PollHost,
    endpoint: string,
    costMs: () => number,
    options: PollOptions<T>,
    request: (signal: AbortSignal) => Promise<T | typeof REQUESTED_ELSEWHERE>,
  ) {
    this.#host = host
    this.endpoint = endpoint
    this.#options = options
    this.#request = request
    this.#costMs = costMs
  }

  /** Cost for the server, as ms of CPU per ms, at the planned pace; zero while paused. */
  get want(): PollWant {
    if (this.isPaused) return NOTHING
    const { everyMs, atLeastEveryMs } = this.#options
    const costMs = this.#costMs()
    const share = costMs / everyMs
    const least = atLeastEveryMs === undefined ? 0 : Math.min(share, costMs / atLeastEveryMs)
    const isFront = this.#host.isFront(this.#options.audience ?? NO_AUDIENCE)
    return { share, least, vital: this.#isVital ? share : 0, isFront }
  }

  /** Planned and actual interval of a slowed poll; null: at its planned pace, or paused. */
  get slowed(): { readonly endpoint: string; readonly plannedMs: number; readonly everyMs: number } | null {
    const plannedMs = this.#options.everyMs
    const everyMs = this.#interval(plannedMs)
    return this.isPaused || everyMs <= plannedMs ? null : { endpoint: this.endpoint, plannedMs, everyMs }
  }

  /** Factor by which the overhead limit slows it down; at most 1 if it does not. */
  get stretched(): number {
    return this.#host.stretch(this.want)
  }

  get isPaused(): boolean {
    return this.#host.isBarred() || (this.#host.isHidden() && this.#options.inBackground?.() !== true)
  }

  get #isVital(): boolean {
    return this.#options.vital === true
  }

  #interval(plannedMs: number): number {
    const { pace, stretch } = this.#host
    const slowMs = Math.min(MAX_STRETCHED_MS, plannedMs * pace(this.#isVital))
    return Math.max(plannedMs, slowMs, plannedMs * stretch(this.want))
  }

  /** Resets the timer: at the start, after each response, and when pace or visibility changes. */
  arm(): void {
    if (this.#timer !== null) this.#host.env.clearTimeout(this.#timer)
    this.#timer = null
    if (this.#running || this.isPaused || this.#controller.signal.aborted) return
    const now = this.#host.env.now()
    const interval = this.#interval(this.#options.everyMs * this.#vary)
    const dueMs = Math.max(
      this.#endedMs === null ? now : this.#endedMs + interval,
      this.#host.notBeforeMs(this.#isVital),
    )
    this.#timer = this.#host.env.setTimeout(() => void this.#run(), Math.max(0, dueMs - now))
  }

  /** Retries soon a request that the server did not answer, now that it answers again. */
  retrySoon(): void {
    if (!this.#isAway || this.#endedMs === null) return
    const { now, random } = this.#host.env
    const interval = this.#interval(this.#options.everyMs * this.#vary)
    this.#endedMs = Math.min(this.#endedMs, now() + random() * SOON_MS - interval)
    this.arm()
  }

  stop(): void {
    this.#controller.abort()
    this.arm()
  }

  /** Takes another page's response to the same request as this page's own. */
  received(response: () => T, requestedMs: number): void {
    if (this.#running || this.isPaused || this.#controller.signal.aborted) return
    const atMs = this.#host.env.now()
    this.#endedMs = atMs
    this.#isAway = false
    try {
      this.#options.onResponse(response(), atMs, requestedMs)
    } catch (error) {
      this.#options.onError(asRavenError(error, this.endpoint), atMs)
    }
    this.arm()
  }

  async #run(): Promise<void> {
    this.#timer = null
    this.#running = true
    let isElsewhere = false
    const { signal } = this.#controller
    const requestedMs = this.#host.env.now()
    try {
      const response = await this.#request(signal)
      isElsewhere = response === REQUESTED_ELSEWHERE
      if (!isElsewhere) this.#isAway = false
      if (response !== REQUESTED_ELSEWHERE && !signal.aborted)
        this.#options.onResponse(response, this.#host.env.now(), requestedMs)
    } catch (error) {
      const reported = asRavenError(error, this.endpoint)
      this.#isAway = isAway(reported)
      if (!signal.aborted) this.#options.onError(reported, this.#host.env.now())
    } finally {
      this.#running = false
      this.#endedMs = this.#host.env.now()
      if (isElsewhere) this.#endedMs -= this.#interval(this.#options.everyMs * this.#vary) - ELSEWHERE_MS
      else this.#vary = 1 + (this.#options.jitter ?? 0.1) * (2 * this.#host.env.random() - 1)
      this.arm()
    }
  }
}
