import { beginRequest, isFlushing, onFlush } from './flush-policy.ts'

export interface RequestPaceOptions<Request> {
  /** Sends the request now. `settled` must be called once its response or failure is here. */
  readonly send: (request: Request) => void
  /** Whether a request is what was wanted last: then its response is here or on its way already. */
  readonly same: (a: Request, b: Request) => boolean
  /** Time between two sends, ms, on average: after a pause a few may follow each other at once. */
  readonly everyMs: number
  /** That time for a request that differs from the last one by more than newer data; by default `everyMs`. */
  readonly changes?: { readonly everyMs: number; readonly isChange: (request: Request, last: Request) => boolean }
  /** Sums and lists: the first of them waits so long that requests for what is drawn go first, ms. */
  readonly firstAfterMs?: number
}

/** Sends that may follow each other at once after a pause: a first picture takes a few, each by the response of the last. */
const BURST = 3

/** Sends that are `everyMs` apart on average. */
class Bucket {
  readonly #everyMs: number
  /** When a send would be on time that comes exactly every `everyMs`. */
  #dueMs = -Infinity

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** When the next send may be. */
  get nextMs(): number {
    return this.#dueMs - (BURST - 1) * this.#everyMs
  }

  take(nowMs: number): void {
    this.#dueMs = Math.max(this.#dueMs, nowMs) + this.#everyMs
  }
}

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
  /** Last request sent. */
  #sent: Request | null = null
  readonly #renewals: Bucket
  readonly #changes: Bucket | null
  /** Not before this, since the last response took so long. */
  #restedMs = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  #endRequest: (() => void) | null = null
  readonly #stopFlush: () => void
  /** When the first may be sent; null: nothing was wanted yet. */
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

  /** Its response is here, sent or not: nothing else is wanted. */
  met(request: Request): void {
    if (this.#isDisposed) return
    this.#last = request
    this.#wanted = null
    if (this.#sentMs === null) this.#end()
  }

  /** Notes that the last request sent has its response, or failed. */
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
