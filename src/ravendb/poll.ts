import type { GovernorEnv, TimerId } from './env.ts'
import type { RavenError } from './errors.ts'
import { asRavenError } from './errors.ts'

export interface PollOptions<T> {
  readonly everyMs: number
  readonly onAnswer: (answer: T, atMs: number) => void
  readonly onError: (error: RavenError, atMs: number) => void
  /** Share of the interval by which it is varied both ways, 0–1, so that many polls spread out. Default 0.1. */
  readonly jitter?: number
}

export interface PollHost {
  readonly env: GovernorEnv
  readonly isHidden: () => boolean
  /** How many times longer than planned the interval is now. */
  readonly stretch: () => number
  /** No poll before this (wall clock, ms). */
  readonly notBeforeMs: () => number
}

/** However slow the server is: an interval that is shorter by plan is not stretched beyond this. */
const MAX_STRETCHED_MS = 60_000

/** Asks again and again: once at the start, never two at a time, not while the page is hidden, later when the server is slow. */
export class Poll<T> {
  /** What it costs the server, as ms of CPU per ms, if it goes as planned. */
  readonly costShare: number
  private readonly host: PollHost
  private readonly endpoint: string
  private readonly options: PollOptions<T>
  private readonly ask: (signal: AbortSignal) => Promise<T>
  private readonly controller = new AbortController()
  private vary = 1
  private timer: TimerId | null = null
  private running = false
  private endedMs: number | null = null

  constructor(
    host: PollHost,
    endpoint: string,
    costMs: number,
    options: PollOptions<T>,
    ask: (signal: AbortSignal) => Promise<T>,
  ) {
    this.host = host
    this.endpoint = endpoint
    this.options = options
    this.ask = ask
    this.costShare = costMs / options.everyMs
  }

  /** Sets the timer anew: called at the start, after each answer, and whenever pace or visibility changed. */
  arm(): void {
    if (this.timer !== null) this.host.env.clearTimeout(this.timer)
    this.timer = null
    if (this.running || this.host.isHidden() || this.controller.signal.aborted) return
    const now = this.host.env.now()
    const planned = this.options.everyMs * this.vary
    const interval = Math.max(planned, Math.min(MAX_STRETCHED_MS, planned * this.host.stretch()))
    const dueMs = Math.max(this.endedMs === null ? now : this.endedMs + interval, this.host.notBeforeMs())
    this.timer = this.host.env.setTimeout(() => void this.run(), Math.max(0, dueMs - now))
  }

  stop(): void {
    this.controller.abort()
    this.arm()
  }

  private async run(): Promise<void> {
    this.timer = null
    this.running = true
    const { signal } = this.controller
    try {
      const answer = await this.ask(signal)
      if (!signal.aborted) this.options.onAnswer(answer, this.host.env.now())
    } catch (error) {
      if (!signal.aborted) this.options.onError(asRavenError(error, this.endpoint), this.host.env.now())
    } finally {
      this.running = false
      this.endedMs = this.host.env.now()
      this.vary = 1 + (this.options.jitter ?? 0.1) * (2 * this.host.env.random() - 1)
      this.arm()
    }
  }
}
