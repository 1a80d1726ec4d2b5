import type { CloseReason } from '../../../ravendb/sockets/socket.ts'

/** The server or the way to it was in trouble. Other pauses are as harmless as a first connection, and may be many. */
const TROUBLE: ReadonlySet<CloseReason> = new Set(['socket-closed', 'server-stopped', 'silent'])
/** How long after the first frame of a connection the rings are read again, ms: the server has reported by then what it had begun. */
const WAIT_MS = 2000
/** So often, where the server does not answer. */
const MOST_TRIES = 3

/**
 * What a connection that was opened again leaves out. The server raises an event before it puts it into its ring: one that
 * ends while the connection's collector is made is in neither the first frame nor a later one when the event was raised
 * before the collector listened, and in the ring only after the collector had read it. A server that was stopped or short of
 * CPU makes this likely, so its rings are read once more after such trouble, which costs the server as much as the first frame.
 * The first connection of a watch is left alone: before it, nothing is claimed to be known.
 * Source: `IoMeterBuffer.Mark` and `LiveIoStatsCollector.StartCollectingMetrics` of RavenDB.
 */
export class LeftOut {
  readonly #read: () => Promise<void>
  #dueMs = Number.POSITIVE_INFINITY
  #triesLeft = 0
  #isReading = false
  #reason: CloseReason | null = null

  /** `read` requests the rings and takes them; it rejects where the server does not answer. */
  constructor(read: () => Promise<void>) {
    this.#read = read
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
    this.#dueMs = Number.POSITIVE_INFINITY
  }

  /** Anything arrived, so that the database is loaded and the server answers. */
  async arrived(atMs: number): Promise<void> {
    if (atMs < this.#dueMs || this.#triesLeft === 0 || this.#isReading) return
    this.#isReading = true
    this.#triesLeft--
    const dueMs = this.#dueMs
    try {
      await this.#read()
      // Not where another connection was opened meanwhile.
      if (this.#dueMs === dueMs) this.#dueMs = Number.POSITIVE_INFINITY
    } catch {
      // The next frame or heartbeat tries again.
    } finally {
      this.#isReading = false
    }
  }
}
