import type { GovernorEnv, TimerId } from '../env.ts'
import type { RavenError } from './errors.ts'
import { asRavenError } from './errors.ts'
import { isAway, SOON_MS } from '../budget/outage.ts'
import { NO_AUDIENCE, type Audience, type PollWant } from '../budget/plan.ts'

export interface PollOptions<T> {
  readonly everyMs: number
  /** `askedMs`: time of the request, from here or from another page; the response is not older. Wall clock, ms. */
  readonly onResponse: (response: T, atMs: number, askedMs: number) => void
  readonly onError: (error: RavenError, atMs: number) => void
  /** Server CPU of one call, ms, where it depends on the database and the asker knows better than the endpoint's figure. */
  readonly costMs?: () => number
  /**
   * Longest pause that the overhead limit may cause, where half of the limit will do for all of these: the panel is not
   * true with a longer one. A server in trouble still gets fewer requests.
   */
  readonly atLeastEveryMs?: number
  readonly audience?: Audience
  /** Share of the interval by which it is varied both ways, 0–1, so that many polls spread out. Default 0.1. */
  readonly jitter?: number
  /**
   * Vital: the overhead limit and a server under stress never stretch it, and what it costs is taken from what the
   * others may use. A server that fails to answer gets it at half its pace at least.
   */
  readonly vital?: boolean
  /** Continues while the page is hidden: what a recording needs. */
  readonly inBackground?: (() => boolean) | undefined
}

export interface PollHost {
  readonly env: GovernorEnv
  readonly isHidden: () => boolean
  /** Whether every request is refused. */
  readonly isBarred: () => boolean
  /** How many times slower than planned polls go, because the server is slow. */
  readonly pace: (isVital: boolean) => number
  /** How many times longer than planned the interval is of one that wants this, to stay within the overhead limit. */
  readonly stretch: (want: PollWant) => number
  /** Whether the panel in front of an attentive user shows it. */
  readonly isFront: (audience: Audience) => boolean
  /** No poll before this (wall clock, ms). */
  readonly notBeforeMs: (isVital: boolean) => number
}

const NOTHING: PollWant = { share: 0, least: 0, vital: 0, isFront: false }

/** However slow the server is: an interval that is shorter by plan is not stretched beyond this for it. */
const MAX_STRETCHED_MS = 60_000

/** In place of a response: another page of this browser is requesting the same now, and passes on its response (`received`). */
export const ASKED_ELSEWHERE = Symbol('asked elsewhere')
/** Time to wait for the response of the other page, ms; then the request goes out here. */
const ELSEWHERE_MS = 1000

/**
 * Repeats a request: once at the start, never two at a time, not while the page is hidden, later when the server is
 * slow.
 */
export class Poll<T> {
  readonly #host: PollHost
  readonly endpoint: string
  readonly #costMs: () => number
  readonly #options: PollOptions<T>
  readonly #ask: (signal: AbortSignal) => Promise<T | typeof ASKED_ELSEWHERE>
  readonly #controller = new AbortController()
  #vary = 1
  #timer: TimerId | null = null
  #running = false
  #endedMs: number | null = null
  /** The last response did not come, or not from the server. */
  #isAway = false

  constructor(
    host: PollHost,
    endpoint: string,
    costMs: () => number,
    options: PollOptions<T>,
    ask: (signal: AbortSignal) => Promise<T | typeof ASKED_ELSEWHERE>,
  ) {
    this.#host = host
    this.endpoint = endpoint
    this.#options = options
    this.#ask = ask
    this.#costMs = costMs
  }

  /** Cost for the server, as ms of CPU per ms, if the poll goes as planned; nothing while it is paused. */
  get want(): PollWant {
    if (this.isPaused) return NOTHING
    const { everyMs, atLeastEveryMs } = this.#options
    const costMs = this.#costMs()
    const share = costMs / everyMs
    const least = atLeastEveryMs === undefined ? 0 : Math.min(share, costMs / atLeastEveryMs)
    const isFront = this.#host.isFront(this.#options.audience ?? NO_AUDIENCE)
    return { share, least, vital: this.#isVital ? share : 0, isFront }
  }

  /** Planned and actual pace of a slowed poll; null: it goes as planned, or is paused. */
  get slowed(): { readonly endpoint: string; readonly plannedMs: number; readonly everyMs: number } | null {
    const plannedMs = this.#options.everyMs
    const everyMs = this.#interval(plannedMs)
    return this.isPaused || everyMs <= plannedMs ? null : { endpoint: this.endpoint, plannedMs, everyMs }
  }

  /** How many times slower than planned it goes to stay within the overhead limit; at most 1: it does not. */
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

  /** Resets the timer: called at the start, after each response, and whenever pace or visibility changed. */
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

  /** Retries soon what the server did not answer: it answers again. */
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

  /** The response of another page of this browser to the same request: it counts as this page's own. */
  received(response: () => T, askedMs: number): void {
    if (this.#running || this.isPaused || this.#controller.signal.aborted) return
    const atMs = this.#host.env.now()
    this.#endedMs = atMs
    this.#isAway = false
    try {
      this.#options.onResponse(response(), atMs, askedMs)
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
    const askedMs = this.#host.env.now()
    try {
      const response = await this.#ask(signal)
      isElsewhere = response === ASKED_ELSEWHERE
      if (!isElsewhere) this.#isAway = false
      if (response !== ASKED_ELSEWHERE && !signal.aborted)
        this.#options.onResponse(response, this.#host.env.now(), askedMs)
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
