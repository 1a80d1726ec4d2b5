import type { Ticks } from '../../../base/ticks.ts'
import { pollDatabases } from '../../../ravendb/databases/databases.ts'
import type { CloseReason, SocketPhase } from '../../../ravendb/sockets/socket-events.ts'
import type { RavenErrorInfo } from '../../../ravendb/errors/errors.ts'
import { AUDIENCE, Collecting, lackingOf, type CollectingHost } from './polling.ts'
import { Dashboard } from './dashboard-socket.ts'
import { POLLS, type PollName } from './model-inputs.ts'
import { DETAIL_WIDGETS, type WidgetType } from './wire/widgets.ts'
import { WRITE_WATCH, WriteWatch } from './figures/write-watch.ts'
import { WorkPolls, type PollableDatabases } from './figures/databases/work-polls.ts'
import { busiestMerger } from './figures/databases/work-store.ts'

const LIST_EVERY_MS = 30_000
/** Interval, ms, at which free space is read while writes fail. */
const FREE_SPACE_MS = 10_000
export const WORK_EVERY_MS = 20_000
/** Types of frames that show where something is written or indexed. */
const SHOWS_WORK: ReadonlySet<string> = new Set(['DatabaseOverview', 'DatabaseTraffic', 'DatabaseIndexing'])
/** Maximum number of nodes. Each takes a socket through the server; clusters are smaller than that. */
const MOST_NODES = 9
/** Widgets of other nodes: only those that are shown next to each other. */
const NODE_WIDGETS: readonly WidgetType[] = ['CpuUsage', 'MemoryUsage', 'Traffic', 'ClusterOverview']

export interface DetailsHost extends CollectingHost {
  /** Databases that other clients use now; null: not known yet. */
  readonly pollable: () => PollableDatabases | null
  /** Current time of the server's clock. */
  readonly nowTicks: () => Ticks
  /** Tag of the node that this page is connected to, and all tags; null: not known yet. */
  readonly tags: () => { readonly own: string; readonly all: readonly string[] } | null
  /** Called when the state of a connection to a dashboard changes; `node` null: the dashboard of the own node. */
  readonly phase: (node: string | null, phase: SocketPhase) => void
  /** Called when these figures stop arriving. */
  readonly closed: (reason: CloseReason) => void
}

/**
 * Detail figures, which the panels of the server show in addition to the vital signs. Collected while such a panel is
 * open, and the first to be deferred.
 */
export class Details {
  readonly #host: DetailsHost
  readonly #collecting: Collecting
  readonly #nodes = new Map<string, Dashboard>()
  readonly #workPolls: WorkPolls
  readonly #writes: WriteWatch
  #stopWork: (() => void) | null = null
  #own: Dashboard | null = null

  constructor(host: DetailsHost) {
    this.#host = host
    this.#collecting = new Collecting(host, 'details')
    for (const poll of Object.keys(POLLS) as PollName[]) if (!POLLS[poll].isVital) this.#collecting.poll(poll)
    this.#list()
    const { governor, pollable, nowTicks, take } = host
    this.#workPolls = new WorkPolls(governor, pollable, nowTicks, (database, work) =>
      take({ kind: 'work', database, work, atMs: governor.env.now() }),
    )
    this.#writes = this.#watchWrites()
    this.connect()
  }

  get isSlowed(): boolean {
    return this.#own?.isSlowed === true
  }

  close(): void {
    this.#collecting.end()
    this.#stopWork?.()
    this.#writes.close()
    this.#own?.close()
    for (const node of this.#nodes.values()) node.close()
  }

  /**
   * Begins to poll databases at work with the first frames that report one. Begins again when frames report a database
   * that was never polled: otherwise a turn without databases would suggest that nothing is written until the next
   * turn, which comes long after.
   */
  noteFrame(type: WidgetType | 'ServerTime' | null): void {
    if (type === null || !SHOWS_WORK.has(type) || this.#collecting.isEnded) return
    if (this.#stopWork !== null && !this.#workPolls.isBehind) return
    if (this.#host.pollable() === null) return
    this.#stopWork?.()
    const { governor, isRecording, take } = this.#host
    this.#stopWork = governor.repeat('databaseStats', (signal) => this.#workPolls.poll(signal), {
      everyMs: WORK_EVERY_MS,
      costMs: () => this.#workPolls.costMs,
      inBackground: isRecording,
      audience: AUDIENCE,
      onResponse: (works, atMs) => take({ kind: 'work-turn', mergerTimes: busiestMerger(works), atMs }),
      onError: () => {},
    })
  }

  /** Opens the dashboards of all nodes in the topology, and closes those of removed nodes. */
  connect(): void {
    const tags = this.#host.tags()
    if (tags === null || this.#collecting.isEnded) return
    if (this.#own?.tag !== tags.own) {
      this.#own?.close()
      this.#own = this.#open(null, tags.own, DETAIL_WIDGETS)
    }
    const others = new Set(tags.all.filter((tag) => tag !== tags.own).slice(0, MOST_NODES - 1))
    for (const [tag, node] of this.#nodes) {
      if (others.has(tag)) continue
      node.close()
      this.#nodes.delete(tag)
    }
    for (const tag of others) if (!this.#nodes.has(tag)) this.#nodes.set(tag, this.#open(tag, tag, NODE_WIDGETS))
  }

  #open(node: string | null, tag: string, widgets: readonly WidgetType[]): Dashboard {
    const later = (delayMs: number, run: () => void): void => this.#collecting.later(delayMs, run)
    const spec = { node, tag, widgets, isVital: false, later }
    return new Dashboard(this.#host, spec, {
      onPhase: (phase) => this.#host.phase(node, phase),
      onClosed: (reason) => {
        if (node === null) this.#host.closed(reason)
      },
    })
  }

  #watchWrites(): WriteWatch {
    const { governor, isRecording, take } = this.#host
    const { env } = governor
    let readMs = Number.NEGATIVE_INFINITY
    const lacking = (error: RavenErrorInfo | null): void => {
      const what = error === null ? null : lackingOf(error, WRITE_WATCH.what, WRITE_WATCH.route)
      this.#collecting.setLacking('trafficWatch', what, env.now())
    }
    return new WriteWatch({
      governor,
      isRecording,
      counted: (counts) => {
        lacking(null)
        take({ kind: 'writes', counts, atMs: env.now() })
      },
      explained: (database, error) => void take({ kind: 'write-error', database, error, atMs: env.now() }),
      failing: () => {
        if (env.now() - readMs < FREE_SPACE_MS) return
        readMs = env.now()
        this.#own?.readNow('StorageUsage')
      },
      refused: lacking,
    })
  }

  #list(): void {
    const { governor, isRecording, take } = this.#host
    this.#collecting.onEnd(
      pollDatabases(governor, {
        everyMs: LIST_EVERY_MS,
        inBackground: isRecording,
        audience: AUDIENCE,
        onResponse: ({ rows }, atMs) => take({ kind: 'list', rows, atMs }),
        onError: () => {},
      }),
    )
  }
}
