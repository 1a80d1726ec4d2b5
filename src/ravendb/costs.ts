import type { Endpoint } from './endpoints.ts'

/** What any call costs besides its work, ms: the shortest questions cost as much, as measured. */
const ANY_CALL_MS = 1.2
/** A frame without content, ms. */
const HEARTBEAT_MS = 0.3
/** Opening a socket, with its handshake, ms. */
export const OPENING_MS = 6
/** A command that a socket is sent: what it begins, and its end, ms. */
export const COMMAND_MS = 6
/** So many answers before measuring replaces the table. */
const ENOUGH = 3
/** Weight of the newest answer in the mean. */
const NEWEST = 0.2
/** Measured figures are believed between these multiples of the table's: an answer may have waited, which is no work. */
const LEAST = 0.5
const MOST = 4
const WINDOW_S = 60

/** `\r\n`: looking at a few characters is enough, trimming would copy megabytes. */
export const isHeartbeat = (text: string): boolean => text.length <= 8 && text.trim() === ''

/** Server CPU of so many bytes in one frame of a socket, ms. */
export const bytesCostMs = (endpoint: Endpoint, bytes: number): number =>
  endpoint.costMs + bytes * endpoint.costMsPerByte

/** What a frame says of itself stands at its beginning. */
const BEGINNING = 100

/** Server CPU of a frame of a socket, ms. */
export function frameCostMs(endpoint: Endpoint, text: string): number {
  if (isHeartbeat(text)) return HEARTBEAT_MS
  const { dearFrame } = endpoint
  const isDear = dearFrame !== null && text.slice(0, BEGINNING).includes(dearFrame.says)
  return bytesCostMs(endpoint, text.length) + (isDear ? dearFrame.costMs : 0)
}

interface Measured {
  meanMs: number
  answers: number
  serverMs: number
}

/**
 * What looking costs the server, in ms of its CPU. It tells nobody, so it is measured by how long answers take: what
 * goes beyond the fastest short question (the way there and back) is at most what the work of the call cost. The list of
 * threads does not tell it either: requests and sockets run on the pool's threads, which work for everybody.
 */
export class Costs {
  private readonly now: () => number
  private readonly measured = new Map<string, Measured>()
  private readonly seconds = new Float64Array(WINDOW_S).fill(-1)
  private readonly spent = new Float64Array(WINDOW_S)
  private lineMs = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.now = now
  }

  /** A call that was answered, by so many bytes. */
  took(endpoint: Endpoint, tookMs: number, bytes: number): void {
    if (endpoint.express) this.lineMs = Math.min(this.lineMs, tookMs)
    const waitedMs = Math.max(0, tookMs - (Number.isFinite(this.lineMs) ? this.lineMs : 0))
    const byBytes = endpoint.costMsPerByte > 0
    const workMs = ANY_CALL_MS + (byBytes ? bytes * endpoint.costMsPerByte : waitedMs)
    const one = this.of(endpoint.route)
    one.meanMs = one.answers === 0 ? workMs : one.meanMs + NEWEST * (workMs - one.meanMs)
    one.answers++
    // It did not cost more than it took, whatever such a call may cost elsewhere.
    const costMs = byBytes ? workMs : Math.min(this.costMs(endpoint), Math.max(LEAST * endpoint.costMs, workMs))
    this.add(endpoint.route, costMs)
  }

  /** Something came through a socket, or it was opened. */
  socket(endpoint: Endpoint, costMs: number): void {
    this.add(endpoint.route, costMs)
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

  /** Share of one core that the last minute cost. */
  get share(): number {
    const newest = Math.floor(this.now() / 1000)
    let all = 0
    for (let slot = 0; slot < WINDOW_S; slot++) {
      const age = newest - (this.seconds[slot] as number)
      if (age >= 0 && age < WINDOW_S) all += this.spent[slot] as number
    }
    return all / (WINDOW_S * 1000)
  }

  private of(route: string): Measured {
    let one = this.measured.get(route)
    if (one === undefined) {
      one = { meanMs: 0, answers: 0, serverMs: 0 }
      this.measured.set(route, one)
    }
    return one
  }

  private add(route: string, ms: number): void {
    this.of(route).serverMs += ms
    const second = Math.floor(this.now() / 1000)
    const slot = second % WINDOW_S
    if (this.seconds[slot] !== second) {
      this.seconds[slot] = second
      this.spent[slot] = 0
    }
    this.spent[slot] = (this.spent[slot] as number) + ms
  }
}
