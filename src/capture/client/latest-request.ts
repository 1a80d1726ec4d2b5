import { beginAsk, holdBack, isHasty } from './flush-policy.ts'

export interface LatestAskOptions<Ask, Answer> {
  readonly send: (ask: Ask, signal: AbortSignal) => Promise<Answer>
  readonly onAnswer: (answer: Answer, ask: Ask) => void
  readonly onError: (error: unknown, ask: Ask) => void
  /** Whether a want is what was wanted last: then it is answered or on its way already. */
  readonly same: (a: Ask, b: Ask) => boolean
  /** Time between two sends, ms, on average: after a pause a few may follow each other at once. */
  readonly everyMs: number
}

/** Sends that may follow each other at once after a pause: a first picture takes a few, each by the answer of the last. */
const BURST = 3

/**
 * Asks for what is wanted now, one question under way at a time. Wants that come meanwhile replace each other; an answer
 * under way is still taken, for it is nearer to what is wanted than what is on screen. So a drag at 60 Hz is answered
 * as fast as answers come, and never starves. What takes long is asked more seldom: it rests for as long as it took.
 */
export class LatestAsk<Ask, Answer> {
  private readonly options: LatestAskOptions<Ask, Answer>
  private readonly stop = new AbortController()
  private wanted: Ask | null = null
  private last: Ask | null = null
  private busy = false
  /** When a send would be on time that comes exactly every `everyMs`. */
  private dueMs = -Infinity
  /** Not before this, since the last answer took so long. */
  private restedMs = -Infinity
  private timer: ReturnType<typeof setTimeout> | undefined
  private endAsk: (() => void) | null = null
  private readonly letGo: () => void

  constructor(options: LatestAskOptions<Ask, Answer>) {
    this.options = options
    this.letGo = holdBack(() => this.next())
  }

  want(ask: Ask): void {
    if (this.stop.signal.aborted || (this.last !== null && this.options.same(ask, this.last))) return
    this.last = ask
    this.wanted = ask
    this.endAsk ??= beginAsk()
    this.next()
  }

  dispose(): void {
    this.stop.abort()
    clearTimeout(this.timer)
    this.letGo()
    this.wanted = null
    this.endAsk?.()
    this.endAsk = null
  }

  private next(): void {
    if (this.busy || this.wanted === null) return
    clearTimeout(this.timer)
    const nowMs = performance.now()
    const { everyMs } = this.options
    const pauseMs = Math.max(this.dueMs - (BURST - 1) * everyMs, this.restedMs) - nowMs
    if (pauseMs > 0 && !isHasty(nowMs)) {
      this.timer = setTimeout(() => this.next(), pauseMs)
      return
    }
    this.dueMs = Math.max(this.dueMs, nowMs) + everyMs
    const ask = this.wanted
    this.wanted = null
    void this.send(ask)
  }

  private async send(ask: Ask): Promise<void> {
    const { signal } = this.stop
    this.busy = true
    const sentMs = performance.now()
    try {
      const answer = await this.options.send(ask, signal)
      if (!signal.aborted) this.options.onAnswer(answer, ask)
    } catch (error) {
      if (!signal.aborted) this.options.onError(error, ask)
    }
    this.busy = false
    const nowMs = performance.now()
    this.restedMs = nowMs + (nowMs - sentMs)
    if (this.wanted === null) {
      this.endAsk?.()
      this.endAsk = null
    } else if (!signal.aborted) this.next()
  }
}
