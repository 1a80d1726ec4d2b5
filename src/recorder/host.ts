import { createFeeds } from '../app/feeds.ts'
import type { Ticks } from '../base/ticks.ts'
import type { Report, LostRecordings } from '../capture/client/protocol.ts'
import type { ParamsOf, RequestName } from '../capture/client/requests/requests.ts'
import {
  MAX_SOURCES,
  parseSourceId,
  sourceId,
  type Gap,
  type SourceId,
  type SourceRef,
  type SourceState,
} from '../capture/client/state.ts'
import type { Feed } from '../capture/worker/feed.ts'
import { CaptureHost } from '../capture/worker/host.ts'
import { IndexingFeed } from '../feeds/indexing/data/feed.ts'
import { IoFeed } from '../feeds/io/data/feed.ts'
import { laneId } from '../feeds/io/data/lane-table.ts'
import { ServerFeed } from '../feeds/server/data/feed.ts'
import type { StacksState } from '../feeds/stacks/contract/snapshots.ts'
import { snapshotBytes } from '../feeds/stacks/data/exports/snapshot-bytes.ts'
import type { HeldStacks } from '../feeds/stacks/data/later-stacks.ts'
import type { GovernorEnv } from '../ravendb/env.ts'
import type { TakenSnapshot } from './stall-snapshots.ts'

/** Time, ms, between two reports of gaps and states of sources, each of which visits all polls and tables. */
const REPORT_EVERY_MS = 5000

export interface WatchedState {
  readonly sources: readonly SourceState[]
  readonly gaps: readonly Gap[]
  /** Time up to which the I/O of each source was received, apart from `gaps`. */
  readonly known: ReadonlyMap<SourceId, Ticks>
  readonly clockAheadMs: number
  /** Overhead on the server as a share of a core, estimated or measured. */
  readonly shareOfCore: number
  /** Full version of RavenDB; empty: not known yet. */
  readonly version: string
  readonly error: string
}

/** Error of a request that the end of its host has cut off. */
export class HostEnded extends Error {
  override readonly name = 'HostEnded'
}

/** Capture of one server in Node, as a page has it. Nothing of it runs after `end`. */
export class RecorderHost {
  readonly io: IoFeed
  readonly indexing: IndexingFeed
  readonly server: ServerFeed
  #host: CaptureHost | null = null
  readonly #env: GovernorEnv
  readonly #feeds: readonly Feed[]
  #isOver = false
  #watched: ReadonlySet<SourceId> = new Set()
  /** Databases of the last call of `watch`. */
  databases: readonly string[] = []
  #nextId = 1
  readonly #waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>()
  state: WatchedState = {
    sources: [],
    gaps: [],
    known: new Map(),
    clockAheadMs: 0,
    shareOfCore: 0,
    version: '',
    error: '',
  }

  constructor(env: GovernorEnv) {
    // Each recorder collects for itself, whatever else runs in the process.
    this.#feeds = createFeeds(null)
    this.io = feedOf(this.#feeds, IoFeed)
    this.indexing = feedOf(this.#feeds, IndexingFeed)
    this.server = feedOf(this.#feeds, ServerFeed)
    this.server.isUnseen = true
    this.#env = {
      ...env,
      // Timers do nothing once the host has ended.
      setTimeout: (run, delayMs) => env.setTimeout(() => this.#isOver || run(), delayMs),
    }
  }

  /** Begins the capture. Tables may be filled before; then only the time since `lost` can be a gap. */
  begin(lost: LostRecordings, limit: number): void {
    this.#host = new CaptureHost(this.#feeds, this.#env, (report) => this.#take(report), lost, REPORT_EVERY_MS)
    void this.#host.preload()
    void this.request('governor.limits', { attended: limit, background: limit })
    void this.request('server.record', { on: true })
  }

  /** Watches the server's storage and its databases, loads none. Returns the databases beyond `MAX_SOURCES`. */
  watch(databases: readonly string[]): readonly string[] {
    this.databases = databases
    const refs: SourceRef[] = [{ kind: 'server' }, ...databases.map((name) => ({ kind: 'database' as const, name }))]
    const sources = refs.slice(0, MAX_SOURCES)
    const watched = new Set(sources.map(sourceId))
    if (watched.size !== this.#watched.size || [...watched].some((id) => !this.#watched.has(id))) {
      this.#watched = watched
      this.#host?.receive({ type: 'watch', sources })
      const ids = sources.slice(1).map(sourceId)
      void this.request('indexing.want', { sources: ids, budgets: true, record: true })
    }
    return databases.slice(MAX_SOURCES - 1)
  }

  isWatched(source: SourceId): boolean {
    return this.#watched.has(source)
  }

  request<Name extends RequestName>(name: Name, params: ParamsOf<Name>): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new HostEnded('The recording ended.'))
    const id = this.#nextId++
    const answered = new Promise((done, failed) => this.#waiting.set(id, { done, failed }))
    // The feed retries after a failure.
    answered.catch(() => undefined)
    this.#host?.receive({ type: 'request', id, name, params } as never)
    return answered
  }

  /** Takes a stack snapshot of the server. Errors: `Error` with what happened, and what to do. */
  async takeStacks(): Promise<TakenSnapshot> {
    await this.request('stacks.snapshot', { source: 'server' })
    const { failure } = (await this.request('stacks.state', null)) as StacksState
    if (failure !== null) {
      const { message, remedy, error } = failure
      throw new Error([message, remedy, error?.serverMessage ?? ''].filter((text) => text !== '').join(' '))
    }
    const { store } = this.#feeds.find((feed) => feed.name === 'stacks') as unknown as HeldStacks
    const taken = store?.newest ?? null
    if (store === null || taken === null) throw new Error('There is no snapshot.')
    const json = await new Blob(snapshotBytes(store, taken)).text()
    return { atTicks: taken.info.atTicks, isPart: taken.info.problems.length > 0, json: json.trimEnd() }
  }

  /** Name of a storage, as on screen: `Documents of shop`, `System`. */
  storageName(source: SourceId, path: string): string {
    const lane = this.io.store.lanes.get(laneId(source, path))
    const label = lane === undefined ? path : this.io.names.labelOf(lane).label
    const ref = parseSourceId(source)
    return ref?.kind === 'database' ? `${label} of ${ref.name}` : label
  }

  /** Brings `state` up to date. */
  refresh(): void {
    this.#host?.report()
  }

  /** Brings `state` up to date if a gap has begun or ended since, which costs nothing otherwise. */
  refreshGaps(): void {
    this.#host?.reportGaps()
  }

  /** Closes all connections for good; a recording would continue in a hidden page. `state` keeps the last report. */
  end(): void {
    this.#host?.receive({ type: 'watch', sources: [] })
    this.#isOver = true
    this.#host?.close()
    this.io.store.tap = null
    this.server.model.series.tap = null
    for (const { failed } of this.#waiting.values()) failed(new HostEnded('The recording ended.'))
    this.#waiting.clear()
  }

  #take(report: Report): void {
    if (this.#isOver) return
    if (report.type === 'state') {
      const { sources, clockAheadMs, meter, server, serverError } = report.state
      this.state = {
        sources,
        gaps: report.gaps ?? this.state.gaps,
        known: new Map(
          sources.flatMap(({ id }) => {
            const ticks = this.io.knownUntil(id)
            return ticks === null ? [] : [[id, ticks] as const]
          }),
        ),
        clockAheadMs,
        shareOfCore: meter.cost.shareOfCore,
        version: server?.fullVersion ?? this.state.version,
        error: serverError?.message ?? '',
      }
    } else if (report.type === 'response') {
      this.#waiting.get(report.id)?.done(report.value)
      this.#waiting.delete(report.id)
    } else if (report.type === 'failure') {
      this.#waiting.get(report.id)?.failed(new Error(report.info.message))
      this.#waiting.delete(report.id)
    }
  }
}

function feedOf<Kind extends Feed>(feeds: readonly Feed[], kind: new (...args: never[]) => Kind): Kind {
  const found = feeds.find((feed): feed is Kind => feed instanceof kind)
  if (found === undefined) throw new Error(`There is no ${kind.name}.`)
  return found
}
