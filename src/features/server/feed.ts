import type { Ticks } from '../../base/brand.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import { GAP_OF_CLOSE } from '../../capture/close-gap.ts'
import type { Feed } from '../../capture/feed.ts'
import type { TimerId } from '../../ravendb/env.ts'
import { DEFAULT_PROMISE, type Governor } from '../../ravendb/governor.ts'
import { browserTabs, TabLine, type TabsEnv } from '../../ravendb/tabs.ts'
import { activityOf } from './activity.ts'
import { clusterAnswer } from './cluster.ts'
import { Collector } from './collector.ts'
import { Inputs, type ServerInput } from './inputs.ts'
import { browserKeep, type Keep } from './keep.ts'
import { Keeper } from './keeper.ts'
import { LatencySample } from './latency-sample.ts'
import { ServerModel } from './model.ts'
import type {
  Lacking,
  ServerDatabasesAsk,
  ServerNow,
  ServerQueries,
  ServerSeriesAsk,
  ServerSeriesAnswer,
  ServerWatch,
  Triage,
} from './queries.ts'
import { Replay } from './replay.ts'
import { TriageJudge } from './triage.ts'
import { NO_OTHERS, type OtherFacts } from './triage-facts.ts'
import { atWork } from './work-book.ts'

/** How long a want lasts that is not repeated, ms. */
const WANTED_MS = 30_000
/** What lasts is judged this often while it is collected, so that since when is known, ms. */
const JUDGE_EVERY_MS = 5000
const SAVE_EVERY_MS = 60_000
/** The machine has no CPU to spare from here on, for 10 s, %. */
const BUSY_PERCENT = 95
/** Since when errors count as growing. */
const GREW_TICKS = 600 * TICKS_PER_SECOND
/** A stall is said this long. */
const STALL_SAID_TICKS = 600 * TICKS_PER_SECOND
const MOST_KEYS = 64

export interface ServerFeedOptions {
  /** What other feeds know, for the triage. */
  readonly others?: () => OtherFacts
  /** Null: nothing is kept. Default: the browser's. */
  readonly keep?: Keep | null
  /** Null: each tab on its own. Default: the browser's. */
  readonly tabs?: TabsEnv | null
}

/** All that is known of one server. */
interface Known {
  readonly model: ServerModel
  readonly inputs: Inputs
  readonly judge: TriageJudge
  readonly replay: Replay
  readonly keeper: Keeper
}

const knowing = (model: ServerModel, keep: Keep | null): Known => ({
  model,
  inputs: new Inputs(model),
  judge: new TriageJudge(),
  replay: new Replay(),
  keeper: new Keeper(keep, model),
})

type Answer<Name extends keyof ServerQueries> = ServerQueries[Name]['answer']

/** The server as a whole: its dashboard, alerts, cluster and what databases it has. Loads none, and collects only while wanted. */
export class ServerFeed implements Feed {
  readonly name = 'server'
  readonly #latency = new LatencySample()
  readonly #keep: Keep | null
  #known: Known
  readonly #tabs: TabsEnv | null
  readonly #others: () => OtherFacts
  #governor: Governor | null = null
  #share: TabLine<ServerInput> | null = null
  #collector: Collector | null = null
  #wantedUntilMs: number | null = null
  #recording = false
  #timer: TimerId | null = null
  #saveTimer: TimerId | null = null
  #lacking: readonly Lacking[] = []
  #phase: Pick<ServerWatch, 'phase' | 'message' | 'retryAtMs'> = SILENT
  /** What comes after this may be of another server. */
  #closedMs = Number.NEGATIVE_INFINITY

  constructor(options: ServerFeedOptions = {}) {
    this.#others = options.others ?? ((): OtherFacts => NO_OTHERS)
    this.#keep = options.keep === undefined ? browserKeep() : options.keep
    this.#known = knowing(new ServerModel(), this.#keep)
    this.#tabs = options.tabs === undefined ? browserTabs() : options.tabs
  }

  /** Another one after another server came to this address. */
  get model(): ServerModel {
    return this.#known.model
  }

  readonly answers = {
    'server.want': (_: null, governor: Governor): ServerWatch => this.#want(governor),
    'server.record': ({ on }: { on: boolean }, governor: Governor): ServerWatch => this.#record(on, governor),
    'server.now': (_: null, governor: Governor): ServerNow => this.#now(governor),
    'server.series': (ask: ServerSeriesAsk): ServerSeriesAnswer => this.#series(ask),
    'server.triage': (_: null, governor: Governor): Triage => this.#triage(governor),
    'server.activity': (_: null, governor: Governor): Answer<'server.activity'> =>
      activityOf(this.model, this.model.nowTicks(governor.env.now()), this.#collector?.slowedToMs ?? null),
    'server.alerts': (): Answer<'server.alerts'> => ({ version: this.model.version, alerts: this.#alerts() }),
    'server.databases': (ask: ServerDatabasesAsk, governor: Governor): Answer<'server.databases'> =>
      this.#databases(ask, governor),
    'server.cluster': (): Answer<'server.cluster'> =>
      clusterAnswer(this.model.version, this.model.topology, this.model.nodes),
    'server.latency': ({ start }: { start: boolean }, governor: Governor): Answer<'server.latency'> => {
      if (start) this.#latency.start(governor)
      return this.#latency.answer()
    },
    'governor.promise': (
      { shareOfCore }: { shareOfCore: number | null },
      governor: Governor,
    ): Answer<'governor.promise'> => {
      if (shareOfCore !== null) governor.setPromise(shareOfCore)
      return { shareOfCore: governor.promisedShare, defaultShareOfCore: DEFAULT_PROMISE }
    },
  }

  /** It is not chosen like a database: `server.want` begins it. */
  watch(): null {
    return null
  }

  recognises(): boolean {
    return false
  }

  reader(): never {
    throw new Error('No file holds what a server tells of itself as a whole.')
  }

  /** Weeks of history would stretch the picture of every other panel: `server.now` has the extent. */
  extent(): null {
    return null
  }

  summary(): [] {
    return []
  }

  byteLength() {
    return { tables: this.model.series.byteLength, other: this.#known.replay.byteLength, rows: 0 }
  }

  #want(governor: Governor): ServerWatch {
    this.#wantedUntilMs = governor.env.now() + WANTED_MS
    this.#settle(governor)
    return this.#watch()
  }

  #record(on: boolean, governor: Governor): ServerWatch {
    this.#recording = on
    this.#settle(governor)
    governor.rearm()
    return this.#watch()
  }

  /** Begins or stops, as it is wanted now, and looks again when that may change. */
  #settle(governor: Governor): void {
    if (this.#governor === null) governor.onHidden(() => this.#settle(governor))
    this.#governor = governor
    const { env, isHidden } = governor
    const leftMs = (this.#wantedUntilMs ?? 0) - env.now()
    const isOn = this.#recording || (leftMs > 0 && !isHidden)
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = leftMs > 0 ? env.setTimeout(() => this.#settle(governor), leftMs) : null
    const wasOn = this.#collector !== null || this.#share !== null
    if (isOn && !wasOn) this.#begin(governor)
    else if (!isOn && wasOn) this.#end(governor, isHidden)
  }

  #begin(governor: Governor): void {
    if (this.#tabs === null) {
      this.#lead(governor)
      return
    }
    this.#share = new TabLine<ServerInput>(this.#tabs, 'server', {
      lead: () => this.#lead(governor),
      heard: (input) => this.#take(input, governor),
      replay: () => this.#known.replay.inputs,
    })
  }

  #lead(governor: Governor): void {
    this.#collector = new Collector({
      governor,
      isRecording: () => this.#recording,
      take: (input) => {
        const type = this.#take(input, governor)
        this.#known.replay.keep(input, type)
        this.#share?.tell(input)
        return type
      },
      askable: () => this.model.databases.askable,
      nowTicks: () => this.model.clock.at(governor.env.now()),
      stalled: () => this.model.coverage.stalled(),
      tags: () => {
        const { topology } = this.model
        return topology === null ? null : { own: topology.ownTag, all: topology.nodes.map(({ tag }) => tag) }
      },
      phase: (node, { phase, message, retryAtMs }) => {
        if (node === null) this.#phase = { phase: phase === 'open' ? 'live' : phase, message, retryAtMs }
        else this.#nodePhase(node, phase, message)
        this.model.version++
      },
      closed: (reason) => {
        this.model.coverage.ended(
          GAP_OF_CLOSE[reason] === 'not-watched' ? 'socket-closed' : GAP_OF_CLOSE[reason],
          CLOSED_TEXTS[reason],
        )
        this.#closedMs = governor.env.now()
        void this.#known.keeper.save(this.#closedMs)
      },
    })
    this.#saveTimer = governor.env.setTimeout(() => this.#saveAgain(governor), SAVE_EVERY_MS)
    this.#judgeAgain(governor, this.#collector)
  }

  #end(governor: Governor, isHidden: boolean): void {
    this.#collector?.close()
    this.#collector = null
    this.#share?.leave()
    this.#share = null
    this.#phase = SILENT
    this.model.queries = null
    if (isHidden) this.model.coverage.ended('tab-hidden', CLOSED_TEXTS['tab-hidden'])
    else this.model.coverage.ended('not-watched', 'No page of this browser showed the server.')
    governor.setStress('dashboard', undefined)
    if (this.#saveTimer !== null) governor.env.clearTimeout(this.#saveTimer)
    this.#saveTimer = null
    void this.#known.keeper.save(governor.env.now())
    this.model.version++
  }

  #take(input: ServerInput, governor: Governor) {
    const serverId = this.model.serverId
    const type = this.#known.inputs.take(input)
    if (serverId !== null && this.model.serverId !== serverId) this.#becomeAnother(input)
    if (input.kind === 'lacking') this.#lacking = input.lacking
    if (input.kind === 'answer' && input.poll === 'serverId') void this.#known.keeper.meet()
    if (input.kind === 'answer' && input.poll === 'adminMetrics') {
      const requests = this.model.requestsSinceStart
      if (requests !== null) governor.noteServerRequests(requests)
    }
    return type
  }

  /** Another server has this address now: nothing of the one before is told of it, or kept as its past. */
  #becomeAnother(input: ServerInput): void {
    const { model, replay } = this.#known
    const already = replay.inputs.filter(({ atMs }) => atMs > this.#closedMs)
    const next = new ServerModel()
    next.version = model.version + 1
    this.#known = knowing(next, this.#keep)
    this.#known.inputs.take(input)
    if (this.#collector === null) return
    // It told this before it was known to be another.
    this.#share?.tell(input)
    for (const each of already) {
      this.#known.replay.keep(each, this.#known.inputs.take(each))
      this.#share?.tell(each)
    }
  }

  #nodePhase(tag: string, phase: string, message: string): void {
    const node = this.model.node(tag)
    // A rest that looking takes: its figures come again.
    if (phase === 'paused') return
    node.state =
      phase === 'open' ? 'arriving' : phase === 'connecting' || phase === 'checking' ? 'connecting' : 'unreachable'
    node.message =
      node.state === 'unreachable'
        ? `${message} Figures of another node come through this server, which wants a ClusterAdmin certificate for it.`.trim()
        : ''
  }

  #judgeAgain(governor: Governor, of: Collector): void {
    if (this.#collector !== of) return
    this.#triage(governor)
    governor.setStress('dashboard', this.#stress(governor))
    governor.env.setTimeout(() => this.#judgeAgain(governor, of), JUDGE_EVERY_MS)
  }

  /** What of the server's own figures asks for a slower pace. */
  #stress(governor: Governor): string | null {
    const nowTicks = this.model.nowTicks(governor.env.now())
    if (nowTicks === null) return null
    const { min, mean, count } = this.model.series.recent('cpu.machine', nowTicks, 10_000)
    if (count >= 5 && min >= BUSY_PERCENT) return `The machine has no CPU to spare (${Math.round(mean)} % over 10 s)`
    const { credits } = this.#now(governor)
    if (credits !== null && credits.remaining < Math.max(credits.backgroundThreshold, credits.failoverThreshold))
      return 'The machine’s CPU credits are nearly used up'
    return null
  }

  #saveAgain(governor: Governor): void {
    void this.#known.keeper.save(governor.env.now())
    this.#saveTimer = governor.env.setTimeout(() => this.#saveAgain(governor), SAVE_EVERY_MS)
  }

  #watch(): ServerWatch {
    const role = this.#collector !== null ? 'leader' : this.#share === null ? 'off' : 'follower'
    return {
      role,
      recording: this.#recording,
      wantedUntilMs: this.#wantedUntilMs,
      ...this.#phase,
      lastHeardMs: this.model.heardMs,
      lacking: [...this.#lacking, ...this.#known.inputs.malformed.values()],
      kept: this.#known.keeper.state,
    }
  }

  #now(governor: Governor): ServerNow {
    return this.model.now(this.#watch(), governor.env.now())
  }

  #series({ keys, startTicks, endTicks, maxPoints }: ServerSeriesAsk): ServerSeriesAnswer {
    const { model } = this
    const range = { startTicks, endTicks }
    const points = Math.min(4000, Math.max(1, Math.floor(maxPoints)))
    return {
      version: model.version,
      available: model.series.available,
      series: keys.slice(0, MOST_KEYS).map((key) => model.series.rows(key, range, points)),
      gaps: model.coverage.gaps(range),
    }
  }

  #databases(ask: ServerDatabasesAsk, governor: Governor): Answer<'server.databases'> {
    const { databases, version } = this.model
    const nowTicks = this.model.nowTicks(governor.env.now()) ?? Number.NaN
    const failures = this.model.failures(nowTicks)
    const work = new Map(this.model.freshWork(nowTicks).map((known) => [known.database, known]))
    const answer = databases.answer(ask, nowTicks, (name) => {
      const known = work.get(name)
      const isTold = known !== undefined && !known.isPast
      return { work: isTold ? atWork(known) : null, failure: failures.get(name) ?? null }
    })
    return { version, ...answer, slowedToMs: this.#collector?.slowedToMs ?? null }
  }

  #alerts() {
    return [...this.model.alerts.values()].toSorted((a, b) => (b.createdTicks ?? 0) - (a.createdTicks ?? 0))
  }

  #triage(governor: Governor): Triage {
    const { model } = this
    const nowMs = governor.env.now()
    const nowTicks = model.nowTicks(nowMs) ?? model.clock.at(nowMs)
    const triage = this.#known.judge.judge(model.version, {
      now: this.#now(governor),
      nowTicks,
      nowMs,
      recent: (key, spanMs) => model.series.recent(key, nowTicks, spanMs),
      states: model.databases.states,
      indexErrors: model.databases.withErrors(nowTicks - GREW_TICKS).map(({ name, overview, grewTicks }) => ({
        database: name,
        erroredIndexes: overview.erroredIndexes,
        indexingErrors: overview.indexingErrors,
        grewTicks,
      })),
      alerts: this.#alerts(),
      failures: model.failures(nowTicks),
      jumps: model.jumps,
      stalls: model.coverage
        .gaps({ startTicks: (nowTicks - STALL_SAID_TICKS) as Ticks, endTicks: nowTicks })
        .filter(({ reason }) => reason === 'server-stalled'),
      cluster: clusterAnswer(model.version, model.topology, model.nodes),
      others: this.#others(),
      queries: model.queries,
      queriesTicks: model.queriesTicks,
      work: model.databases.askable === null ? null : model.freshWork(nowTicks),
      unasked: model.unaskedNow(),
    })
    model.findings.note([...triage.items, ...triage.more], nowTicks)
    return triage
  }
}

const SILENT = { phase: null, message: '', retryAtMs: null } as const

const CLOSED_TEXTS = {
  'socket-closed': 'The connection closed.',
  'server-stopped': 'The server could not be reached.',
  'tab-hidden': 'Every tab that showed the server was hidden.',
  'database-unloaded': 'The connection closed.',
  silent: 'The connection was silent for too long and was given up.',
  resting: 'The connection rested, so that looking costs no more than is promised.',
} as const
