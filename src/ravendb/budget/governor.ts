import { SharedPoll } from '../http/shared-poll.ts'
import { Costs } from './costs.ts'
import type { GovernorEnv } from '../env.ts'
import { ENDPOINTS, type EndpointKey, type Params, type SocketKey } from '../endpoints.ts'
import { asRavenError, barsAll, RavenError } from '../http/errors.ts'
import { Flights, type Priority } from '../http/flights.ts'
import { Gate } from '../http/gate.ts'
import { probe as probeEndpoint, type Probe } from '../databases/probe.ts'
import { MeterLog, type Meter } from './meter.ts'
import { Neighbours, type PageCost } from '../tabs/neighbours.ts'
import { ASKED_ELSEWHERE, Poll, type PollHost, type PollOptions } from '../http/poll.ts'
import {
  clipLimits,
  DEFAULT_LIMITS,
  NO_AUDIENCE,
  planAll,
  pollPart,
  type Audience,
  type OverheadLimits,
  type Plan,
  type PollWant,
} from './plan.ts'
import { isAway, Outage } from './outage.ts'
import { Slowdown } from './slowdown.ts'
import { SocketPauses } from '../sockets/socket-pauses.ts'
import type { TransferOptions } from '../http/transfer.ts'
import type { WriteResponse, WriteHost, WriteRequest } from '../http/write.ts'
import { LiveSocket, type SocketHandlers, type SocketHost } from '../sockets/socket.ts'
import { getBytes, parseJson } from '../http/transport.ts'
import { offers, parseVersion, type ServerVersion } from '../versions.ts'
import { ServerWitness } from './witness.ts'

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** `user` (default) goes before `poll`. */
  readonly priority?: Priority
  /** Lets the call load an unloaded database: only for a click of a user who was warned. */
  readonly allowLoad?: boolean
  /** The request leaves the queue: it goes out now. Not called for one that shares a request which is already under way. */
  readonly onBegun?: () => void
  /** It shares no request that went out before: what it reads may have been changed since. */
  readonly isFresh?: boolean
  /** It counts as a request on demand, not as monitoring overhead; by default one of priority `user` does. */
  readonly isOnce?: boolean
}

export interface SocketOptions {
  /** The first attempt may load the database (a deliberate click). */
  readonly allowLoad?: boolean
  /** Continues while the page is hidden. */
  readonly inBackground?: () => boolean
  /** Pages and panels that say the same share one socket, where the endpoint alone does not say that they can. */
  readonly share?: string
  /** It is held back last, like a socket with a history: the others would rather be missed. */
  readonly isKept?: boolean
  /** The overhead limit never closes it; what it costs is taken from what the others may use. */
  readonly vital?: boolean
  readonly audience?: Audience
  /** One of many of its kind: what opening it costs counts as monitoring overhead. */
  readonly isRecurring?: boolean
}

export interface SocketControl {
  readonly close: () => void
  readonly reconnectNow: () => void
  readonly loadNow: () => void
  readonly send: (text: string) => boolean
}

/** A database that loads holds the request back, up to 30 s. */
const LOAD_MS = 60_000
/** That the server lets this page in nowhere is reported at most this often, ms. */
const BARRED_AGAIN_MS = 15_000
/** A poll that the overhead limit makes so many times slower is worth a word; the overhead view lists all. */
const WORTH_SAYING = 1.5

/** A response that pages share, and when it was asked for, wall clock, ms. */
interface Shared<Reported> {
  readonly reported: Reported
  readonly askedMs: number
}

/**
 * Every request and socket of a page to the server goes through it. It shares equal requests, keeps few at
 * once, asks nothing of unloaded databases, slows down when the server is slow, pauses while the page is hidden, and
 * counts what all of it costs. Errors of every call: `RavenError`.
 */
export class Governor {
  readonly env: GovernorEnv
  readonly witness: ServerWitness
  readonly #flights = new Flights()
  readonly #costs: Costs
  readonly #meterLog: MeterLog
  readonly #gate: Gate
  readonly #slowdown: Slowdown
  readonly #outage: Outage
  readonly #polls = new Set<Poll<unknown>>()
  readonly #sockets = new Set<LiveSocket>()
  readonly #pauses: SocketPauses
  readonly #neighbours: Neighbours | null
  readonly #socketHost: SocketHost
  readonly #pollHost: PollHost
  #known: ServerVersion | null = null
  /** A request was not answered, whichever it was, or none is any more. */
  onUnanswered: () => void = () => undefined
  /** Why the server answers no request of this user; null: the last request was answered. */
  #barred: RavenError | null = null
  #barredReportedMs = Number.NEGATIVE_INFINITY
  #hidden = false
  #allowsChanges = false
  /** The stand-alone server refuses changes. */
  isViewOnlyForced = false
  #fresh = 0
  /** While polls are armed. */
  #planned: Plan | null = null
  #overheadLimits = DEFAULT_LIMITS
  /** Feeds that the panel in front of an attentive user shows; null: there is none. */
  #front: readonly string[] | null = null
  /** What the server's own figures say that asks for a slower pace; null: it is well, or this page does not know. */
  #stress: string | null = null
  readonly #hiddenListeners = new Set<(hidden: boolean) => void>()
  readonly #changeListeners = new Set<(name: string) => void>()

  constructor(env: GovernorEnv) {
    this.env = env
    this.witness = new ServerWitness(env, () => this.#probeServer())
    this.#costs = new Costs(env.now)
    this.#meterLog = new MeterLog(env.now, this.#costs)
    this.#gate = new Gate(env.now, (params, signal) =>
      this.json('isLoaded', params, { signal: signal ?? undefined, isOnce: false }),
    )
    this.#slowdown = new Slowdown(env.now, () => this.#armPolls())
    this.#outage = new Outage(env.now)
    this.#pauses = new SocketPauses(
      env,
      this.#sockets,
      () => this.#socketsMayCost(),
      (socket) => this.#isFrontSocket(socket),
    )
    this.#neighbours =
      env.tabs === null
        ? null
        : new Neighbours(env, env.tabs, {
            own: () => this.#pageCost(),
            changed: () => this.#receivedFromOthers(),
            resumed: () => this.#pauses.resume(),
            outageOver: () => this.#retrySoon(),
          })
    this.#pollHost = {
      env,
      isHidden: () => this.#hidden,
      isBarred: () => this.#barred !== null,
      pace: (isVital) => (isVital ? this.#slowdown.vitalFactor : this.#slowdown.factor),
      stretch: (want) => {
        if (want.share === 0) return 0
        const { front, background } = this.#planned ?? this.#plan()
        return want.share / pollPart(want, want.isFront && want.vital === 0 ? front : background)
      },
      isFront: (audience) => this.#isFront(audience),
      notBeforeMs: (isVital) => (isVital ? this.#slowdown.vitalNotBeforeMs : this.#slowdown.notBeforeMs),
    }
    this.#socketHost = {
      env,
      log: this.#meterLog,
      isHidden: () => this.#hidden,
      pace: () => this.#slowdown.factor,
      json: (key, params, options) => this.json(key, params, options),
      text: async (key, params, signal) => new TextDecoder().decode(await this.bytes(key, params, { signal })),
      isLoaded: (name, signal) => this.#gate.isLoaded(name, signal, true),
      forgetLoaded: (name) => this.#gate.forget(name),
      confirmsStill: ({ fromMs, toMs }) => !this.witness.isWatching || this.witness.confirms(fromMs, toMs),
      noteLoad: (name) => {
        if (!this.#gate.wasLoaded(name)) this.#meterLog.loaded()
      },
    }
  }

  /** GET and parse. `T` is the caller's claim: check what must hold (`base/check.ts`). */
  async json<T = unknown>(key: EndpointKey, params: Params = {}, options: AskOptions = {}): Promise<T> {
    const path = ENDPOINTS[key].path(params)
    const bytes = await this.#fly(key, params, path, options)
    try {
      return (bytes === null ? null : parseJson(bytes, path)) as T
    } catch (error) {
      this.#meterLog.failure(ENDPOINTS[key].route)
      throw error
    }
  }

  /** GET without parsing; a buffer of the caller's own, free to be transferred. An empty 204: no bytes. */
  async bytes(key: EndpointKey, params: Params = {}, options: AskOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#fly(key, params, ENDPOINTS[key].path(params), options)
    return bytes?.slice() ?? new Uint8Array(0)
  }

  /**
   * Asks now and then every `everyMs`, until the returned function is called. Polling a database more often than the
   * server's idle time (15 min) keeps it loaded; it is never what loads it.
   */
  poll<T = unknown>(key: EndpointKey, params: Params, options: PollOptions<T>): () => void {
    const path = ENDPOINTS[key].path(params)
    const parse = (bytes: Uint8Array<ArrayBuffer> | null): T => (bytes === null ? null : parseJson(bytes, path)) as T
    const fly = this.#flyAgain(key, params, path, options.vital === true)
    return this.#addSharedPoll(key, path, options, fly, parse)
  }

  /** The same without parsing: what is large is better read from its bytes. */
  pollBytes(key: EndpointKey, params: Params, options: PollOptions<Uint8Array<ArrayBuffer>>): () => void {
    const path = ENDPOINTS[key].path(params)
    const fly = this.#flyAgain(key, params, path, options.vital === true)
    return this.#addSharedPoll(key, path, options, fly, (bytes) => bytes?.slice() ?? new Uint8Array(0))
  }

  /** The first of a poll is part of opening what shows it. */
  #flyAgain(key: EndpointKey, params: Params, path: string, isVital: boolean) {
    const priority = isVital ? 'user' : 'poll'
    let isOnce = true
    return (signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> => {
      const flight = this.#fly(key, params, path, { signal, priority, isOnce })
      isOnce = false
      return flight
    }
  }

  /** Several calls in one go, again and again as `poll` does; `key` is the one that costs most. `ask` goes through this governor. */
  repeat<T>(key: EndpointKey, ask: (signal: AbortSignal) => Promise<T>, options: PollOptions<T>): () => void {
    return this.#begin(new Poll<T>(this.#pollHost, ENDPOINTS[key].route, this.#costOf(key, options), options, ask))
  }

  /** The same for pages of one browser, which share the responses of what they call `name`: of data that can be cloned. */
  repeatShared<T>(
    key: EndpointKey,
    name: string,
    ask: (signal: AbortSignal) => Promise<T>,
    options: PollOptions<T>,
  ): () => void {
    return this.#addSharedPoll(key, name, options, ask, (response) => response)
  }

  /** Pages of one browser that ask the same share the responses. */
  #addSharedPoll<Reported, T>(
    key: EndpointKey,
    name: string,
    options: PollOptions<T>,
    fly: (signal: AbortSignal) => Promise<Reported>,
    parse: (reported: Reported) => T,
  ): () => void {
    const { tabs, now } = this.env
    const line =
      tabs === null
        ? null
        : new SharedPoll<Shared<Reported>>(tabs, name, ({ reported, askedMs }) => {
            poll.received(() => parse(reported), askedMs)
            this.#answered(name)
          })
    const ask = async (signal: AbortSignal): Promise<T | typeof ASKED_ELSEWHERE> => {
      const share = async (): Promise<Shared<Reported>> => {
        const askedMs = now()
        return { reported: await fly(signal), askedMs }
      }
      const shared = line === null ? await share() : await line.ask(share)
      return shared === undefined ? ASKED_ELSEWHERE : parse(shared.reported)
    }
    const poll = new Poll<T>(this.#pollHost, name, this.#costOf(key, options), options, ask)
    const stop = this.#begin(poll)
    return () => {
      stop()
      line?.close()
    }
  }

  #costOf<T>(key: EndpointKey, options: PollOptions<T>): () => number {
    const { loadsDatabase } = ENDPOINTS[key]
    // Whether it is loaded is asked first.
    const gateMs = (): number => (loadsDatabase ? this.#costs.costMs(ENDPOINTS.isLoaded) : 0)
    return () => options.costMs?.() ?? this.#costs.costMs(ENDPOINTS[key]) + gateMs()
  }

  /** Server CPU of one call as far as it is known, ms. */
  costMs(key: EndpointKey): number {
    return this.#costs.costMs(ENDPOINTS[key])
  }

  #begin<T>(poll: Poll<T>): () => void {
    this.#polls.add(poll as Poll<unknown>)
    this.#armPolls()
    return () => {
      poll.stop()
      this.#polls.delete(poll as Poll<unknown>)
      this.#armPolls()
    }
  }

  /** Opens it and keeps it open, but for pauses where it costs more than the overhead limit leaves for it. */
  openSocket(key: SocketKey, params: Params, handlers: SocketHandlers, options: SocketOptions = {}): SocketControl {
    const isHidden = (): boolean => this.#hidden && options.inBackground?.() !== true
    const {
      share = null,
      isKept = false,
      vital: isVital = false,
      audience = NO_AUDIENCE,
      isRecurring = false,
    } = options
    const received: SocketHandlers = {
      ...handlers,
      onPhase: (phase) => {
        // As good as a response: polls of a server that was away may be a minute apart, and sockets come back in seconds.
        if (phase.phase === 'open') this.#slowdown.answered(null)
        handlers.onPhase(phase)
      },
      onReceived: (atMs) => {
        this.witness.received(atMs)
        handlers.onReceived?.(atMs)
      },
    }
    const place = { share, isKept, isVital, audience, isRecurring }
    const socket = new LiveSocket({ ...this.#socketHost, isHidden }, ENDPOINTS[key], params, received, place)
    this.#sockets.add(socket)
    this.#pauses.arm()
    if (options.allowLoad === true && !isHidden()) socket.loadNow()
    else socket.begin()
    return {
      close: () => {
        socket.close()
        this.#sockets.delete(socket)
      },
      reconnectNow: () => socket.reconnectNow(),
      loadNow: () => socket.loadNow(),
      send: (text) => socket.send(text),
    }
  }

  /**
   * Sends a request that may change the server, once: never repeated, and none while `isViewOnly`. Errors: `RavenError`,
   * see `http/write.ts`.
   */
  async write(request: WriteRequest): Promise<WriteResponse> {
    const { sendOnce } = await import('../http/write.ts')
    this.#mustNotBeBarred(null, request.path)
    return sendOnce(this.#writeHost(), request)
  }

  /** The same for a file that comes as the response, or goes with the request: `http/transfer.ts`. Errors: `RavenError`. */
  async transfer(request: WriteRequest, options: TransferOptions): Promise<Response> {
    const { openTransfer } = await import('../http/transfer.ts')
    this.#mustNotBeBarred(null, request.path)
    return openTransfer(this.#writeHost(), request, options)
  }

  #writeHost(): WriteHost {
    return {
      env: this.env,
      isViewOnly: () => this.isViewOnly,
      // Another client may have loaded it just now: what is known for two seconds does not do for a write.
      isLoaded: (name, signal) => this.#gate.isLoaded(name, signal, true),
      onSent: (route, loads) => {
        this.#meterLog.request(route)
        if (loads === null) return
        if (!this.#gate.wasLoaded(loads)) this.#meterLog.loaded()
        this.#gate.forget(loads)
      },
      onEnded: (route, tookMs, failed) => {
        this.#meterLog.ended(route, tookMs)
        if (failed) this.#meterLog.failure(route)
      },
    }
  }

  /** Until the user has allowed changes. What lies between page and server may forbid them for good. */
  get isViewOnly(): boolean {
    return !this.#allowsChanges || this.isViewOnlyForced
  }

  setViewOnly(viewOnly: boolean): void {
    this.#allowsChanges = !viewOnly
  }

  /** Of the server behind; asked once, and again after it was away. */
  async version(signal?: AbortSignal): Promise<ServerVersion> {
    if (this.#known !== null) return this.#known
    const response = await this.json('buildVersion', {}, { signal })
    try {
      this.#known = parseVersion(response)
    } catch (error) {
      throw asRavenError(error, ENDPOINTS.buildVersion.route)
    }
    return this.#known
  }

  /** Whether the page is hidden: polls wait and sockets close, and both continue when it is shown. */
  setHidden(hidden: boolean): void {
    if (this.#hidden === hidden) return
    this.#hidden = hidden
    this.rearm()
    for (const listener of this.#hiddenListeners) listener(hidden)
    this.#neighbours?.broadcast()
  }

  get isHidden(): boolean {
    return this.#hidden
  }

  /** Called when the page is hidden or shown, after polls and sockets were. Returns how to stop. */
  onHidden(listener: (hidden: boolean) => void): () => void {
    this.#hiddenListeners.add(listener)
    return () => this.#hiddenListeners.delete(listener)
  }

  /** The server reports that a database was created, loaded, enabled, disabled or deleted: sockets that wait for that probe at once. */
  databaseChanged(name: string): void {
    for (const socket of this.#sockets) socket.databaseChanged(name)
    for (const listener of this.#changeListeners) listener(name)
  }

  /** The dashboard reports that a database is loaded since a moment ago: sockets that wait for that probe at once. Opened later they would renew the time after which the server unloads it. */
  databaseLoaded(name: string): void {
    for (const socket of this.#sockets) socket.databaseChanged(name)
  }

  /** Called for each such report that reaches this page. Returns how to stop. */
  onDatabaseChanged(listener: (name: string) => void): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  /** What is known of the other end of a socket, by calls that load nothing. Never throws but for an abort of `signal`. */
  probe(key: SocketKey, params: Params, signal: AbortSignal): Promise<Probe> {
    return probeEndpoint(this.#socketHost, ENDPOINTS[key], params, signal)
  }

  /** Opens what the overhead limit has closed, on all pages of this browser, and lets it open for a minute. */
  resume(): void {
    this.#pauses.resume()
    this.#neighbours?.resume()
  }

  /** What pauses while the page is hidden (`inBackground`) has changed. */
  rearm(): void {
    for (const socket of this.#sockets) socket.begin()
    this.#armPolls()
  }

  /** Tries everything that waits now. */
  retryNow(): void {
    for (const socket of this.#sockets) socket.reconnectNow()
  }

  meter(): Meter {
    const slowedPolls = [...this.#polls].map((poll) => poll.slowed).filter((slowed) => slowed !== null)
    const others = this.#neighbours?.costs ?? []
    const pausedSockets = this.#pauses.now()
    return this.#meterLog.read({
      slowed: this.#slowed(),
      isServerSlow: this.#slowdown.reason !== null,
      limits: this.#overheadLimits,
      isAttended: this.#front !== null,
      slowedPolls,
      pausedSockets,
      others,
    })
  }

  get limits(): OverheadLimits {
    return this.#overheadLimits
  }

  /** What is outside 0.0005–0.2 is clipped. */
  setLimits(limits: OverheadLimits): void {
    this.#overheadLimits = clipLimits(limits)
    this.#pauses.rearrange()
    this.#armPolls()
  }

  /** The share of one core that what is for these may cost now. */
  limitOf(audience: Audience): number {
    const { attended, background } = this.#overheadLimits
    return this.#isFront(audience) ? attended : background
  }

  /** `feeds`: what the panel in front of an attentive user shows; null: the page is hidden, or its user is away. */
  setFront(feeds: readonly string[] | null): void {
    if (String(this.#front) === String(feeds) && (this.#front === null) === (feeds === null)) return
    this.#front = feeds
    this.#pauses.rearrange()
    this.#armPolls()
    this.#neighbours?.broadcast()
  }

  #isFront({ feed, ofAllPages = false }: Audience): boolean {
    if (feed === null) return false
    if (this.#front?.includes(feed) === true) return true
    const others = ofAllPages ? (this.#neighbours?.costs ?? []) : []
    return others.some(({ front }) => front?.includes(feed) === true)
  }

  #isFrontSocket({ audience, shareName }: LiveSocket): boolean {
    if (this.#isFront(audience)) return true
    const others = this.#neighbours?.costs ?? []
    return shareName !== null && others.some(({ frontSockets }) => frontSockets.includes(shareName))
  }

  /**
   * The server's own figures say that it is short of CPU or of CPU credits: one sentence without its full stop. Null: it is
   * well, or this page does not know.
   */
  setStress(why: string | null): void {
    if (this.#stress === why) return
    this.#stress = why
    this.#neighbours?.broadcast()
    this.#receivedFromOthers()
  }

  /** One page of a browser sees the server's own figures, and all of them slow down. */
  #receivedFromOthers(): void {
    const theirs = this.#neighbours?.costs.find(({ stress }) => stress !== null)?.stress ?? null
    this.#slowdown.pressed(this.#stress ?? theirs)
    this.#pauses.rearrange()
    this.#armPolls()
  }

  /** How much slower than planned what is repeated goes, 1 to 16, and why (null: the server is well). */
  get pace(): { readonly factor: number; readonly why: string | null } {
    return { factor: this.#slowdown.factor, why: this.#slowdown.reason }
  }

  /** The server's own count of requests since its start: what share of them is ours. */
  noteServerRequests(requests: number): void {
    this.#meterLog.serverRequests(requests)
  }

  /** Ends every poll and socket. */
  close(): void {
    for (const poll of this.#polls) poll.stop()
    for (const socket of this.#sockets) socket.close()
    this.#polls.clear()
    this.#sockets.clear()
    this.#pauses.close()
    this.witness.close()
    this.#neighbours?.close()
  }

  #fly(key: EndpointKey, params: Params, path: string, options: AskOptions): Promise<Uint8Array<ArrayBuffer> | null> {
    const { express } = ENDPOINTS[key]
    const allowLoad = options.allowLoad === true
    const loads = allowLoad && ENDPOINTS[key].loadsDatabase
    return this.#flights.join({
      id: options.isFresh === true ? `${path} ${this.#fresh++}` : allowLoad ? `${path} loading` : path,
      group: key,
      express,
      priority: options.priority ?? 'user',
      path,
      signal: options.signal ?? null,
      run: async (signal) => {
        const wasLoaded = this.#gate.wasLoaded(params['database'] ?? '')
        try {
          this.#mustNotBeBarred(key, path)
          await this.#mayAsk(key, params, path, allowLoad, signal)
          options.onBegun?.()
          const isOnce = options.isOnce ?? options.priority !== 'poll'
          const bytes = await this.#exchange(key, path, { allowLoad, isOnce }, signal)
          if (ENDPOINTS[key].loadsDatabase) this.#gate.renewed(params['database'] ?? '')
          if (loads && !wasLoaded) this.#meterLog.loaded()
          return bytes
        } catch (error) {
          throw asRavenError(error, path)
        }
      },
    })
  }

  /** The version is requested all the same: its response shows that the block is over. */
  #mustNotBeBarred(key: EndpointKey | null, path: string): void {
    if (this.#barred === null || key === 'buildVersion') return
    const { kind, status, message, hint, serverMessage } = this.#barred
    throw new RavenError({ kind, status, message, hint, serverMessage, endpoint: path })
  }

  #setBarred(error: RavenError | null): void {
    const isNew = (error === null) !== (this.#barred === null)
    this.#barred = error
    if (!isNew) return
    this.#armPolls()
    if (error === null) return this.retryNow()
    // A server of which one part lets in and another does not must not be asked in circles.
    const { now, setTimeout: later } = this.env
    later(
      () => {
        this.#barredReportedMs = now()
        if (this.#barred !== null) this.onUnanswered()
      },
      Math.max(0, this.#barredReportedMs + BARRED_AGAIN_MS - now()),
    )
  }

  /** Errors: 'route-missing' and 'database-unloaded', without a call having been made. */
  async #mayAsk(
    key: EndpointKey,
    params: Params,
    path: string,
    allowLoad: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { since, loadsDatabase } = ENDPOINTS[key]
    if (since !== null && !offers(await this.version(signal), since)) {
      const message = `This server is older than ${since.join('.')}, which is the first version that offers it.`
      throw new RavenError({ kind: 'route-missing', endpoint: path, message })
    }
    const name = params['database'] ?? ''
    if (loadsDatabase && allowLoad) this.#gate.forget(name)
    else if (loadsDatabase && !(await this.#gate.isLoaded(name, signal)))
      throw new RavenError({ kind: 'database-unloaded', endpoint: path })
  }

  async #exchange(
    key: EndpointKey,
    path: string,
    { allowLoad, isOnce }: { readonly allowLoad: boolean; readonly isOnce: boolean },
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const endpoint = ENDPOINTS[key]
    const { route, express, timeoutMs } = endpoint
    if (signal.aborted) throw new RavenError({ kind: 'aborted', endpoint: path })
    const beganMs = this.env.now()
    this.#meterLog.request(route)
    try {
      const bytes = await getBytes(this.env, endpoint, path, {
        signal,
        timeoutMs: allowLoad ? timeoutMs + LOAD_MS : timeoutMs,
        onBytes: (count) => this.#meterLog.bytes(route, count),
      })
      const tookMs = this.env.now() - beganMs
      this.#slowdown.answered(express ? tookMs : null)
      this.witness.received(this.env.now())
      this.#costs.took(endpoint, tookMs, bytes?.byteLength ?? 0, isOnce)
      if (endpoint.right !== 'none') this.#setBarred(null)
      this.#answered(path)
      return bytes
    } catch (thrown) {
      const error = asRavenError(thrown, path)
      if (error.kind !== 'aborted') this.#meterLog.failure(route)
      if (error.kind === 'network') this.#known = null
      if (error.status !== null && error.kind !== 'busy') this.#slowdown.answered(null)
      if (isOfServer(error)) this.witness.received(this.env.now())
      this.#slowdown.failed(error, this.witness.silentSinceMs !== null)
      if (isAway(error)) this.#outage.failed(path)
      else if (error.status !== null) this.#answered(path)
      if (error.kind === 'network' || error.kind === 'timeout') this.onUnanswered()
      if (barsAll(error)) this.#setBarred(error)
      throw error
    } finally {
      this.#meterLog.ended(route, this.env.now() - beganMs)
    }
  }

  /** What failed or waits because the server was away is tried soon, and not when its own pause is over. */
  #answered(path: string): void {
    if (!this.#outage.answered(path)) return
    this.#retrySoon()
    this.#neighbours?.reportOutageOver()
  }

  #retrySoon(): void {
    for (const socket of this.#sockets) socket.retrySoon()
    for (const poll of this.#polls) poll.retrySoon()
  }

  /** Past the queue: whether the server answers must not depend on what waits for it. */
  async #probeServer(): Promise<void> {
    const path = ENDPOINTS.buildVersion.path({})
    try {
      await this.#exchange('buildVersion', path, { allowLoad: false, isOnce: false }, new AbortController().signal)
    } catch (error) {
      if (!isOfServer(asRavenError(error, path))) throw error
    }
  }

  #armPolls(): void {
    // What each may cost depends on what all want, which arming does not change.
    this.#planned = this.#plan()
    try {
      for (const poll of this.#polls) poll.arm()
    } finally {
      this.#planned = null
    }
  }

  #pageCost(): PageCost {
    const polls = new Map<string, PollWant>()
    for (const { endpoint, want } of this.#polls) if (want.share > 0) polls.set(endpoint, want)
    const { requestsPerMinute, bytesPerMinute } = this.#meterLog.lastMinute()
    return {
      polls: [...polls],
      sockets: this.#pauses.wants,
      front: this.#front,
      frontSockets: [...this.#sockets].flatMap(({ audience, shareName }) =>
        shareName !== null && this.#isFront(audience) ? [shareName] : [],
      ),
      share: this.#costs.share,
      requestsPerMinute,
      bytesPerMinute,
      stress: this.#stress,
    }
  }

  /** What each may cost, of all pages of this browser. What several pages poll is asked once. */
  #plan(): Plan {
    const others = this.#neighbours?.costs ?? []
    const byPath = new Map<string, PollWant>()
    const take = (path: string, want: PollWant): void => {
      if (want.share === 0) return
      const known = byPath.get(path)
      if (known === undefined) byPath.set(path, want)
      else
        byPath.set(path, {
          share: Math.max(known.share, want.share),
          least: Math.max(known.least, want.least),
          vital: Math.max(known.vital, want.vital),
          isFront: known.isFront || want.isFront,
        })
    }
    for (const { endpoint, want } of this.#polls) take(endpoint, want)
    for (const { polls } of others) for (const [path, want] of polls) take(path, want)
    const sockets = [...this.#pauses.wants, ...others.flatMap((each) => each.sockets)]
    return planAll({ polls: [...byPath.values()], sockets }, this.#overheadLimits)
  }

  /** Less when the server is in trouble, but of those that are kept: what they report is wanted then most. */
  #socketsMayCost(): Plan {
    const { front, background } = this.#plan()
    const { factor } = this.#slowdown
    return {
      front: { ...front, others: front.others / factor },
      background: { ...background, others: background.others / factor },
    }
  }

  /** Why the server is asked less than planned; null: it is not. */
  #slowed(): string | null {
    const { reason } = this.#slowdown
    const held: string[] = []
    const paused = new Set(this.#pauses.now().map(({ what }) => what))
    if (paused.size > 0) held.push(`${[...paused].join(' and ')} paused from time to time`)
    if (reason === null && [...this.#polls].some((poll) => poll.stretched > WORTH_SAYING))
      held.push('some requests sent less often')
    const kept = held.length === 0 ? [] : [`Overhead limit: ${held.join('; ')}.`]
    const reported = reason === null ? kept : [reason, ...kept]
    return reported.length === 0 ? null : reported.join(' ')
  }
}

/** The server answered, whatever its content; a gateway that cannot reach it answers in its place. */
const isOfServer = ({ status }: RavenError): boolean => status !== null && status !== 502 && status !== 504
