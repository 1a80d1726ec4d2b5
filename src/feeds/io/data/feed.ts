import { ParseError } from '../../../base/json/check.ts'
import { msFromSpan, msFromTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { TableRows } from '../../../capture/archive/tables.ts'
import { GAP_OF_CLOSE } from '../../../capture/worker/gap-closing.ts'
import type { FeedSummaryRow } from '../../../capture/client/summary.ts'
import type {
  FeedSpan,
  FeedWatch,
  LaterPart,
  SourceFeed,
  TableTaker,
  WatchContext,
} from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { GapLog, NewGap } from '../../../capture/worker/gap-log.ts'
import { KnownTime } from '../../../capture/worker/known-time.ts'
import { MainBodies } from '../../../capture/worker/main-bodies.ts'
import type { DocumentReader } from '../../../capture/reading/document.ts'
import type { SourceId, SourceRef } from '../../../capture/client/state.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { CloseReason } from '../../../ravendb/sockets/socket-events.ts'
import { LaneNames } from './responses/lane-names.ts'
import { LanePages } from './responses/lanes.ts'
import { kindTotals } from './responses/kind-totals.ts'
import { marksResponse } from './responses/marks.ts'
import { overviewResponse } from './responses/overview.ts'
import { summaryResponse } from './responses/summary.ts'
import { CoverageGaps, recordLosses, recordLostRecording, type LossReason } from './coverage-gaps.ts'
import { ioReader, readIo } from './reading/decode.ts'
import type { ReadGap } from './reading/gap-reader.ts'
import { readIndexNames } from './index-names.ts'
import { LeftOut } from './left-out.ts'
import type { IoLaterRequests, IoRequests } from '../contract.ts'
import { Silences } from './silences.ts'
import { IoStore } from './table.ts'
import { laneId } from './lane-table.ts'
import type { IoDocument } from './reading/wire.ts'

/**
 * Minimum difference by which a live row is older than previous data for a jump of the server's clock to be assumed.
 */
const CLOCK_JUMP_TICKS = 5 * TICKS_PER_SECOND
/** Minimum time between two requests for index names, ms. */
const NAMES_EVERY_MS = 10_000

const isSameGap = (a: NewGap, b: NewGap): boolean =>
  a.source === b.source &&
  a.lane === b.lane &&
  a.kind === b.kind &&
  a.reason === b.reason &&
  a.startTicks === b.startTicks &&
  a.endTicks === b.endTicks

/**
 * Feed of journal writes, flushes, syncs and compressions: `…/debug/io-metrics` with its live socket, and files of it.
 */
export class IoFeed implements SourceFeed, TableTaker {
  readonly name = 'io'
  readonly store = new IoStore()
  readonly names: LaneNames
  readonly #pages: LanePages
  readonly #coverage = new CoverageGaps(this.store)
  readonly #silences = new Silences(this.store)
  readonly #namesRequestedMs = new Map<SourceId, number>()
  /** Live sources of which the whole document arrived since their sockets connected. */
  readonly #receiving = new Set<SourceId>()
  /** Known time of the newest watch of each live source. */
  readonly #known = new Map<SourceId, KnownTime>()

  readonly #bodies = new MainBodies({
    version: () => this.store.version,
    spans: () => this.store.spans,
    rowsOf: (source) =>
      [...this.store.lanes.values()].flatMap((lane) =>
        lane.source === source
          ? [...lane.tracks.values()].flatMap(({ events, rollUps }) => [events, rollUps.rows])
          : [],
      ),
  })

  readonly responses = {
    'io.lanes': (params) => this.#pages.response(params),
    'io.pageOf': ({ sources, find, lane }) => this.#pages.pageOf(sources, find, lane),
    'io.marks': (params) => marksResponse(this.store, params),
    'io.overview': (params) => overviewResponse(this.store, this.names, params),
    'io.summary': (params, _governor, signal) => summaryResponse(this.store, this.names, params, signal),
    'io.idle': ({ sources, minTicks }) => ({
      version: this.store.version,
      spans: this.store.activity.idle(minTicks, sources),
    }),
  } satisfies Handlers<Exclude<keyof IoRequests, keyof IoLaterRequests>>

  /**
   * `indexNames`: index names of a file, as known to other feeds; must return the same array while the names are
   * unchanged.
   */
  constructor(indexNames?: (source: SourceId) => readonly string[]) {
    this.names = new LaneNames(indexNames)
    this.#pages = new LanePages(this.store, this.names)
  }

  watch(context: WatchContext): FeedWatch | null {
    const { governor, ref, source, gapLog, clock, lostFromTicks, lostGap } = context
    if (ref.kind === 'file') return null
    const known = new KnownTime(clock)
    this.#known.set(source, known)
    let whole = true
    let frameMs = 0
    let newestTicks = Number.NEGATIVE_INFINITY
    // Events recorded before the restart are in the table again, so the server's rings show what is missing since.
    const { reason: lostReason, detail: lostDetail } = lostGap ?? NOT_RECORDED
    const isResumed =
      lostFromTicks !== null && this.#coverage.begin(gapLog, source, lostReason, lostFromTicks, lostDetail)

    const knownUntil = (atMs: number): Ticks => known.untilTicks ?? clock.at(atMs)
    /**
     * Pause for which the rings contain folds: the reason why their events were not seen, and the time up to which data
     * was complete.
     */
    let beforePause: { readonly reason: LossReason; readonly knownTicks: Ticks | null } | null = null
    const leftOut = new LeftOut(
      () => this.#rings(ref, governor),
      (document) => {
        const result = this.store.ingest(source, document, true)
        recordLosses(gapLog, source, result, beforePause ?? {})
        context.changed()
      },
    )

    // Everything up to the end of the earlier recording is claimed to be known.
    if (isResumed) leftOut.closed('socket-closed')

    const take = (text: string, atMs: number): void => {
      const isFirst = whole
      whole = false
      known.framed()
      const document = readIo(encoder.encode(text))
      const { problems } = document
      if (problems.count === null) {
        if (isFirst) this.#coverage.giveUp(gapLog, source, clock.at(atMs))
        recordMalformed(
          gapLog,
          source,
          knownUntil(atMs),
          clock.at(atMs),
          `A frame of ${text.length} characters could not be read: ${problems.first}`,
          null,
        )
        context.changed()
        return
      }
      if (lostFromTicks !== null && !isResumed && known.untilTicks === null)
        recordLostRecording(gapLog, source, document, { startTicks: lostFromTicks, endTicks: clock.at(atMs) })
      const reason = isFirst ? this.#coverage.settle(gapLog, source, document, clock.at(atMs)) : 'ring-lapped'
      const result = this.store.ingest(source, document, isFirst)
      this.store.watch(source)
      this.#receiving.add(source)
      recordLosses(gapLog, source, result, { reason, knownTicks: known.untilTicks ?? lostFromTicks })
      if (isFirst && (known.untilTicks !== null || isResumed)) {
        beforePause = { reason, knownTicks: known.untilTicks ?? lostFromTicks }
        leftOut.reopened(atMs)
      }
      if (problems.first !== null)
        recordMalformed(gapLog, source, knownUntil(atMs), clock.at(atMs), problems.first, problems.count)
      if (!isFirst && result.added > 0 && result.newestTicks < newestTicks - CLOCK_JUMP_TICKS) {
        clock.reset()
        recordJump(gapLog, source, result.newestTicks as Ticks, newestTicks as Ticks)
        newestTicks = result.newestTicks
        known.reset(newestTicks)
      }
      if (result.newestTicks > newestTicks) newestTicks = result.newestTicks
      clock.observe(result.newestTicks, atMs)
      known.took(result.newestTicks)
      this.#silences.settle(gapLog, source, clock.at(atMs))
      void this.#requestNames(context, atMs)
      context.changed(isFirst || result.added > 0 || result.losses.length > 0 ? 'rows' : 'samples')
    }

    const key = ref.kind === 'server' ? 'adminIoMetricsLive' : 'ioMetricsLive'
    const params: Record<string, string> = ref.kind === 'server' ? {} : { database: ref.name }
    const socket = governor.openSocket(
      key,
      params,
      {
        onPhase: (phase) => {
          if (phase.phase !== 'open') this.#receiving.delete(source)
          if (phase.phase === 'connecting') {
            whole = true
            known.connecting(governor.env.now())
          }
          context.report(phase)
        },
        onFrame: (text, atMs) => {
          frameMs = atMs
          context.received(atMs, text.length, true)
          take(text, atMs)
        },
        onReceived: (atMs) => {
          known.arrived(atMs)
          context.received(atMs, 0, false)
          leftOut.arrived(atMs)
          // The last lanes of a burst came too soon after names were requested, and no frame follows them.
          if (frameMs > (this.#namesRequestedMs.get(source) ?? 0)) void this.#requestNames(context, atMs)
        },
        onClosed: (atMs, reason) => {
          leftOut.closed(reason)
          this.#coverage.begin(gapLog, source, GAP_OF_CLOSE[reason], knownUntil(atMs), CLOSED_TEXTS[reason])
          context.changed()
        },
        onStill: ({ fromMs, toMs }) => {
          this.#silences.begin(gapLog, source, { startTicks: clock.at(fromMs), endTicks: clock.at(toMs) })
          context.changed()
        },
      },
      { audience: { feed: 'io' } },
    )
    return {
      close: () => {
        socket.close()
        this.#receiving.delete(source)
        const { untilTicks } = known
        if (untilTicks !== null)
          this.#coverage.begin(gapLog, source, 'not-watched', untilTicks, 'This source was not chosen.')
      },
      loadNow: () => socket.loadNow(),
      retryNow: () => socket.reconnectNow(),
    }
  }

  /** Whether I/O of a live source arrives now; a source that is watched may be refused, unloaded or paused. */
  isReceiving(source: SourceId): boolean {
    return this.#receiving.has(source)
  }

  /** Time up to which everything that happened at a live source was received; null: not known. */
  knownUntil(source: SourceId): Ticks | null {
    return this.#known.get(source)?.untilTicks ?? null
  }

  async later(): Promise<LaterPart> {
    const { ioLater } = await import('./later.ts')
    return ioLater(this.store, this.names)
  }

  recognises(paths: ReadonlySet<string>): boolean {
    return paths.has('$.Environments') || paths.has('$[].Environments')
  }

  reader(source: SourceId, gapLog: GapLog, problem: (at: number, expected: string) => void): DocumentReader {
    let isEmpty = true
    const take = (document: IoDocument): void => {
      isEmpty &&= document.environments.every(({ files }) => files.every(({ kinds }) => kinds.length === 0))
      recordLosses(gapLog, source, this.store.ingest(source, document, true))
    }
    const takeGap = ({ path, ...read }: ReadGap): void => {
      const gap = { ...read, source, lane: path === null ? null : laneId(source, path) }
      // The roll-ups of a ring that was overwritten have already recorded this gap.
      if (!gapLog.snapshot(null).some((known) => isSameGap(known, gap))) gapLog.add(gap)
    }
    const { rule, salvage } = ioReader(take, problem, takeGap, (merger) => this.store.takeMerger(source, merger))
    return { rule, salvage, describeEmpty: () => (isEmpty ? 'It holds no I/O events.' : null) }
  }

  async takeRows(rows: TableRows, sourceOf: (own: SourceId) => SourceId): Promise<boolean> {
    return (await import('./reading/archive-rows.ts')).takeRows(this.store, rows, sourceOf)
  }

  extent() {
    return this.#bodies.extent()
  }

  summary(): FeedSummaryRow[] {
    const known = (value: number): number | null => (Number.isFinite(value) ? value : null)
    return [...this.store.lanes.values()].flatMap((lane) =>
      Array.from(lane.tracks.values(), (track) => {
        const totals = kindTotals(track)
        const empty = totals.count === 0 && totals.rollUps === 0
        return {
          feed: this.name,
          source: lane.source,
          environment: this.names.labelOf(lane).label,
          environmentPath: lane.path,
          kind: track.kind,
          count: totals.count,
          bytes: totals.bytes,
          busyMs: msFromSpan(totals.busyTicks),
          slowestMs: known(msFromSpan(totals.slowestTicks)),
          firstMs: empty ? null : known(msFromTicks(totals.firstTicks)),
          lastMs: empty ? null : known(msFromTicks(totals.lastTicks)),
          rollUps: {
            count: totals.rollUps,
            events: totals.rollUpEvents,
            bytes: totals.rollUpBytes,
            busyMs: msFromSpan(totals.rollUpBusyTicks),
          },
        }
      }),
    )
  }

  spans(): FeedSpan[] {
    return this.#bodies.spans()
  }

  byteLength() {
    const { events, other } = this.store.byteLength
    let rows = 0
    for (const lane of this.store.lanes.values()) for (const track of lane.tracks.values()) rows += track.events.length
    return { tables: events, other, rows }
  }

  /** Requests the real index names when a lane without one appears. The database is loaded: it just sent a frame. */
  async #requestNames({ governor, ref, source, changed }: WatchContext, atMs: number): Promise<void> {
    if (ref.kind !== 'database') return
    const lacking = [...this.store.lanes.values()].some((lane) => lane.source === source && this.names.lacksName(lane))
    if (!lacking || atMs - (this.#namesRequestedMs.get(source) ?? 0) < NAMES_EVERY_MS) return
    this.#namesRequestedMs.set(source, atMs)
    try {
      this.names.setIndexes(source, readIndexNames(await governor.json('indexesNames', { database: ref.name })))
      this.store.version++
      changed()
    } catch {
      // The lanes keep their folder names, marked as such; the next frame requests the names again.
    }
  }

  /** Whole rings of a live source. @throws {ParseError} if the response is not such a document */
  async #rings(ref: SourceRef, governor: Governor): Promise<IoDocument> {
    const bytes =
      ref.kind === 'database'
        ? await governor.bytes('ioMetrics', { database: ref.name })
        : await governor.bytes('adminIoMetrics', {})
    const document = readIo(bytes)
    if (document.problems.count === null)
      throw new ParseError('$', 'I/O metrics', document.problems.first ?? 'another document')
    return document
  }
}

const CLOSED_TEXTS: Readonly<Record<CloseReason, string>> = {
  'socket-closed': 'The connection closed.',
  'server-stopped': 'The server could not be reached.',
  'tab-hidden': 'This tab was hidden, so it stopped watching.',
  'database-unloaded': 'The server unloaded the database.',
  'database-disabled': 'The database was disabled.',
  'database-deleted': 'The database was deleted.',
  silent: 'The connection was silent for too long and was given up.',
  'paused-by-rookery': 'Its socket took more of the server’s CPU than the overhead limit leaves for it.',
}

const NOT_RECORDED = { reason: 'not-watched', detail: 'The recorder was not running.' } as const

const encoder = new TextEncoder()

function recordMalformed(
  gapLog: GapLog,
  source: SourceId,
  startTicks: Ticks,
  endTicks: Ticks,
  detail: string,
  missingCount: number | null,
): void {
  gapLog.add({
    source,
    lane: null,
    kind: null,
    reason: 'malformed',
    startTicks,
    endTicks,
    missingCount,
    missingBytes: null,
    detail,
  })
}

function recordJump(gapLog: GapLog, source: SourceId, startTicks: Ticks, endTicks: Ticks): void {
  const detail = `The server's clock went back by ${Math.round((endTicks - startTicks) / TICKS_PER_SECOND)} s: events after the jump lie among those before it.`
  gapLog.add({
    source,
    lane: null,
    kind: null,
    reason: 'clock-jumped',
    startTicks,
    endTicks: startTicks,
    missingCount: 0,
    missingBytes: null,
    detail,
  })
}
