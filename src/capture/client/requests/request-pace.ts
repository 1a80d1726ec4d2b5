import { beginRequest, isFlushing, onFlush } from './flush-policy.ts'

export interface RequestPaceOptions<Request> {
  /** Sends the request. `settled` must be called when it has its response or has failed. */
  readonly send: (request: Request) => void
  /** Whether a request is the last wanted one, whose response is pending or has arrived. */
  readonly same: (a: Request, b: Request) => boolean
  /** Mean time between two sends, ms; after a pause a few may follow each other at once. */
  readonly everyMs: number
  /** Mean time for a request that differs from the last one by more than newer data; `everyMs` by default. */
  readonly changes?: { readonly everyMs: number; readonly isChange: (request: Request, last: Request) => boolean }
  /** For sums and lists: delay of the first request, ms, so that requests for drawing go first. */
  readonly firstAfterMs?: number
}

/**
 * Number of sends that may follow each other at once after a pause: a first picture takes a few, each after the
 * response to the one before.
 */
const BURST = 3

/** Token bucket: sends are `everyMs` apart on average. */
class Bucket {
  readonly #everyMs: number
  /** Theoretical time of the next send at a rate of exactly `everyMs`. */
  #dueMs = -Infinity

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Earliest time of the next send. */
  get nextMs(): number {
    return this.#dueMs - (BURST - 1) * this.#everyMs
  }

  take(nowMs: number): void {
    this.#dueMs = Math.max(this.#dueMs, nowMs) + this.#everyMs
  }
}

/**
 * Decides when a request is sent: one at a time. Requests wanted in the meantime replace each other; the pending one is
 * not aborted, since its response is closer to the wanted one than what is on screen. So a drag at 60 Hz is followed as
 * fast as responses arrive, and never starves. After a response that took long, it pauses for the same time.
 */
export class RequestPace<Request> {
  readonly #options: RequestPaceOptions<Request>
  #isDisposed = false
  #wanted: Request | null = null
  #last: Request | null = null
  /** Time when the pending request was sent; null: none is pending. */
  #sentMs: number | null = null
  /** Last request that was sent. */
  #sent: Request | null = null
  readonly #renewals: Bucket
  readonly #changes: Bucket | null
  /** Earliest next time because of a slow response. */
  #restedMs = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  #endRequest: (() => void) | null = null
  readonly #stopFlush: () => void
  /** Earliest time of the first request; null: none was wanted yet. */
  #firstMs: number | null = null

  constructor(options: RequestPaceOptions<Request>) {
    this.#options = options
    this.#renewals = new Bucket(options.everyMs)
    this.#changes = options.changes === undefined ? null : new Bucket(options.changes.everyMs)
    this.#stopFlush = onFlush(() => this.#next())
  }

  want(request: Request): void {
    if (this.#isDisposed || (this.#last !== null && this.#options.same(request, this.#last))) return
    this.#last = request
    this.#wanted = request
    this.#endRequest ??= beginRequest()
    this.#next()
  }

  /** The response has arrived, sent or not: nothing else is wanted. */
  met(request: Request): void {
    if (this.#isDisposed) return
    this.#last = request
    this.#wanted = null
    if (this.#sentMs === null) this.#end()
  }

  /** The last request sent has its response, or has failed. */
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
    const { firstAfterMs = 0, changes } = this.#options
    this.#firstMs ??= nowMs + firstAfterMs
    const isChange = this.#sent !== null && changes?.isChange(this.#wanted, this.#sent) === true
    const bucket = (isChange ? this.#changes : null) ?? this.#renewals
    const pauseMs = Math.max(bucket.nextMs, this.#restedMs) - nowMs
    const waitMs = Math.max(isFlushing(nowMs) ? 0 : pauseMs, this.#firstMs - nowMs)
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#next(), waitMs)
      return
    }
    bucket.take(nowMs)
    this.#sentMs = nowMs
    const request = this.#wanted
    this.#sent = request
    this.#wanted = null
    this.#options.send(request)
  }

  #end(): void {
    this.#endRequest?.()
    this.#endRequest = null
  }
}
