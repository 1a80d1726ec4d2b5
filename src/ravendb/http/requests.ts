import type { Costs } from '../budget/costs.ts'
import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import { isAway, Outage } from '../health/outage.ts'
import type { Slowdown } from '../health/slowdown.ts'
import type { ServerWitness } from '../health/witness.ts'
import type { Requester } from '../loading/probe.ts'
import { Touches } from '../loading/touches.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import { offers, parseVersion, type ServerVersion } from '../versions.ts'
import { asRavenError, barsAll, RavenError } from '../errors/errors.ts'
import { Flights, type Priority } from './flights.ts'
import { Gate } from './gate.ts'
import { NewestResponses } from './newest.ts'
import { getBytes, parseJson } from './transport.ts'

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** `user` (default) is sent before `poll`. */
  readonly priority?: Priority
  /** Lets the call load an unloaded database; only for a click of a user who was warned. */
  readonly allowLoad?: boolean
  /** Called when the request leaves the queue and is sent; not for a caller that shares a pending request. */
  readonly onBegun?: () => void
  /** Does not share a request that was sent before, since the data may have changed. */
  readonly isFresh?: boolean
  /** Counts as a request on demand, not as monitoring overhead; default: true for priority `user`. */
  readonly isOnce?: boolean
  /**
   * Sends nothing to a database that no other client has used since this page opened; for data of databases that the
   * user has not chosen. The error is then 'database-resting'.
   */
  readonly afterWorkOnly?: boolean
  /** Accepts a response up to this age, ms, even if the database had work since. */
  readonly goodForMs?: number
}

interface RequestsHost {
  readonly env: GovernorEnv
  readonly costs: Costs
  readonly meterLog: MeterLog
  readonly own: OwnRequests
  readonly slowdown: Slowdown
  readonly witness: ServerWitness
  /** Called when a request was not answered, or the server has refused every request of this page. */
  readonly onUnanswered: () => void
  /** Called at a response to a request that had failed while the server was away. */
  readonly onOutageOver: () => void
  /** Called when `isBarred` changes. */
  readonly onBarred: () => void
}

/** Time limit, ms, for a request to a database that is loading, which the server holds back for up to 30 s. */
const LOAD_MS = 60_000
/** Minimum time between two reports that the server refuses this page everywhere, ms. */
const BARRED_AGAIN_MS = 15_000

/**
 * Sends read requests and records each result. Merges equal requests, limits the number at once, and sends nothing to
 * unloaded databases. Errors of every call: `RavenError`.
 */
export class Requests implements Requester {
  readonly #host: RequestsHost
  readonly gate: Gate
  readonly touches: Touches
  /** Newest responses that a debug package would contain. */
  readonly newest = new NewestResponses()
  readonly #flights = new Flights()
  readonly #outage: Outage
  #version: ServerVersion | null = null
  /** Why the server refuses every request of this user; null: the last request was answered. */
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

  /** GET and parse. `T` is not checked here: check what must hold (`base/json/check.ts`). */
  async json<T = unknown>(key: EndpointKey, params: Params = {}, options: RequestOptions = {}): Promise<T> {
    const bytes = await this.fly(key, params, options)
    try {
      return (bytes === null ? null : parseJson(bytes, ENDPOINTS[key].path(params))) as T
    } catch (error) {
      this.#host.meterLog.failure(ENDPOINTS[key].route)
      throw error
    }
  }

  /** GET without parsing. The buffer belongs to the caller and may be transferred; empty for a 204. */
  async bytes(key: EndpointKey, params: Params = {}, options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.fly(key, params, options))?.slice() ?? new Uint8Array(0)
  }

  /** Version of the server; requested once, and again after the server was away. */
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

  /** Whether the database is loaded. Sends a request even after a recent answer: another client may load it. */
  isLoaded(name: string, signal: AbortSignal): Promise<boolean> {
    return this.gate.isLoaded(name, signal, true)
  }

  /** GET whose callers share the bytes. Null: an empty 204. */
  fly(key: EndpointKey, params: Params, options: RequestOptions): Promise<Uint8Array<ArrayBuffer> | null> {
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
          await this.#mayRequest(key, params, path, allowLoad, signal)
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
   * Returns an earlier response if the database had no other work since; undefined: a request is needed. Errors: that
   * of the earlier response, and 'database-resting'.
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

  /** `database` null: the request renews no idle time. */
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

  /** Throws while the server refuses every request, but requests the version, whose response shows the end. */
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
    // Limits the rate: a server that lets in one part and refuses another must not get requests in a loop.
    const { now, setTimeout: later } = this.#host.env
    later(
      () => {
        this.#barredReportedMs = now()
        if (this.#barred !== null) this.#host.onUnanswered()
      },
      Math.max(0, this.#barredReportedMs + BARRED_AGAIN_MS - now()),
    )
  }

  /** Errors without a call: 'route-missing' and 'database-unloaded'. */
  async #mayRequest(
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

  /** Records an answer, to this page or another one of this browser. */
  answered(path: string): void {
    if (this.#outage.answered(path)) this.#host.onOutageOver()
  }

  /** Bypasses the queue, which requests that wait for this one may fill. */
  async #readNow(key: EndpointKey): Promise<unknown> {
    const path = ENDPOINTS[key].path({})
    const { signal } = new AbortController()
    const bytes = await this.#exchange(key, path, { database: null, allowLoad: false, isOnce: false }, signal)
    return bytes === null ? null : parseJson(bytes, path)
  }

  /** Sends a short request past the queue, on which the result must not depend. Rejects without an answer. */
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

/** Whether the answer stays the same while the database does. */
const isSettled = ({ status, kind }: RavenError): boolean =>
  status !== null && status >= 400 && status < 500 && kind !== 'busy' && kind !== 'database-loading'

/** Whether the server itself answered, whatever the content, and not a gateway that cannot reach it. */
const isOfServer = ({ status }: RavenError): boolean => status !== null && status !== 502 && status !== 504
