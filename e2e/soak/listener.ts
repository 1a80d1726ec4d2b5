import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { databasePath } from '../../tools/ravendb/client.mjs'
import { BatchRecord, batchSocketUrl } from '../support/independent-batches.ts'
import { IoEvents, ticksOf, type IoEvent } from '../../src/testing/server/io-events.ts'
import { ioSocketUrl } from '../support/independent-io.ts'
import { clock } from './clock.ts'
import type { Lateness } from './lateness.ts'

/** Wall clock, ms. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

const RETRY_MS = 200
const TICKS_PER_MS = 10_000
const EPOCH_MS = Date.UTC(2020, 0)

const ioId = ({ path, kind, startTicks }: Pick<IoEvent, 'path' | 'kind' | 'startTicks'>): string =>
  `${path}|${kind}|${startTicks}`

/** The server sends a heartbeat after 3.5 to 4.5 s without a frame. */
const HEARTBEAT_MS = 4500

/** A handshake waits for a database that is being loaded. */
const HANDSHAKE_MS = 40_000
const CATCH_UP_MS = 5000

/** A live socket that is opened again as soon as it closes, and knows the times in which it received nothing. */
class Listening {
  readonly #socketUrl: string
  readonly #historyUrl: string
  readonly #take: (text: string, how: 'frame' | 'rings') => void
  #socket: WebSocket | null = null
  #isOver = false
  /** Time at which the newest data was sent, wall clock, ms. */
  #takenMs = Date.now()
  /** Since when nothing is known; null: all is known. */
  #lostMs: number | null = null
  readonly #gaps: Span[] = []
  #openedMs = Date.now()
  readonly #lateness: Lateness
  #arrivedMs = 0
  /** Arrival of the last two frames. */
  #frameMs = 0
  #previousFrameMs = 0

  /** `historyUrl`: what answers with all that the server still knows, in the form of a frame. */
  constructor(
    socketUrl: string,
    historyUrl: string,
    take: (text: string, how: 'frame' | 'rings') => void,
    lateness: Lateness,
  ) {
    this.#lateness = lateness
    this.#socketUrl = socketUrl
    this.#historyUrl = historyUrl
    this.#take = take
    this.#open()
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    const sinceMs = this.#takenMs
    while (this.#takenMs === sinceMs) await sleep(50)
  }

  /** Reads events that no frame has had yet, before the server or a ring goes. Does nothing if the server does not respond. */
  async catchUp(): Promise<void> {
    const atMs = Date.now()
    try {
      const response = await fetch(this.#historyUrl, { signal: AbortSignal.timeout(CATCH_UP_MS) })
      if (!response.ok) return
      this.#take(await response.text(), 'rings')
      this.#takenMs = Math.max(this.#takenMs, atMs)
    } catch {
      // Lost data is a gap, which its socket reports.
    }
  }

  /** Time in which every event that began and ended in it was in a frame, if the server sent it; null before the second frame. */
  get sentSpan(): Span | null {
    const isKnown = this.#lostMs === null && this.#previousFrameMs > this.#openedMs
    return isKnown ? { fromMs: this.#openedMs, toMs: this.#previousFrameMs } : null
  }

  /** Times without reliable data, the current one included. */
  get gaps(): readonly Span[] {
    return this.#lostMs === null ? this.#gaps : [...this.#gaps, { fromMs: this.#lostMs, toMs: Date.now() }]
  }

  close(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #open(): void {
    this.#openedMs = Date.now()
    this.#frameMs = 0
    this.#arrivedMs = Number.POSITIVE_INFINITY
    const socket = (this.#socket = new WebSocket(this.#socketUrl, { handshakeTimeout: HANDSHAKE_MS }))
    socket.on('message', (data: Buffer) => {
      this.#lateness.noteSent(this.#arrivedMs, HEARTBEAT_MS, Date.now())
      this.#arrivedMs = Date.now()
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#take(text, 'frame')
      this.#takenMs = Date.now()
      this.#previousFrameMs = this.#frameMs
      this.#frameMs = this.#takenMs
      if (this.#lostMs !== null) this.#gaps.push({ fromMs: this.#lostMs, toMs: this.#takenMs })
      this.#lostMs = null
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      if (this.#isOver) return
      this.#lostMs ??= this.#takenMs
      setTimeout(() => {
        if (!this.#isOver) this.#open()
      }, RETRY_MS)
    })
  }
}

/** All I/O events and index batches of a database that its server reported, by connections of its own. */
export class Listener {
  readonly io = new IoEvents()
  readonly batches = new BatchRecord()
  /** I/O events that the server's rings had, and its live socket had left out. */
  readonly unsentIo: IoEvent[] = []
  /** Time and way in which each event came first, by {@link ioId}. */
  readonly #origins = new Map<string, string>()
  readonly #io: Listening
  readonly #batches: Listening

  constructor(serverUrl: string, database: string, lateness: Lateness) {
    const of = serverUrl + databasePath(database)
    this.#io = new Listening(
      ioSocketUrl(serverUrl, database),
      `${of}/debug/io-metrics`,
      (text, how) => {
        for (const event of this.io.take(text)) this.#origins.set(ioId(event), `${how} of ${clock(Date.now())}`)
      },
      lateness,
    )
    this.#batches = new Listening(
      batchSocketUrl(serverUrl, database),
      `${of}/indexes/performance`,
      (text) => void this.batches.take(text),
      lateness,
    )
  }

  /** First arrival of an event, in words. */
  originOf(event: Pick<IoEvent, 'path' | 'kind' | 'startTicks'>): string {
    return this.#origins.get(ioId(event)) ?? 'unknown'
  }

  /** Resolves with the first frame of I/O; one of batches comes with the first index. */
  opened(): Promise<void> {
    return this.#io.opened()
  }

  /** Whether any I/O, or any batch that is over, began after that, wall clock, ms. */
  hasNewSince(ms: number, what: 'io' | 'batches'): boolean {
    const ticks = (ms - EPOCH_MS) * TICKS_PER_MS
    return what === 'io'
      ? this.io.events.some(({ startTicks }) => startTicks > ticks)
      : this.batches.completed.some(({ batch }) => ticksOf(batch.Started) > ticks)
  }

  async catchUp(): Promise<void> {
    const span = this.#io.sentSpan
    const known = new Set(this.io.events.map(ioId))
    await Promise.all([this.#io.catchUp(), this.#batches.catchUp()])
    if (span === null) return
    for (const event of this.io.events) {
      const startMs = event.startTicks / TICKS_PER_MS + EPOCH_MS
      const isInside = startMs >= span.fromMs && startMs + event.durationMs <= span.toMs
      if (isInside && !known.has(ioId(event))) this.unsentIo.push(event)
    }
  }

  get ioGaps(): readonly Span[] {
    return this.#io.gaps
  }

  get batchGaps(): readonly Span[] {
    return this.#batches.gaps
  }

  close(): void {
    this.#io.close()
    this.#batches.close()
  }
}
