import { beginWork } from '../charts/settle.ts'

export interface LatestAskOptions<Ask, Answer> {
  readonly send: (ask: Ask, signal: AbortSignal) => Promise<Answer>
  readonly onAnswer: (answer: Answer, ask: Ask) => void
  readonly onError: (error: unknown, ask: Ask) => void
  /** Whether a want is what was wanted last: then it is answered or on its way already. */
  readonly same: (a: Ask, b: Ask) => boolean
  /** Least time between two sends, ms. */
  readonly everyMs: number
}

/**
 * Asks for what is wanted now, one question under way at a time. Wants that come meanwhile replace each other; an answer
 * under way is still taken, for it is nearer to what is wanted than what is on screen. So a drag at 60 Hz is answered
 * as fast as answers come, and never starves.
 */
export class LatestAsk<Ask, Answer> {
  private readonly options: LatestAskOptions<Ask, Answer>
  private readonly stop = new AbortController()
  private wanted: Ask | null = null
  private last: Ask | null = null
  private busy = false
  private lastSentMs = -Infinity
  private timer: ReturnType<typeof setTimeout> | undefined
  private endWork: (() => void) | null = null

  constructor(options: LatestAskOptions<Ask, Answer>) {
    this.options = options
  }

  want(ask: Ask): void {
    if (this.stop.signal.aborted || (this.last !== null && this.options.same(ask, this.last))) return
    this.last = ask
    this.wanted = ask
    this.endWork ??= beginWork()
    this.next()
  }

  dispose(): void {
    this.stop.abort()
    clearTimeout(this.timer)
    this.wanted = null
    this.endWork?.()
    this.endWork = null
  }

  private next(): void {
    if (this.busy || this.wanted === null) return
    clearTimeout(this.timer)
    const restMs = this.lastSentMs + this.options.everyMs - performance.now()
    if (restMs > 0) {
      this.timer = setTimeout(() => this.next(), restMs)
      return
    }
    const ask = this.wanted
    this.wanted = null
    void this.send(ask)
  }

  private async send(ask: Ask): Promise<void> {
    const { signal } = this.stop
    this.busy = true
    this.lastSentMs = performance.now()
    try {
      const answer = await this.options.send(ask, signal)
      if (!signal.aborted) this.options.onAnswer(answer, ask)
    } catch (error) {
      if (!signal.aborted) this.options.onError(error, ask)
    }
    this.busy = false
    if (this.wanted === null) {
      this.endWork?.()
      this.endWork = null
    } else if (!signal.aborted) this.next()
  }
}
