import { beginRequest, isFlushing, onFlush } from './flush-policy.ts'

export interface RequestPaceOptions<Request> {
  /** It is sent now. `settled` must be called once its response or failure is here. */
  readonly send: (request: Request) => void
  /** Whether a request is what was wanted last: then its response is here or on its way already. */
  readonly same: (a: Request, b: Request) => boolean
  /** Time between two sends, ms, on average: after a pause a few may follow each other at once. */
  readonly everyMs: number
  /** Sums and lists: the first of them waits so long that requests for what is drawn go first, ms. */
  readonly firstAfterMs?: number
}

/** Sends that may follow each other at once after a pause: a first picture takes a few, each by the response of the last. */
const BURST = 3

/**
 * When a request is sent: one at a time. Requests that are wanted meanwhile replace each other; the one under way is not
 * aborted, for its response is nearer to what is wanted than what is on screen. So a drag at 60 Hz is followed as fast as
 * responses come, and never starves. What takes long is requested less often: it rests for as long as it took.
 */
export class RequestPace<Request> {
  readonly #options: RequestPaceOptions<Request>
  #isDisposed = false
  #wanted: Request | null = null
  #last: Request | null = null
  /** When the one under way was sent; null: none is. */
  #sentMs: number | null = null
  /** When a send would be on time that comes exactly every `everyMs`. */
  #dueMs = -Infinity
  /** Not before this, since the last response took so long. */
  #restedMs = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  #endRequest: (() => void) | null = null
  readonly #stopFlush: () => void
  /** When the first may be sent; null: nothing was wanted yet. */
  #firstMs: number | null = null

  constructor(options: RequestPaceOptions<Request>) {
    this.#options = options
    this.#stopFlush = onFlush(() => this.#next())
  }

  want(request: Request): void {
    if (this.#isDisposed || (this.#last !== null && this.#options.same(request, this.#last))) return
    this.#last = request
    this.#wanted = request
    this.#endRequest ??= beginRequest()
    this.#next()
  }

  /** Its response is here, sent or not: nothing else is wanted. */
  met(request: Request): void {
    if (this.#isDisposed) return
    this.#last = request
    this.#wanted = null
    if (this.#sentMs === null) this.#end()
  }

  /** What was sent last has its response, or failed. */
  settled(): void {
    if (this.#sentMs === null || this.#isDisposed) return
    const nowMs = performance.now()
    this.#restedMs = nowMs + (nowMs - this.#sentMs)
    this.#sentMs = null
    if (this.#wanted !== null) this.#next()
    else this.#end()
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#timer)
    this.#stopFlush()
    this.#wanted = null
    this.#end()
  }

  #next(): void {
    if (this.#sentMs !== null || this.#wanted === null) return
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    const { everyMs, firstAfterMs = 0 } = this.#options
    this.#firstMs ??= nowMs + firstAfterMs
    const pauseMs = Math.max(this.#dueMs - (BURST - 1) * everyMs, this.#restedMs) - nowMs
    const waitMs = Math.max(isFlushing(nowMs) ? 0 : pauseMs, this.#firstMs - nowMs)
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#next(), waitMs)
      return
    }
    this.#dueMs = Math.max(this.#dueMs, nowMs) + everyMs
    this.#sentMs = nowMs
    const request = this.#wanted
    this.#wanted = null
    this.#options.send(request)
  }

  #end(): void {
    this.#endRequest?.()
    this.#endRequest = null
  }
}
