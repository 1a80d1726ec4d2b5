import type { ConnectionEnd } from '../http/connection.ts'
import type { Endpoint, EndpointKey, Params } from '../endpoints.ts'
import type { GovernorEnv, TimerId } from '../env.ts'
import { asRavenError, RavenError, type RavenErrorInfo } from '../http/errors.ts'
import { Line } from '../tabs/shared-socket.ts'
import type { Audience } from '../budget/plan.ts'
import { lookAt, type Asker, type Look } from '../databases/probe.ts'
import type { MeterBook } from '../budget/meter.ts'
import { Backoff, HEALTHY_MS } from '../http/reconnect.ts'
import type { Spent } from '../budget/spending.ts'
import { StillWatch, type Still } from '../budget/stillness.ts'

export interface SocketPhase {
  readonly phase:
    | 'checking'
    | 'unloaded'
    | 'loading'
    | 'connecting'
    | 'open'
    | 'waiting'
    | 'refused'
    | 'disabled'
    | 'faulted'
    | 'gone'
    | 'paused' // while the page is hidden
    | 'paused-by-rookery' // by the overhead limit, until `retryAtMs`
  /** One sentence; empty when there is nothing to say. */
  readonly message: string
  /** Wall clock, ms: when it is tried (waiting) or looked at (the others) again. */
  readonly retryAtMs: number | null
  readonly error: RavenErrorInfo | null
}

export type CloseReason =
  | 'socket-closed'
  | 'server-stopped'
  | 'tab-hidden'
  | 'database-unloaded'
  | 'database-disabled'
  | 'database-deleted'
  | 'silent'
  | 'paused-by-rookery'

export interface SocketHandlers {
  readonly onPhase: (phase: SocketPhase) => void
  /** A frame with content. `atMs`: wall clock of this page. */
  readonly onFrame: (text: string, atMs: number) => void
  /** Anything that arrived, heartbeats and frames; before `onFrame`. */
  readonly onHeard?: (atMs: number) => void
  /**
   * Once after each 'open' that ended other than by `close()`, when the reason is known (the server gives none: it is
   * asked for). `atMs`: from when on nothing was heard.
   */
  readonly onClosed?: (atMs: number, reason: CloseReason) => void
  /** The server sent nothing in this time, not even heartbeats, and answers again. Before what it says then. */
  readonly onStill?: (still: Still) => void
}

export interface SocketPlace {
  /** Pages and panels that say the same share one, where the endpoint alone does not say that they can; null: none says anything. */
  readonly share: string | null
  /** It is held back last: the others would rather be missed. */
  readonly isKept: boolean
  /** It is never held back. */
  readonly isVital: boolean
  readonly audience: Audience
  /** One of many of its kind: what opening it costs is no exception. */
  readonly isRecurring: boolean
}

export interface SocketHost extends Asker {
  readonly env: GovernorEnv
  readonly book: MeterBook
  readonly isHidden: () => boolean
  /** How many times slower than planned things go. */
  readonly pace: () => number
  readonly forgetLoaded: (name: string) => void
  /** Whether there is more evidence that the server did not answer than the silence of one socket. */
  readonly confirmsStill: (still: Still) => boolean
  /** An attempt that was allowed to load this database got through. */
  readonly noteLoad: (name: string) => void
  /** A GET as text. */
  readonly text: (key: EndpointKey, params: Params, signal: AbortSignal) => Promise<string>
}

/** The server may load the database before it accepts the socket: it waits up to 30 s for it, and then some. */
const LOAD_MS = 60_000
/** 5.4 does not tell of loading but to one that waits for it: what it said is believed for so long. */
const LOAD_TOLD_MS = 60_000
const UNLOADED_AGAIN_MS = 5000
/** How many of these cheap looks before one that would also see that it was disabled or deleted. */
const CHEAP_LOOKS = 2
/** A look is answered in milliseconds. */
const PROMPT_MS = 1000
/** One that was never seen may be in the making: it is looked for soon, and then less and less often. */
const NEW_AGAIN_MS = 1000
const AGAIN_MS: Readonly<Record<'settling' | 'loading' | 'disabled' | 'faulted' | 'gone' | 'refused', number>> = {
  settling: 500,
  loading: 2000,
  disabled: 10_000,
  faulted: 30_000,
  gone: 30_000,
  refused: 60_000,
}

/**
 * A socket that is kept open, and says all the time what it is doing.
 *
 *     checking → connecting → open → (closed) checking → waiting → checking …
 *         └→ unloaded, disabled, faulted, gone, refused: looked at again from time to time
 *
 * No connection of a database is begun unless the server said a moment ago that it is loaded: the server unloads idle
 * ones under open sockets, and reconnecting blindly would load them again, for ever. `loadNow` lets one attempt through.
 */
export class LiveSocket {
  readonly #host: SocketHost
  readonly endpoint: Endpoint
  readonly #params: Params
  readonly #handlers: SocketHandlers
  readonly #path: string
  /** Pages that say the same share one; null: it is not shared. */
  readonly shareName: string | null
  readonly audience: Audience
  readonly #isRecurring: boolean
  readonly isKept: boolean
  readonly isVital: boolean
  readonly #backoff: Backoff
  readonly #still: StillWatch
  #line: Line | null = null
  #phase: SocketPhase['phase'] | null = null
  #openedMs: number | null = null
  /** It closed, and why is being asked. `reason`: as far as that is known. */
  #unsaid: { readonly atMs: number; readonly reason: CloseReason } | null = null
  /** The server said that the database changed while it was being asked about it: the response may be from before. */
  #isOutdated = false
  #timer: TimerId | null = null
  #work = new AbortController()
  #looks = 0
  /** Looks in a row that found no such database; null: it was there once. */
  #missed: number | null = 0
  #mayLoad = false
  /** What the server said of a load that takes long; it holds until the load ends. */
  #loadError: RavenError | null = null
  /** No look was answered since the last one that was. */
  #wasAway = false
  #loadToldMs = Number.NEGATIVE_INFINITY
  #ended = false

  constructor(
    host: SocketHost,
    endpoint: Endpoint,
    params: Params,
    handlers: SocketHandlers,
    { share, isKept, isVital, audience, isRecurring }: SocketPlace,
  ) {
    this.#host = host
    this.endpoint = endpoint
    this.#params = params
    this.#handlers = handlers
    this.#path = endpoint.path(params)
    // Only those that are never held back share one that is not.
    const name = `${isVital ? 'vital ' : ''}socket ${this.#path} ${share ?? ''}`
    this.shareName = share === null && endpoint.history === null ? null : name
    this.isVital = isVital
    this.audience = audience
    this.#isRecurring = isRecurring
    // Each time that it opens it sends all that it remembers.
    this.isKept = isKept || (endpoint.history !== null && endpoint.history !== 'nothing')
    this.#backoff = new Backoff(host.env.random)
    this.#still = new StillWatch(host.env)
  }

  /** Ends it. Nothing is told afterwards. */
  close(): void {
    this.#ended = true
    this.#interrupt()
  }

  /** Tries at once where it waits; an open or just connecting one is left alone. Loads nothing. */
  reconnectNow(): void {
    if (this.#ended || this.#line !== null) return
    this.#backoff.reset()
    this.begin()
  }

  /** The user asked to load the database and was told that this does it: one attempt that asks no gate. */
  loadNow(): void {
    if (this.#ended || this.#host.isHidden() || this.#openedMs !== null) return
    const isLoading = this.#phase === 'loading'
    this.#stopWork()
    // Somebody loads it already: what is wanted is to know how far that is.
    if (isLoading) void this.#askWhyNotLoaded({ state: 'loading', message: 'The server is loading the database.' })
    else this.#connect(true)
  }

  /** The server says that it changed something about this database: looks at once, where that is waited for. Loads nothing. */
  databaseChanged(name: string): void {
    if (this.#ended || this.#line !== null || this.#params['database']?.toLowerCase() !== name.toLowerCase()) return
    this.#forgetLoaded()
    if (this.#timer === null) this.#isOutdated = true
    else if (this.#phase !== 'waiting') this.#after(0, () => void this.#check(true))
  }

  /** Errors: `Error` where the server would drop the socket for it (our bug). False: it is not open. */
  send(text: string): boolean {
    if (!this.endpoint.clientSends) throw new Error(`${this.endpoint.route} drops when anything is sent`)
    if (this.#openedMs === null) return false
    this.#line?.send(text)
    return true
  }

  /** Also called when the page is hidden or shown again. */
  begin(): void {
    if (this.#ended) return
    if (this.#host.isHidden()) {
      if (this.#openedMs !== null) this.#tellClosed(this.#host.env.now(), 'tab-hidden')
      this.#interrupt()
      this.#say('paused', 'Paused while the page is hidden.')
    } else if (this.#line === null) {
      this.#stopWork()
      if (this.endpoint.loadsDatabase) void this.#check(false)
      else this.#connect(false)
    }
  }

  /** What it costs; null: it is not open, or another page has the connection. */
  get spent(): Spent | null {
    return this.#line?.spent ?? null
  }

  /** What it would cost without pauses, as a share of one core; null: it is neither open nor paused, or another page has it. */
  get wantedShare(): number | null {
    return this.#line?.wantedShare ?? null
  }

  /** Closes until `untilMs` (wall clock), for all who share it. */
  pause(untilMs: number, why: string): void {
    this.#line?.pause(untilMs, why)
  }

  /** Ends a pause by the overhead limit, where this page has the connection. */
  resume(): void {
    this.#line?.resume()
  }

  async #check(quiet: boolean): Promise<void> {
    if (!quiet) this.#say('checking', 'Asking whether the database is loaded.')
    const look = await this.#look()
    if (look === null) return
    this.#tellWhyClosed(look)
    if (look.state === 'ready') this.#connect(false)
    else this.#settle(look, null)
  }

  /** One that is being unloaded may turn out to be disabled or deleted in a moment. */
  #tellWhyClosed(look: Look): void {
    if (this.#unsaid === null) return
    const { atMs, reason: before } = this.#unsaid
    const reason = look.state === 'ready' ? before : reasonOf(look)
    if (look.state === 'unloaded' && look.settling) this.#unsaid = { atMs, reason }
    else this.#tellClosed(atMs, reason)
  }

  /** Null: interrupted meanwhile. */
  async #look(): Promise<Look | null> {
    const { signal } = this.#work
    const beganMs = this.#host.env.now()
    const look = await lookAt(this.#host, this.endpoint, this.#params, signal)
    if (signal.aborted) return null
    if (look.state === 'unreachable') this.#wasAway = true
    else {
      // One that answers at once was not still: only its socket was.
      const nowMs = this.#host.env.now()
      if (this.#wasAway || nowMs - beganMs >= PROMPT_MS) this.#tellStill(nowMs)
      else this.#still.reset()
      this.#wasAway = false
    }
    return look
  }

  #connect(allowLoad: boolean): void {
    const { env } = this.#host
    this.#mayLoad = allowLoad
    this.#say('connecting', allowLoad ? 'Loading the database and connecting to it.' : 'Connecting.')
    const openMs = allowLoad ? LOAD_MS : this.endpoint.timeoutMs
    const { endpoint, shareName } = this
    try {
      this.#line = new Line(
        this.#lineHost(),
        { endpoint, path: this.#path, openMs, shareName, isRecurring: this.#isRecurring },
        {
          onOpen: () => this.#onOpen(allowLoad),
          onHeard: (atMs) => {
            this.#heard(atMs)
            this.#handlers.onHeard?.(atMs)
          },
          onFrame: (text) => this.#handlers.onFrame(text, env.now()),
          onEnd: (end) => void this.#onEnd(end),
          onAgain: (atMs) => {
            this.#notOpen(atMs, 'socket-closed')
            this.#say('connecting', 'Connecting.')
          },
          onPause: (atMs, untilMs, why) => {
            this.#notOpen(atMs, 'paused-by-rookery')
            this.#say('paused-by-rookery', why, untilMs)
          },
        },
      )
    } catch (cause) {
      this.#retry(this.#failed('The browser did not open the connection.', cause))
    }
  }

  #lineHost(): ConstructorParameters<typeof Line>[0] {
    const { env, book, isLoaded, text } = this.#host
    const { history, loadsDatabase } = this.endpoint
    const name = this.#params['database']
    return {
      env,
      book,
      mayOpen: (signal) => (loadsDatabase && name !== undefined ? isLoaded(name, signal) : Promise.resolve(true)),
      history: history === null || history === 'nothing' ? null : (signal) => text(history, this.#params, signal),
    }
  }

  #onOpen(allowLoad: boolean): void {
    // Whoever takes frames has to know that they begin anew.
    if (this.#phase !== 'connecting') this.#say('connecting', 'Connecting.')
    this.#mayLoad = false
    this.#missed = null
    this.#openedMs = this.#host.env.now()
    this.#heard(this.#openedMs)
    if (allowLoad && this.spent !== null) this.#host.noteLoad(this.#params['database'] ?? '')
    this.#forgetLoaded()
    this.#say('open', '')
  }

  /** Only the page that has the connection is a witness: what another passes on tells of that page, too. */
  #heard(atMs: number): void {
    if (this.spent !== null) this.#tellStill(atMs)
    else this.#still.reset()
  }

  #tellStill(atMs: number): void {
    const still = this.#still.hear(atMs)
    if (this.#openedMs === null) this.#still.pause()
    if (still !== null && !this.#ended && this.#host.confirmsStill(still)) this.#handlers.onStill?.(still)
  }

  #notOpen(atMs: number, reason: CloseReason): void {
    this.#still.reset()
    if (this.#openedMs !== null) this.#tellClosed(atMs, reason)
    this.#openedMs = null
  }

  async #onEnd(end: ConnectionEnd): Promise<void> {
    const wasOpen = this.#openedMs !== null
    if (end.why === 'closed') this.#tellStill(end.atMs)
    this.#still.pause()
    if (this.#openedMs !== null && this.#host.env.now() - this.#openedMs >= HEALTHY_MS) this.#backoff.reset()
    this.#forgetConnection()
    this.#forgetLoaded()
    if (wasOpen && end.why === 'silent') this.#tellClosed(end.atMs, 'silent')
    else if (wasOpen) this.#unsaid = { atMs: end.atMs, reason: 'socket-closed' }
    const what = whatEnded(end, wasOpen)
    const wasToLoad = this.#mayLoad
    this.#mayLoad = false
    this.#say('checking', `${what}; asking the server why.`)
    const look = await this.#look()
    if (look === null) return
    if (wasToLoad && (look.state === 'loading' || look.state === 'unloaded')) {
      await this.#askWhyNotLoaded(look)
      return
    }
    this.#tellWhyClosed(look)
    const error = wasOpen ? end.error : this.#failed('The server answers, but did not accept the connection.', null)
    this.#settle(look, error, `${what}; it is tried again.`)
  }

  /** The user asked to load it, and a socket cannot say why that failed: an ordinary question can. It waits for the load, too. */
  async #askWhyNotLoaded(look: Look): Promise<void> {
    const { signal } = this.#work
    this.#say('loading', 'The server is loading the database; this page waits for it.')
    try {
      await this.#host.json('footerStats', { database: this.#params['database'] ?? '' }, { signal, allowLoad: true })
    } catch (thrown) {
      if (signal.aborted) return
      const error = asRavenError(thrown, this.#path)
      if (error.kind === 'database-loading') {
        this.#loadError = error
        this.#loadToldMs = this.#host.env.now()
        this.#say('loading', error.message, this.#lookAgain('loading'), error)
      } else if (error.kind === 'database-faulted')
        this.#say('faulted', error.message, this.#lookAgain('faulted'), error)
      else this.#settle(look, error)
      return
    }
    if (!signal.aborted) await this.#check(false)
  }

  /** What to do after a look that did not lead to a connection. `error` and `message`: of the last connection. */
  #settle(look: Look, error: RavenError | null, message = ''): void {
    if (look.state !== 'gone' && look.state !== 'unreachable') this.#missed = null
    if (
      look.state === 'unloaded' &&
      this.#loadError !== null &&
      this.#host.env.now() - this.#loadToldMs < LOAD_TOLD_MS
    ) {
      this.#say('loading', this.#loadError.message, this.#lookAgain('loading'), this.#loadError)
      return
    }
    if (look.state !== 'loading') this.#loadError = null
    switch (look.state) {
      case 'ready':
        this.#retry(error, message)
        break
      case 'unreachable':
        this.#retry(look.error)
        break
      case 'unloaded':
        this.#looks = 0
        this.#say('unloaded', look.message, look.settling ? this.#lookAgain('settling') : this.#lookLater())
        break
      case 'refused':
        this.#say(look.state, look.message, this.#lookAgain(look.state), look.error)
        break
      case 'loading':
        this.#say('loading', this.#loadError?.message ?? look.message, this.#lookAgain('loading'), this.#loadError)
        break
      case 'gone':
        this.#say(look.state, look.message, this.#lookForNew())
        break
      default:
        this.#say(look.state, look.message, this.#lookAgain(look.state))
    }
  }

  #lookAgain(state: keyof typeof AGAIN_MS): number {
    return this.#after(AGAIN_MS[state] * this.#host.pace(), () => void this.#check(true))
  }

  #lookForNew(): number {
    if (this.#missed === null) return this.#lookAgain('gone')
    const delayMs = Math.min(AGAIN_MS.gone, NEW_AGAIN_MS * 2 ** this.#missed++)
    return this.#after(delayMs * this.#host.pace(), () => void this.#check(true))
  }

  #lookLater(): number {
    return this.#after(UNLOADED_AGAIN_MS * this.#host.pace(), () => void this.#lookForLoaded())
  }

  async #lookForLoaded(): Promise<void> {
    if (++this.#looks > CHEAP_LOOKS) return this.#check(true)
    const { signal } = this.#work
    let loaded: boolean
    try {
      loaded = await this.#host.isLoaded(this.#params['database'] ?? '', signal)
    } catch {
      return signal.aborted ? undefined : this.#check(true)
    }
    if (signal.aborted) return
    if (loaded) this.#connect(false)
    else this.#lookLater()
  }

  #retry(error: RavenError | null, message = ''): void {
    const retryAtMs = this.#after(Math.max(this.#backoff.next(), error?.retryAfterMs ?? 0), () => this.begin())
    this.#say('waiting', error?.message ?? message, retryAtMs, error)
  }

  #failed(message: string, cause: unknown): RavenError {
    const hint =
      'It is tried again. If it never works, a proxy between this page and the server does not pass WebSockets.'
    return new RavenError({ kind: 'network', endpoint: this.#path, message, hint, cause })
  }

  #after(plannedMs: number, run: () => void): number {
    const { env } = this.#host
    const delayMs = this.#isOutdated ? Math.min(plannedMs, AGAIN_MS.settling) : plannedMs
    this.#isOutdated = false
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = env.setTimeout(() => {
      this.#timer = null
      run()
    }, delayMs)
    return env.now() + delayMs
  }

  #stopWork(): void {
    this.#work.abort()
    this.#work = new AbortController()
    if (this.#timer !== null) this.#host.env.clearTimeout(this.#timer)
    this.#timer = null
    this.#isOutdated = false
    if (this.#unsaid !== null) this.#tellClosed(this.#unsaid.atMs, this.#unsaid.reason)
    this.#line?.drop()
    this.#forgetConnection()
  }

  #interrupt(): void {
    this.#stopWork()
    this.#still.reset()
    this.#backoff.reset()
  }

  /** What the gate believes may be wrong now. */
  #forgetLoaded(): void {
    const name = this.#params['database']
    if (name !== undefined) this.#host.forgetLoaded(name)
  }

  #forgetConnection(): void {
    this.#line = null
    this.#openedMs = null
  }

  #tellClosed(atMs: number, reason: CloseReason): void {
    this.#unsaid = null
    if (!this.#ended) this.#handlers.onClosed?.(atMs, reason)
  }

  #say(
    phase: SocketPhase['phase'],
    message: string,
    retryAtMs: number | null = null,
    error: RavenError | null = null,
  ): void {
    this.#phase = phase
    if (!this.#ended) this.#handlers.onPhase({ phase, message, retryAtMs, error: error?.toInfo() ?? null })
  }
}

function whatEnded(end: ConnectionEnd, wasOpen: boolean): string {
  if (end.why === 'silent') return wasOpen ? 'No data for too long' : 'The connection did not open in time'
  return wasOpen ? 'The connection closed' : 'The connection was not accepted'
}

function reasonOf(look: Look): CloseReason {
  switch (look.state) {
    case 'unreachable':
      // Where something answered, or accepted the question, it is not known to have stopped.
      return look.error.kind === 'network' ? 'server-stopped' : 'socket-closed'
    case 'unloaded':
    case 'loading':
    case 'faulted':
      return 'database-unloaded'
    case 'disabled':
      return 'database-disabled'
    case 'gone':
      return 'database-deleted'
    default:
      return 'socket-closed'
  }
}
