import type { Bytes } from '../../base/brand.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { SocketPhase } from '../../ravendb/sockets/socket-events.ts'
import type { LostRecordings } from '../client/protocol.ts'
import { sourceId, type SourceId, type SourcePhase, type SourceRef, type SourceState } from '../client/state.ts'
import type { Feed, FeedWatch, TableChange, WatchContext, WatchUnopened } from './feed.ts'
import type { GapLog } from './gap-log.ts'
import { ServerClock } from './server-clock.ts'
import { newState } from '../client/source-state.ts'

/** Maximum age, ms, of the last data of a source that counts as current: heartbeats come every 5 s. */
const RECEIVED_WITHIN_MS = 12_000

interface LiveSourcesHost {
  readonly feeds: readonly Feed[]
  readonly governor: Governor
  readonly gapLog: GapLog
  readonly responseClock: ServerClock
  readonly lost: LostRecordings
  readonly onPhase: (phase: SocketPhase) => void
  /** Called when tables have changed, by rows if left out. */
  readonly changed: (by?: TableChange) => void
  /** Called when the state of a source has changed. */
  readonly touched: () => void
}

interface Watched {
  state: SourceState
  readonly clock: ServerClock
  readonly feeds: readonly FeedWatch[]
}

/** The sources that are watched: databases, and the server. */
export class LiveSources {
  readonly #host: LiveSourcesHost
  readonly #watched = new Map<SourceId, Watched>()
  #unopened: { readonly id: SourceId; readonly watch: FeedWatch | null } | null = null
  /** Sources from which a feed received a frame: what it had lost before is settled. */
  readonly #met = new Map<Feed, Set<SourceId>>()

  constructor(host: LiveSourcesHost) {
    this.#host = host
  }

  get states(): SourceState[] {
    return Array.from(this.#watched.values(), ({ state }) => state)
  }

  /** Watches exactly the live sources among `refs`. */
  watch(refs: readonly SourceRef[]): void {
    const wanted = new Map(refs.filter(({ kind }) => kind !== 'file').map((ref) => [sourceId(ref), ref]))
    for (const [id, { feeds }] of this.#watched) {
      if (wanted.has(id)) continue
      for (const feed of feeds) feed.close()
      this.#watched.delete(id)
    }
    if (this.#unopened !== null && wanted.has(this.#unopened.id)) this.#closeUnopened()
    for (const [id, ref] of wanted) if (!this.#watched.has(id)) this.#begin(id, ref)
    this.#host.touched()
  }

  readonly watchUnopened: WatchUnopened = (feed, ref) => {
    const id = ref === null || this.#watched.has(sourceId(ref)) ? null : sourceId(ref)
    if (id === (this.#unopened?.id ?? null)) return
    this.#closeUnopened()
    if (ref === null || id === null) return
    const context = this.#contextOf(id, ref, new ServerClock(this.#host.responseClock))
    this.#unopened = { id, watch: feed.watch(context) }
  }

  #closeUnopened(): void {
    this.#unopened?.watch?.close()
    this.#unopened = null
  }

  /** Errors: `Error` if it is not watched. */
  load(name: string): null {
    const watched = this.#watched.get(`db:${name}`)
    if (watched === undefined) throw new Error(`${name} is not open.`)
    for (const feed of watched.feeds) feed.loadNow()
    return null
  }

  retryNow(): void {
    for (const { feeds } of this.#watched.values()) for (const feed of feeds) feed.retryNow()
  }

  /** Newest time of any source; null: none. */
  get nowTicks(): Ticks | null {
    const now = this.#now()
    let newest: number | null = null
    for (const { state, clock } of this.#watched.values()) {
      if (state.lastReceivedMs === null) continue
      const receivedRecently = state.phase === 'live' && now - state.lastReceivedMs < RECEIVED_WITHIN_MS
      newest = Math.max(newest ?? Number.NEGATIVE_INFINITY, clock.at(receivedRecently ? now : state.lastReceivedMs))
    }
    return newest as Ticks | null
  }

  /** A refused source has no time; feeds of the server may still be live. Null: none is refused. */
  get refusedTicks(): Ticks | null {
    return this.states.some(({ phase }) => phase === 'refused') ? this.#host.responseClock.at(this.#now()) : null
  }

  #now(): number {
    return this.#host.governor.env.now()
  }

  /** Context of a source without a state. */
  #contextOf(source: SourceId, ref: SourceRef, clock: ServerClock): WatchContext {
    const { governor, gapLog, changed } = this.#host
    return {
      source,
      ref,
      governor,
      gapLog,
      clock,
      lostFromTicks: null,
      report: () => undefined,
      received: () => undefined,
      changed,
    }
  }

  #begin(id: SourceId, ref: SourceRef): void {
    const { feeds: all, responseClock, lost, onPhase, touched } = this.#host
    const clock = new ServerClock(responseClock)
    const feeds: FeedWatch[] = []
    const watched: Watched = { state: newState(id, ref, 'checking', this.#now()), clock, feeds }
    this.#watched.set(id, watched)
    for (const feed of all) {
      const met = this.#met.get(feed) ?? new Set()
      this.#met.set(feed, met)
      const isLost = !met.has(id)
      const watch = feed.watch?.({
        ...this.#contextOf(id, ref, clock),
        lostFromTicks: (isLost ? lost.sources.get(id) : null) ?? null,
        lostGap: isLost
          ? (lost.openGaps?.find(({ source, lane }) => source === id && lane === null) ?? lost.why)
          : undefined,
        report: (phase) => {
          watched.state = { ...watched.state, ...phaseParts(phase, watched.state, this.#now()) }
          touched()
          onPhase(phase)
        },
        received: (atMs, bytes, isFrame) => {
          if (isFrame) met.add(id)
          const { frames, bytes: before } = watched.state
          watched.state = {
            ...watched.state,
            lastReceivedMs: atMs,
            frames: frames + (isFrame ? 1 : 0),
            bytes: (before + bytes) as Bytes,
          }
        },
      })
      if (watch !== undefined && watch !== null) feeds.push(watch)
    }
  }
}

function phaseParts(phase: SocketPhase, before: SourceState, nowMs: number): Partial<SourceState> {
  const next: SourcePhase = phase.phase === 'open' ? 'live' : phase.phase
  return {
    phase: next,
    sinceMs: next === before.phase ? before.sinceMs : nowMs,
    message: phase.message,
    retryAtMs: phase.retryAtMs,
    error: phase.error,
  }
}
