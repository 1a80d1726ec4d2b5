import type { CloseReason } from '../../../ravendb/sockets/socket-events.ts'

/** The server or the way to it was in trouble. Other pauses are as harmless as a first connection, and may be many. */
const TROUBLE: ReadonlySet<CloseReason> = new Set(['socket-closed', 'server-stopped', 'silent'])
/** How long after the first frame of a connection the rings are read again, ms: the server has reported by then what it had begun. */
const WAIT_MS = 2000
/** So often, where the server does not answer. */
const MOST_TRIES = 3
/**
 * Arrivals after the response until it is taken, the last not yet in the tables: the first may have been collected before the
 * rings were read, and one be held up. What rings have folded has come event by event by then, and is neither counted twice nor
 * taken for a loss.
 */
const ARRIVALS = 4

/**
 * Reads the rings for events that a reopened connection leaves out. The server raises an event before it puts it into
 * its ring: one that ends while the connection's collector is made is in neither the first frame nor a later one when
 * the event was raised before the collector listened, and in the ring only after the collector had read it. A server
 * that was stopped or short of CPU makes this likely, so its rings are read once more after such trouble, which costs
 * the server as much as the first frame. The first connection of a watch is left alone: before it, nothing is claimed
 * to be known. Source: `IoMeterBuffer.Mark` and `LiveIoStatsCollector.StartCollectingMetrics` of RavenDB.
 */
export class LeftOut<Rings> {
  readonly #request: () => Promise<Rings>
  readonly #take: (rings: Rings) => void
  #reason: CloseReason | null = null
  #dueMs = Number.POSITIVE_INFINITY
  #triesLeft = 0
  #isRequesting = false
  /** Rings that were received, and how many more arrivals they wait for. */
  #waiting: { readonly rings: Rings; arrivals: number } | null = null
  /** Counts connections: a response that comes in a later one is of no use. */
  #connection = 0

  /** `request` reads the rings, and rejects where the server does not answer; `take` puts them into the tables. */
  constructor(request: () => Promise<Rings>, take: (rings: Rings) => void) {
    this.#request = request
    this.#take = take
  }

  /** The first frame of a connection that was opened again was taken. */
  reopened(atMs: number): void {
    if (this.#reason === null || !TROUBLE.has(this.#reason)) return
    this.#dueMs = atMs + WAIT_MS
    this.#triesLeft = MOST_TRIES
  }

  /** The connection is over: the next one begins with whole rings. */
  closed(reason: CloseReason): void {
    this.#reason = reason
    this.#connection++
    this.#dueMs = Number.POSITIVE_INFINITY
    this.#waiting = null
  }

  /** A heartbeat or a frame arrived, which is in the tables after this: the database is loaded, and the server answers. */
  arrived(atMs: number): void {
    if (this.#waiting !== null && --this.#waiting.arrivals === 0) {
      this.#take(this.#waiting.rings)
      this.#waiting = null
    }
    if (atMs < this.#dueMs || this.#triesLeft === 0 || this.#isRequesting) return
    this.#isRequesting = true
    this.#triesLeft--
    void this.#ask(this.#connection)
  }

  async #ask(connection: number): Promise<void> {
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
