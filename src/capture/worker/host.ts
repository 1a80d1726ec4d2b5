import { joinExtents, type Extent } from '../../base/far-events.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { GovernorEnv } from '../../ravendb/env.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { DatabaseLists } from './database-lists.ts'
import type { Exporters } from '../exporting/exporter.ts'
import { Exports } from '../exporting/exports.ts'
import type { Feed, TableChange } from './feed.ts'
import { FileSources } from './file-sources.ts'
import type { Handlers } from './handlers.ts'
import { LaterParts } from './later.ts'
import { LiveSources } from './live-sources.ts'
import { loadMainBody } from './main-bodies.ts'
import { GapLog } from './gap-log.ts'
import { rangeOfSpans } from '../client/fitted-range.ts'
import type { ExpectedView, FirstPicture, FirstView, PushedResponse } from '../client/requests/first-picture.ts'
import type { HostRequests } from '../client/requests/requests.ts'
import type { CaptureMemory, CaptureSummary } from '../client/summary.ts'
import type { Command, LostRecordings, Report, StateReport } from '../client/protocol.ts'
import { NOTHING_LOST, transferables } from '../client/protocol.ts'
import { Files, loadUnpackers } from '../reading/files.ts'
import { attentiveEnv } from './attentive-env.ts'
import { Responses } from './responses.ts'
import { ServerClock } from './server-clock.ts'
import { ServerPresence } from './server-presence.ts'
import { serverResponses } from './server-responses.ts'

/** Minimum interval of state reports, ms. */
const STATE_EVERY_MS = 100
/**
 * While files are read, panels get new rows with the first picture, then after this time, ms, then at growing
 * intervals: each picture takes as much of two cores as 0.2 s of reading.
 */
const READING_FIRST_MS = 1000
const READING_MOST_MS = 3000
/** Time until the next one, as a share of the reading time so far. */
const READING_PAUSE = 1.5
/**
 * While something is live, interval at which time advances, ms, and figures of the overhead, which change with each
 * response. Each state renders the panel in front and draws its axis.
 */
const LIVE_EVERY_MS = 1000
/** The same interval while no rows have arrived for some time, so that only the axis moves. */
const RESTING_EVERY_MS = 4000
const RESTING_AFTER_MS = 10_000
/** The same interval, also for new rows, while the page is hidden. */
const HIDDEN_EVERY_MS = 10_000

/** The capture in the worker: handles commands, runs feeds, responds to requests, and reports its state. */
export class CaptureHost {
  readonly #feeds: readonly Feed[]
  readonly #env: GovernorEnv
  readonly #send: (report: Report, transfer: ArrayBuffer[]) => void
  readonly #leastMs: number
  readonly #governor: Governor
  readonly #server: ServerPresence
  /** Server's clock from the dates of its responses. */
  readonly #responseClock = new ServerClock()
  readonly #gapLog = new GapLog()
  readonly #live: LiveSources
  readonly #files: Files
  readonly #fileSources: FileSources
  readonly #later: LaterParts
  readonly #responses: Responses
  #version = 0
  #sentGaps = -1
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Time for which the timer is set, and of the last report, ms. */
  #dueMs = Number.POSITIVE_INFINITY
  #sentMs = Number.NEGATIVE_INFINITY
  /** Time when rows last arrived. */
  #rowsMs = Number.NEGATIVE_INFINITY
  #dirty = false
  /** Expected view of the files that were opened last. */
  #expected: ExpectedView | null = null
  /** Resolves when the state has been sent with the first picture. */
  #picturing: Promise<void> = Promise.resolve()
  /** Makes the pictures that are pushed; null: its code is not loaded yet, and panels request theirs. */
  firstPicture: FirstPicture | null = null

  /** `lost`: see {@link LostRecordings}. `leastMs`: minimum interval of reports, for a capture without a user. */
  constructor(
    feeds: readonly Feed[],
    env: GovernorEnv,
    send: (report: Report, transfer: ArrayBuffer[]) => void,
    lost: LostRecordings = NOTHING_LOST,
    leastMs = 0,
  ) {
    this.#leastMs = leastMs
    this.#feeds = feeds
    this.#later = new LaterParts(feeds)
    this.#env = env
    this.#send = send
    const responseClock = this.#responseClock
    this.#governor = new Governor(attentiveEnv(env, responseClock, () => (this.#governor.isViewOnlyForced = true)))
    this.#fileSources = new FileSources(feeds)
    this.#files = new Files({
      feeds,
      gapLog: this.#gapLog,
      changed: () => {
        this.#fileSources.changed()
        this.#changed()
      },
      begun: () => this.#changedNow(),
      finished: () => this.#changedNow(),
      touched: () => this.#touch(),
      now: env.now,
    })
    if (lost.serverSinceMs !== null) for (const feed of feeds) feed.lost?.(lost.serverSinceMs)
    this.#server = new ServerPresence(this.#governor, {
      met: () => {
        for (const feed of feeds) feed.begin?.(this.#governor, this.#live.watchUnopened)
      },
      changed: () => this.#touch(),
    })
    this.#live = new LiveSources({
      feeds,
      governor: this.#governor,
      gapLog: this.#gapLog,
      responseClock,
      lost,
      onPhase: (phase) => this.#server.notice(phase),
      changed: (by) => this.#changed(by),
      touched: () => this.#touch(),
    })
    const exports = new Exports(async () => {
      const all: Partial<Exporters> = {}
      for (const { exporters } of await this.#later.get()) Object.assign(all, exporters)
      return all
    })
    this.#responses = new Responses({
      own: {
        ...serverResponses(new DatabaseLists(this.#governor), (name) => this.#live.load(name)),
        ...exports.responses,
        'host.summary': () => this.#summary(),
        'host.memory': () => this.#memory(),
        'host.idle': () => this.#idle(),
      } satisfies Handlers<keyof HostRequests>,
      feeds,
      later: this.#later,
      governor: this.#governor,
      source: (id, path) => this.#files.source(id, path),
      send,
      spent: () => this.#touch(this.#calmMs),
    })
    env.setTimeout(() => this.#tick(), Math.max(LIVE_EVERY_MS, leastMs))
    this.#touch()
  }

  /** Reports the state now. */
  report(): void {
    this.#sendState()
  }

  /** Reports the state now if gaps have changed since the last report. */
  reportGaps(): void {
    if (this.#sentGaps !== this.#gapLog.version) this.#sendState()
  }

  /** Ends all polls and sockets, for good. */
  close(): void {
    this.#governor.close()
  }

  receive(command: Command): void {
    switch (command.type) {
      case 'watch':
        this.#live.watch(command.sources)
        break
      case 'retry':
        this.#live.retryNow()
        void this.#server.check()
        break
      case 'hidden':
        this.#governor.setHidden(command.hidden)
        this.#touch()
        break
      case 'front':
        this.#governor.overhead.setFront(command.feeds)
        break
      case 'files':
        this.#expected = command.expected
        for (const file of command.files) this.#files.open(file)
        // Without far events an existing picture stays as it is.
        void loadMainBody().then((isNew) =>
          isNew && (this.#extent()?.far ?? []).length > 0 ? this.#changedNow() : undefined,
        )
        break
      case 'cancelFile':
        this.#files.cancel(command.id)
        // A user who cancels something wants to see that at once.
        this.#sendState()
        break
      case 'request':
        this.#responses.respond(command.id, command.name, command.params)
        break
      case 'abort':
        this.#responses.abort(command.id)
        break
      case 'start':
      case 'ping':
      case 'sample':
        break
    }
  }

  /** Whether files are being read. */
  get isReading(): boolean {
    return this.#files.isBusy
  }

  /** Loads code that is not needed at first, so that it is there if the server is gone. */
  async preload(): Promise<void> {
    const parts = [
      this.#later.get(),
      this.#responses.rawRouter(),
      loadUnpackers(),
      loadMainBody(),
      import('../../ravendb/databases/database-details.ts'),
    ]
    await Promise.allSettled(parts)
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

  /** Waits until no file is read. Returns whether it had to wait, so that panels have something new to request. */
  async #idle(): Promise<boolean> {
    const waited = this.#files.isBusy
    await this.#files.rest()
    await this.#picturing
    if (this.#dirty) this.#sendState()
    return waited
  }

  #changed(by: TableChange = 'rows'): void {
    this.#version++
    if (by === 'rows') this.#rowsMs = this.#env.now()
    this.#touch(by === 'samples' || this.#governor.isHidden ? this.#calmMs : STATE_EVERY_MS)
  }

  /** Interval of reports for data that arrives steadily. */
  get #calmMs(): number {
    if (this.#governor.isHidden) return HIDDEN_EVERY_MS
    return this.#env.now() - this.#rowsMs > RESTING_AFTER_MS ? RESTING_EVERY_MS : LIVE_EVERY_MS
  }

  /** Files have rows to show at once: their first picture is sent with the state. */
  #changedNow(): void {
    this.#fileSources.changed()
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
        const response = await this.#responses.handle(name, params, signal)
        pushed.push({ name, params, response } as PushedResponse)
        return response
      }, view)
    } catch {
      // The panel requests it, and shows the error.
    }
    // Rows that arrived meanwhile get another picture.
    this.#sendState(version === this.#version ? pushed : [])
  }

  /** View of the files; null: they have no rows. */
  #firstView(expected: ExpectedView): FirstView | null {
    const sources = this.#fileSources.statesOf(this.#files.states)
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

  /** Sends the state within `withinMs`; while a file is read, at the interval for reading. */
  #touch(withinMs = STATE_EVERY_MS): void {
    this.#dirty = true
    const nowMs = this.#env.now()
    // Each state makes panels request again, which takes time from reading a file. The longer it takes, the more there
    // is to sum up, and the less a single state adds.
    const readingMs = this.#files.isBusy ? nowMs - this.#files.busySinceMs : 0
    const everyMs = this.#files.isBusy
      ? Math.min(READING_MOST_MS, Math.max(READING_FIRST_MS, readingMs * READING_PAUSE))
      : Math.max(withinMs, this.#leastMs)
    if (this.#timer !== null) {
      if (this.#files.isBusy || nowMs + everyMs >= this.#dueMs) return
      this.#env.clearTimeout(this.#timer)
    }
    this.#dueMs = nowMs + everyMs
    this.#timer = this.#env.setTimeout(() => {
      this.#timer = null
      if (this.#files.isBusy && this.#files.isSoonOver) this.#touch()
      else if (this.#dirty) this.#sendState()
    }, everyMs)
  }

  #tick(): void {
    const live = this.#live.states.some(({ phase }) => phase === 'live')
    const isDue = this.#env.now() - this.#sentMs >= this.#calmMs - STATE_EVERY_MS
    if (isDue && (live || this.#gapLog.hasOpen)) this.#touch()
    this.#env.setTimeout(() => this.#tick(), Math.max(LIVE_EVERY_MS, this.#leastMs))
  }

  #sendState(pushed: readonly PushedResponse[] = []): void {
    this.#dirty = false
    this.#sentMs = this.#env.now()
    const nowTicks = this.#nowTicks()
    const state: StateReport = {
      version: this.#version,
      sources: [...this.#live.states, ...this.#fileSources.statesOf(this.#files.states)],
      extent: this.#extent(),
      nowTicks,
      clockAheadMs: this.#responseClock.aheadMs,
      files: this.#files.states,
      meter: this.#governor.meter(),
      ...this.#server.now,
    }
    const changed = this.#sentGaps !== this.#gapLog.version || this.#gapLog.hasOpen
    this.#sentGaps = this.#gapLog.version
    const gaps = changed ? this.#gapLog.snapshot(nowTicks) : null
    const transfer = new Set(pushed.flatMap(({ response }) => transferables(response)))
    this.#send({ type: 'state', state, gaps, entries: this.#files.takeEntries(), pushed }, [...transfer])
  }

  /** Newest time of any live source; without one, the time when data last arrived. */
  #nowTicks(): Ticks | null {
    return this.#live.nowTicks ?? this.#extent()?.endTicks ?? this.#live.refusedTicks
  }

  #extent(): Extent | null {
    return joinExtents(this.#feeds.flatMap((feed) => feed.extent?.() ?? []))
  }
}
