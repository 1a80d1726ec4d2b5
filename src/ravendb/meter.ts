import type { Bytes } from '../base/brand.ts'

/** What looking has cost since the page opened; the same shape as `Meter` of `capture/state.ts`. */
export interface Meter {
  readonly sinceMs: number
  /** Requests and handshakes of sockets. */
  readonly requests: number
  /** Sockets that are open now. */
  readonly sockets: number
  /** Bodies and frames after decompression, which is all a page sees: at least what was on the wire. */
  readonly bytes: Bytes
  readonly requestsPerMinute: number
  readonly bytesPerMinute: number
  readonly slowed: string | null
  readonly endpoints: readonly EndpointMeter[]
}

interface EndpointMeter {
  readonly endpoint: string
  readonly requests: number
  readonly bytes: Bytes
  readonly failures: number
  /** How long the last one took, ms; a socket: its handshake. Null: none has ended. */
  readonly lastMs: number | null
}

interface Count {
  requests: number
  bytes: number
  failures: number
  lastMs: number | null
}

const WINDOW_S = 60

/** Counts from the first request on. The last minute is kept in sixty buckets of one second: memory does not grow. */
export class MeterBook {
  private readonly sinceMs: number
  private readonly now: () => number
  private readonly counts = new Map<string, Count>()
  private readonly seconds = new Float64Array(WINDOW_S).fill(-1)
  private readonly requestsIn = new Float64Array(WINDOW_S)
  private readonly bytesIn = new Float64Array(WINDOW_S)
  private openSockets = 0

  constructor(now: () => number) {
    this.now = now
    this.sinceMs = now()
  }

  request(endpoint: string): void {
    this.count(endpoint).requests++
    this.add(this.requestsIn, 1)
  }

  bytes(endpoint: string, bytes: number): void {
    this.count(endpoint).bytes += bytes
    this.add(this.bytesIn, bytes)
  }

  ended(endpoint: string, tookMs: number): void {
    this.count(endpoint).lastMs = tookMs
  }

  failure(endpoint: string): void {
    this.count(endpoint).failures++
  }

  socketOpened(): void {
    this.openSockets++
  }

  socketClosed(): void {
    this.openSockets--
  }

  read(slowed: string | null): Meter {
    let requests = 0
    let bytes = 0
    const endpoints: EndpointMeter[] = []
    for (const [endpoint, count] of this.counts) {
      requests += count.requests
      bytes += count.bytes
      endpoints.push({ endpoint, ...count, bytes: count.bytes as Bytes })
    }
    return {
      sinceMs: this.sinceMs,
      requests,
      sockets: this.openSockets,
      bytes: bytes as Bytes,
      requestsPerMinute: this.recent(this.requestsIn),
      bytesPerMinute: this.recent(this.bytesIn),
      slowed,
      endpoints,
    }
  }

  private count(endpoint: string): Count {
    let count = this.counts.get(endpoint)
    if (count === undefined) {
      count = { requests: 0, bytes: 0, failures: 0, lastMs: null }
      this.counts.set(endpoint, count)
    }
    return count
  }

  private add(into: Float64Array, amount: number): void {
    const second = Math.floor(this.now() / 1000)
    const slot = second % WINDOW_S
    if (this.seconds[slot] !== second) {
      this.seconds[slot] = second
      this.requestsIn[slot] = 0
      this.bytesIn[slot] = 0
    }
    into[slot] = (into[slot] ?? 0) + amount
  }

  private recent(of: Float64Array): number {
    const newest = Math.floor(this.now() / 1000)
    let sum = 0
    for (let slot = 0; slot < WINDOW_S; slot++) {
      const age = newest - (this.seconds[slot] ?? -1)
      if (age >= 0 && age < WINDOW_S) sum += of[slot] ?? 0
    }
    return sum
  }
}
