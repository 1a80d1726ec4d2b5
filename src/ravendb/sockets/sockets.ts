import type { MeterLog } from '../budget/meter.ts'
import type { OwnRequests } from '../budget/own-requests.ts'
import { NO_AUDIENCE, type Audience, type Plan } from '../budget/plan.ts'
import type { Slowdown } from '../health/slowdown.ts'
import type { ServerWitness } from '../health/witness.ts'
import { ENDPOINTS, type Params, type SocketKey } from '../endpoints.ts'
import type { GovernorEnv } from '../env.ts'
import type { Requests } from '../http/requests.ts'
import { SocketPauses } from './socket-pauses.ts'
import { LiveSocket, type SocketHost } from './socket.ts'
import type { SocketHandlers } from './socket-events.ts'

export interface SocketOptions {
  /** Lets the first attempt load the database (after a deliberate click). */
  readonly allowLoad?: boolean
  /** Whether it continues while the page is hidden. */
  readonly inBackground?: () => boolean
  /** Pages and panels with the same name share one socket, if the endpoint alone does not define that. */
  readonly share?: string
  /** Reduced last, like a socket with a history, since users need it most. */
  readonly isKept?: boolean
  /** Never closed by the overhead limit; its cost is taken from the budget of the others. */
  readonly vital?: boolean
  readonly audience?: Audience
  /** Opened often, one of many of its kind: the cost of opening it counts as monitoring overhead. */
  readonly isRecurring?: boolean
}

export interface SocketControl {
  readonly close: () => void
  readonly reconnectNow: () => void
  readonly loadNow: () => void
  readonly send: (text: string) => boolean
}

interface SocketsHost {
  readonly env: GovernorEnv
  readonly meterLog: MeterLog
  readonly own: OwnRequests
  readonly slowdown: Slowdown
  readonly witness: ServerWitness
  readonly requests: Requests
  readonly isHidden: () => boolean
  readonly isFront: (audience: Audience) => boolean
  /** Whether it, or a page that shares it, is in front. */
  readonly isFrontSocket: (socket: LiveSocket) => boolean
  readonly mayCost: () => Plan
}

/** The sockets of a page. */
export class Sockets {
  readonly #host: SocketsHost
  readonly #socketHost: Omit<SocketHost, 'isHidden'>
  readonly #all = new Set<LiveSocket>()
  readonly pauses: SocketPauses

  constructor(host: SocketsHost) {
    const { env, meterLog, own, slowdown, witness, requests, mayCost, isFrontSocket } = host
    this.#host = host
    this.pauses = new SocketPauses(env, this.#all, mayCost, isFrontSocket)
    this.#socketHost = {
      env,
      log: meterLog,
      pace: () => slowdown.factor,
      json: (key, params, options) => requests.json(key, params, options),
      text: async (key, params, signal) => new TextDecoder().decode(await requests.bytes(key, params, { signal })),
      isLoaded: (name, signal) => requests.isLoaded(name, signal),
      beginOpening: (path, database) => {
        own.sent(path, database)
        const end = database === null ? null : requests.touches.begin(database, path)
        return () => end?.(null)
      },
      forgetLoaded: (name) => requests.gate.forget(name),
      confirmsStill: ({ fromMs, toMs }) => !witness.isWatching || witness.confirms(fromMs, toMs),
      noteLoad: (name) => {
        if (!requests.gate.wasLoaded(name)) meterLog.loaded()
      },
    }
  }

  /** Opens a socket and keeps it open, except for pauses when it costs more than the overhead limit allows. */
  open(key: SocketKey, params: Params, handlers: SocketHandlers, options: SocketOptions = {}): SocketControl {
    const { slowdown, witness } = this.#host
    const isHidden = (): boolean => this.#host.isHidden() && options.inBackground?.() !== true
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
        // Counts as a response: polls of a server that was away may be a minute apart, while sockets reconnect within
        // seconds.
        if (phase.phase === 'open') slowdown.answered(null)
        handlers.onPhase(phase)
      },
      onReceived: (atMs) => {
        witness.received(atMs)
        handlers.onReceived?.(atMs)
      },
    }
    const place = { share, isKept, isVital, audience, isRecurring }
    const socket = new LiveSocket({ ...this.#socketHost, isHidden }, ENDPOINTS[key], params, received, place)
    this.#all.add(socket)
    this.pauses.arm()
    if (options.allowLoad === true && !isHidden()) socket.loadNow()
    else socket.begin()
    return {
      close: () => {
        socket.close()
        this.#all.delete(socket)
      },
      reconnectNow: () => socket.reconnectNow(),
      loadNow: () => socket.loadNow(),
      send: (text) => socket.send(text),
    }
  }

  /** Names of shared sockets that the panel in front of an attentive user shows. */
  get front(): string[] {
    return [...this.#all].flatMap(({ audience, shareName }) =>
      shareName !== null && this.#host.isFront(audience) ? [shareName] : [],
    )
  }

  /** Applies a change of visibility. */
  begin(): void {
    for (const socket of this.#all) socket.begin()
  }

  /** Makes every waiting socket connect now. */
  reconnectNow(): void {
    for (const socket of this.#all) socket.reconnectNow()
  }

  /** Retries soon, since the server answers again. */
  retrySoon(): void {
    for (const socket of this.#all) socket.retrySoon()
  }

  /** Makes the sockets that wait for this database probe at once. */
  databaseChanged(name: string): void {
    for (const socket of this.#all) socket.databaseChanged(name)
  }

  close(): void {
    for (const socket of this.#all) socket.close()
    this.#all.clear()
    this.pauses.close()
  }
}
