import { ENDPOINTS } from '../../../../ravendb/endpoints.ts'
import { bytesCostMs } from '../../../../ravendb/budget/costs.ts'

/**
 * Way in which batches of a database are received: by polling compressed responses, or by a socket, which is never
 * compressed.
 */
export type Way = 'poll' | 'socket'

export const MINUTE_MS = 60_000
/**
 * Minimum time for which a way is kept, ms. Switching is expensive, because the first frame of a socket is a whole
 * response, uncompressed.
 */
const DWELL_MS = 60_000
/** Minimum time for which the socket is kept after a poll that came too late, ms. */
const LAPPED_MS = 300_000
/** Factor by which the other way must be cheaper for a change. */
const BETTER = 2
/**
 * Compression ratio of responses until this server's own is measured. As measured, gzip compresses them to 1/19, zstd
 * to 1/60.
 */
const COMPRESSED = 1 / 19
/** Bytes per minute of an idle socket: heartbeats. */
const HEARTBEAT_BYTES = 100

/**
 * Bytes of a request and a response without the body, for their headers. However small the responses, polling is never
 * cheaper than an idle socket.
 */
const HEADER_BYTES = 500

interface Amount {
  readonly atMs: number
  readonly bytes: number
  readonly batches: number
}

/**
 * Chooses the way by measured bytes per minute, within the server CPU that the socket may cost: responses can be
 * requested less often, but a socket cannot be slowed down. Begins with one response (the history is needed anyway),
 * which shows the size of a response and of a batch. After that, an idle database is watched by a socket and a busy one
 * is polled.
 */
export class WayChooser {
  readonly #everyMs: number
  #way: Way = 'poll'
  #sinceMs: number
  #wholeBytes = Number.NaN
  #ratio = Number.NaN
  #batchBytes = Number.NaN
  #lappedMs = Number.NEGATIVE_INFINITY
  #received: Amount[] = []
  why = 'The history of each index is asked for once.'

  constructor(nowMs: number, everyMs: number) {
    this.#sinceMs = nowMs
    this.#everyMs = everyMs
  }

  get way(): Way {
    return this.#way
  }

  /**
   * Notes a whole response: its uncompressed bytes, the bytes transferred (null: not known), and its batches.
   * `freshBatches`: number of batches that were not known. For the very first response, number of batches of the last
   * minute, so that the first choice can be made at once.
   */
  answered(nowMs: number, bytes: number, wireBytes: number | null, batches: number, freshBatches: number): void {
    if (Number.isNaN(this.#wholeBytes)) this.#sinceMs = nowMs - MINUTE_MS
    this.#wholeBytes = bytes
    if (batches > 0) this.#batchBytes = bytes / batches
    if (wireBytes !== null && bytes > 0) this.#ratio = wireBytes / bytes
    this.#add(nowMs, bytes * this.#compressed, freshBatches)
  }

  /**
   * Notes a frame of the socket, including the first one. `freshBatches`: number of completed batches that were not
   * known.
   */
  framed(nowMs: number, bytes: number, freshBatches: number): void {
    this.#add(nowMs, bytes, freshBatches)
  }

  /** Notes a poll that came too late, so that batches were missed. */
  lapped(nowMs: number): void {
    this.#lappedMs = nowMs
  }

  get #compressed(): number {
    return Number.isNaN(this.#ratio) ? COMPRESSED : this.#ratio
  }

  #add(atMs: number, bytes: number, batches: number): void {
    this.#received = [...this.#received.filter((each) => atMs - each.atMs < MINUTE_MS), { atMs, bytes, batches }]
  }

  /** Bytes per minute, measured over the last minute, and over at least 10 s; null before the first message. */
  bytesPerMinute(nowMs: number): number | null {
    return this.#received.length === 0 ? null : this.#rate(nowMs, ({ bytes }) => bytes)
  }

  #rate(nowMs: number, of: (amount: Amount) => number): number {
    const since = Math.max(this.#sinceMs, nowMs - MINUTE_MS)
    const seen = this.#received.filter(({ atMs }) => atMs >= since)
    return (seen.reduce((sum, each) => sum + of(each), 0) * MINUTE_MS) / Math.max(10_000, nowMs - since)
  }

  /** Estimated bytes per minute of each way now; NaN: not known yet. */
  estimate(nowMs: number): Readonly<Record<Way, number>> {
    // Excludes the history in the first response, which is not part of the running cost.
    const fresh = this.#rate(nowMs, ({ batches }) => batches)
    const socket = HEARTBEAT_BYTES + fresh * this.#batchBytes
    const poll = ((this.#wholeBytes * this.#compressed + HEADER_BYTES) * MINUTE_MS) / this.#everyMs
    return { socket: Number.isNaN(socket) && this.#wholeBytes >= 0 ? HEARTBEAT_BYTES : socket, poll }
  }

  /** Share of one core of the server that the socket would cost now; NaN: not known yet. */
  socketShare(nowMs: number): number {
    return bytesCostMs(ENDPOINTS.indexesPerformanceLive, this.estimate(nowMs).socket) / MINUTE_MS
  }

  /** Decides again. `limit`: overhead limit, as a share of one core. Returns whether the way has changed. */
  decide(nowMs: number, limit: number): boolean {
    const { socket, poll } = this.estimate(nowMs)
    if (Number.isNaN(poll)) return false
    const isLate = nowMs - this.#lappedMs < LAPPED_MS
    const share = this.socketShare(nowMs)
    if (share > limit) {
      const costs = `${percent(share)} of a core, above the overhead limit of ${percent(limit)}`
      if (this.#way === 'socket')
        return this.#change(
          'poll',
          nowMs,
          `The socket costs ${costs}: responses are asked for as often as that allows.`,
        )
      this.why = isLate
        ? `Answers come too late for the 25 batches that the server keeps of an index, so some are missed. The socket, which misses none, would cost ${costs}.`
        : `Compressed answers are cheaper than the socket, which would cost ${costs}.`
      return false
    }
    if (this.#way === 'poll' && isLate)
      return this.#change('socket', nowMs, 'Polls came too late for the 25 batches that the server keeps of an index.')
    if (nowMs - this.#sinceMs < DWELL_MS) {
      this.why = 'Measuring which way is cheaper.'
      return false
    }
    if (this.#way === 'poll' && socket * BETTER < poll)
      return this.#change('socket', nowMs, 'Little is indexed, so the socket is cheaper than whole answers.')
    if (this.#way === 'socket' && !isLate && poll * BETTER < socket)
      return this.#change(
        'poll',
        nowMs,
        'Much is indexed, and compressed responses are cheaper than the socket, which is never compressed.',
      )
    this.why =
      this.#way === 'poll'
        ? 'Compressed answers are cheaper than the socket, which is never compressed.'
        : 'The socket is cheaper than whole answers.'
    return false
  }

  #change(way: Way, nowMs: number, why: string): boolean {
    this.#way = way
    this.#sinceMs = nowMs
    this.#received = []
    this.why = why
    return true
  }
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`

/**
 * Bytes that the newest response from that address took to transfer, as measured by this browser; null: not measured.
 */
export function wireBytesOf(url: string): number | null {
  const entry = performance.getEntriesByName(url, 'resource').at(-1)
  const bytes = (entry as { readonly encodedBodySize?: number } | undefined)?.encodedBodySize
  return bytes === undefined || bytes <= 0 ? null : bytes
}
