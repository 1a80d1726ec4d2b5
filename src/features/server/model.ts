import type { Bytes, Ticks } from '../../base/brand.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { ServerClock } from '../../capture/server-clock.ts'
import { Coverage } from './coverage.ts'
import { DatabasesBook } from './databases-book.ts'
import { failuresOf, type DatabaseFailure } from './failures.ts'
import { FindingLog } from './finding-log.ts'
import type { NodeFigures } from './cluster.ts'
import { noFigures } from './cluster.ts'
import type { AdminMetrics, AdminStats, CreditsAnswer, Licence, LowMemoryLog, TcpStats } from './polls-wire.ts'
import type { CpuCredits, Restart, ServerAlert, ServerNow, ServerWatch } from './queries.ts'
import type { RunningQuery } from './running-queries.ts'
import { SeriesStore } from './series.ts'
import type { Topology } from './topology-wire.ts'
import { Volumes } from './volumes.ts'
import type { GcWidget, WidgetFrame } from './widgets.ts'
import { atWork, WorkBook, type KnownWork, type UnaskedDatabases } from './work-book.ts'

type Part<Name extends keyof ServerNow> = NonNullable<ServerNow[Name]>

export interface ClockJump {
  readonly atTicks: Ticks
  /** Ahead is positive. */
  readonly byMs: number
}

/** The clock was set back when a stamp is this much before an earlier one, ahead when it gained this much on ours. */
const BACK_TICKS = 5 * TICKS_PER_SECOND
const AHEAD_TICKS = 30 * TICKS_PER_SECOND
/** A ring would take the present for the past when the clock was further ahead: then what it stamped is dropped. */
const TOO_FAR_TICKS = 1800 * TICKS_PER_SECOND
/** Two answers tell of the same start within this. */
const SAME_START_TICKS = 2 * TICKS_PER_SECOND
const MOST_RESTARTS = 100
const MOST_JUMPS = 20
const MOST_ALERTS = 500
const MOST_WORK = 20
/** Pauses are looked at over this long. */
const PAUSES_MS = 60_000

/** The newest of everything that a server told, and its history. Pure but for the moments that it is given. */
export class ServerModel {
  readonly series = new SeriesStore()
  readonly coverage = new Coverage()
  readonly databases = new DatabasesBook()
  readonly volumes = new Volumes()
  readonly work = new WorkBook()
  readonly findings = new FindingLog()
  readonly clock = new ServerClock()
  /** Figures of the cluster's nodes by tag, this server's own among them. */
  readonly nodes = new Map<string, NodeFigures>()
  readonly alerts = new Map<string, ServerAlert>()
  readonly jumps: ClockJump[] = []
  /** Grows with each change. */
  version = 0
  restarts: readonly Restart[] = []
  topology: Topology | null = null
  serverId: string | null = null
  lastVisitEndTicks: Ticks | null = null
  licence: Licence | null = null
  lowMemory: LowMemoryLog | null = null
  /** Of 5 s and more, longest first; null: not known. */
  queries: readonly RunningQuery[] | null = null
  /** As of when. */
  queriesTicks: Ticks | null = null
  #upTimeMs: number | null = null
  #last: { readonly ticks: number; readonly ms: number } | null = null
  #cpu: ServerNow['cpu'] = null
  #memory: Omit<Part<'memory'>, 'lowThresholdText'> | null = null
  #gc: Omit<Part<'gc'>, 'recentPauseShare'> | null = null
  #gcSinceTicks: Ticks | null = null
  #traffic: Omit<Part<'traffic'>, 'concurrentRequests' | 'requestsSinceStart'> | null = null
  #metrics: AdminMetrics | null = null
  #indexing: ServerNow['indexing'] = null
  #network: ServerNow['network'] = null
  #tcp: { readonly stats: TcpStats; readonly atTicks: Ticks } | null = null
  #credits: (CreditsAnswer & { readonly atTicks: Ticks }) | null = null

  /** A frame of this server's own dashboard. */
  widget(frame: WidgetFrame, atMs: number): void {
    const { atTicks } = frame
    this.#stamp(atTicks, atMs)
    this.coverage.heard(atTicks)
    this.version++
    switch (frame.type) {
      case 'CpuUsage': {
        const { processPercent, machinePercent } = frame.cpu
        this.#cpu = { atTicks, ...frame.cpu, otherPercent: Math.max(0, machinePercent - processPercent) }
        this.#append(atTicks, { 'cpu.process': processPercent, 'cpu.machine': machinePercent })
        break
      }
      case 'MemoryUsage': {
        const { memory } = frame
        this.#memory = { atTicks, ...memory }
        this.#append(atTicks, {
          'memory.workingSet': memory.workingSetBytes,
          'memory.managed': memory.managedBytes,
          'memory.unmanaged': memory.unmanagedBytes,
          'memory.mapped': memory.mappedBytes,
          'memory.dirty': memory.dirtyBytes,
          'memory.available': memory.availableBytes,
          'memory.availableForProcessing': memory.availableForProcessingBytes,
          'memory.swap': memory.swapBytes,
        })
        break
      }
      case 'IoStats':
        this.volumes.io(frame.volumes, atTicks, this.series)
        break
      case 'StorageUsage':
        this.volumes.storage(frame.volumes, atTicks, this.series)
        break
      case 'Traffic':
        this.#traffic = { atTicks, ...frame.traffic }
        this.#append(atTicks, {
          'traffic.requests': frame.traffic.requestsPerSecond,
          'traffic.averageMs': frame.traffic.averageMs,
          'writes.count': frame.traffic.writesPerSecond,
          'writes.bytes': frame.traffic.writeBytesPerSecond,
        })
        break
      case 'Indexing':
        this.#indexing = { atTicks, ...frame.indexing }
        this.#append(atTicks, {
          'indexing.indexed': frame.indexing.indexedPerSecond,
          'indexing.mapped': frame.indexing.mappedPerSecond,
          'indexing.reduced': frame.indexing.reducedPerSecond,
        })
        break
      case 'GcInfo':
        this.#gcFrame(frame.gc, atTicks)
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

  /** A frame of any node of the cluster. */
  nodeFrame(tag: string, frame: WidgetFrame): void {
    const node = this.node(tag)
    node.heardTicks = frame.atTicks
    node.state = 'arriving'
    if (frame.type === 'CpuUsage') node.cpu = frame.cpu
    else if (frame.type === 'MemoryUsage') node.memory = frame.memory
    else if (frame.type === 'Traffic') node.traffic = frame.traffic
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

  /** The server says when it started: another start than before is a restart. */
  started(startTicks: Ticks | null): void {
    const last = this.restarts[0]
    if (startTicks === null || (last !== undefined && Math.abs(startTicks - last.startTicks) <= SAME_START_TICKS))
      return
    this.restarts = [{ startTicks, seen: last !== undefined }, ...this.restarts].slice(0, MOST_RESTARTS)
    this.#tcp = null
  }

  metrics(metrics: AdminMetrics, atMs: number): void {
    this.#metrics = metrics
    this.#append(this.clock.at(atMs), { 'traffic.concurrent': metrics.concurrentRequests })
    this.version++
  }

  tcp(stats: TcpStats, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    const before = this.#tcp
    this.#tcp = { stats, atTicks }
    const seconds = before === null ? Number.NaN : (atTicks - before.atTicks) / TICKS_PER_SECOND
    const rate = (field: 'receivedSegments' | 'sentSegments' | 'resentSegments'): number | null => {
      const from = before?.stats[field] ?? null
      const to = stats[field]
      // Counters of 32 bits begin again at 0.
      return from === null || to === null || to < from || !(seconds > 0) ? null : (to - from) / seconds
    }
    this.#network = {
      atTicks,
      receivedSegmentsPerSecond: rate('receivedSegments'),
      sentSegmentsPerSecond: rate('sentSegments'),
      resentSegmentsPerSecond: rate('resentSegments'),
      connections: stats.connections,
    }
    this.#append(atTicks, {
      'network.received': this.#network.receivedSegmentsPerSecond,
      'network.sent': this.#network.sentSegmentsPerSecond,
      'network.resent': this.#network.resentSegmentsPerSecond,
      'network.connections': stats.connections,
    })
    this.version++
  }

  credits(credits: CreditsAnswer | null, atMs: number): void {
    const atTicks = this.clock.at(atMs)
    this.#credits = credits === null ? null : { ...credits, atTicks }
    this.#append(atTicks, {
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

  /** The server's clock at a moment of ours; null while it never told the time. */
  nowTicks(nowMs: number): Ticks | null {
    return this.#last === null ? null : this.clock.at(nowMs)
  }

  /** Of the newest frame that told the time, by our clock; null: none. */
  get heardMs(): number | null {
    return this.#last?.ms ?? null
  }

  /** As the server counts them; null: needs Operator. */
  get requestsSinceStart(): number | null {
    return this.#metrics?.requestsSinceStart ?? null
  }

  /** The newest figure; null: none yet. */
  get cpu(): ServerNow['cpu'] {
    return this.#cpu
  }

  now(watch: ServerWatch, nowMs: number): ServerNow {
    const nowTicks = this.nowTicks(nowMs)
    const atTicks = nowTicks ?? 0
    const ownTag = this.topology?.ownTag ?? null
    const own = ownTag === null ? null : (this.nodes.get(ownTag)?.node ?? null)
    const listed = this.topology?.nodes.find(({ tag }) => tag === ownTag)
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
      memory:
        this.#memory === null ? null : { ...this.#memory, lowThresholdText: this.lowMemory?.thresholdText ?? null },
      gc: this.#gcNow(nowTicks),
      volumes: this.volumes.now(atTicks, this.series, this.databases),
      traffic:
        this.#traffic === null
          ? null
          : {
              ...this.#traffic,
              averageMs: this.#traffic.averageMs ?? this.#metrics?.averageMs ?? null,
              concurrentRequests: this.#metrics?.concurrentRequests ?? null,
              requestsSinceStart: this.#metrics?.requestsSinceStart ?? null,
            },
      indexing: this.#indexing,
      network: this.#network,
      credits: this.#creditsNow(),
      work: this.#workNow(atTicks),
      lowMemory: this.lowMemory?.events ?? null,
      databases: this.databases.totals(),
    }
  }

  /** Databases that failed lately, and were not seen loaded since. */
  failures(nowTicks: number): Map<string, DatabaseFailure> {
    return failuresOf(this.alerts.values(), nowTicks, (name, ticks) => this.databases.isLoadedSince(name, ticks))
  }

  /** What databases at work told, as far as it still holds. */
  freshWork(nowTicks: number): KnownWork[] {
    const { databases } = this
    return this.work.fresh(nowTicks, {
      isAsked: (name) => databases.isAskable(name),
      isLoaded: (name) => databases.isLoaded(name),
    })
  }

  /** Whose indexes nobody asked for, and why; null: not known which databases there are. */
  unaskedNow(): UnaskedDatabases | null {
    const { databases } = this
    const totals = databases.totals()
    const { askable, loaded } = databases
    if (totals === null || askable === null) return null
    const unasked = loaded.filter((name) => !this.work.has(name))
    const resting = unasked.filter((name) => !databases.isAskable(name)).length
    return { waiting: unasked.length - resting, resting, unloaded: totals.offline }
  }

  #workNow(nowTicks: number): ServerNow['work'] {
    const working = this.databases.askable?.working
    if (working === undefined) return null
    const told = this.freshWork(nowTicks)
      .filter(({ isPast }) => !isPast)
      .map(atWork)
      .toSorted((a, b) => (b.merger?.busyMs ?? 0) - (a.merger?.busyMs ?? 0))
    return {
      told: told.slice(0, MOST_WORK),
      working: working.length,
      unasked: working.filter((name) => !this.work.has(name)).length,
    }
  }

  #upTime(nowTicks: Ticks | null): number | null {
    const startTicks = this.restarts[0]?.startTicks
    if (nowTicks === null || startTicks === undefined) return this.#upTimeMs
    return (nowTicks - startTicks) / TICKS_PER_MS
  }

  #creditsNow(): CpuCredits | null {
    const credits = this.#credits
    if (credits === null) return null
    const falls = credits.usedPerSecond - credits.gainedPerSecond
    const consequences = [
      ...(credits.remaining < credits.backgroundThreshold
        ? ['Background work such as indexing is paused to save CPU credits.']
        : []),
      ...(credits.remaining < credits.failoverThreshold
        ? ['Requests are refused, or handed to other nodes of the cluster, to save CPU credits.']
        : []),
    ]
    return { ...credits, emptyInMs: falls > 0 ? (credits.remaining / falls) * 1000 : null, consequences }
  }

  /** The share of pauses is at least this: of several collections between two frames only the last is told. */
  #gcNow(nowTicks: Ticks | null): ServerNow['gc'] {
    if (this.#gc === null) return null
    const seenMs = nowTicks === null || this.#gcSinceTicks === null ? 0 : (nowTicks - this.#gcSinceTicks) / TICKS_PER_MS
    let recentPauseShare: number | null = null
    if (nowTicks !== null && seenMs >= PAUSES_MS) {
      const { mean, count } = this.series.recent('gc.pauseMs', nowTicks, PAUSES_MS)
      recentPauseShare = count === 0 ? 0 : (mean * count) / PAUSES_MS
    }
    return { ...this.#gc, recentPauseShare }
  }

  #gcFrame(gc: GcWidget, atTicks: Ticks): void {
    const before = this.#gc
    const told = new Map((before?.kinds ?? []).map((kind) => [kind.kind, kind]))
    for (const kind of gc.kinds) {
      const known = told.get(kind.kind)?.index ?? 0
      if (before !== null && kind.index > known) this.#append(atTicks, { 'gc.pauseMs': kind.pauseMs })
      told.set(kind.kind, kind)
    }
    const pauseTimePercent = gc.pauseTimePercent ?? before?.pauseTimePercent ?? null
    if (pauseTimePercent === null) return
    this.#gc = { atTicks, pauseTimePercent, kinds: [...told.values()] }
    if (before === null) this.#gcSinceTicks = atTicks
    const newest = [...told.values()].toSorted((a, b) => b.index - a.index)[0]
    if (newest === undefined || newest.index === 0) return
    const after = (heap: string): Bytes | null => newest.heaps.find((one) => one.heap === heap)?.afterBytes ?? null
    this.#append(atTicks, {
      'gc.pausePercent': pauseTimePercent,
      'gc.heap': newest.heapAfterBytes,
      'gc.gen0': after('gen0'),
      'gc.gen1': after('gen1'),
      'gc.gen2': after('gen2'),
      'gc.loh': after('loh'),
      'gc.poh': after('poh'),
      'gc.fragmented': newest.heaps.reduce((sum, heap) => sum + heap.fragmentedAfterBytes, 0),
    })
  }

  #append(atTicks: Ticks, values: Readonly<Record<string, number | null>>): void {
    for (const [key, value] of Object.entries(values)) this.series.append(key, atTicks, value)
  }

  /** Learns the server's clock, and notices when it was set. */
  #stamp(atTicks: Ticks, atMs: number): void {
    const last = this.#last
    if (last !== null) {
      const gained = atTicks - last.ticks - (atMs - last.ms) * TICKS_PER_MS
      const isBack = atTicks < last.ticks - BACK_TICKS
      // Where its own stamps went on as ever, it is this computer's clock that was set back.
      const isAhead = gained > AHEAD_TICKS && atTicks - last.ticks > AHEAD_TICKS
      if (isBack || isAhead) {
        this.clock.reset()
        this.jumps.unshift({ atTicks, byMs: gained / TICKS_PER_MS })
        this.jumps.length = Math.min(this.jumps.length, MOST_JUMPS)
        this.coverage.ended('clock-jumped', `The server’s clock was set ${isBack ? 'back' : 'ahead'}.`)
      }
      if (last.ticks - atTicks > TOO_FAR_TICKS) {
        this.series.dropFrom(atTicks)
        this.coverage.dropFrom(atTicks)
      }
      if (!isBack && atTicks < last.ticks) {
        this.clock.observe(atTicks, atMs)
        return
      }
    }
    this.clock.observe(atTicks, atMs)
    this.#last = { ticks: atTicks, ms: atMs }
  }
}
