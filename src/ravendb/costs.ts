import type { Endpoint } from './endpoints.ts'

/** Server CPU of sending a megabyte of live data: 135 MB a minute were 3 % of a core (security-and-faults §6). */
const SOCKET_MS_PER_BYTE = 13 / 1_000_000
/** Of an answer that is told by its bytes: what any call costs besides, ms. */
const ANY_CALL_MS = 0.5
/** So many answers before measuring replaces the table. */
const ENOUGH = 3
/** Weight of the newest answer in the mean. */
const NEWEST = 0.2
/** Measured figures are believed between these multiples of the table's: an answer may have waited, which is no work. */
const LEAST = 0.25
const MOST = 4
const WINDOW_S = 60

/** Server CPU of a frame of a socket, ms. */
export const frameCostMs = (endpoint: Endpoint, bytes: number): number => endpoint.costMs + bytes * SOCKET_MS_PER_BYTE

interface Measured {
  meanMs: number
  answers: number
  serverMs: number
}

/**
 * What looking costs the server, in ms of its CPU. It tells nobody, so it is measured by how long answers take: what
 * goes beyond the fastest short question (the way there and back) is at most what the call cost. The list of threads does
 * not tell it either: requests and sockets run on the pool's threads, which work for everybody.
 */
export class Costs {
  private readonly now: () => number
  private readonly measured = new Map<string, Measured>()
  private readonly seconds = new Float64Array(WINDOW_S).fill(-1)
  private readonly spent = new Float64Array(WINDOW_S)
  private readonly bySockets = new Float64Array(WINDOW_S)
  private lineMs = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.now = now
  }

  /** A call that was answered, by so many bytes. */
  took(endpoint: Endpoint, tookMs: number, bytes: number): void {
    if (endpoint.express) this.lineMs = Math.min(this.lineMs, tookMs)
    const waitedMs = Math.max(0, tookMs - (Number.isFinite(this.lineMs) ? this.lineMs : 0))
    const byBytes = endpoint.costMsPerByte > 0
    const workMs = byBytes ? ANY_CALL_MS + bytes * endpoint.costMsPerByte : waitedMs
    const one = this.of(endpoint.route)
    one.meanMs = one.answers === 0 ? workMs : one.meanMs + NEWEST * (workMs - one.meanMs)
    one.answers++
    // It did not cost more than it took, whatever such a call may cost elsewhere.
    const costMs = byBytes ? workMs : Math.min(this.costMs(endpoint), Math.max(LEAST * endpoint.costMs, workMs))
    this.add(endpoint.route, costMs, false)
  }

  /** Something came through a socket. */
  heard(endpoint: Endpoint, bytes: number): void {
    this.add(endpoint.route, frameCostMs(endpoint, bytes), true)
  }

  /** Of one call. */
  costMs(endpoint: Endpoint): number {
    const one = this.measured.get(endpoint.route)
    if (endpoint.costMsPerByte > 0) return one === undefined || one.answers === 0 ? endpoint.costMs : one.meanMs
    if (one === undefined || one.answers < ENOUGH) return endpoint.costMs
    return Math.min(MOST * endpoint.costMs, Math.max(LEAST * endpoint.costMs, one.meanMs))
  }

  /** Of all calls of a route since the page opened. */
  serverMs(route: string): number {
    return this.measured.get(route)?.serverMs ?? 0
  }

  /** Share of one core that the last minute cost, and what of it was sockets. */
  share(): { readonly all: number; readonly sockets: number } {
    const newest = Math.floor(this.now() / 1000)
    let all = 0
    let sockets = 0
    for (let slot = 0; slot < WINDOW_S; slot++) {
      const age = newest - (this.seconds[slot] as number)
      if (age < 0 || age >= WINDOW_S) continue
      all += this.spent[slot] as number
      sockets += this.bySockets[slot] as number
    }
    return { all: all / (WINDOW_S * 1000), sockets: sockets / (WINDOW_S * 1000) }
  }

  private of(route: string): Measured {
    let one = this.measured.get(route)
    if (one === undefined) {
      one = { meanMs: 0, answers: 0, serverMs: 0 }
      this.measured.set(route, one)
    }
    return one
  }

  private add(route: string, ms: number, isSocket: boolean): void {
    this.of(route).serverMs += ms
    const second = Math.floor(this.now() / 1000)
    const slot = second % WINDOW_S
    if (this.seconds[slot] !== second) {
      this.seconds[slot] = second
      this.spent[slot] = 0
      this.bySockets[slot] = 0
    }
    this.spent[slot] = (this.spent[slot] as number) + ms
    if (isSocket) this.bySockets[slot] = (this.bySockets[slot] as number) + ms
  }
}
