import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { KernelMemory, KernelMemoryLack } from '../../../ravendb/machine/kernel-memory.ts'
import type { OwnCounts } from '../../../ravendb/budget/own-requests.ts'
import { Coverage } from './coverage.ts'
import { DatabasesStore } from './figures/databases/database-store.ts'
import { failuresOf, type DatabaseFailure } from './figures/databases/failures.ts'
import { FindingLog } from './history/finding-log.ts'
import type { NodeFigures } from './figures/cluster.ts'
import { noFigures } from './figures/cluster.ts'
import { creditsOf } from './figures/credits.ts'
import type { GcResponse } from './figures/gc.ts'
import { GcHistory } from './figures/gc-history.ts'
import { NetworkStore } from './figures/network.ts'
import { OperationLog } from './figures/operation-log.ts'
import { ServerOperations } from './figures/server-operations.ts'
import { MemoryStore, memorySeries } from './figures/memory.ts'
import type { AdminMetrics, AdminStats, CreditsResponse, Licence, LowMemoryLog, TcpStats } from './wire/polls-wire.ts'
import type { Restart, ServerNow } from '../contract/now.ts'
import type { ServerAlert } from '../contract/alerts.ts'
import type { ServerWatch } from '../contract/watch.ts'
import { QueryLog, type RunningQuery } from './wire/running-queries.ts'
import { SeriesStore } from './series.ts'
import { ServerTime } from './server-time.ts'
import type { LoggedError } from './wire/traffic-wire.ts'
import type { DatabaseWork } from './wire/work-wire.ts'
import type { Topology } from './wire/topology-wire.ts'
import { TrafficStore } from './figures/traffic.ts'
import { Volumes } from './figures/volumes.ts'
import { WritesStore, type WriteCounts } from './figures/writes.ts'
import { isDetail, type WidgetFrame } from './wire/widgets.ts'
import { atWork, WorkStore, type KnownWork, type UnpolledDatabases } from './figures/databases/work-store.ts'

/** Minimum length of a gap in the vital signs. The CPU is reported each second. */
const HEARTBEAT_TICKS = 5 * TICKS_PER_SECOND
/** Minimum length of a gap in the detail figures. Disks are reported each second, most other figures every 3 s. */
const DETAIL_TICKS = 10 * TICKS_PER_SECOND
/** Maximum difference of two reported start times that count as the same start. */
const SAME_START_TICKS = 2 * TICKS_PER_SECOND
const MOST_RESTARTS = 100
const MOST_ALERTS = 500
const MOST_WORK = 20
/** Maximum time between the first frame of another server and its identity. */
const REPLACED_TICKS = 60 * TICKS_PER_SECOND

/** Server that answered at the address of another one, until that one did. */
export interface ReplacedServer {
  /** Wall clock of the first response of the other server, ms. */
  readonly atMs: number
  readonly version: string | null
  /** Number of its databases; null: not reported. */
  readonly databases: number | null
}

/** Newest figures that a server reported, and their history. Pure: the time is passed in. */
export class ServerModel {
  readonly series = new SeriesStore()
  readonly coverage = new Coverage(HEARTBEAT_TICKS)
  /** Coverage of the detail figures. */
  readonly detailCoverage = new Coverage(DETAIL_TICKS)
  readonly work = new WorkStore()
  /** Operations of databases. Those of the server itself are in `operations`. */
  readonly operationLog = new OperationLog()
  /** Requests of the pages of this browser; null: not watched live. */
  own: OwnCounts | null = null
  readonly databases = new DatabasesStore(
    (name) => this.work.rates(name, this.time.lastTicks),
    () => this.own,
  )
  readonly volumes = new Volumes()
  readonly writes = new WritesStore()
  readonly findings = new FindingLog()
  readonly memory = new MemoryStore()
  readonly time = new ServerTime({
    jumped: (isBack) => {
      const detail = `The server’s clock was set ${isBack ? 'back' : 'ahead'}.`
      for (const coverage of [this.coverage, this.detailCoverage]) coverage.ended('clock-jumped', detail)
    },
    dropFrom: (atTicks) => {
      this.series.dropFrom(atTicks)
      this.coverage.dropFrom(atTicks)
      this.detailCoverage.dropFrom(atTicks)
    },
  })
  readonly clock = this.time.clock
  /** Figures of the cluster's nodes by tag, this server included. */
  readonly nodes = new Map<string, NodeFigures>()
  readonly alerts = new Map<string, ServerAlert>()
  readonly operations = new ServerOperations()
  /** Grows with each change. */
  version = 0
  restarts: readonly Restart[] = []
  /** Server that was at this address before, in this page; null: none. */
  replaced: ReplacedServer | null = null
  topology: Topology | null = null
  serverId: string | null = null
  lastVisitEndTicks: Ticks | null = null
  /**
   * Time, wall clock, ms, from which a worker that has ended had collected; null: there was none, or it has been noted.
   */
  lostSinceMs: number | null = null
  licence: Licence | null = null
  lowMemory: LowMemoryLog | null = null
  /** Running queries, longest first; null: not known. */
  queries: readonly RunningQuery[] | null = null
  /** Time of `queries`. */
  queriesTicks: Ticks | null = null
  readonly endedQueries = new QueryLog()
  #upTimeMs: number | null = null
  #cpu: ServerNow['cpu'] = null
  /** Time of the newest memory figures in the series. */
  #memoryTicks: Ticks | null = null
  readonly #gc = new GcHistory(this.series)
  readonly #traffic = new TrafficStore((spanMs) => this.own?.countAll(spanMs) ?? null)
  readonly #network = new NetworkStore()
  #indexing: ServerNow['indexing'] = null
  #credits: (CreditsResponse & { readonly atTicks: Ticks }) | null = null

  /** Takes a frame of this server's own dashboard. */
  widget(frame: WidgetFrame, atMs: number, isPast = false): void {
    const { atTicks } = frame
    this.time.stamp(atTicks, atMs)
    if (!isPast) {
      this.#noteLost()
      this.coverage.received(atTicks)
      if (isDetail(frame.type)) this.detailCoverage.received(atTicks)
    }
    this.version++
    switch (frame.type) {
      case 'CpuUsage': {
        const { processPercent, machinePercent } = frame.cpu
        this.#cpu = { atTicks, ...frame.cpu }
        this.series.appendAll(atTicks, { 'cpu.process': processPercent, 'cpu.machine': machinePercent })
        break
      }
      case 'MemoryUsage':
        this.memory.widget = { atTicks, ...frame.memory }
        this.#noteMemory()
        break
      case 'IoStats':
        this.volumes.io(frame.volumes, atTicks, this.series)
        break
      case 'StorageUsage':
        this.volumes.storage(frame.volumes, atTicks, this.series, this.databases)
        break
      case 'Traffic':
        this.series.appendAll(atTicks, this.#traffic.takeWidget(frame.traffic, atTicks))
        break
      case 'Indexing':
        this.#indexing = { atTicks, ...frame.indexing }
        this.series.appendAll(atTicks, {
          'indexing.indexedRate': frame.indexing.indexedPerSecond,
          'indexing.mappedRate': frame.indexing.mappedPerSecond,
          'indexing.reducedRate': frame.indexing.reducedPerSecond,
        })
        break
      case 'GcInfo':
        this.#gc.take(frame.gc, atTicks)
        break
      case 'DatabaseOverview':
        this.databases.overview(frame.databases, atTicks)
        break
      case 'DatabaseTraffic':
        this.databases.traffic(frame.databases)
        break
      case 'DatabaseIndexing':
        this.databases.indexing(frame.databases)
        break
      case 'DatabaseStorageUsage':
        this.databases.sizes(frame.sizes)
        break
      case 'ClusterOverview':
        this.started(frame.node.startTicks)
        break
      case 'ServerTime':
        break
    }
  }

  /** Takes the running queries; null: no longer known. */
  takeQueries(queries: readonly RunningQuery[] | null, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    if (queries !== null) this.endedQueries.note(queries, atTicks)
    this.queries = queries
    this.queriesTicks = atTicks
    this.version++
  }

  /** Takes the response of a database at work. */
  takeWork(database: string, work: DatabaseWork, atMs: number): void {
    this.work.take(database, work, this.clock.at(atMs))
    this.operationLog.take(database, work)
    this.version++
  }

  /** Takes times of the busiest merger, which the series contain. */
  takeMergerTimes(times: DatabaseWork['mergerTimes']): void {
    for (const { atTicks, waits, transactions, writers } of times)
      this.series.appendAll(atTicks, {
        'merger.waits': waits * 100,
        'merger.transactions': transactions * 100,
        'merger.commits': (1 - waits - transactions) * 100,
        'merger.writers': writers,
      })
    this.version++
  }

  /** Takes writes that were listened to. */
  takeWrites(counts: readonly WriteCounts[], atMs: number): void {
    this.writes.take(counts, this.clock.at(atMs))
    this.version++
  }

  /** Takes the reason why a write failed. */
  explainWrites(database: string | null, error: LoggedError, atMs: number): void {
    this.writes.explain(database, error, this.clock.at(atMs))
    this.version++
  }

  /** Takes a frame of any node of the cluster. */
  nodeFrame(tag: string, frame: WidgetFrame): void {
    const node = this.node(tag)
    node.receivedTicks = frame.atTicks
    node.state = 'arriving'
    if (frame.type === 'CpuUsage') node.cpu = frame.cpu
    else if (frame.type === 'MemoryUsage') {
      const {
        physicalBytes,
        workingSetBytes: residentBytes,
        availableForProcessingBytes: availableBytes,
      } = frame.memory
      node.memory = { physicalBytes, residentBytes, availableBytes }
    } else if (frame.type === 'Traffic') node.traffic = frame.traffic
    else if (frame.type === 'ClusterOverview') node.node = frame.node
    this.version++
  }

  node(tag: string): NodeFigures {
    let node = this.nodes.get(tag)
    if (node === undefined) {
      node = noFigures()
      this.nodes.set(tag, node)
    }
    return node
  }

  stats({ startTicks, upTimeMs }: AdminStats): void {
    this.#upTimeMs = upTimeMs
    this.started(startTicks)
    this.version++
  }

  /** Takes a reported start time of the server. A different start than before is a restart. */
  started(startTicks: Ticks | null): void {
    const last = this.restarts[0]
    if (startTicks === null || (last !== undefined && Math.abs(startTicks - last.startTicks) <= SAME_START_TICKS))
      return
    this.restarts = [{ startTicks, seen: last !== undefined }, ...this.restarts].slice(0, MOST_RESTARTS)
    if (last !== undefined) this.operations.restarted()
    this.#network.restarted()
    this.#traffic.restarted()
    this.#gc.restarted()
  }

  /** Takes the kernel's memory figures, passed on by the server. */
  kernelMemory(memory: KernelMemory, atMs: number): void {
    this.memory.kernel = { ...memory, atTicks: this.clock.at(atMs) }
    this.memory.lack = null
    this.#noteMemory()
    this.version++
  }

  noKernelMemory(why: KernelMemoryLack): void {
    this.memory.lack = why
    this.version++
  }

  gcDetail(response: GcResponse, atMs: number): void {
    this.#gc.takeDetail(response, this.clock.at(atMs))
    this.version++
  }

  metrics(metrics: AdminMetrics, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    this.series.appendAll(atTicks, this.#traffic.takeMetrics(metrics, atTicks))
    this.version++
  }

  tcp(stats: TcpStats, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    this.series.appendAll(atTicks, this.#network.take(stats, atTicks))
    this.version++
  }

  credits(credits: CreditsResponse | null, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    this.#credits = credits === null ? null : { ...credits, atTicks }
    this.series.appendAll(atTicks, {
      'credits.remaining': credits?.remaining ?? null,
      'credits.used': credits?.usedPerSecond ?? null,
      'credits.gained': credits?.gainedPerSecond ?? null,
    })
    this.version++
  }

  raise(alert: ServerAlert): void {
    this.alerts.delete(alert.id)
    this.alerts.set(alert.id, alert)
    const oldest = this.alerts.keys().next().value
    if (this.alerts.size > MOST_ALERTS && oldest !== undefined) this.alerts.delete(oldest)
    this.version++
  }

  /** Time of the server's clock at a time of this computer's clock; null: the server has not reported its time yet. */
  nowTicks(nowMs: number): Ticks | null {
    return this.time.at(nowMs)
  }

  /** Time at which the newest frame with a server time arrived, by this computer's clock; null: none. */
  get receivedMs(): number | null {
    return this.time.receivedMs
  }

  /** Number of requests since the start, as the server counts them; null: needs Operator. */
  get requestsSinceStart(): number | null {
    return this.#traffic.requestsSinceStart
  }

  /** Number of CPU credits below which the server reduces its work; null: it does not count credits. */
  get creditThreshold(): number | null {
    const credits = this.#credits
    return credits === null ? null : Math.max(credits.backgroundThreshold, credits.failoverThreshold)
  }

  /** Whether the server reduces its work to save CPU credits. */
  get isShortOfCredits(): boolean {
    return this.#credits !== null && this.#credits.remaining < (this.creditThreshold ?? 0)
  }

  /** Newest CPU figures; null: none yet. */
  get cpu(): ServerNow['cpu'] {
    return this.#cpu
  }

  now(watch: ServerWatch, nowMs: number): ServerNow {
    const nowTicks = this.nowTicks(nowMs)
    const atTicks = nowTicks ?? 0
    const { ownTag, own, listed } = this.#ownNode
    return {
      version: this.version,
      watch,
      nowTicks,
      extent: this.series.extent,
      lastVisitEndTicks: this.lastVisitEndTicks,
      server: {
        serverId: this.serverId,
        nodeTag: ownTag,
        version: own?.serverVersion ?? listed?.serverVersion ?? null,
        os: own?.os ?? listed?.os ?? null,
        startTicks: this.restarts[0]?.startTicks ?? null,
        upTimeMs: this.#upTime(nowTicks),
        restarts: this.restarts,
        licence: this.licence,
      },
      cpu: this.#cpu,
      memory: this.memory.now(this.lowMemory),
      gc: this.#gc.now(nowTicks),
      volumes: this.volumes.now(atTicks, this.series, this.databases),
      traffic: this.#traffic.now(atTicks),
      indexing: this.#indexing,
      network: this.#network.now,
      credits: this.#credits === null ? null : creditsOf(this.#credits),
      work: this.#workNow(atTicks),
      lowMemory: this.lowMemory?.events ?? null,
      databases: this.databases.totals(),
    }
  }

  get #ownNode() {
    const ownTag = this.topology?.ownTag ?? null
    const own = ownTag === null ? null : (this.nodes.get(ownTag)?.node ?? null)
    const listed = this.topology?.nodes.find(({ tag }) => tag === ownTag)
    return { ownTag, own, listed }
  }

  /** Describes this server after another one answered at its address. */
  replacedAt(atMs: number): ReplacedServer {
    const { own, listed } = this.#ownNode
    const version = own?.serverVersion ?? listed?.serverVersion ?? null
    // Frames of the other server may have come before it said which it is.
    const databases = this.databases.countBefore(this.time.lastTicks - REPLACED_TICKS)
    return { atMs, version, databases }
  }

  /** Databases that failed in the last hour and have not been seen loaded since. */
  failures(nowTicks: number): Map<string, DatabaseFailure> {
    return failuresOf(this.alerts.values(), nowTicks, (name, ticks) => this.databases.isLoadedSince(name, ticks))
  }

  /** Reports of databases at work that are still valid. */
  freshWork(nowTicks: number): KnownWork[] {
    const { databases } = this
    return this.work.fresh(nowTicks, {
      isPolled: (name) => databases.isPollable(name),
      isLoaded: (name) => databases.isLoaded(name),
    })
  }

  /** Databases whose indexes were not requested, by reason; null: the databases are not known yet. */
  unpolledNow(): UnpolledDatabases | null {
    const { databases } = this
    const totals = databases.totals()
    const { pollable, loaded } = databases
    if (totals === null || pollable === null) return null
    const unpolled = loaded.filter((name) => !this.work.has(name))
    const waiting = unpolled.filter((name) => databases.isPollable(name))
    return { waiting, resting: unpolled.length - waiting.length, unloaded: totals.offline }
  }

  #workNow(nowTicks: number): ServerNow['work'] {
    const working = this.databases.pollable?.working
    if (working === undefined) return null
    const reported = this.freshWork(nowTicks)
      .filter(({ isPast }) => !isPast)
      .map(atWork)
      .toSorted((a, b) => (b.merger?.busyMs ?? 0) - (a.merger?.busyMs ?? 0))
    return {
      reported: reported.slice(0, MOST_WORK),
      working: working.length,
      unpolled: working.filter((name) => !this.work.has(name)).length,
    }
  }

  #upTime(nowTicks: Ticks | null): number | null {
    const startTicks = this.restarts[0]?.startTicks
    if (nowTicks === null || startTicks === undefined) return this.#upTimeMs
    // Counts the up time of an unreachable server only up to its last report.
    const seenTicks = this.receivedMs === null ? null : this.nowTicks(this.receivedMs)
    return ((seenTicks ?? nowTicks) - startTicks) / TICKS_PER_MS
  }

  /** Notes the loss of a worker's figures, once the server's clock is known. */
  #noteLost(): void {
    if (this.lostSinceMs === null) return
    const sinceTicks = this.clock.at(this.lostSinceMs)
    this.coverage.lost(sinceTicks, true)
    this.detailCoverage.lost(sinceTicks, false)
    this.lostSinceMs = null
  }

  /**
   * Adds memory figures of one source to the series: mixing those of the kernel and of the server would give a jagged
   * line.
   */
  #noteMemory(): void {
    const memory = this.memory.now(this.lowMemory)
    if (memory === null || memory.atTicks === this.#memoryTicks) return
    this.#memoryTicks = memory.atTicks
    this.series.appendAll(memory.atTicks, memorySeries(memory))
    const tag = this.topology?.ownTag
    if (tag === undefined) return
    const { physicalBytes, residentBytes, availableBytes } = memory
    this.node(tag).memory = { physicalBytes, residentBytes, availableBytes }
  }
}
