import { errorText } from '../../base/text/error-text.ts'
import type { Command, Report } from './protocol.ts'
import type { WorkerState } from './state.ts'

/** The parts of a `Worker` that are used. */
export interface WorkerLike {
  readonly postMessage: (command: Command) => void
  readonly terminate: () => void
  onmessage: ((event: { readonly data: Report }) => void) | null
  /** Called if its script could not be loaded or run, or for an uncaught error, which does not end it. */
  onerror: ((event: { readonly message?: string }) => void) | null
}

/** The page's environment, injected so that tests control time. */
export interface WatchEnv {
  /** Monotonic clock, ms. */
  readonly now: () => number
  /** Wall clock, ms since 1970. */
  readonly wallMs: () => number
  readonly setTimeout: (run: () => void, delayMs: number) => number
  readonly clearTimeout: (id: number) => void
  readonly isHidden: () => boolean
  /** Resolves when the holder of the lock is gone; never if the browser has no locks. */
  readonly lockFreed: (name: string, signal: AbortSignal) => Promise<void>
}

export interface WatchEvents {
  readonly onReport: (report: Report) => void
  /** Called when a worker starts, the first one included: `post` its first command, with the lock that it must hold. */
  readonly onBegun: (lock: string, post: (command: Command) => void) => void
  readonly onState: (state: WorkerState) => void
}

const PING_EVERY_MS = 500
/** Interval of pings, ms, while the page is hidden and judges nothing. */
const PING_HIDDEN_EVERY_MS = 5000
/** Delay of a timer, ms, above which this page was suspended or short of CPU and cannot judge the worker. */
const LATE_MS = 400
/**
 * Time without an answer to a ping, ms, after which the page reports it (with the ping before it within 3 s), and after
 * which it treats the worker as dead, although the data in its memory is lost.
 */
const PATIENCE = { silentMs: 2000, restartMs: 15_000 }
/** Longer times while a file is read, which may keep the worker busy. */
const PATIENCE_WHILE_READING = { silentMs: 10_000, restartMs: 60_000 }
/** Lifetime, ms, below which a worker counts as one that did not start. */
const SHORT_LIFE_MS = 10_000
const MOST_SHORT_LIVES = 3

/**
 * Starts the capture worker, and replaces it when it dies (its lock is released) or hangs (it does not answer pings
 * while this page is in front and its own timers are on time).
 */
export class WorkerWatch {
  readonly #make: () => WorkerLike
  readonly #env: WatchEnv
  readonly #events: WatchEvents
  #worker: WorkerLike
  #life = new AbortController()
  #bornMs = 0
  #shortLives = 0
  #timer: number | null = null
  #dueMs = 0
  /** Time of the ping that waits for its answer; null: none. */
  #pingedMs: number | null = null
  #hasAnswered = false
  #isReading = false
  #phase: WorkerState['phase'] = 'running'
  #lives = 1

  /** Errors: those of `make`. */
  constructor(make: () => WorkerLike, env: WatchEnv, events: WatchEvents) {
    this.#make = make
    this.#env = env
    this.#events = events
    this.#worker = make()
    this.#begin()
  }

  readonly post = (command: Command): void => this.#worker.postMessage(command)

  /** Ends the worker and drops its data, for good. */
  close(): void {
    this.#end()
    this.#timer = null
  }

  /** Sets whether it reads a file, which may keep it busy for long. */
  setReading(isReading: boolean): void {
    this.#isReading = isReading
  }

  #begin(): void {
    const { signal } = (this.#life = new AbortController())
    const lock = `rookery worker ${String(this.#env.wallMs())} ${Math.random().toString(36).slice(2)}`
    this.#bornMs = this.#env.now()
    this.#pingedMs = null
    this.#hasAnswered = false
    this.#worker.onmessage = ({ data }) => this.#hear(data, lock, signal)
    this.#worker.onerror = ({ message = '' }) => this.#failed(message)
    this.#events.onBegun(lock, this.post)
    this.#arm()
  }

  #hear(report: Report, lock: string, signal: AbortSignal): void {
    this.#answered()
    if (report.type === 'alive') {
      if (report.holdsLock)
        void this.#env.lockFreed(lock, signal).then(
          () => this.#restart('stopped'),
          () => undefined,
        )
    } else if (report.type !== 'pong') this.#events.onReport(report)
  }

  #answered(): void {
    this.#pingedMs = null
    this.#hasAnswered = true
    if (this.#phase === 'silent' || this.#phase === 'failed') this.#say('running', 0)
  }

  /** Does nothing for a worker that answers: it continues. */
  #failed(message: string): void {
    if (!this.#hasAnswered) this.#say('failed', this.#env.wallMs(), message || NOT_FETCHED)
  }

  #arm(): void {
    const everyMs = this.#env.isHidden() ? PING_HIDDEN_EVERY_MS : PING_EVERY_MS
    this.#dueMs = this.#env.now() + everyMs
    this.#timer = this.#env.setTimeout(() => this.#tick(), everyMs)
  }

  #tick(): void {
    const now = this.#env.now()
    const isWitness = now - this.#dueMs < LATE_MS && !this.#env.isHidden()
    this.#arm()
    // A starting worker must be loaded first.
    if (!this.#hasAnswered) return
    if (this.#pingedMs === null) {
      this.#pingedMs = now
      this.#worker.postMessage({ type: 'ping' })
      return
    }
    // A silence that was not observed is not judged: it starts over.
    if (!isWitness) this.#pingedMs = now
    const patience = this.#isReading ? PATIENCE_WHILE_READING : PATIENCE
    const silentMs = now - this.#pingedMs
    if (silentMs >= patience.restartMs) this.#restart('hung')
    else if (silentMs >= patience.silentMs && this.#phase !== 'silent')
      this.#say('silent', this.#env.wallMs() - silentMs)
  }

  #end(): void {
    this.#life.abort()
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#worker.onmessage = null
    this.#worker.onerror = null
    this.#worker.terminate()
  }

  #restart(why: 'stopped' | 'hung'): void {
    this.#end()
    const atMs = this.#env.wallMs()
    this.#shortLives = this.#env.now() - this.#bornMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0
    if (this.#shortLives >= MOST_SHORT_LIVES) {
      this.#say(
        'failed',
        atMs,
        `${REASONS[why]} This happened ${String(MOST_SHORT_LIVES)} times in a row, soon after its start.`,
      )
      return
    }
    try {
      this.#worker = this.#make()
    } catch (error) {
      this.#say('failed', atMs, errorText(error))
      return
    }
    this.#lives++
    this.#say('restarted', atMs, REASONS[why])
    this.#begin()
  }

  #say(phase: WorkerState['phase'], atMs: number, message = ''): void {
    this.#phase = phase
    this.#events.onState({ phase, atMs, message, lives: this.#lives })
  }
}

const REASONS = { hung: 'It did not respond.', stopped: 'It stopped.' }
const NOT_FETCHED = 'Its script could not be fetched or run.'
