import type { Endpoint } from '../endpoints.ts'

/** Fixed cost of a call, ms: that of the shortest call, which wakes an idle server. */
const ANY_CALL_MS = 2.4
/** Cost of an empty frame, ms. */
const HEARTBEAT_MS = 0.3
/** Cost of opening a socket, with its handshake, ms. */
export const OPENING_MS = 6
/** Cost of a command sent over a socket, ms: what it starts, and its end. */
export const COMMAND_MS = 6
/** Number of responses after which the measured cost replaces the table's figure. */
const ENOUGH = 3
/** Weight of the newest response in the mean. */
const NEWEST = 0.2
/**
 * Bounds of a measured figure, as multiples of the table's. A response may have waited, which is no work: on a busy
 * machine, calls that took 30 to 80 ms cost 1.2 to 2.4 ms of CPU.
 */
const LEAST = 0.5
const MOST = 2
const WINDOW_S = 60

/** Recognises `\r\n`. Checks short texts only: trimming a frame would copy megabytes. */
export const isHeartbeat = (text: string): boolean => text.length <= 8 && text.trim() === ''

/** Server CPU for the bytes of one frame of a socket, ms. */
export const bytesCostMs = (endpoint: Endpoint, bytes: number): number =>
  endpoint.costMs + bytes * endpoint.costMsPerByte

/** Number of characters in which the type of a frame is searched. */
const BEGINNING = 100

/** Server CPU of a frame of a socket, ms. */
export function frameCostMs(endpoint: Endpoint, text: string): number {
  if (isHeartbeat(text)) return HEARTBEAT_MS
  const { expensiveFrame } = endpoint
  const isExpensive = expensiveFrame !== null && text.slice(0, BEGINNING).includes(expensiveFrame.matches)
  return bytesCostMs(endpoint, text.length) + (isExpensive ? expensiveFrame.costMs : 0)
}

interface Measured {
  meanMs: number
  responses: number
  serverMs: number
}

/** Cost in ms for each of the last sixty seconds. */
class LastMinute {
  readonly #now: () => number
  readonly #seconds = new Float64Array(WINDOW_S).fill(-1)
  readonly #spent = new Float64Array(WINDOW_S)

  constructor(now: () => number) {
    this.#now = now
  }

  add(ms: number): void {
    const second = Math.floor(this.#now() / 1000)
    const slot = second % WINDOW_S
    if (this.#seconds[slot] !== second) {
      this.#seconds[slot] = second
      this.#spent[slot] = 0
    }
    this.#spent[slot] = (this.#spent[slot] as number) + ms
  }

  get ms(): number {
    const newest = Math.floor(this.#now() / 1000)
    let all = 0
    for (let slot = 0; slot < WINDOW_S; slot++) {
      const age = newest - (this.#seconds[slot] as number)
      if (age >= 0 && age < WINDOW_S) all += this.#spent[slot] as number
    }
    return all
  }
}

/**
 * Monitoring overhead in ms of the server's CPU. The server does not report it, so it is estimated from response times:
 * what exceeds the fastest short request (the round trip) is at most the work of the call. The list of threads cannot
 * show it either, since requests and sockets run on pool threads that serve all clients. One-time costs (opening a
 * panel, a request on demand) are counted apart from repeated ones, to which the overhead limit applies.
 */
export class Costs {
  readonly #measured = new Map<string, Measured>()
  readonly #repeated: LastMinute
  readonly #once: LastMinute
  #lineMs = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.#repeated = new LastMinute(now)
    this.#once = new LastMinute(now)
  }

  /** Records an answered call and the size of its response. */
  took(endpoint: Endpoint, tookMs: number, bytes: number, isOnce: boolean): void {
    if (endpoint.express) this.#lineMs = Math.min(this.#lineMs, tookMs)
    const waitedMs = Math.max(0, tookMs - (Number.isFinite(this.#lineMs) ? this.#lineMs : 0))
    const byBytes = endpoint.costMsPerByte > 0
    const workMs = ANY_CALL_MS + (byBytes ? bytes * endpoint.costMsPerByte : waitedMs)
    const one = this.#of(endpoint.route)
    one.meanMs = one.responses === 0 ? workMs : one.meanMs + NEWEST * (workMs - one.meanMs)
    one.responses++
    // A call costs at most the time it took, whatever such a call costs elsewhere.
    const costMs = byBytes ? workMs : Math.min(this.costMs(endpoint), Math.max(LEAST * endpoint.costMs, workMs))
    this.#add(endpoint.route, costMs, isOnce)
  }

  /** Records the opening of a socket, or a frame. */
  socket(endpoint: Endpoint, costMs: number, isOnce: boolean): void {
    this.#add(endpoint.route, costMs, isOnce)
  }

  /** Cost of a single call, ms. */
  costMs(endpoint: Endpoint): number {
    const one = this.#measured.get(endpoint.route)
    if (endpoint.costMsPerByte > 0) return one === undefined || one.responses === 0 ? endpoint.costMs : one.meanMs
    if (one === undefined || one.responses < ENOUGH) return endpoint.costMs
    return Math.min(MOST * endpoint.costMs, Math.max(LEAST * endpoint.costMs, one.meanMs))
  }

  /** Cost of all calls of a route since the page opened, ms. */
  serverMs(route: string): number {
    return this.#measured.get(route)?.serverMs ?? 0
  }

  /** Share of one core used in the last minute, without one-time costs. */
  get share(): number {
    return this.#repeated.ms / (WINDOW_S * 1000)
  }

  /** One-time costs of the last minute, ms. */
  get onceMs(): number {
    return this.#once.ms
  }

  #of(route: string): Measured {
    let one = this.#measured.get(route)
    if (one === undefined) {
      one = { meanMs: 0, responses: 0, serverMs: 0 }
      this.#measured.set(route, one)
    }
    return one
  }

  #add(route: string, ms: number, isOnce: boolean): void {
    this.#of(route).serverMs += ms
    ;(isOnce ? this.#once : this.#repeated).add(ms)
  }
}
