import type { Bytes } from '../../base/brand.ts'
import { type Ticks, ticksFromMs, type TimeRange } from '../../base/ticks.ts'
import type { DetailParams, DETAILS } from '../../ravendb/databases/database-details.ts'
import { askLoadStory } from '../../ravendb/databases/databases.ts'
import { ENDPOINTS } from '../../ravendb/endpoints.ts'
import type { GovernorEnv } from '../../ravendb/env.ts'
import { asRavenError, barsAll, RavenError } from '../../ravendb/http/errors.ts'
import { Governor } from '../../ravendb/budget/governor.ts'
import { askSpelling } from '../../ravendb/databases/probe.ts'
import type { SocketPhase } from '../../ravendb/sockets/socket-events.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import { DatabaseLists } from './database-lists.ts'
import type { Exporters } from '../exporting/exporter.ts'
import { Exports } from '../exporting/exports.ts'
import type { Feed, FeedWatch } from './feed.ts'
import type { Handler, Handlers } from './handlers.ts'
import { LaterParts } from './later.ts'
import { GapLog } from './gap-log.ts'
import { rangeOfSpans } from '../client/fitted-range.ts'
import type { ExpectedView, FirstPicture, FirstView, PushedResponse } from '../client/requests/first-picture.ts'
import type { HostRequests, ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'
import type { CaptureMemory } from '../client/summary.ts'
import type { CaptureSummary } from '../client/summary.ts'
import type { Command, LostRecordings, Report, StateReport } from '../client/protocol.ts'
import { NOTHING_LOST, transferables } from '../client/protocol.ts'
import type { RawRouter } from '../raw/router.ts'
import { Files, loadUnpackers } from '../reading/files.ts'
import { attentiveEnv } from './attentive-env.ts'
import { ServerClock } from './server-clock.ts'
import type {
  CaptureState,
  ErrorInfo,
  ServerInfo,
  SourceId,
  SourcePhase,
  SourceRef,
  SourceSpan,
  SourceState,
} from '../client/state.ts'
import { sourceId } from '../client/state.ts'

/** State goes out at most this often, ms. */
const STATE_EVERY_MS = 100
/**
 * While files are read, panels learn of new rows with the first picture, then after this time, then ever more seldom, ms:
 * each picture takes as much of two cores as reading for 0.2 s does.
 */
const READING_FIRST_MS = 1000
const READING_MOST_MS = 3000
/** Time until they learn of the next, as a share of the time that reading has taken so far. */
const READING_PAUSE = 1.5
/** While something is live, time itself goes on this often, ms. */
const LIVE_EVERY_MS = 500
/** A live source whose data came within this time is up to date, ms: heartbeats come every 5 s. */
const RECEIVED_WITHIN_MS = 12_000
const VERSION_EVERY_MS = 15_000
/** While the server does not answer. */
const LOOK_AGAIN_MS = 5000
/** The user has to do something first, and says when it is done. */
const BARRED_AGAIN_MS = 15_000
/** A web server of files seldom becomes a RavenDB. */
const NO_SERVER_AGAIN_MS = 60_000

interface Watched {
  state: SourceState
  readonly clock: ServerClock
  readonly feeds: readonly FeedWatch[]
}

/** The capture as it lives in the worker: takes commands, runs feeds, answers, and reports its state. */
export class CaptureHost {
  readonly #feeds: readonly Feed[]
  readonly #env: GovernorEnv
  readonly #responseClock: ServerClock
  readonly #send: (report: Report, transfer: ArrayBuffer[]) => void
  readonly #governor: Governor
  readonly #lost: LostRecordings
  readonly #lists: DatabaseLists
  readonly #gapLog = new GapLog()
  readonly #watched = new Map<SourceId, Watched>()
  readonly #files: Files
  readonly #later: LaterParts
  readonly #exports = new Exports(async () => {
    const all: Partial<Exporters> = {}
    for (const { exporters } of await this.#later.get()) Object.assign(all, exporters)
    return all
  })
  #raw: Promise<RawRouter> | null = null
  readonly #aborts = new Map<number, AbortController>()
  #version = 0
  #server: ServerInfo | null = null
  #serverError: ErrorInfo | null = null
  #isLooking = false
  #isAsking = false
  #hasBegun = false
  #isHidden = false
  #sentGaps = -1
  /** What files filled, by source. */
  #spans: ReadonlyMap<SourceId, readonly SourceSpan[]> = new Map()
  #spansAreOld = false
  #timer: ReturnType<typeof setTimeout> | null = null
  #dirty = false
  /** Of the files that were handed over last. */
  #expected: ExpectedView | null = null
  /** Until the state is sent with the first picture. */
  #picturing: Promise<void> = Promise.resolve()
  /** Makes the pictures that are pushed; null: its code is not here yet, and panels request theirs. */
  firstPicture: FirstPicture | null = null

  /** `lost`: see {@link LostRecordings}. */
  constructor(
    feeds: readonly Feed[],
    env: GovernorEnv,
    send: (report: Report, transfer: ArrayBuffer[]) => void,
    lost: LostRecordings = NOTHING_LOST,
  ) {
    this.#feeds = feeds
    this.#lost = lost
    this.#later = new LaterParts(feeds)
    this.#env = env
    this.#responseClock = new ServerClock()
    this.#send = send
    this.#governor = new Governor(
      attentiveEnv(env, this.#responseClock, () => (this.#governor.isViewOnlyForced = true)),
    )
    this.#lists = new DatabaseLists(this.#governor)
    this.#files = new Files({
      feeds,
      gapLog: this.#gapLog,
      changed: () => {
        this.#spansAreOld = true
        this.#changed()
      },
      begun: () => this.#changedNow(),
      finished: () => this.#changedNow(),
      touched: () => this.#touch(),
      now: env.now,
    })
    this.#governor.witness.listen({ onChange: () => this.#touch() })
    // Whether the server is gone is asked at once: the poll below may be a minute away by then.
    this.#governor.onUnanswered = () => {
      if (this.#serverError === null) void this.#lookAtServer()
    }
    this.#governor.poll(
      'buildVersion',
      {},
      {
        everyMs: VERSION_EVERY_MS,
        onResponse: (response) => this.#meetServer(response),
        onError: (error) => this.#missServer(error),
      },
    )
    env.setTimeout(() => this.#tick(), LIVE_EVERY_MS)
    this.#touch()
  }

  #load(name: string): null {
    const watched = this.#watched.get(`db:${name}`)
    if (watched === undefined) throw new Error(`${name} is not open.`)
    for (const feed of watched.feeds) feed.loadNow()
    return null
  }

  receive(command: Command): void {
    switch (command.type) {
      case 'watch':
        this.#watch(command.sources)
        break
      case 'retry':
        for (const { feeds } of this.#watched.values()) for (const feed of feeds) feed.retryNow()
        void this.#lookAtServer()
        break
      case 'hidden':
        this.#isHidden = command.hidden
        this.#governor.setHidden(command.hidden)
        break
      case 'front':
        this.#governor.overhead.setFront(command.feeds)
        break
      case 'files':
        this.#expected = command.expected
        for (const file of command.files) this.#files.open(file)
        break
      case 'cancelFile':
        this.#files.cancel(command.id)
        // A user who stops something wants to see that at once.
        this.#sendState()
        break
      case 'request':
        this.#respond(command.id, command.name, (signal) => this.#handle(command.name, command.params, signal))
        break
      case 'abort':
        this.#aborts.get(command.id)?.abort()
        this.#aborts.delete(command.id)
        break
      case 'start':
      case 'ping':
      case 'sample':
        break
    }
  }

  /** Between two polls: a panel asks for it, or a source reports that the server went or came back. */
  async #lookAtServer(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      this.#meetServer(await this.#governor.json('buildVersion', {}))
    } catch (error) {
      this.#missServer(asRavenError(error, ENDPOINTS.buildVersion.route))
    } finally {
      this.#isAsking = false
    }
  }

  /** Looked for again at this pace, not at that of polls: those go slower the worse the server answered. */
  #missServer(error: RavenError): void {
    // A late response while other data of the server arrives: the browser may be short of CPU.
    if (error.kind !== 'timeout' || !this.#isReceiving) this.#serverError = error.toInfo()
    this.#touch()
    if (this.#isLooking) return
    this.#isLooking = true
    const againMs = error.kind === 'no-server' ? NO_SERVER_AGAIN_MS : barsAll(error) ? BARRED_AGAIN_MS : LOOK_AGAIN_MS
    this.#env.setTimeout(() => {
      this.#isLooking = false
      if (!this.#isHidden) void this.#lookAtServer()
    }, againMs)
  }

  #meetServer(response: unknown): void {
    const version = parseVersion(response)
    if (!this.#hasBegun) for (const feed of this.#feeds) feed.begin?.(this.#governor, this.#lost.serverSinceMs)
    this.#hasBegun = true
    this.#server = { url: this.#env.baseUrl, productVersion: version.productVersion, fullVersion: version.fullVersion }
    this.#serverError = null
    this.#touch()
  }

  /** The heartbeat of the server is current. */
  get #isReceiving(): boolean {
    const { isWatching, silentSinceMs } = this.#governor.witness
    return isWatching && silentSinceMs === null && this.#server !== null
  }

  #watch(refs: readonly SourceRef[]): void {
    const wanted = new Map(refs.filter(({ kind }) => kind !== 'file').map((ref) => [sourceId(ref), ref]))
    for (const [id, { feeds }] of this.#watched) {
      if (wanted.has(id)) continue
      for (const feed of feeds) feed.close()
      this.#watched.delete(id)
    }
    for (const [id, ref] of wanted) if (!this.#watched.has(id)) this.#begin(id, ref)
    this.#touch()
  }

  #begin(id: SourceId, ref: SourceRef): void {
    const clock = new ServerClock(this.#responseClock)
    const feeds: FeedWatch[] = []
    const watched: Watched = { state: newState(id, ref, 'checking', this.#env.now()), clock, feeds }
    this.#watched.set(id, watched)
    const update = (parts: Partial<SourceState>): void => {
      watched.state = { ...watched.state, ...parts }
      this.#touch()
    }
    for (const feed of this.#feeds) {
      const watch = feed.watch?.({
        source: id,
        ref,
        governor: this.#governor,
        gapLog: this.#gapLog,
        clock,
        lostFromTicks: this.#lost.sources.get(id) ?? null,
        report: (phase) => {
          update(phaseParts(phase, watched.state, this.#env.now()))
          const isBack = phase.phase === 'open' && this.#serverError !== null
          const isGone = phase.phase === 'waiting' && phase.error?.status === null && this.#serverError === null
          if (isBack || isGone) void this.#lookAtServer()
        },
        received: (atMs, bytes, isFrame) => {
          const { frames, bytes: before } = watched.state
          watched.state = {
            ...watched.state,
            lastReceivedMs: atMs,
            frames: frames + (isFrame ? 1 : 0),
            bytes: (before + bytes) as Bytes,
          }
        },
        changed: () => this.#changed(),
      })
      if (watch !== undefined && watch !== null) feeds.push(watch)
    }
  }

  readonly #responses = {
    'host.summary': () => this.#summary(),
    'host.memory': () => this.#memory(),
    'host.idle': () => this.#idle(),
    'host.serverId': (_, governor, signal) => readServerId(governor, signal),
    ...this.#exports.responses,
    'governor.resume': (_, governor) => {
      governor.resume()
      return null
    },
    'governor.limits': (limits, governor) => {
      governor.overhead.setLimits(limits)
      return governor.overhead.limits
    },
    'databases.list': ({ have }) => this.#lists.ask(have),
    'databases.renew': (_params, _governor, signal) => this.#lists.renew(signal),
    'databases.spelling': ({ name }, governor, signal) => askSpelling(governor, name, signal),
    'databases.load': ({ name }) => this.#load(name),
    'databases.loadStory': ({ name }, governor, signal) => askLoadStory(governor, name, { signal }),
    'databases.indexErrors': detailHandler('indexErrors'),
    'databases.indexStates': detailHandler('indexStates'),
    'databases.notices': detailHandler('databaseNotices'),
    'databases.tasks': detailHandler('ongoingTasks'),
    'databases.indexMerges': detailHandler('indexMerges'),
    'databases.environments': detailHandler('environments'),
    'databases.journals': detailHandler('journals'),
  } satisfies Handlers<keyof HostRequests>

  /** The host itself, the feeds, and what of them is loaded later, in this order. */
  async #handle<Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Name>> {
    const find = (all: readonly Pick<Feed, 'responses'>[]): Handler<Name> | undefined =>
      all.find(({ responses }) => responses[name] !== undefined)?.responses[name]
    const handler =
      find([{ responses: this.#responses }, ...this.#feeds]) ??
      find(name.startsWith('raw.') ? [await this.#rawRouter()] : await this.#later.get())
    if (handler !== undefined) return handler(params, this.#governor, signal)
    throw new Error(`Nothing responds to ${name}.`)
  }

  #rawRouter(): Promise<RawRouter> {
    this.#raw ??= import('../raw/router.ts').then(
      ({ RawRouter }) => new RawRouter((id, path) => this.#files.source(id, path)),
      (error: unknown) => {
        this.#raw = null
        throw error
      },
    )
    return this.#raw
  }

  /** Files are being read. */
  get isReading(): boolean {
    return this.#files.isBusy
  }

  /** Fetches what is not needed at first, so that it is there when the server is gone. */
  async preload(): Promise<void> {
    const parts = [
      this.#later.get(),
      this.#rawRouter(),
      loadUnpackers(),
      import('../../ravendb/databases/database-details.ts'),
    ]
    await Promise.allSettled(parts)
  }

  /** Runs after the messages that are waiting, so that an abort among them comes first. */
  #respond(id: number, name: string, run: (signal: AbortSignal) => unknown): void {
    const abort = new AbortController()
    this.#aborts.set(id, abort)
    setTimeout(() => void this.#run(id, name, abort.signal, run), 0)
  }

  async #run(id: number, name: string, signal: AbortSignal, run: (signal: AbortSignal) => unknown): Promise<void> {
    if (signal.aborted) return
    try {
      const value = await run(signal)
      if (!isAborted(signal)) this.#send({ type: 'response', id, value }, transferables(value))
    } catch (error) {
      if (!isAborted(signal)) this.#send({ type: 'failure', id, info: errorInfo(error, name) }, [])
    } finally {
      this.#aborts.delete(id)
      // Whatever was asked may have cost something: the meter shows it.
      if (!name.startsWith('host.') && !name.startsWith('raw.')) this.#touch()
    }
  }

  #summary(): CaptureSummary {
    return {
      rows: this.#feeds.flatMap((feed) => feed.summary?.() ?? []),
      gaps: this.#gapLog.snapshot(this.#nowTicks()),
    }
  }

  #memory(): CaptureMemory {
    const sums = { tables: 0, other: 0, rows: 0 }
    for (const feed of this.#feeds) {
      const held = feed.byteLength?.()
      sums.tables += held?.tables ?? 0
      sums.other += held?.other ?? 0
      sums.rows += held?.rows ?? 0
    }
    return sums
  }

  /** True: it had to be waited for, so that panels have something new to ask for. */
  async #idle(): Promise<boolean> {
    const waited = this.#files.isBusy
    await this.#files.rest()
    await this.#picturing
    if (this.#dirty) this.#sendState()
    return waited
  }

  #changed(): void {
    this.#version++
    this.#touch()
  }

  /** Files have rows to show that nothing is to wait for: their first picture goes with the state. */
  #changedNow(): void {
    this.#spansAreOld = true
    this.#version++
    const view = this.#expected === null ? null : this.#firstView(this.#expected)
    if (view === null || this.firstPicture === null) this.#sendState()
    else this.#picturing = this.#sendPicture(this.firstPicture, view)
  }

  async #sendPicture(picture: FirstPicture, view: FirstView): Promise<void> {
    const version = this.#version
    const pushed: PushedResponse[] = []
    const { signal } = new AbortController()
    try {
      await picture(async (name, params) => {
        const response = await this.#handle(name, params, signal)
        pushed.push({ name, params, response } as PushedResponse)
        return response
      }, view)
    } catch {
      // The panel requests it, and says why it cannot be had.
    }
    // Of rows that came meanwhile there is another picture.
    this.#sendState(version === this.#version ? pushed : [])
  }

  /** Null: files have filled nothing. */
  #firstView(expected: ExpectedView): FirstView | null {
    const sources = this.#fileSources()
    const known = this.#extent()
    const range = rangeOfSpans(sources.flatMap(({ spans }) => spans))
    if (range === null || known === null) return null
    const nowTicks = this.#nowTicks()
    return {
      ...expected,
      sources: sources.map(({ id }) => id),
      range,
      known: { startTicks: known.startTicks, endTicks: nowTicks ?? known.endTicks },
      gaps: this.#gapLog.snapshot(nowTicks),
    }
  }

  #touch(): void {
    this.#dirty = true
    if (this.#timer !== null) return
    // Each state makes the panels request again: while a file is read, that is time taken from reading it.
    // The longer it takes, the more there is to sum up each time, and the less a single state adds.
    const readingMs = this.#files.isBusy ? this.#env.now() - this.#files.busySinceMs : 0
    const everyMs = this.#files.isBusy
      ? Math.min(READING_MOST_MS, Math.max(READING_FIRST_MS, readingMs * READING_PAUSE))
      : STATE_EVERY_MS
    this.#timer = this.#env.setTimeout(() => {
      this.#timer = null
      if (this.#files.isBusy && this.#files.isSoonOver) this.#touch()
      else if (this.#dirty) this.#sendState()
    }, everyMs)
  }

  #tick(): void {
    const live = [...this.#watched.values()].some(({ state }) => state.phase === 'live')
    if (live || this.#gapLog.hasOpen) this.#touch()
    this.#env.setTimeout(() => this.#tick(), LIVE_EVERY_MS)
  }

  #sendState(pushed: readonly PushedResponse[] = []): void {
    this.#dirty = false
    const nowTicks = this.#nowTicks()
    const state: StateReport = {
      version: this.#version,
      sources: [...Array.from(this.#watched.values(), (watched) => watched.state), ...this.#fileSources()],
      extent: this.#extent(),
      nowTicks,
      files: this.#files.states,
      meter: this.#governor.meter(),
      server: this.#server,
      serverError: this.#serverError,
      silence: this.#silence(),
    }
    const changed = this.#sentGaps !== this.#gapLog.version || this.#gapLog.hasOpen
    this.#sentGaps = this.#gapLog.version
    const gaps = changed ? this.#gapLog.snapshot(nowTicks) : null
    const transfer = new Set(pushed.flatMap(({ response }) => transferables(response)))
    this.#send({ type: 'state', state, gaps, entries: this.#files.takeEntries(), pushed }, [...transfer])
  }

  #silence(): CaptureState['silence'] {
    const { silentSinceMs, unresponsive } = this.#governor.witness
    return silentSinceMs === null ? null : { sinceMs: silentSinceMs, isUnresponsive: unresponsive !== null }
  }

  /** The newest moment that any live source speaks of; without one, when the last data came. */
  #nowTicks(): Ticks | null {
    const now = this.#env.now()
    let newest: number | null = null
    for (const { state, clock } of this.#watched.values()) {
      if (state.lastReceivedMs === null) continue
      const receivedRecently = state.phase === 'live' && now - state.lastReceivedMs < RECEIVED_WITHIN_MS
      newest = Math.max(newest ?? Number.NEGATIVE_INFINITY, clock.at(receivedRecently ? now : state.lastReceivedMs))
    }
    if (newest !== null) return newest as Ticks
    // A source that is refused has no time; feeds of the server may still be live.
    const isRefused = [...this.#watched.values()].some(({ state }) => state.phase === 'refused')
    return this.#extent()?.endTicks ?? (isRefused ? ticksFromMs(now) : null)
  }

  /** Every source that a file filled, in the phase of that file. */
  #fileSources(): SourceState[] {
    if (this.#spansAreOld) this.#spans = spansOf(this.#feeds)
    this.#spansAreOld = false
    return this.#files.states.flatMap((file) =>
      file.sources.map((id): SourceState => {
        const ref: SourceRef = { kind: 'file', name: id.slice('file:'.length) }
        const phase =
          file.phase === 'reading' || file.phase === 'listing' ? 'reading' : file.phase === 'read' ? 'read' : 'broken'
        return {
          ...newState(id, ref, phase, file.endedMs ?? file.startedMs),
          message: file.message,
          bytes: file.readBytes,
          spans: this.#spans.get(id) ?? [],
        }
      }),
    )
  }

  #extent(): TimeRange | null {
    const extents = this.#feeds.flatMap((feed) => feed.extent?.() ?? [])
    if (extents.length === 0) return null
    return {
      startTicks: Math.min(...extents.map(({ startTicks }) => startTicks)) as Ticks,
      endTicks: Math.max(...extents.map(({ endTicks }) => endTicks)) as Ticks,
    }
  }
}

type Details = typeof DETAILS

/** What one opens of a database at a click is not in the first load. */
const detailHandler =
  <Name extends keyof Details>(name: Name) =>
  async (
    params: DetailParams,
    governor: Governor,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Details[Name]>>> => {
    const details: Details = (await import('../../ravendb/databases/database-details.ts')).DETAILS
    return (await details[name](governor, params, signal)) as Awaited<ReturnType<Details[Name]>>
  }

async function readServerId(governor: Governor, signal: AbortSignal): Promise<string | null> {
  const response = await governor.json('serverId', {}, { signal })
  const id: unknown =
    typeof response === 'object' && response !== null && 'ServerId' in response ? response.ServerId : null
  return typeof id === 'string' ? id : null
}

/** A function, since it may become true while something was awaited. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted

const newState = (id: SourceId, ref: SourceRef, phase: SourcePhase, sinceMs: number): SourceState => ({
  id,
  ref,
  phase,
  sinceMs,
  message: '',
  retryAtMs: null,
  error: null,
  lastReceivedMs: null,
  frames: 0,
  bytes: 0 as Bytes,
  spans: [],
})

function spansOf(feeds: readonly Feed[]): Map<SourceId, SourceSpan[]> {
  const all = new Map<SourceId, SourceSpan[]>()
  const reported = feeds.flatMap((feed) =>
    (feed.spans?.() ?? feed.summary?.() ?? []).map(({ source, firstMs, lastMs }) => ({
      source,
      feed: feed.name,
      firstMs,
      lastMs,
    })),
  )
  for (const { source, feed, firstMs, lastMs } of reported) {
    if (firstMs === null || lastMs === null) continue
    const spans = all.get(source) ?? []
    const others = spans.filter((span) => span.feed !== feed)
    const same = spans.find((span) => span.feed === feed)
    const joined = {
      feed,
      firstMs: Math.min(firstMs, same?.firstMs ?? firstMs),
      lastMs: Math.max(lastMs, same?.lastMs ?? lastMs),
    }
    all.set(source, [...others, joined])
  }
  return all
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

const errorInfo = (error: unknown, endpoint: string): ErrorInfo =>
  error instanceof RavenError
    ? error.toInfo()
    : {
        endpoint,
        status: null,
        message: error instanceof Error ? error.message : String(error),
        serverMessage: null,
        hint: 'This is a fault of Rookery itself: reload the page, and report it with the text above.',
      }
