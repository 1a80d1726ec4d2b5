import type { ConnectionEnd } from './connection.ts'
import type { Endpoint, EndpointKey, Params } from '../endpoints.ts'
import type { GovernorEnv, TimerId } from '../env.ts'
import { asRavenError, RavenError } from '../errors/errors.ts'
import { SharedSocket } from './shared-socket.ts'
import type { Audience } from '../budget/plan.ts'
import { probe as probeEndpoint, type Requester, type Probe } from '../loading/probe.ts'
import type { MeterLog } from '../budget/meter.ts'
import { Backoff, HEALTHY_MS } from './reconnect.ts'
import { SOON_MS } from '../health/outage.ts'
import type { Spent } from '../budget/spending.ts'
import { reasonOf, type CloseReason, type SocketHandlers, type SocketPhase } from './socket-events.ts'
import { failed, ProbeSchedule, SETTLING_MS, type Waiting } from './probe-schedule.ts'
import { StillWatch, type Still } from '../health/stillness.ts'

export interface SocketPlace {
  /** Pages and panels with the same name share a socket, if the endpoint alone does not define that; null: it does. */
  readonly share: string | null
  /** Reduced last, since users need it most. */
  readonly isKept: boolean
  /** Never reduced. */
  readonly isVital: boolean
  readonly audience: Audience
  /** Opened often, one of many of its kind: its opening is not a one-time cost. */
  readonly isRecurring: boolean
}

export interface SocketHost extends Requester {
  readonly env: GovernorEnv
  readonly log: MeterLog
  readonly isHidden: () => boolean
  /** Factor by which requests are slowed down. */
  readonly pace: () => number
  readonly forgetLoaded: (name: string) => void
  /** Called when a connection begins, which renews the idle time of `database`. Call the result at its end. */
  readonly beginOpening: (path: string, database: string | null) => () => void
  /** Whether there is more evidence than one silent socket that the server did not answer. */
  readonly confirmsStill: (still: Still) => boolean
  /** Records that an attempt succeeded which was allowed to load this database. */
  readonly noteLoad: (name: string) => void
  /** A GET as text. */
  readonly text: (key: EndpointKey, params: Params, signal: AbortSignal) => Promise<string>
}

/** Time limit, ms: before it accepts the socket, the server may load the database, for which it waits up to 30 s. */
const LOAD_MS = 60_000
/** Time, ms, within which a probe is normally answered. */
const PROMPT_MS = 1000

/**
 * A socket that is kept open, and says all the time what it is doing.
 *
 *     checking → connecting → open → (closed) checking → waiting → checking …
 *         └→ unloaded, disabled, faulted, gone, refused: looked at again from time to time
 *
 * No connection of a database is begun unless the server reported a moment ago that it is loaded: the server unloads idle
 * ones under open sockets, and reconnecting blindly would load them again, for ever. `loadNow` lets one attempt through.
 */
export class LiveSocket {
  readonly #host: SocketHost
  readonly endpoint: Endpoint
  readonly #params: Params
  readonly #handlers: SocketHandlers
  readonly #path: string
  /** Name by which pages share it; null: not shared. */
  readonly shareName: string | null
  readonly audience: Audience
  readonly #isRecurring: boolean
  readonly isKept: boolean
  readonly isVital: boolean
  readonly #backoff: Backoff
  readonly #still: StillWatch
  readonly #schedule: ProbeSchedule
  #shared: SharedSocket | null = null
  #phase: SocketPhase['phase'] | null = null
  #openedMs: number | null = null
  /** A close whose reason is still being found; `reason` as far as known. */
  #unreported: { readonly atMs: number; readonly reason: CloseReason } | null = null
  /** Whether the server reported a change of the database during a probe, whose response may be older. */
  #isOutdated = false
  #timer: TimerId | null = null
  /** Reason and end (wall clock, ms) of a wait that the server did not request; null: no such wait. */
  #waiting: { readonly error: RavenError | null; readonly message: string; readonly untilMs: number } | null = null
  #work = new AbortController()
  #mayLoad = false
  /** No probe was answered since the last successful one. */
  #wasAway = false
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
    // A vital socket shares only with vital ones, which are never reduced.
    const name = `${isVital ? 'vital ' : ''}socket ${this.#path} ${share ?? ''}`
    this.shareName = share === null && endpoint.history === null ? null : name
    this.isVital = isVital
    this.audience = audience
    this.#isRecurring = isRecurring
    // Each opening sends the whole history again.
    this.isKept = isKept || (endpoint.history !== null && endpoint.history !== 'nothing')
    this.#backoff = new Backoff(host.env.random)
    this.#still = new StillWatch(host.env)
    this.#schedule = new ProbeSchedule(host.env.now)
  }

  /** Ends the socket. Nothing is reported afterwards. */
  close(): void {
    this.#ended = true
    this.#interrupt()
  }

  /** Connects at once if it is waiting; does nothing if it is open or connecting. Loads nothing. */
  reconnectNow(): void {
    if (this.#ended || this.#shared !== null) return
    this.#backoff.reset()
    this.begin()
  }

  /** Retries soon if it waits for longer, since the server answers again. */
  retrySoon(): void {
    if (this.#ended || this.#waiting === null || this.#timer === null) return
    const { error, message, untilMs } = this.#waiting
    const { now, random } = this.#host.env
    if (untilMs - now() > SOON_MS) this.#retryAfter(Math.round(random() * SOON_MS), error, message)
  }

  /** Starts one attempt that skips the gate: the user wants the database loaded. */
  loadNow(): void {
    if (this.#ended || this.#host.isHidden() || this.#openedMs !== null) return
    const isLoading = this.#phase === 'loading'
    this.#stopWork()
    // Another client is loading it: report the progress.
    if (isLoading) void this.#findWhyNotLoaded({ state: 'loading', message: 'The server is loading the database.' })
    else this.#connect(true)
  }

  /** The server reports a change of this database: probes at once if it is waiting. Loads nothing. */
  databaseChanged(name: string): void {
    if (this.#ended || this.#shared !== null || this.#params['database']?.toLowerCase() !== name.toLowerCase()) return
    this.#forgetLoaded()
    if (this.#timer === null) this.#isOutdated = true
    else if (this.#phase !== 'waiting') this.#after(0, () => void this.#check(true))
  }

  /** Returns false if the socket is not open. Errors: `Error` if the server would drop it, a bug of ours. */
  send(text: string): boolean {
    if (!this.endpoint.clientSends) throw new Error(`${this.endpoint.route} drops when anything is sent`)
    if (this.#openedMs === null) return false
    this.#shared?.send(text)
    return true
  }

  /** Also called when the page is hidden or shown. */
  begin(): void {
    if (this.#ended) return
    if (this.#host.isHidden()) {
      if (this.#openedMs !== null) this.#reportClosed(this.#host.env.now(), 'tab-hidden')
      this.#interrupt()
      this.#report('paused', 'Paused while the page is hidden.')
    } else if (this.#shared === null) {
      this.#stopWork()
      if (this.endpoint.loadsDatabase) void this.#check(false)
      else this.#connect(false)
    }
  }

  /** Cost so far; null: not open, or another page has the connection. */
  get spent(): Spent | null {
    return this.#shared?.spent ?? null
  }

  /** Cost without pauses, as a share of one core; null: neither open nor paused, or another page has it. */
  get wantedShare(): number | null {
    return this.#shared?.wantedShare ?? null
  }

  /** Closes until `untilMs` (wall clock), for all pages that share it. */
  pause(untilMs: number, why: string): void {
    this.#shared?.pause(untilMs, why)
  }

  /** Ends a pause by the overhead limit, if this page has the connection. */
  resume(): void {
    this.#shared?.resume()
  }

  async #check(quiet: boolean): Promise<void> {
    if (!quiet) this.#report('checking', 'Checking whether the database is loaded.')
    const probe = await this.#probe()
    if (probe === null) return
    this.#reportWhyClosed(probe)
    if (probe.state === 'ready') this.#connect(false)
    else this.#settle(probe, null)
  }

  /** Reports why the socket closed. A database that is being unloaded may turn out to be disabled or deleted. */
  #reportWhyClosed(probe: Probe): void {
    if (this.#unreported === null) return
    const { atMs, reason: before } = this.#unreported
    const reason = probe.state === 'ready' ? before : reasonOf(probe)
    if (probe.state === 'unloaded' && probe.settling) this.#unreported = { atMs, reason }
    else this.#reportClosed(atMs, reason)
  }

  /** Probes the other end; null: interrupted. */
  async #probe(): Promise<Probe | null> {
    const { signal } = this.#work
    const beganMs = this.#host.env.now()
    const probe = await probeEndpoint(this.#host, this.endpoint, this.#params, signal)
    if (signal.aborted) return null
    if (probe.state === 'unreachable') this.#wasAway = true
    else {
      // A server that answers at once was not unresponsive: only the socket was silent.
      const nowMs = this.#host.env.now()
      if (this.#wasAway || nowMs - beganMs >= PROMPT_MS) this.#reportStill(nowMs)
      else this.#still.reset()
      this.#wasAway = false
    }
    return probe
  }

  #connect(allowLoad: boolean): void {
    const { env } = this.#host
    this.#mayLoad = allowLoad
    this.#report('connecting', allowLoad ? 'Loading the database and connecting to it.' : 'Connecting.')
    const openMs = allowLoad ? LOAD_MS : this.endpoint.timeoutMs
    const { endpoint, shareName } = this
    try {
      this.#shared = new SharedSocket(
        this.#sharedSocketHost(),
        { endpoint, path: this.#path, openMs, shareName, isRecurring: this.#isRecurring },
        {
          onOpen: () => this.#onOpen(allowLoad),
          onReceived: (atMs) => {
            this.#received(atMs)
            this.#handlers.onReceived?.(atMs)
          },
          onFrame: (text) => this.#handlers.onFrame(text, env.now()),
          onEnd: (end) => void this.#onEnd(end),
          onAgain: (atMs) => {
            this.#notOpen(atMs, 'socket-closed')
            this.#report('connecting', 'Connecting.')
          },
          onPause: (atMs, untilMs, why) => {
            this.#notOpen(atMs, 'paused-by-rookery')
            this.#report('paused-by-rookery', why, untilMs)
          },
        },
      )
    } catch (cause) {
      this.#retry(this.#networkError('The browser did not open the connection.', cause))
    }
  }

  #sharedSocketHost(): ConstructorParameters<typeof SharedSocket>[0] {
    const { env, log, isLoaded, text, beginOpening } = this.#host
    const { history, loadsDatabase, movesLastWork } = this.endpoint
    const name = this.#params['database']
    return {
      env,
      log,
      beginOpening: () => beginOpening(this.#path, movesLastWork ? (name ?? null) : null),
      mayOpen: (signal) => (loadsDatabase && name !== undefined ? isLoaded(name, signal) : Promise.resolve(true)),
      history: history === null || history === 'nothing' ? null : (signal) => text(history, this.#params, signal),
    }
  }

  #onOpen(allowLoad: boolean): void {
    // Receivers of frames must know that frames start over.
    if (this.#phase !== 'connecting') this.#report('connecting', 'Connecting.')
    this.#mayLoad = false
    this.#schedule.found()
    this.#openedMs = this.#host.env.now()
    this.#received(this.#openedMs)
    if (allowLoad && this.spent !== null) this.#host.noteLoad(this.#params['database'] ?? '')
    this.#forgetLoaded()
    this.#report('open', '')
  }

  /** Only the page with the connection is a witness: what it passes on also depends on that page. */
  #received(atMs: number): void {
    if (this.spent !== null) this.#reportStill(atMs)
    else this.#still.reset()
  }

  #reportStill(atMs: number): void {
    const still = this.#still.receive(atMs)
    if (this.#openedMs === null) this.#still.pause()
    if (still !== null && !this.#ended && this.#host.confirmsStill(still)) this.#handlers.onStill?.(still)
  }

  #notOpen(atMs: number, reason: CloseReason): void {
    this.#still.reset()
    if (this.#openedMs !== null) this.#reportClosed(atMs, reason)
    this.#openedMs = null
  }

  async #onEnd(end: ConnectionEnd): Promise<void> {
    const wasOpen = this.#openedMs !== null
    if (end.why === 'closed') this.#reportStill(end.atMs)
    this.#still.pause()
    if (this.#openedMs !== null && this.#host.env.now() - this.#openedMs >= HEALTHY_MS) this.#backoff.reset()
    this.#forgetConnection()
    this.#forgetLoaded()
    if (wasOpen && end.why === 'silent') this.#reportClosed(end.atMs, 'silent')
    else if (wasOpen) this.#unreported = { atMs: end.atMs, reason: 'socket-closed' }
    const what = whatEnded(end, wasOpen)
    const wasToLoad = this.#mayLoad
    this.#mayLoad = false
    this.#report('checking', `${what}; requesting the reason.`)
    const probe = await this.#probe()
    if (probe === null) return
    if (wasToLoad && (probe.state === 'loading' || probe.state === 'unloaded')) {
      await this.#findWhyNotLoaded(probe)
      return
    }
    this.#reportWhyClosed(probe)
    const error = wasOpen
      ? end.error
      : this.#networkError('The server answers, but did not accept the connection.', null)
    this.#settle(probe, error, `${what}; it is tried again.`)
  }

  /** Finds why a load failed with an ordinary request, which waits for it as well: a socket gets no reason. */
  async #findWhyNotLoaded(probe: Probe): Promise<void> {
    const { signal } = this.#work
    this.#report('loading', 'The server is loading the database; this page waits for it.')
    try {
      await this.#host.json('footerStats', { database: this.#params['database'] ?? '' }, { signal, allowLoad: true })
    } catch (thrown) {
      if (signal.aborted) return
      const error = asRavenError(thrown, this.#path)
      if (error.kind === 'database-loading') this.#wait(this.#schedule.loading(error))
      else if (error.kind === 'database-faulted') this.#wait(failed('faulted', error))
      else this.#settle(probe, error)
      return
    }
    if (!signal.aborted) await this.#check(false)
  }

  /** Decides what follows a probe that did not lead to a connection. `error` and `message`: of the last connection. */
  #settle(probe: Probe, error: RavenError | null, message = ''): void {
    const waiting = this.#schedule.after(probe)
    if (waiting !== null) this.#wait(waiting)
    else if (probe.state === 'unreachable') this.#retry(probe.error)
    else this.#retry(error, message)
  }

  #wait(waiting: Waiting): void {
    this.#report(waiting.phase, waiting.message, this.#probeAgain(waiting), waiting.error)
  }

  #probeAgain({ againMs, isCheap }: Pick<Waiting, 'againMs' | 'isCheap'>): number {
    return this.#after(againMs * this.#host.pace(), () => void (isCheap ? this.#lookForLoaded() : this.#check(true)))
  }

  async #lookForLoaded(): Promise<void> {
    if (!this.#schedule.mayBeCheap()) return this.#check(true)
    const { signal } = this.#work
    let loaded: boolean
    try {
      loaded = await this.#host.isLoaded(this.#params['database'] ?? '', signal)
    } catch {
      return signal.aborted ? undefined : this.#check(true)
    }
    if (signal.aborted) return
    if (loaded) this.#connect(false)
    else this.#probeAgain(this.#schedule.unloadedAgain)
  }

  #retry(error: RavenError | null, message = ''): void {
    this.#retryAfter(Math.max(this.#backoff.next(), error?.retryAfterMs ?? 0), error, message)
  }

  #retryAfter(delayMs: number, error: RavenError | null, message: string): void {
    const untilMs = this.#after(delayMs, () => this.begin())
    if ((error?.retryAfterMs ?? null) === null) this.#waiting = { error, message, untilMs }
    this.#report('waiting', error?.message ?? message, untilMs, error)
  }

  #networkError(message: string, cause: unknown): RavenError {
    const hint =
      'It is tried again. If it never works, a proxy between this page and the server does not pass WebSockets.'
    return new RavenError({ kind: 'network', endpoint: this.#path, message, hint, cause })
  }

  #after(plannedMs: number, run: () => void): number {
    const { env } = this.#host
    const delayMs = this.#isOutdated ? Math.min(plannedMs, SETTLING_MS) : plannedMs
    this.#isOutdated = false
    this.#waiting = null
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
    this.#waiting = null
    this.#isOutdated = false
    if (this.#unreported !== null) this.#reportClosed(this.#unreported.atMs, this.#unreported.reason)
    this.#shared?.drop()
    this.#forgetConnection()
  }

  #interrupt(): void {
    this.#stopWork()
    this.#still.reset()
    this.#backoff.reset()
  }

  /** Drops the gate's last answer, which may be wrong now. */
  #forgetLoaded(): void {
    const name = this.#params['database']
    if (name !== undefined) this.#host.forgetLoaded(name)
  }

  #forgetConnection(): void {
    this.#shared = null
    this.#openedMs = null
  }

  #reportClosed(atMs: number, reason: CloseReason): void {
    this.#unreported = null
    if (!this.#ended) this.#handlers.onClosed?.(atMs, reason)
  }

  #report(
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
