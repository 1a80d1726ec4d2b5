import { WANTED_MS } from '../../../capture/client/requests/wanted.ts'
import { GAP_OF_CLOSE } from '../../../capture/worker/gap-closing.ts'
import type { ByteHolder, LaterPart, Responder } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { TimerId } from '../../../ravendb/env.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { browserTabs, type TabsEnv } from '../../../ravendb/tabs/tabs.ts'
import type { CloseReason, SocketPhase } from '../../../ravendb/sockets/socket-events.ts'
import type { JournalSource } from './bottleneck/steps.ts'
import { clusterResponse } from './figures/cluster.ts'
import { LARGE_EVERY_MS } from './dashboard-socket.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import { Details, WORK_EVERY_MS } from './panel-figures.ts'
import { Inputs, type ServerInput } from './model-inputs.ts'
import { browserHistoryStore } from './history/history-store.ts'
import { History } from './history/history.ts'
import type { HistoryStore } from './history/kept.ts'
import { Judging } from './periodic-judgement.ts'
import { ServerModel } from './model.ts'
import type { Lacking, ServerWatch } from '../contract/watch.ts'
import type { ServerNow } from '../contract/now.ts'
import type { ServerLaterRequests, ServerRequests } from '../contract.ts'
import { changedDatabase } from './wire/notifications-wire.ts'
import { alertsOf, databasesResponse, seriesResponse } from './responses.ts'
import { SharedPart } from './shared-part.ts'
import type { CollectedEntries } from './package-export.ts'
import { Vitals } from './vitals.ts'

const SAVE_EVERY_MS = 60_000
/** Time for which the first figures are expected, ms. */
const WITHHELD_AFTER_MS = 20_000

export interface ServerFeedOptions {
  /** Source of the share of time in journal writes, from another feed. */
  readonly journal?: () => Promise<JournalSource>
  /** Package entries with the data that other feeds have collected. */
  readonly collected?: () => Promise<CollectedEntries>
  /** Store of the history; null: no history is stored. Default: the browser's. */
  readonly store?: HistoryStore | null
  /** Channel between tabs; null: each tab collects for itself. Default: the browser's. */
  readonly tabs?: TabsEnv | null | undefined
}

/** State that belongs to one server. */
interface Known {
  readonly model: ServerModel
  readonly inputs: Inputs
  readonly history: History
}

const createSession = (model: ServerModel, store: HistoryStore | null): Known => ({
  model,
  inputs: new Inputs(model),
  history: new History(store, model),
})

/**
 * Feed of the server as a whole: its dashboard, alerts, cluster and list of databases. It loads no database, and
 * collects only while requested. It reports no extent of its own, since files do not contain its figures and weeks of
 * history would stretch the time range of all other panels; `server.now` has the extent.
 */
export class ServerFeed implements Responder, ByteHolder {
  readonly name = 'server'
  readonly #store: HistoryStore | null
  #known: Known
  readonly #journal: (() => Promise<JournalSource>) | null
  readonly #collectedEntries: (() => Promise<CollectedEntries>) | null
  #governor: Governor | null = null
  readonly #vitals: SharedPart<Vitals>
  readonly #details: SharedPart<Details>
  /** Whether vital signs are collected even if no panel of the server is open. */
  #isAlways = false
  #stopWitness: (() => void) | null = null
  #judge: ((governor: Governor) => void) | null = null
  #wantedUntilMs: number | null = null
  #recording = false
  #timer: TimerId | null = null
  #saveTimer: TimerId | null = null
  readonly #lacking: Record<'vitals' | 'details', readonly Lacking[]> = { vitals: [], details: [] }
  readonly #phases: Record<'vitals' | 'details', PhaseParts> = { vitals: SILENT, details: SILENT }
  /** Time from which frames may come from another server. */
  #closedMs = Number.NEGATIVE_INFINITY
  /** Time at which the collection of vital signs began. */
  #beganMs = Number.NEGATIVE_INFINITY
  /** Whether no user views it, so that findings are judged less often. */
  isUnseen = false
  readonly #judging = new Judging({
    isUnseen: () => this.isUnseen,
    known: () => this.#known,
    judge: (governor) => this.#judge?.(governor),
    collected: (input, governor) => void this.#collected(input, governor, this.#vitals),
  })

  constructor(options: ServerFeedOptions = {}) {
    this.#journal = options.journal ?? null
    this.#collectedEntries = options.collected ?? null
    this.#store = options.store === undefined ? browserHistoryStore() : options.store
    this.#known = createSession(new ServerModel(), this.#store)
    const tabs = options.tabs === undefined ? browserTabs() : options.tabs
    this.#vitals = new SharedPart('server', tabs)
    this.#details = new SharedPart('server details', tabs)
  }

  /** Model of the present server. Replaced when another server appears at this address. */
  get model(): ServerModel {
    return this.#known.model
  }

  readonly responses = {
    'server.want': (_, governor) => this.#want(governor),
    'server.record': ({ on }, governor) => this.#record(on, governor),
    'server.now': (_, governor) => this.#now(governor),
    'server.series': (params, governor) => seriesResponse(this.model, params, governor.env.now()),
    'server.alerts': () => ({ version: this.model.version, alerts: alertsOf(this.model) }),
    'server.databases': (params, governor) => databasesResponse(this.model, params, governor.env.now()),
    'server.cluster': () => clusterResponse(this.model.topology, this.model.nodes),
  } satisfies Handlers<Exclude<keyof ServerRequests, keyof ServerLaterRequests>>

  async later(): Promise<LaterPart> {
    const [{ laterResponses }, { packageExporters }] = await Promise.all([
      import('./later.ts'),
      import('./package-export.ts'),
    ])
    const responses = laterResponses(this, (await this.#journal?.()) ?? null)
    const exporters = packageExporters({
      newest: () => this.#governor?.newest ?? [],
      collected: (await this.#collectedEntries?.()) ?? (() => []),
      nowMs: () => this.#governor?.env.now() ?? Date.now(),
      ticksAt: (atMs) => this.model.clock.at(atMs),
      nodeTag: () => this.model.topology?.ownTag ?? null,
    })
    return { responses, exporters }
  }

  /**
   * Sets the function that judges findings. It is called repeatedly while figures are collected, so that the start of
   * each finding is known.
   */
  judgeBy(judge: (governor: Governor) => void): void {
    this.#judge = judge
  }

  /** Called when a server responds: its vital signs are collected from now on, on every panel. */
  begin(governor: Governor): void {
    this.#isAlways = true
    this.#settle(governor)
  }

  lost(sinceMs: number): void {
    this.model.lostSinceMs = sinceMs
  }

  /**
   * Database that other clients make work most, while a page that a user views shows figures of the server; null: none.
   * Undefined: it is not known yet.
   */
  get busiest(): string | null | undefined {
    if (!this.#details.isOn || this.isUnseen) return null
    const { pollable } = this.model.databases
    if (pollable === null) return undefined
    return pollable.working.find((name) => !pollable.repeated.has(name)) ?? null
  }

  /** Memory of the feed, which unlike that of a database is not selected by the user. */
  byteLength() {
    return { tables: this.model.series.byteLength, other: this.#vitals.byteLength + this.#details.byteLength, rows: 0 }
  }

  #want(governor: Governor): ServerWatch {
    this.#wantedUntilMs = governor.env.now() + WANTED_MS
    this.#settle(governor)
    return this.#watch(governor)
  }

  #record(on: boolean, governor: Governor): ServerWatch {
    this.#recording = on
    this.#settle(governor)
    governor.rearm()
    return this.#watch(governor)
  }

  /** Starts or stops collecting according to what is requested now, and sets a timer for the next change. */
  #settle(governor: Governor): void {
    if (this.#governor === null) governor.onHidden(() => this.#settle(governor))
    this.#governor = governor
    this.model.own = governor.own
    const { env, isHidden } = governor
    const leftMs = (this.#wantedUntilMs ?? 0) - env.now()
    const isDetailed = this.#recording || (leftMs > 0 && !isHidden)
    const isOn = isDetailed || (this.#isAlways && !isHidden)
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = leftMs > 0 ? env.setTimeout(() => this.#settle(governor), leftMs) : null
    if (isOn && !this.#vitals.isOn) this.#begin(governor)
    if (isDetailed && !this.#details.isOn) this.#beginDetails(governor)
    else if (!isDetailed && this.#details.isOn) this.#endDetails(isHidden)
    if (!isOn && this.#vitals.isOn) this.#end(governor, isHidden)
  }

  #begin(governor: Governor): void {
    this.#beganMs = governor.env.now()
    const { witness } = governor
    this.#stopWitness = witness.watch({
      onOver: ({ fromMs, toMs, isRefused }) => {
        const { clock, coverage } = this.model
        coverage.unresponsive({ startTicks: clock.at(fromMs), endTicks: clock.at(toMs) }, isRefused)
      },
      onLate: () => this.model.coverage.ended('not-watched', LATE),
      onChange: () => this.model.version++,
    })
    this.#vitals.begin(
      () => this.#leadVitals(governor),
      (input) => this.#take(input, governor),
    )
  }

  #leadVitals(governor: Governor): Vitals {
    const vitals = new Vitals({
      governor,
      isRecording: () => this.#recording,
      take: (input) => this.#collected(input, governor, this.#vitals),
      needsMemoryWidget: () => this.model.memory.needsWidget,
      ownTag: () => this.model.topology?.ownTag ?? null,
      phase: (phase) => {
        this.#setPhase('vitals', phase)
        const ownTag = this.model.topology?.ownTag
        if (ownTag != null && (phase.phase === 'waiting' || phase.phase === 'connecting'))
          this.model.node(ownTag).state = 'connecting'
      },
      expectHeartbeat: (isExpected) => governor.witness.expectHeartbeat(isExpected),
      closed: (reason) => {
        this.model.coverage.ended(GAP_OF_CLOSE[reason], CLOSED_TEXTS[reason])
        this.#closedMs = governor.env.now()
        void this.#known.history.save(this.#closedMs)
      },
    })
    this.#saveTimer = governor.env.setTimeout(() => this.#saveAgain(governor), SAVE_EVERY_MS)
    governor.env.setTimeout(() => this.#judging.again(governor, () => this.#vitals.collector === vitals), 0)
    return vitals
  }

  #beginDetails(governor: Governor): void {
    this.#details.begin(
      () => this.#leadDetails(governor),
      (input) => this.#take(input, governor),
    )
  }

  #leadDetails(governor: Governor): Details {
    return new Details({
      governor,
      isRecording: () => this.#recording,
      take: (input) => this.#collected(input, governor, this.#details),
      pollable: () => this.model.databases.pollable,
      nowTicks: () => this.model.clock.at(governor.env.now()),
      tags: () => {
        const { topology } = this.model
        return topology === null ? null : { own: topology.ownTag, all: topology.nodes.map(({ tag }) => tag) }
      },
      phase: (node, phase) => {
        if (node === null) this.#setPhase('details', phase)
        else this.#nodePhase(node, phase.phase, phase.message)
      },
      closed: (reason) => this.model.detailCoverage.ended(GAP_OF_CLOSE[reason], CLOSED_TEXTS[reason]),
    })
  }

  #setPhase(of: 'vitals' | 'details', { phase, message, retryAtMs }: SocketPhase): void {
    this.#phases[of] = { phase: phase === 'open' ? 'live' : phase, message, retryAtMs }
    this.model.version++
  }

  #endDetails(isHidden: boolean): void {
    this.#details.end()
    this.#phases.details = SILENT
    this.#lacking.details = []
    const { detailCoverage } = this.model
    if (isHidden) detailCoverage.ended('tab-hidden', CLOSED_TEXTS['tab-hidden'])
    else detailCoverage.ended('not-watched', 'Collected only while Triage, Server or Databases is open.')
  }

  #end(governor: Governor, isHidden: boolean): void {
    this.#vitals.end()
    this.#phases.vitals = SILENT
    this.#stopWitness?.()
    this.#stopWitness = null
    this.model.queries = null
    if (isHidden) this.model.coverage.ended('tab-hidden', CLOSED_TEXTS['tab-hidden'])
    else this.model.coverage.ended('not-watched', 'No page of this browser showed the server.')
    governor.overhead.setStress(null)
    if (this.#saveTimer !== null) governor.env.clearTimeout(this.#saveTimer)
    this.#saveTimer = null
    void this.#known.history.save(governor.env.now())
    this.model.version++
  }

  /** Takes an input that this page collected, and passes it on to the other pages. */
  #collected(input: ServerInput, governor: Governor, part: SharedPart<Vitals> | SharedPart<Details>) {
    const type = this.#take(input, governor)
    part.pass(input, type)
    return type
  }

  #take(input: ServerInput, governor: Governor) {
    const { serverId, topology } = this.model
    const type = this.#known.inputs.take(input)
    if (serverId !== null && this.model.serverId !== serverId) this.#becomeAnother(input, governor)
    if (input.kind === 'notification' && input.isPast !== true) {
      const name = changedDatabase(input.text)
      if (name !== null) governor.databaseChanged(name)
    }
    if (type !== null && SHOWS_WORK.has(type) && input.isPast !== true) this.#noteWork(governor)
    if (type === 'DatabaseOverview') for (const name of this.model.databases.takeLoaded()) governor.databaseLoaded(name)
    if (input.kind === 'lacking') this.#lacking[input.of] = input.lacking
    if (input.kind === 'response' && input.poll === 'serverId') void this.#known.history.meet()
    if (input.kind === 'response' && input.poll === 'adminMetrics') {
      const requests = this.model.requestsSinceStart
      if (requests !== null) governor.noteServerRequests(requests)
    }
    if (this.model.topology !== topology) {
      this.#vitals.collector?.connect()
      this.#details.collector?.connect()
    }
    this.#details.collector?.noteFrame(type)
    return type
  }

  /** Marks the stored responses of databases that other clients use as outdated. */
  #noteWork(governor: Governor): void {
    const { working = [], inUse = [], repeated } = this.model.databases.pollable ?? {}
    for (const name of working) if (repeated?.has(name) !== true) governor.databaseWorked(name)
    for (const name of inUse) governor.databaseWorked(name)
  }

  /**
   * Starts over with an empty model because another server is at this address. Figures of the previous server are
   * neither reported for it nor stored as its history.
   */
  #becomeAnother(input: ServerInput, governor: Governor): void {
    governor.serverChanged()
    const next = new ServerModel()
    next.version = this.model.version + 1
    next.own = this.model.own
    next.replaced = this.model.replacedAt(input.atMs)
    this.#known = createSession(next, this.#store)
    this.#known.inputs.take(input)
    this.#again(this.#vitals, input)
    this.#again(this.#details, null)
  }

  /** Fills the model of the new server with the figures that were collected before its identity was known. */
  #again(part: SharedPart<Vitals> | SharedPart<Details>, first: ServerInput | null): void {
    const before = part.restart()
    if (part.collector === null) return
    if (first !== null) part.pass(first, null)
    for (const each of before)
      if (each.atMs > this.#closedMs && each !== first) part.pass(each, this.#known.inputs.take(each))
  }

  #nodePhase(tag: string, phase: string, message: string): void {
    const node = this.model.node(tag)
    // A pause by this page says nothing about the node.
    if (phase === 'paused' || phase === 'paused-by-rookery') return
    node.state =
      phase === 'open' ? 'arriving' : phase === 'connecting' || phase === 'checking' ? 'connecting' : 'unreachable'
    node.message =
      node.state === 'unreachable'
        ? `${message} Figures of another node come through this server, which wants a ClusterAdmin certificate for it.`.trim()
        : ''
  }

  #saveAgain(governor: Governor): void {
    void this.#known.history.save(governor.env.now())
    this.#saveTimer = governor.env.setTimeout(() => this.#saveAgain(governor), SAVE_EVERY_MS)
  }

  #watch(governor: Governor): ServerWatch {
    const role = this.#vitals.collector !== null ? 'leader' : this.#vitals.isOn ? 'follower' : 'off'
    const { vitals, details } = this.#phases
    const { unresponsive } = governor.witness
    const lacking = [...this.#lacking.vitals, ...this.#lacking.details, ...this.#known.inputs.malformed.values()]
    const isWithheld =
      role !== 'off' &&
      this.model.receivedMs === null &&
      unresponsive === null &&
      governor.env.now() - this.#beganMs >= WITHHELD_AFTER_MS
    return {
      role,
      recording: this.#recording,
      ...(vitals.phase === 'live' && details.phase === 'paused-by-rookery' ? details : vitals),
      lastReceivedMs: this.model.receivedMs,
      unresponsive,
      withheld: isWithheld ? (lacking[0]?.message ?? (vitals.message || 'No request for figures succeeded.')) : null,
      lacking,
      kept: this.#known.history.state,
    }
  }

  /** Interval at which the widgets that list databases are received, ms; null: at the server's pace. */
  get slowedToMs(): number | null {
    const isSlowed = this.#vitals.collector?.isSlowed === true || this.#details.collector?.isSlowed === true
    return isSlowed ? LARGE_EVERY_MS : null
  }

  /** Time, ms, between two turns of polling databases at work. */
  workEveryMs(governor: Governor): number {
    const { route } = ENDPOINTS.databaseStats
    const slowed = governor.meter().cost.slowedPolls.filter(({ endpoint }) => endpoint === route)
    return Math.max(WORK_EVERY_MS, ...slowed.map(({ everyMs }) => everyMs))
  }

  #now(governor: Governor): ServerNow {
    return this.model.now(this.#watch(governor), governor.env.now())
  }

  /** Whether figures that only the panels of the server need are being collected. */
  get isDetailed(): boolean {
    return this.#details.isOn
  }
}

type PhaseParts = Pick<ServerWatch, 'phase' | 'message' | 'retryAtMs'>
const SILENT: PhaseParts = { phase: null, message: '', retryAtMs: null }

/** Types of frames that show where something is written or indexed. */
const SHOWS_WORK: ReadonlySet<string> = new Set(['DatabaseTraffic', 'DatabaseIndexing'])

const LATE = 'This page’s own timers were late: it was suspended, or its browser was short of CPU.'

const CLOSED_TEXTS: Readonly<Record<CloseReason, string>> = {
  'socket-closed': 'The connection closed.',
  'server-stopped': 'The server could not be reached.',
  'tab-hidden': 'Every tab that showed the server was hidden.',
  'database-unloaded': 'The connection closed.',
  'database-disabled': 'The connection closed.',
  'database-deleted': 'The connection closed.',
  silent: 'The connection was silent for too long and was given up.',
  'paused-by-rookery': 'Paused to stay within the overhead limit.',
}
