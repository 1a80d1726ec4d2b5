import { errorText } from '../../../../base/text/error-text.ts'
import type { ReadProblems } from '../../../../base/json/read-whole.ts'
import { spanFromMs, type Ticks } from '../../../../base/ticks.ts'
import { GAP_OF_CLOSE } from '../../../../capture/worker/gap-closing.ts'
import type { WatchContext } from '../../../../capture/worker/feed.ts'
import { KnownTime } from '../../../../capture/worker/known-time.ts'
import type { GapReason } from '../../../../capture/client/state.ts'
import { ENDPOINTS } from '../../../../ravendb/endpoints.ts'
import type { RavenError } from '../../../../ravendb/errors/errors.ts'
import type { SocketControl } from '../../../../ravendb/sockets/sockets.ts'
import type { SocketPhase } from '../../../../ravendb/sockets/socket-events.ts'
import { readBatches } from '../reading/decode.ts'
import { recordLosses, recordLostRecording, type CoverageGaps } from '../coverage-gaps.ts'
import { WANTED_MS } from '../../../../capture/client/requests/wanted.ts'
import type { Recreated, IndexFactsStore } from '../facts.ts'
import type { IndexKey } from '../../contract/batches.ts'
import type { IndexingWay } from '../../contract/want.ts'
import { readIndexProgress, readIndexStats, type IndexStats } from './server-wire.ts'
import { resetLoss } from '../losses.ts'
import type { BatchStore, IngestResult } from '../table.ts'
import { MINUTE_MS, WayChooser, wireBytesOf } from './way.ts'

const AUDIENCE = { feed: 'indexing' }
/** Planned interval of responses, ms; the frames of the socket have the same interval. */
const EVERY_MS = 3000
/** Factor: a poll that is later than this many intervals was delayed by the overhead limit. */
const STRETCHED = 1.5
/**
 * Maximum interval of polls, ms. Live batches take precedence over the rest of the panel, because a busy index finishes
 * 25 batches in about five seconds.
 */
const AT_LEAST_EVERY_MS = 4000
/** Server CPU of a response per index, ms. */
const COST_PER_INDEX_MS = 2
/**
 * Minimum interval of the requests of state and progress, ms. They are sent only if something was indexed since the
 * last ones.
 */
const FACTS_EVERY_MS = 15_000
/**
 * Delay of those requests after a single batch, and when indexing has ended, ms. It is short because each request
 * restarts the time until the server unloads the database, as the server's own flush does about 6 s after a write.
 */
const LAST_FACTS_AFTER_MS = 4000
/** Maximum age of a frame when it arrives, ms. */
const FRAME_AGE_MS = 5000
/**
 * Silence after which a message is a heartbeat, ms. A heartbeat comes at least 3.5 s after any other message, a frame 3
 * s.
 */
const QUIET_MS = 3400

const encoder = new TextEncoder()

export interface SourceWatchHost {
  readonly store: BatchStore
  readonly coverage: CoverageGaps
  readonly facts: IndexFactsStore
  /** Whether data are being recorded, so that an earlier recording had its batches too. */
  readonly isRecorded: () => boolean
  /** Called after each response of `indexes/stats`. */
  readonly onStats: (context: WatchContext, rows: readonly IndexStats[], atTicks: Ticks) => void
}

/** Watches the batches of a database while it is wanted, in the cheaper way; otherwise sends no request. */
export class SourceWatch {
  readonly #host: SourceWatchHost
  readonly #context: WatchContext
  readonly #database: string
  readonly #known: KnownTime
  #chooser: WayChooser | null = null
  #stopPoll: (() => void) | null = null
  #socket: SocketControl | null = null
  #isWhole = true
  #hasBatches = false
  /**
   * Whether the database had no work since the newest response, so that this response was reused. Opening a socket
   * would restart the time until the server unloads the database.
   */
  #isResting = false
  readonly #bornMs: number
  #hasResponse = false
  #sinceTicks: Ticks | null = null
  #receivedMs = 0
  /** Time of the last message of a socket, ms. */
  #listenedMs = 0
  /** Time of the last response of the running poll, ms; null before the first one. */
  #polledMs: number | null = null
  /** Time at which new batches were last received, ms. */
  #addedMs = Number.NEGATIVE_INFINITY
  #factsMs = Number.NEGATIVE_INFINITY
  #factsAreStale = true
  /** End of the newest batch now, and at the newest request of state and progress. */
  #newestTicks = Number.NEGATIVE_INFINITY
  #factsNewestTicks = Number.NEGATIVE_INFINITY
  #reportedBefore: ReadonlySet<IndexKey> = new Set()
  #problem: string | null = null

  constructor(host: SourceWatchHost, context: WatchContext, database: string) {
    this.#host = host
    this.#context = context
    this.#database = database
    this.#known = new KnownTime(context.clock)
    this.#bornMs = this.#now()
  }

  get isOn(): boolean {
    return this.#chooser !== null
  }

  start(): void {
    if (this.#chooser !== null) return
    this.#chooser = new WayChooser(this.#now(), EVERY_MS)
    this.#problem = null
    // An index may have been paused, reset or deleted while no page showed it.
    this.#factsAreStale = true
    this.#begin()
  }

  stop(): void {
    if (this.#chooser === null) return
    this.#end()
    this.#chooser = null
    if (this.#receivedMs > 0) this.#beginGap('not-watched', 'No panel watched index batches.')
  }

  /** Time up to which every batch was received. */
  get untilTicks(): Ticks | null {
    return this.#known.untilTicks
  }

  /** Time since which all batches were received as they ran; null: before the first response, or during a gap. */
  get sinceTicks(): Ticks | null {
    return this.#sinceTicks
  }

  /** Whether the database is watched without a response so far, so that its indexes are not known. */
  get isAwaited(): boolean {
    return this.#chooser !== null && this.#receivedMs === 0
  }

  retryNow(): void {
    this.#socket?.reconnectNow()
  }

  way(): IndexingWay {
    const now = this.#now()
    const chooser = this.#chooser
    const base = { source: this.#context.source, problem: this.#problem }
    if (chooser === null)
      return {
        ...base,
        way: 'off',
        why: 'No panel watches it.',
        bytesPerMinute: null,
        everyTicks: null,
      }
    return {
      ...base,
      way: chooser.way,
      why: chooser.why,
      bytesPerMinute: chooser.bytesPerMinute(now),
      everyTicks: spanFromMs(EVERY_MS),
    }
  }

  #now(): number {
    return this.#context.governor.env.now()
  }

  #begin(): void {
    if (this.#chooser?.way === 'socket') this.#listen()
    else this.#poll()
  }

  #end(): void {
    this.#stopPoll?.()
    this.#socket?.close()
    this.#stopPoll = null
    this.#polledMs = null
    this.#socket = null
  }

  /** Server CPU of a response, ms. */
  get #responseCostMs(): number {
    let indexes = 0
    for (const index of this.#host.store.indexes.values()) if (index.source === this.#context.source) indexes++
    return COST_PER_INDEX_MS * Math.max(1, indexes)
  }

  #poll(): void {
    const { governor } = this.#context
    const params = { database: this.#database }
    this.#stopPoll = governor.pollBytes('indexesPerformance', params, {
      everyMs: EVERY_MS,
      atLeastEveryMs: AT_LEAST_EVERY_MS,
      audience: AUDIENCE,
      costMs: () => this.#responseCostMs,
      onResponse: (bytes, atMs, requestedMs) => {
        this.#problem = null
        this.#known.connecting(requestedMs)
        this.#context.received(atMs, bytes.length, true)
        const { batches, recent, result } = this.#takeBytes(bytes, atMs, requestedMs)
        const url = governor.env.baseUrl + ENDPOINTS.indexesPerformance.path(params)
        this.#chooser?.answered(
          atMs,
          bytes.length,
          wireBytesOf(url),
          batches,
          this.#receivedMs === 0 ? recent : result.added,
        )
        if (result.losses.some(({ cause }) => cause === 'lapped')) this.#chooser?.lapped(atMs)
        this.#isResting = (governor.readMs('indexesPerformance', params) ?? requestedMs) < requestedMs
        // The next response must not be delayed until the database is known to be working: 25 batches may be over by
        // then.
        if (recent > 0 && !this.#hasBatches) governor.databaseWorked(this.#database)
        this.#received(atMs, result, true)
      },
      onError: (error) => this.#failed(error),
    })
  }

  #listen(): void {
    this.#isResting = false
    this.#socket = this.#context.governor.openSocket(
      'indexesPerformanceLive',
      { database: this.#database },
      {
        onPhase: ({ phase, message }) => {
          if (phase === 'connecting') {
            this.#isWhole = true
            this.#known.connecting(this.#now())
          }
          this.#problem = phase === 'open' || message === '' ? null : message
          // Responses arrived before, but the socket that should continue them does not open.
          const reason = GAP_OF_PHASE[phase]
          if (reason !== undefined && this.#receivedMs > 0) this.#beginGap(reason, message)
        },
        onReceived: (atMs) => {
          const isQuiet = atMs - this.#receivedMs >= QUIET_MS
          this.#listenedMs = atMs
          this.#known.arrived(atMs)
          this.#receivedMs = atMs
          this.#context.received(atMs, 0, false)
          if (isQuiet) this.#freshenFacts(atMs, LAST_FACTS_AFTER_MS)
        },
        onFrame: (text, atMs) => {
          this.#context.received(atMs, text.length, true)
          const isWhole = this.#isWhole
          this.#isWhole = false
          const result = this.#takeText(text, atMs, isWhole)
          this.#known.framed()
          if (result === null) return
          this.#chooser?.framed(atMs, text.length, result.added)
          this.#received(atMs, result, isWhole)
        },
        onClosed: (_atMs, reason) => this.#beginGap(GAP_OF_CLOSE[reason], 'The connection to index batches closed.'),
      },
      { audience: AUDIENCE },
    )
  }

  /** Takes a whole response. `recent`: number of batches that ran within the last minute. */
  #takeBytes(
    bytes: Uint8Array,
    atMs: number,
    requestedMs: number,
  ): { batches: number; recent: number; result: IngestResult } {
    const { store } = this.#host
    const ingest = store.begin(this.#context.source, this.#context.clock.at(atMs), this.#context.clock.at(requestedMs))
    let batches = 0
    let recent = 0
    const sinceTicks = this.#context.clock.at(atMs - MINUTE_MS)
    const problems = readBatches(bytes, store.names, (index, batch) => {
      batches++
      if (!batch.isCompleted || batch.startTicks + spanFromMs(batch.durationMs) >= sinceTicks) recent++
      ingest.take(index, batch)
    })
    this.#recordProblems(problems, atMs)
    // Batches that a truncated response lacks were not lost by the server.
    return { batches, recent, result: ingest.end(problems.count !== null) }
  }

  /** Takes a frame. Returns null for a truncated one; the batches before the break are kept. */
  #takeText(text: string, atMs: number, isWhole: boolean): IngestResult | null {
    const { store } = this.#host
    const { source, clock } = this.#context
    const ingest = store.begin(source, clock.at(atMs), clock.at(atMs - FRAME_AGE_MS))
    const problems = readBatches(encoder.encode(text), store.names, ingest.take)
    this.#recordProblems(problems, atMs)
    const result = ingest.end(isWhole && problems.count !== null)
    return problems.count === null ? null : result
  }

  #received(atMs: number, result: IngestResult, isWhole: boolean): void {
    const { clock, gapLog, source, changed, lostFromTicks } = this.#context
    clock.observe(result.newestTicks, atMs)
    // A source that is first watched later had not been recorded before either.
    const wasRecorded = this.#host.isRecorded() || atMs - this.#bornMs < WANTED_MS
    if (lostFromTicks !== null && !this.#hasResponse && wasRecorded)
      recordLostRecording(gapLog, source, this.#host.store, lostFromTicks)
    const isFirst = !this.#hasResponse
    this.#hasResponse = true
    // The database was reloaded between two responses, so that no error reported it.
    if (isWhole && result.newLoad && this.#known.untilTicks !== null)
      this.#beginGap('database-restarted', 'Batch ids restarted.')
    this.#sinceTicks ??= clock.at(atMs)
    this.#known.took(result.newestTicks)
    const wasPaused = isWhole && this.#host.coverage.settle(gapLog, source, result)
    const isStretched = this.#isStretched(atMs)
    recordLosses(gapLog, source, result, wasPaused || isStretched)
    this.#receivedMs = atMs
    if (result.newestTicks > this.#newestTicks) this.#newestTicks = result.newestTicks
    // Batches of the first response may have ended long ago.
    if (result.added > 0 && this.#hasBatches) this.#context.governor.databaseWorked(this.#database)
    this.#hasBatches = true
    // The first frame of a socket repeats the batches of the poll before it.
    const isNewer = result.added > 0 && this.#newestTicks > this.#factsNewestTicks
    if (isNewer || (isWhole && this.#lacksOne(result))) this.#factsAreStale = true
    const isBusy = result.added > 0 && atMs - this.#addedMs < 2 * QUIET_MS
    if (result.added > 0) this.#addedMs = atMs
    this.#freshenFacts(atMs, isBusy ? FACTS_EVERY_MS : LAST_FACTS_AFTER_MS)
    const by = isFirst || result.added > 0 || result.losses.length > 0 ? 'rows' : 'samples'
    if (this.#isResting) return changed(by)
    if (this.#chooser?.decide(this.#now(), this.#context.governor.overhead.limitOf(AUDIENCE)) === true) {
      this.#end()
      this.#begin()
    }
    changed(by)
  }

  /** Whether responses came later than planned for another reason than a server in trouble. */
  #isStretched(atMs: number): boolean {
    const lateMs = this.#polledMs === null ? 0 : atMs - this.#polledMs
    this.#polledMs = atMs
    return this.#stopPoll !== null && lateMs > STRETCHED * EVERY_MS && this.#context.governor.pace.why === null
  }

  /**
   * Whether an index that had batches in the previous whole response has none in this one, because it was deleted,
   * reset or renamed.
   */
  #lacksOne({ indexes }: IngestResult): boolean {
    const now = new Set(indexes)
    const lacks = [...this.#reportedBefore].some((key) => !now.has(key))
    this.#reportedBefore = now
    return lacks
  }

  /**
   * Requests state and progress if they are stale. Heartbeats call this as well; otherwise the end of the last indexing
   * would never be shown.
   */
  #freshenFacts(atMs: number, everyMs: number): void {
    if (this.#factsAreStale && atMs - this.#factsMs >= everyMs) void this.#requestFacts(atMs)
  }

  /** Requests state and progress. The database is loaded, because it has just responded. */
  async #requestFacts(atMs: number): Promise<void> {
    const { governor, source, clock, changed } = this.#context
    const { facts } = this.#host
    this.#factsMs = atMs
    this.#factsAreStale = false
    this.#factsNewestTicks = this.#newestTicks
    const params = { database: this.#database }
    const options = { priority: 'poll' } as const
    const requestedMs = this.#now()
    try {
      const [stats, progress] = await Promise.all([
        governor.json('indexesStats', params, options),
        governor.json('indexesProgress', params, options),
      ])
      const atTicks = clock.at(this.#now())
      const rows = readIndexStats(stats)
      const recreated = facts.takeStats(source, rows, atTicks)
      this.#loseIndexes(rows, recreated, requestedMs, atTicks)
      facts.takeProgress(source, readIndexProgress(progress), atTicks)
      this.#host.onStats(this.#context, rows, atTicks)
      this.#host.store.version++
      changed()
    } catch (error) {
      this.#problem = errorText(error)
    }
  }

  /**
   * Records the losses of indexes that are gone or restarted from nothing. A socket does not report either, and batches
   * that were not sent yet are lost.
   */
  #loseIndexes(
    rows: readonly IndexStats[],
    recreated: ReadonlyMap<IndexKey, Recreated>,
    requestedMs: number,
    atTicks: Ticks,
  ): void {
    const { gapLog, source, clock } = this.#context
    const { indexes, rings } = this.#host.store
    const times = { knownTicks: clock.at(requestedMs - FRAME_AGE_MS), requestedTicks: clock.at(requestedMs), atTicks }
    const isListening = this.#socket !== null
    const names = new Set(rows.map(({ name }) => name))
    const losses = isListening ? rings.takeNames(source, names, times, indexes) : []
    for (const [key, { createdTicks, listedTicks }] of recreated) {
      const index = indexes.get(key)
      // Whole responses show a recreated index by themselves.
      const wasListening = isListening || createdTicks <= clock.at(this.#listenedMs)
      if (index !== undefined && index.length > 0 && wasListening)
        // The index may have been deleted long before it was created again, so reports without it since then prove
        // nothing.
        losses.push(resetLoss(index, createdTicks, listedTicks - spanFromMs(FRAME_AGE_MS)))
    }
    recordLosses(gapLog, source, { losses })
  }

  #failed(error: RavenError): void {
    this.#problem = error.message
    if (error.kind === 'database-unloaded') void this.#requestWhyUnloaded(error)
    else this.#beginGap(error.kind === 'network' ? 'server-stopped' : 'socket-closed', error.message)
    this.#context.changed()
  }

  /** Requests why the database is unloaded: a disabled or deleted database is reported as unloaded, too. */
  async #requestWhyUnloaded({ message }: RavenError): Promise<void> {
    const params = { database: this.#database }
    const { state } = await this.#context.governor.probe('indexesPerformanceLive', params, new AbortController().signal)
    if (this.#chooser === null || state === 'ready') return
    this.#beginGap(state === 'unreachable' ? 'server-stopped' : (GAP_OF_PHASE[state] ?? 'database-unloaded'), message)
    this.#context.changed()
  }

  #beginGap(reason: GapReason, detail: string): void {
    this.#sinceTicks = null
    const { gapLog, source, clock } = this.#context
    this.#host.coverage.begin(gapLog, source, reason, this.#known.untilTicks ?? clock.at(this.#now()), detail)
  }

  #recordProblems({ count, first }: ReadProblems, atMs: number): void {
    if (first === null) return
    const { clock, gapLog, source } = this.#context
    gapLog.add({
      source,
      lane: `indexes:${source}`,
      kind: null,
      reason: 'malformed',
      startTicks: clock.at(this.#receivedMs || atMs),
      endTicks: clock.at(atMs),
      missingCount: count,
      missingBytes: null,
      detail: first,
    })
  }
}

const GAP_OF_PHASE: Readonly<Partial<Record<SocketPhase['phase'], GapReason>>> = {
  unloaded: 'database-unloaded',
  loading: 'database-unloaded',
  disabled: 'database-disabled',
  faulted: 'database-unloaded',
  gone: 'database-deleted',
  waiting: 'socket-closed',
  refused: 'socket-closed',
}
