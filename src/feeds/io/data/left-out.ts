import type { CloseReason } from '../../../ravendb/sockets/socket-events.ts'

/**
 * Close reasons that indicate trouble of the server or the connection. Other pauses are as harmless as a first
 * connection, and may be frequent.
 */
const TROUBLE: ReadonlySet<CloseReason> = new Set(['socket-closed', 'server-stopped', 'silent'])
/**
 * Delay after the first frame of a connection before the rings are read again, ms; by then the server has reported what
 * was in progress.
 */
const WAIT_MS = 2000
/** Maximum number of attempts if the server does not answer. */
const MOST_TRIES = 3
/**
 * Number of arrivals after the response before its rings are ingested; the last of them is not yet in the tables. The
 * first may have been collected before the rings were read, and one may be delayed. By then, events that the rings have
 * folded have arrived individually, so they are neither counted twice nor recorded as a loss.
 */
const ARRIVALS = 4

/**
 * Reads the rings for events that a reopened connection misses. The server raises an event before it puts it into its
 * ring. An event that ends while the connection's collector is created is in no frame if it was raised before the
 * collector listened and put into the ring after the collector had read it. A server that was stopped or short of CPU
 * makes this likely, so its rings are read once more after such trouble, which costs the server as much as the first
 * frame. The first connection of a watch is excluded: before it, nothing is claimed to be known. Source:
 * `IoMeterBuffer.Mark` and `LiveIoStatsCollector.StartCollectingMetrics` of RavenDB.
 */
export class LeftOut<Rings> {
  readonly #request: () => Promise<Rings>
  readonly #take: (rings: Rings) => void
  #reason: CloseReason | null = null
  #dueMs = Number.POSITIVE_INFINITY
  #triesLeft = 0
  #isRequesting = false
  /** Received rings, and the number of further arrivals that they wait for. */
  #waiting: { readonly rings: Rings; arrivals: number } | null = null
  /** Number of the connection; a response that arrives during a later connection is discarded. */
  #connection = 0

  /** `request` reads the rings, and rejects if the server does not answer; `take` puts them into the tables. */
  constructor(request: () => Promise<Rings>, take: (rings: Rings) => void) {
    this.#request = request
    this.#take = take
  }

  /** Called when the first frame of a reopened connection was ingested. */
  reopened(atMs: number): void {
    if (this.#reason === null || !TROUBLE.has(this.#reason)) return
    this.#dueMs = atMs + WAIT_MS
    this.#triesLeft = MOST_TRIES
  }

  /** Called when the connection ended; the next one begins with whole rings. */
  closed(reason: CloseReason): void {
    this.#reason = reason
    this.#connection++
    this.#dueMs = Number.POSITIVE_INFINITY
    this.#waiting = null
  }

  /**
   * Called when a heartbeat or frame arrived, before it is in the tables: the database is loaded, and the server
   * answers.
   */
  arrived(atMs: number): void {
    if (this.#waiting !== null && --this.#waiting.arrivals === 0) {
      this.#take(this.#waiting.rings)
      this.#waiting = null
    }
    if (atMs < this.#dueMs || this.#triesLeft === 0 || this.#isRequesting) return
    this.#isRequesting = true
    this.#triesLeft--
    void this.#read(this.#connection)
  }

  async #read(connection: number): Promise<void> {
    try {
      const rings = await this.#request()
      if (connection !== this.#connection) return
      this.#dueMs = Number.POSITIVE_INFINITY
      this.#waiting = { rings, arrivals: ARRIVALS }
    } catch {
      // The next arrival tries again.
    } finally {
      this.#isRequesting = false
    }
  }
}
