import type { Costs } from '../budget/costs.ts'
import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import { isAway, Outage } from '../budget/outage.ts'
import type { Slowdown } from '../budget/slowdown.ts'
import type { ServerWitness } from '../budget/witness.ts'
import type { Asker } from '../databases/probe.ts'
import { Touches } from '../databases/touches.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import { offers, parseVersion, type ServerVersion } from '../versions.ts'
import { asRavenError, barsAll, RavenError } from './errors.ts'
import { Flights, type Priority } from './flights.ts'
import { Gate } from './gate.ts'
import { NewestResponses } from './newest.ts'
import { getBytes, parseJson } from './transport.ts'

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** `user` (default) goes before `poll`. */
  readonly priority?: Priority
  /** Lets the call load an unloaded database: only for a click of a user who was warned. */
  readonly allowLoad?: boolean
  /** The request leaves the queue: it goes out now. Not called for one that shares a request which is already under way. */
  readonly onBegun?: () => void
  /** Shares no request that went out before: its data may have been changed since. */
  readonly isFresh?: boolean
  /** Counts as a request on demand, not as monitoring overhead; by default a request of priority `user` does. */
  readonly isOnce?: boolean
  /**
   * Sends no request to a database that no other client has used since this page opened: for data of databases that the
   * user has not chosen. Error then: 'database-resting'.
   */
  readonly afterWorkOnly?: boolean
  /** A response that is not older than this will do though the database had work since, ms. */
  readonly goodForMs?: number
}

interface RequestsHost {
  readonly env: GovernorEnv
  readonly costs: Costs
  readonly meterLog: MeterLog
  readonly own: OwnRequests
  readonly slowdown: Slowdown
  readonly witness: ServerWitness
  /** A request was not answered, whichever it was, or none is any more. */
  readonly onUnanswered: () => void
  /** Notifies of a response to what had failed because the server was away. */
  readonly onOutageOver: () => void
  /** `isBarred` changed. */
  readonly onBarred: () => void
}

/** A database that loads holds the request back, up to 30 s. */
const LOAD_MS = 60_000
/** Least time between two reports that the server lets this page in nowhere, ms. */
const BARRED_AGAIN_MS = 15_000

/**
 * Sends read requests, and learns from each outcome. Shares equal requests, keeps few at once, and requests nothing of
 * unloaded databases. Errors of every call: `RavenError`.
 */
export class Requests implements Asker {
  readonly #host: RequestsHost
  readonly gate: Gate
  readonly touches: Touches
  /** Newest responses that a debug package would have. */
  readonly newest = new NewestResponses()
  readonly #flights = new Flights()
  readonly #outage: Outage
  #version: ServerVersion | null = null
  /** Why the server answers no request of this user; null: the last request was answered. */
  #barred: RavenError | null = null
  #barredReportedMs = Number.NEGATIVE_INFINITY
  #fresh = 0

  constructor(host: RequestsHost) {
    this.#host = host
    this.#outage = new Outage(host.env.now)
    this.gate = new Gate(host.env.now, (params, signal) =>
      this.json('isLoaded', params, { signal: signal ?? undefined, isOnce: false }),
    )
    this.touches = new Touches({
      now: host.env.now,
      own: host.own,
      read: (key) => this.#readNow(key),
    })
  }

  /** GET and parse. `T` is the caller's claim: check what must hold (`base/check.ts`). */
  async json<T = unknown>(key: EndpointKey, params: Params = {}, options: AskOptions = {}): Promise<T> {
    const bytes = await this.fly(key, params, options)
    try {
      return (bytes === null ? null : parseJson(bytes, ENDPOINTS[key].path(params))) as T
    } catch (error) {
      this.#host.meterLog.failure(ENDPOINTS[key].route)
      throw error
    }
  }

  /** GET without parsing; a buffer of the caller's own, free to be transferred. An empty 204: no bytes. */
  async bytes(key: EndpointKey, params: Params = {}, options: AskOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.fly(key, params, options))?.slice() ?? new Uint8Array(0)
  }

  /** Version of the server behind; requested once, and again after the server was away. */
  async version(signal?: AbortSignal): Promise<ServerVersion> {
    if (this.#version !== null) return this.#version
    const response = await this.json('buildVersion', {}, { signal })
    try {
      this.#version = parseVersion(response)
    } catch (error) {
      throw asRavenError(error, ENDPOINTS.buildVersion.route)
    }
    return this.#version
  }

  /** Sends a request even after a recent response: another client may have loaded the database since. */
  isLoaded(name: string, signal: AbortSignal): Promise<boolean> {
    return this.gate.isLoaded(name, signal, true)
  }

  /** GET; those who share it share the bytes. Null: an empty 204. */
  fly(key: EndpointKey, params: Params, options: AskOptions): Promise<Uint8Array<ArrayBuffer> | null> {
    const { express, loadsDatabase, movesLastWork } = ENDPOINTS[key]
    const path = ENDPOINTS[key].path(params)
    const allowLoad = options.allowLoad === true
    const { isFresh = false, afterWorkOnly = false, goodForMs = 0 } = options
    const database = movesLastWork ? (params['database'] ?? '') : null
    return this.#flights.join({
      id: isFresh ? `${path} ${this.#fresh++}` : allowLoad ? `${path} loading` : afterWorkOnly ? `${path} used` : path,
      group: key,
      express,
      priority: options.priority ?? 'user',
      path,
      signal: options.signal ?? null,
      run: async (signal) => {
        const wasLoaded = this.gate.wasLoaded(params['database'] ?? '')
        try {
          this.mustNotBeBarred(key, path)
          const before =
            database === null || isFresh || allowLoad
              ? undefined
              : await this.#reuse(database, path, { afterWorkOnly, goodForMs })
          if (before !== undefined) return before
          await this.#mayAsk(key, params, path, allowLoad, signal)
          options.onBegun?.()
          const isOnce = options.isOnce ?? options.priority !== 'poll'
          const bytes = await this.#touch(database, path, () =>
            this.#exchange(key, path, { database, allowLoad, isOnce }, signal),
          )
          if (loadsDatabase) this.gate.renewed(params['database'] ?? '')
          if (loadsDatabase && allowLoad && !wasLoaded) this.#host.meterLog.loaded()
          return bytes
        } catch (error) {
          throw asRavenError(error, path)
        }
      },
    })
  }

  /**
   * Earlier response of a database that had no other work since; undefined: a request is needed. Errors: that of the
   * earlier response, and 'database-resting'.
   */
  async #reuse(
    database: string,
    path: string,
    { afterWorkOnly, goodForMs }: { readonly afterWorkOnly: boolean; readonly goodForMs: number },
  ): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
    const before = await this.touches.reuse(database, path, goodForMs)
    if (before === undefined && afterWorkOnly && !(await this.touches.hasOtherWork(database)))
      throw new RavenError({ kind: 'database-resting', endpoint: path })
    if (before === undefined) return undefined
    if ('error' in before) throw before.error
    return before.bytes
  }

  /** `database` null: it renews the idle time of none. */
  async #touch(
    database: string | null,
    path: string,
    run: () => Promise<Uint8Array<ArrayBuffer> | null>,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    if (database === null) return run()
    const end = this.touches.begin(database, path)
    try {
      const bytes = await run()
      end({ bytes })
      return bytes
    } catch (thrown) {
      const error = asRavenError(thrown, path)
      end(isSettled(error) ? { error } : null)
      throw error
    }
  }

  get isBarred(): boolean {
    return this.#barred !== null
  }

  /** The version is requested all the same: its response shows that the block is over. */
  mustNotBeBarred(key: EndpointKey | null, path: string): void {
    if (this.#barred === null || key === 'buildVersion') return
    const { kind, status, message, hint, serverMessage } = this.#barred
    throw new RavenError({ kind, status, message, hint, serverMessage, endpoint: path })
  }

  #setBarred(error: RavenError | null): void {
    const isNew = (error === null) !== (this.#barred === null)
    this.#barred = error
    if (!isNew) return
    this.#host.onBarred()
    if (error === null) return
    // A server of which one part lets in and another does not must not get requests in circles.
    const { now, setTimeout: later } = this.#host.env
    later(
      () => {
        this.#barredReportedMs = now()
        if (this.#barred !== null) this.#host.onUnanswered()
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
    if (loadsDatabase && allowLoad) this.gate.forget(name)
    else if (loadsDatabase && !(await this.gate.isLoaded(name, signal)))
      throw new RavenError({ kind: 'database-unloaded', endpoint: path })
  }

  async #exchange(
    key: EndpointKey,
    path: string,
    {
      database,
      allowLoad,
      isOnce,
    }: { readonly database: string | null; readonly allowLoad: boolean; readonly isOnce: boolean },
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const { env, costs, meterLog, own, slowdown, witness, onUnanswered } = this.#host
    const endpoint = ENDPOINTS[key]
    const { route, express, timeoutMs } = endpoint
    if (signal.aborted) throw new RavenError({ kind: 'aborted', endpoint: path })
    const beganMs = env.now()
    meterLog.request(route)
    own.sent(path, database)
    try {
      const bytes = await getBytes(env, endpoint, path, {
        signal,
        timeoutMs: allowLoad ? timeoutMs + LOAD_MS : timeoutMs,
        onBytes: (count) => meterLog.bytes(route, count),
      })
      const tookMs = env.now() - beganMs
      slowdown.answered(express ? tookMs : null)
      witness.received(env.now())
      costs.took(endpoint, tookMs, bytes?.byteLength ?? 0, isOnce)
      if (endpoint.right !== 'none') this.#setBarred(null)
      if (bytes !== null) this.newest.keep(key, path, bytes, env.now())
      this.answered(path)
      return bytes
    } catch (thrown) {
      const error = asRavenError(thrown, path)
      if (error.kind !== 'aborted') meterLog.failure(route)
      if (error.kind === 'network') {
        this.#version = null
        this.touches.forget()
      }
      if (error.status !== null && error.kind !== 'busy') slowdown.answered(null)
      if (isOfServer(error)) witness.received(env.now())
      slowdown.failed(error, witness.silentSinceMs !== null)
      if (isAway(error)) this.#outage.failed(path)
      else if (error.status !== null) this.answered(path)
      if (error.kind === 'network' || error.kind === 'timeout') onUnanswered()
      if (barsAll(error)) this.#setBarred(error)
      throw error
    } finally {
      meterLog.ended(route, env.now() - beganMs)
    }
  }

  /** Here or on another page of this browser. */
  answered(path: string): void {
    if (this.#outage.answered(path)) this.#host.onOutageOver()
  }

  /** Past the queue, in which what waits for it may have every place. */
  async #readNow(key: EndpointKey): Promise<unknown> {
    const path = ENDPOINTS[key].path({})
    const { signal } = new AbortController()
    const bytes = await this.#exchange(key, path, { database: null, allowLoad: false, isOnce: false }, signal)
    return bytes === null ? null : parseJson(bytes, path)
  }

  /** Past the queue: whether the server answers must not depend on what waits for it. Rejects when it does not. */
  async probeServer(): Promise<void> {
    const path = ENDPOINTS.buildVersion.path({})
    try {
      await this.#exchange(
        'buildVersion',
        path,
        { database: null, allowLoad: false, isOnce: false },
        new AbortController().signal,
      )
    } catch (error) {
      if (!isOfServer(asRavenError(error, path))) throw error
    }
  }
}

/** The answer stays the same for as long as the database does. */
const isSettled = ({ status, kind }: RavenError): boolean =>
  status !== null && status >= 400 && status < 500 && kind !== 'busy' && kind !== 'database-loading'

/** The server answered, whatever its content; a gateway that cannot reach it answers in its place. */
const isOfServer = ({ status }: RavenError): boolean => status !== null && status !== 502 && status !== 504
