import { probe as probeEndpoint, type Probe } from '../loading/probe.ts'
import { ENDPOINTS, type EndpointKey, type Params, type SocketKey } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import { Polls } from '../http/polls.ts'
import type { QueryHost, QueryRequest, QueryResponse, QueryStream } from '../http/query.ts'
import type { NewestResponse } from '../http/newest.ts'
import { Requests } from '../http/requests.ts'
import type { TransferOptions } from '../http/transfer.ts'
import type { WriteHost, WriteRequest, WriteResponse } from '../http/write.ts'
import { Sockets } from '../sockets/sockets.ts'
import { Costs } from '../budget/costs.ts'
import { MeterLog, type Meter, type PausedSocket } from '../budget/meter.ts'
import { Overhead } from '../budget/overhead.ts'
import { OwnRequests } from '../budget/own-requests.ts'
import type { Audience } from '../budget/plan.ts'
import { Slowdown } from '../health/slowdown.ts'
import { ServerWitness } from '../health/witness.ts'
import { loadedPart } from './loaded-part.ts'

/**
 * Gateway of a page to the server, for every request and socket. Merges equal requests, limits the number at once,
 * sends nothing to unloaded databases, slows down when the server is slow, pauses while the page is hidden, and counts
 * the cost of all of it. Errors of every call: `RavenError`.
 */
export class Governor {
  readonly env: GovernorEnv
  readonly witness: ServerWitness
  readonly overhead: Overhead
  /** Requests of this browser's pages, to be subtracted from the server's figures. */
  readonly own: OwnRequests
  readonly #costs: Costs
  readonly #meterLog: MeterLog
  readonly #slowdown: Slowdown
  readonly #requests: Requests
  readonly #polls: Polls
  readonly #sockets: Sockets
  /** Called when a request was not answered, or the server has refused every request of this page. */
  onUnanswered: () => void = () => undefined
  #hidden = false
  #allowsChanges = false
  /** Whether the stand-alone server refuses changes. */
  isViewOnlyForced = false
  readonly #hiddenListeners = new Set<(hidden: boolean) => void>()
  readonly #changeListeners = new Set<(name: string) => void>()

  constructor(env: GovernorEnv) {
    const witness = new ServerWitness(env, () => requests.probeServer())
    const costs = new Costs(env.now)
    const meterLog = new MeterLog(env.now, costs)
    const own = new OwnRequests(env)
    const slowdown = new Slowdown(env.now, () => polls.arm())
    const requests = new Requests({
      env,
      costs,
      meterLog,
      own,
      slowdown,
      witness,
      onUnanswered: () => this.onUnanswered(),
      onOutageOver: () => {
        this.#retrySoon()
        overhead.reportOutageOver()
      },
      onBarred: () => {
        polls.arm()
        if (!requests.isBarred) this.retryNow()
      },
    })
    const parts = {
      env,
      costs,
      meterLog,
      own,
      slowdown,
      witness,
      requests,
      isHidden: () => this.#hidden,
      isFront: (audience: Audience) => overhead.isFront(audience),
    }
    const polls = new Polls({ ...parts, plan: () => overhead.plan() })
    const sockets = new Sockets({
      ...parts,
      isFrontSocket: (socket) => overhead.isFrontSocket(socket),
      mayCost: () => overhead.socketsMayCost(),
    })
    const overhead = new Overhead({
      env,
      slowdown,
      wants: () => ({ polls: polls.wants, sockets: sockets.pauses.wants }),
      cost: () => ({ frontSockets: sockets.front, share: costs.share, ...meterLog.lastMinute() }),
      changed: () => {
        sockets.pauses.rearrange()
        polls.arm()
      },
      resumed: () => sockets.pauses.resume(),
      outageOver: () => this.#retrySoon(),
    })
    this.env = env
    this.witness = witness
    this.overhead = overhead
    this.own = own
    this.#costs = costs
    this.#meterLog = meterLog
    this.#slowdown = slowdown
    this.#requests = requests
    this.#polls = polls
    this.#sockets = sockets
  }

  readonly json: Requests['json'] = (...call) => this.#requests.json(...call)
  readonly bytes: Requests['bytes'] = (...call) => this.#requests.bytes(...call)
  readonly version: Requests['version'] = (signal) => this.#requests.version(signal)
  readonly poll: Polls['poll'] = (...call) => this.#polls.poll(...call)
  readonly pollBytes: Polls['pollBytes'] = (...call) => this.#polls.pollBytes(...call)
  readonly repeat: Polls['repeat'] = (...call) => this.#polls.repeat(...call)
  readonly repeatShared: Polls['repeatShared'] = (...call) => this.#polls.repeatShared(...call)
  readonly openSocket: Sockets['open'] = (...call) => this.#sockets.open(...call)

  /** Marks responses of the database as outdated: another client changed it, or an index worked. */
  databaseWorked(name: string): void {
    this.#requests.touches.worked(name)
  }

  /** Drops what was read of databases: another server has this address now. */
  serverChanged(): void {
    this.#requests.touches.forget()
    this.#requests.newest.forget()
  }

  /** Whether this certificate cannot see some work of databases, such as an operation that has not written yet. */
  readonly isBlind = (): Promise<boolean> => this.#requests.touches.isBlind()

  /** Newest responses that a debug package would contain, as they arrived. Sends no request. */
  get newest(): readonly NewestResponse[] {
    return this.#requests.newest.all
  }

  /** Wall clock of the newest response, ms; the database is not queried again while it is idle. Null: not known. */
  readMs(key: EndpointKey, params: Params): number | null {
    return this.#requests.touches.readMs(ENDPOINTS[key].path(params))
  }

  /** Known server CPU of one call, ms. */
  costMs(key: EndpointKey): number {
    return this.#costs.costMs(ENDPOINTS[key])
  }

  /**
   * Sends a request that may change the server, once: it is never repeated, and refused while `isViewOnly`. Errors:
   * `RavenError`, see `http/write.ts`.
   */
  async write(request: WriteRequest): Promise<WriteResponse> {
    const { sendOnce } = await loadedPart(request.path, () => import('../http/write.ts'))
    this.#requests.mustNotBeBarred(null, request.path)
    try {
      return await sendOnce(this.#writeHost(), request)
    } finally {
      this.#noteWork(request.path)
    }
  }

  /** Sends a write with a file in the response or the request: `http/transfer.ts`. Errors: `RavenError`. */
  async transfer(request: WriteRequest, options: TransferOptions): Promise<Response> {
    const { openTransfer } = await loadedPart(request.path, () => import('../http/transfer.ts'))
    this.#requests.mustNotBeBarred(null, request.path)
    this.#noteWork(request.path)
    return openTransfer(this.#writeHost(), request, options)
  }

  /**
   * Sends a database query that changes nothing, at a click: past the queue, shared with none. An abort closes its
   * connection, which ends it on the server. Errors: `RavenError`, see `http/query.ts`.
   */
  async query(request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> {
    const { sendQuery } = await loadedPart(request.path, () => import('../http/query.ts'))
    return sendQuery(this.#queryHost(request), request, signal)
  }

  /** Sends a query that cannot create an index and whose response is of any length. Errors: `RavenError`. */
  async streamQuery(request: QueryRequest, signal: AbortSignal): Promise<QueryStream> {
    const { streamQuery } = await loadedPart(request.path, () => import('../http/query.ts'))
    return streamQuery(this.#queryHost(request), request, signal)
  }

  #queryHost({ path }: QueryRequest): QueryHost {
    this.#requests.mustNotBeBarred(null, path)
    const { touches, gate } = this.#requests
    return { ...this.#writeHost(), touches, gate, own: this.own, meterLog: this.#meterLog }
  }

  /** A change to the server itself may affect any database. */
  #noteWork(path: string): void {
    const { touches } = this.#requests
    const name = /^\/databases\/([^/?]+)\//.exec(path)?.[1]
    if (name === undefined) touches.forget()
    else touches.worked(decodeURIComponent(name))
  }

  #writeHost(): WriteHost {
    const { gate } = this.#requests
    return {
      env: this.env,
      isViewOnly: () => this.isViewOnly,
      isLoaded: (name, signal) => this.#requests.isLoaded(name, signal),
      onSent: (route, loads) => {
        this.#meterLog.request(route)
        if (loads === null) return
        if (!gate.wasLoaded(loads)) this.#meterLog.loaded()
        gate.forget(loads)
      },
      onEnded: (route, tookMs, failed) => {
        this.#meterLog.ended(route, tookMs)
        if (failed) this.#meterLog.failure(route)
      },
    }
  }

  /** True until the user allows changes. The stand-alone server may forbid them permanently. */
  get isViewOnly(): boolean {
    return !this.#allowsChanges || this.isViewOnlyForced
  }

  setViewOnly(viewOnly: boolean): void {
    this.#allowsChanges = !viewOnly
  }

  /** Sets whether the page is hidden. Polls and sockets pause while it is, and continue when it is shown. */
  setHidden(hidden: boolean): void {
    if (this.#hidden === hidden) return
    this.#hidden = hidden
    this.rearm()
    for (const listener of this.#hiddenListeners) listener(hidden)
    this.overhead.broadcast()
  }

  get isHidden(): boolean {
    return this.#hidden
  }

  /** Calls the listener when the page is hidden or shown, after polls and sockets. The result ends that. */
  onHidden(listener: (hidden: boolean) => void): () => void {
    this.#hiddenListeners.add(listener)
    return () => this.#hiddenListeners.delete(listener)
  }

  /** The server reports that a database was created, loaded, enabled, disabled or deleted: waiting sockets probe. */
  databaseChanged(name: string): void {
    this.databaseWorked(name)
    this.#sockets.databaseChanged(name)
    for (const listener of this.#changeListeners) listener(name)
  }

  /**
   * The dashboard shows that a database was loaded a moment ago: sockets that wait for it probe at once. If they opened
   * later, they would renew the time after which the server unloads it.
   */
  databaseLoaded(name: string): void {
    this.#sockets.databaseChanged(name)
  }

  /** Calls the listener for each such report that reaches this page. Returns a function that ends it. */
  onDatabaseChanged(listener: (name: string) => void): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  /** Finds the state of a socket's other end with calls that load nothing. Throws only if `signal` is aborted. */
  probe(key: SocketKey, params: Params, signal: AbortSignal): Promise<Probe> {
    return probeEndpoint(this.#requests, ENDPOINTS[key], params, signal)
  }

  /** Opens the sockets that the overhead limit has closed, on all pages of this browser, for at least a minute. */
  resume(): void {
    this.#sockets.pauses.resume()
    this.overhead.resumeOthers()
  }

  /** Applies a change of what continues while the page is hidden (`inBackground`). */
  rearm(): void {
    this.#sockets.begin()
    this.#polls.arm()
  }

  /** Makes every waiting socket connect now. */
  retryNow(): void {
    this.#sockets.reconnectNow()
  }

  /** Retries soon, instead of at the planned time, what failed or waits because the server was away. */
  #retrySoon(): void {
    this.#sockets.retrySoon()
    this.#polls.retrySoon()
  }

  meter(): Meter {
    const pausedSockets = this.#sockets.pauses.now()
    return this.#meterLog.read({
      slowed: this.#slowed(pausedSockets),
      isServerSlow: this.#slowdown.reason !== null,
      limits: this.overhead.limits,
      isAttended: this.overhead.isAttended,
      slowedPolls: this.#polls.slowed,
      pausedSockets,
      others: this.overhead.others,
    })
  }

  /** Reason why the server gets fewer requests than planned; null: it gets all of them. */
  #slowed(pausedSockets: readonly PausedSocket[]): string | null {
    const { reason } = this.#slowdown
    const held: string[] = []
    const paused = new Set(pausedSockets.map(({ what }) => what))
    if (paused.size > 0) held.push(`${[...paused].join(' and ')} paused from time to time`)
    if (reason === null && this.#polls.isStretched) held.push('some requests sent less often')
    const kept = held.length === 0 ? [] : [`Overhead limit: ${held.join('; ')}.`]
    const reported = reason === null ? kept : [reason, ...kept]
    return reported.length === 0 ? null : reported.join(' ')
  }

  /** Factor, 1 to 16, by which repeated requests are slowed down, and the reason (null: no trouble). */
  get pace(): { readonly factor: number; readonly why: string | null } {
    return { factor: this.#slowdown.factor, why: this.#slowdown.reason }
  }

  /** Takes the server's count of requests since its start, for our share of it. */
  noteServerRequests(requests: number): void {
    this.#meterLog.serverRequests(requests)
  }

  /** Ends every poll and socket. */
  close(): void {
    this.#polls.close()
    this.#sockets.close()
    this.witness.close()
    this.overhead.close()
    this.#requests.touches.close()
    this.own.close()
  }
}
