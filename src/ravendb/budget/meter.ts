import type { Bytes } from '../../base/brand.ts'
import type { Costs } from './costs.ts'
import type { Endpoint } from '../endpoints.ts'
import type { PageCost } from './neighbours.ts'
import type { OverheadLimits } from './plan.ts'

/** Cost of this page since it opened, counted by the governor. Can be sent between threads. */
export interface Meter {
  readonly sinceMs: number
  /** Requests, and handshakes of sockets. */
  readonly requests: number
  /** Number of open sockets. */
  readonly sockets: number
  /** Bytes of bodies and frames after decompression, which is all that a page sees: not less than on the wire. */
  readonly bytes: Bytes
  /** Requests of the last 60 s; the bytes follow. */
  readonly requestsPerMinute: number
  readonly bytesPerMinute: number
  /** Why polls and sockets are slower than planned; null: they are not. */
  readonly slowed: string | null
  /** Whether the server is in trouble, so that the overhead limit is not the only reason. */
  readonly isServerSlow: boolean
  readonly endpoints: readonly EndpointMeter[]
  readonly cost: MeterCost
}

/** Cost for the server, as far as a page can measure it. */
export interface MeterCost {
  /** Shares of one core that polls and sockets of all pages may use together; changed by `governor.limits`. */
  readonly limits: OverheadLimits
  /** Whether the user is attentive, so that the panel in front has a limit of its own. */
  readonly isAttended: boolean
  /** Share of one core used in the last minute, without `onceMs`, as the limits define it. */
  readonly shareOfCore: number
  /** One-time costs of the last minute, ms of CPU: opening panels, and requests on demand. */
  readonly onceMs: number
  /** Ms of CPU since the page opened, without one-time costs. */
  readonly serverMs: number
  /** Our share of the requests that the server answered between its last two counts, 0–1; null: not known. */
  readonly shareOfRequests: number | null
  /** Databases that our calls loaded; only a deliberate click does. May include one that was being loaded anyway. */
  readonly databasesLoaded: number
  /** Polls that are slower than planned. */
  readonly slowedPolls: readonly SlowedPoll[]
  /** Sockets that are closed at times to stay within the overhead limit. */
  readonly pausedSockets: readonly PausedSocket[]
  /** Other pages of this browser on the same server, in the last minute. They share the overhead limit. */
  readonly otherPages: {
    readonly pages: number
    readonly shareOfCore: number
    readonly requestsPerMinute: number
    readonly bytesPerMinute: Bytes
  }
}

/** State that the governor adds to the counts. */
interface Held {
  readonly slowed: string | null
  readonly isServerSlow: boolean
  readonly limits: OverheadLimits
  readonly isAttended: boolean
  readonly slowedPolls: readonly SlowedPoll[]
  readonly pausedSockets: readonly PausedSocket[]
  readonly others: readonly PageCost[]
}

export interface PausedSocket {
  readonly endpoint: string
  /** Name for the user. */
  readonly what: string
  /** Share of one core that it would cost without pauses. */
  readonly shareOfCore: number
  /** Length of its last open time, and of the pause that follows. */
  readonly openMs: number
  readonly pauseMs: number
}

interface SlowedPoll {
  readonly endpoint: string
  readonly plannedMs: number
  readonly everyMs: number
}

interface EndpointMeter {
  readonly endpoint: string
  readonly requests: number
  readonly bytes: Bytes
  readonly failures: number
  /** Duration of the last one, ms; for a socket, of its handshake. Null: none has ended. */
  readonly lastMs: number | null
  /** Total of the server's CPU, ms, measured as in `MeterCost`. */
  readonly serverMs: number
}

interface Count {
  requests: number
  bytes: number
  failures: number
  lastMs: number | null
}

const WINDOW_S = 60

/**
 * Counts since the page opened. The last minute is kept in sixty buckets of one second, so that memory does not grow.
 */
export class MeterLog {
  readonly #sinceMs: number
  readonly #now: () => number
  readonly #counts = new Map<string, Count>()
  readonly #seconds = new Float64Array(WINDOW_S).fill(-1)
  readonly #requestsIn = new Float64Array(WINDOW_S)
  readonly #bytesIn = new Float64Array(WINDOW_S)
  readonly #costs: Costs
  #openSockets = 0
  #loads = 0
  #counted: { readonly requests: number; readonly ours: number } | null = null
  #ofRequests: number | null = null

  constructor(now: () => number, costs: Costs) {
    this.#now = now
    this.#costs = costs
    this.#sinceMs = now()
  }

  request(endpoint: string): void {
    this.#count(endpoint).requests++
    this.#add(this.#requestsIn, 1)
  }

  bytes(endpoint: string, bytes: number): void {
    this.#count(endpoint).bytes += bytes
    this.#add(this.#bytesIn, bytes)
  }

  /** Records a frame of a socket. `costMs`: of the server's CPU. */
  received(endpoint: Endpoint, bytes: number, costMs: number, isOnce: boolean): void {
    this.bytes(endpoint.route, bytes)
    this.#costs.socket(endpoint, costMs, isOnce)
  }

  /**
   * Records that a call or socket which was allowed to load a database succeeded, and that the database was not known
   * to be loaded.
   */
  loaded(): void {
    this.#loads++
  }

  /** Takes the server's count of requests since its start. */
  serverRequests(requests: number): void {
    const ours = this.#requestsSoFar()
    const before = this.#counted
    this.#counted = { requests, ours }
    if (before === null || requests <= before.requests) return
    this.#ofRequests = Math.min(1, (ours - before.ours) / (requests - before.requests))
  }

  ended(endpoint: string, tookMs: number): void {
    this.#count(endpoint).lastMs = tookMs
  }

  failure(endpoint: string): void {
    this.#count(endpoint).failures++
  }

  /** Records a cost of a socket other than its frames, ms of the server's CPU. */
  spent(endpoint: Endpoint, costMs: number, isOnce: boolean): void {
    this.#costs.socket(endpoint, costMs, isOnce)
  }

  socketOpened(endpoint: Endpoint, costMs: number, isOnce: boolean): void {
    this.#openSockets++
    this.#costs.socket(endpoint, costMs, isOnce)
  }

  socketClosed(): void {
    this.#openSockets--
  }

  /** Requests and bytes of the last 60 s. */
  lastMinute(): { readonly requestsPerMinute: number; readonly bytesPerMinute: number } {
    return { requestsPerMinute: this.#recent(this.#requestsIn), bytesPerMinute: this.#recent(this.#bytesIn) }
  }

  read({ slowed, isServerSlow, limits, isAttended, slowedPolls, pausedSockets, others }: Held): Meter {
    let bytes = 0
    let allServerMs = 0
    const endpoints: EndpointMeter[] = []
    for (const [endpoint, { requests, bytes: ofOne, failures, lastMs }] of this.#counts) {
      const serverMs = this.#costs.serverMs(endpoint)
      bytes += ofOne
      allServerMs += serverMs
      endpoints.push({ endpoint, requests, bytes: ofOne as Bytes, failures, lastMs, serverMs })
    }
    return {
      sinceMs: this.#sinceMs,
      requests: this.#requestsSoFar(),
      sockets: this.#openSockets,
      bytes: bytes as Bytes,
      ...this.lastMinute(),
      slowed,
      isServerSlow,
      endpoints,
      cost: {
        limits,
        isAttended,
        shareOfCore: this.#costs.share,
        onceMs: this.#costs.onceMs,
        serverMs: allServerMs,
        shareOfRequests: this.#ofRequests,
        databasesLoaded: this.#loads,
        slowedPolls,
        pausedSockets,
        otherPages: {
          pages: others.length,
          shareOfCore: sumOf(others, ({ share }) => share),
          requestsPerMinute: sumOf(others, ({ requestsPerMinute }) => requestsPerMinute),
          bytesPerMinute: sumOf(others, ({ bytesPerMinute }) => bytesPerMinute) as Bytes,
        },
      },
    }
  }

  #requestsSoFar(): number {
    let requests = 0
    for (const count of this.#counts.values()) requests += count.requests
    return requests
  }

  #count(endpoint: string): Count {
    let count = this.#counts.get(endpoint)
    if (count === undefined) {
      count = { requests: 0, bytes: 0, failures: 0, lastMs: null }
      this.#counts.set(endpoint, count)
    }
    return count
  }

  #add(into: Float64Array, amount: number): void {
    const second = Math.floor(this.#now() / 1000)
    const slot = second % WINDOW_S
    if (this.#seconds[slot] !== second) {
      this.#seconds[slot] = second
      this.#requestsIn[slot] = 0
      this.#bytesIn[slot] = 0
    }
    into[slot] = (into[slot] ?? 0) + amount
  }

  #recent(of: Float64Array): number {
    const newest = Math.floor(this.#now() / 1000)
    let sum = 0
    for (let slot = 0; slot < WINDOW_S; slot++) {
      const age = newest - (this.#seconds[slot] ?? -1)
      if (age >= 0 && age < WINDOW_S) sum += of[slot] ?? 0
    }
    return sum
  }
}

function sumOf<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  let sum = 0
  for (const row of rows) sum += of(row)
  return sum
}
