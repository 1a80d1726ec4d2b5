import type { Ticks } from '../../base/brand.ts'
import type { GovernorEnv, TimerId } from '../../ravendb/env.ts'
import { ENDPOINTS } from '../../ravendb/endpoints.ts'
import { pollDatabases } from '../../ravendb/databases.ts'
import type { RavenError } from '../../ravendb/errors.ts'
import type { Governor, SocketControl } from '../../ravendb/governor.ts'
import type { CloseReason, SocketPhase } from '../../ravendb/socket.ts'
import { POLLS, type PollName, type ServerInput } from './inputs.ts'
import { SERVER_ALERTS, type Lacking } from './queries.ts'
import { PER_DATABASE, WIDGETS, type WidgetType } from './widgets.ts'
import { WorkAsker, type Askable } from './work-asker.ts'

/** A frame of a widget that lists databases and is longer than this (some 800 databases) comes this seldom instead. */
const LARGE_FRAME = 200_000
const LARGE_EVERY_MS = 30_000
/** What the certificate, the version or the licence refuses is asked again this late. */
const REFUSED_AGAIN_MS = 300_000
const LIST_EVERY_MS = 30_000
const WORK_EVERY_MS = 20_000
/** Frames by which it is known where something is written or indexed. */
const TELLS_OF_WORK: ReadonlySet<string> = new Set(['DatabaseOverview', 'DatabaseTraffic', 'DatabaseIndexing'])
/** Each is a socket through the server; clusters are smaller. */
const MOST_NODES = 9
/** Of other nodes only what is shown side by side. */
const NODE_WIDGETS: readonly WidgetType[] = ['CpuUsage', 'MemoryUsage', 'Traffic', 'ClusterOverview']

export interface CollectorHost {
  readonly governor: Governor
  /** A recording goes on while the page is hidden. */
  readonly isRecording: () => boolean
  /** Something arrived. The type of the widget, where it was one. */
  readonly take: (input: ServerInput) => WidgetType | 'ServerTime' | null
  /** Databases that others use now; null: not told yet. */
  readonly askable: () => Askable | null
  /** The server's clock. */
  readonly nowTicks: () => Ticks
  /** Tag of the node this page talks to, and of all; null: not known yet. */
  readonly tags: () => { readonly own: string; readonly all: readonly string[] } | null
  /** How the way to the dashboard is; `node` null: to the own one. */
  readonly phase: (node: string | null, phase: SocketPhase) => void
  /** The own dashboard was silent because the server stood still. */
  readonly stalled: () => void
  /** Nothing is heard of the own dashboard from now on. */
  readonly closed: (reason: CloseReason) => void
}

/**
 * Hears a server as a whole: the dashboard's socket, notifications, and a few cheap calls, all of which load no
 * database. Made anew for each time that it is wanted.
 */
export class Collector {
  readonly #host: CollectorHost
  readonly #env: GovernorEnv
  readonly #stops: (() => void)[] = []
  readonly #nodes = new Map<string, Dashboard>()
  readonly #lacking = new Map<string, Lacking>()
  readonly #timers = new Set<TimerId>()
  readonly #asker: WorkAsker
  #stopWork: (() => void) | null = null
  #own: { readonly tag: string; readonly dashboard: Dashboard } | null = null
  #ended = false

  constructor(host: CollectorHost) {
    this.#host = host
    this.#env = host.governor.env
    for (const poll of Object.keys(POLLS) as PollName[]) this.#poll(poll)
    this.#list()
    this.#notifications()
    this.#queries()
    this.#asker = new WorkAsker(host.governor, host.askable, host.nowTicks)
  }

  /** Widgets of databases come this seldom, ms; null: at the server's pace. */
  get slowedToMs(): number | null {
    return this.#own?.dashboard.isSlowed === true ? LARGE_EVERY_MS : null
  }

  close(): void {
    this.#ended = true
    for (const stop of this.#stops) stop()
    this.#stopWork?.()
    for (const timer of this.#timers) this.#env.clearTimeout(timer)
    this.#own?.dashboard.close()
    for (const node of this.#nodes.values()) node.close()
  }

  #poll(poll: PollName): void {
    const { governor, isRecording } = this.#host
    const { everyMs, what } = POLLS[poll]
    const stop = governor.poll(
      poll,
      {},
      {
        everyMs,
        inBackground: isRecording,
        onAnswer: (answer, atMs) => {
          this.#setLacking(poll, null, atMs)
          this.#host.take({ kind: 'answer', poll, answer, atMs })
          if (poll === 'clusterTopology') this.#connect()
        },
        onError: (error, atMs) => {
          const lacking = lackingOf(error, what, ENDPOINTS[poll].route)
          if (lacking === null) return
          this.#setLacking(poll, lacking, atMs)
          // An operator's figures: who may not see them may not see the server's alerts either, and is not told so there.
          stop()
          this.#later(REFUSED_AGAIN_MS, () => this.#poll(poll))
        },
      },
    )
    this.#stops.push(stop)
  }

  #list(): void {
    const { governor, isRecording } = this.#host
    this.#stops.push(
      pollDatabases(governor, {
        everyMs: LIST_EVERY_MS,
        inBackground: isRecording,
        onAnswer: ({ rows }, atMs) => this.#host.take({ kind: 'list', rows, atMs }),
        onError: () => {},
      }),
    )
  }

  #notifications(): void {
    const { governor, isRecording, take } = this.#host
    const socket = governor.openSocket(
      'serverNotifications',
      {},
      {
        onPhase: ({ phase }) => {
          if (phase === 'open') take({ kind: 'notifications-anew', atMs: this.#env.now() })
        },
        onFrame: (text, atMs) => take({ kind: 'notification', text, atMs }),
      },
      { inBackground: isRecording, isKept: true },
    )
    this.#stops.push(socket.close)
  }

  #queries(): void {
    const { governor, isRecording, take } = this.#host
    // Most of the time nothing runs, and that need not be told each second.
    let last: string | null = null
    const tell = (text: string | null, atMs: number): void => {
      if (text !== last) take({ kind: 'queries', text, atMs })
      last = text
    }
    const socket = governor.openSocket(
      'runningQueries',
      {},
      {
        onPhase: () => {},
        onFrame: (text, atMs) => tell(text.trim(), atMs),
        // What was seen in a look holds until the next one.
        onClosed: (atMs, reason) => {
          if (reason !== 'resting') tell(null, atMs)
        },
      },
      { inBackground: isRecording },
    )
    this.#stops.push(socket.close)
  }

  /**
   * Begins to ask databases at work with the first frames that tell of one, and anew when they tell of one that was never
   * asked: a turn of nobody would say that nothing is written, and the next one is long after.
   */
  #work(type: WidgetType | 'ServerTime' | null): void {
    if (type === null || !TELLS_OF_WORK.has(type) || this.#ended) return
    if (this.#stopWork !== null && !this.#asker.isBehind) return
    if (this.#host.askable() === null) return
    this.#stopWork?.()
    const { governor, isRecording, take } = this.#host
    this.#stopWork = governor.repeat('databaseStats', (signal) => this.#asker.ask(signal), {
      everyMs: WORK_EVERY_MS,
      costMs: () => this.#asker.costMs,
      inBackground: isRecording,
      onAnswer: (answers, atMs) => take({ kind: 'work', answers, atMs }),
      onError: () => {},
    })
  }

  /** Opens what the topology says; a server that becomes part of a cluster gets another tag. */
  #connect(): void {
    const tags = this.#host.tags()
    if (tags === null || this.#ended) return
    if (this.#own?.tag !== tags.own) {
      this.#own?.dashboard.close()
      const take: CollectorHost['take'] = (input) => {
        const type = this.#host.take(input)
        this.#work(type)
        return type
      }
      const later = (run: () => void): void => this.#later(LARGE_EVERY_MS, run)
      const cameBack = (): void => void this.#askWho()
      const dashboard = new Dashboard({ ...this.#host, take, cameBack }, null, tags.own, WIDGETS, later)
      this.#own = { tag: tags.own, dashboard }
    }
    const others = new Set(tags.all.filter((tag) => tag !== tags.own).slice(0, MOST_NODES - 1))
    for (const [tag, node] of this.#nodes) {
      if (others.has(tag)) continue
      node.close()
      this.#nodes.delete(tag)
    }
    for (const tag of others) {
      if (this.#nodes.has(tag)) continue
      const later = (run: () => void): void => this.#later(LARGE_EVERY_MS, run)
      this.#nodes.set(tag, new Dashboard({ ...this.#host, cameBack: () => {} }, tag, tag, NODE_WIDGETS, later))
    }
  }

  /** It was gone: the same one may be back, or another one in its place. */
  async #askWho(): Promise<void> {
    const { governor, take } = this.#host
    try {
      const answer = await governor.json('serverId', {}, { priority: 'poll' })
      if (!this.#ended) take({ kind: 'answer', poll: 'serverId', answer, atMs: this.#env.now() })
    } catch {
      // The poll asks again.
    }
  }

  #setLacking(key: string, lacking: Lacking | null, atMs: number): void {
    const had = this.#lacking.has(key)
    if (lacking === null) this.#lacking.delete(key)
    else this.#lacking.set(key, lacking)
    if (lacking === null && !had) return
    const all = [...this.#lacking.values()]
    const stats = this.#lacking.get('adminStats')
    if (stats?.kind === 'right')
      all.push({ ...stats, what: SERVER_ALERTS, endpoint: ENDPOINTS.serverNotifications.route })
    this.#host.take({ kind: 'lacking', lacking: all, atMs })
  }

  #later(delayMs: number, run: () => void): void {
    const timer = this.#env.setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#ended) run()
    }, delayMs)
    this.#timers.add(timer)
  }
}

type DashboardHost = CollectorHost & { readonly cameBack: () => void }

/** The socket of one node's dashboard, and what is subscribed to on it. */
class Dashboard {
  readonly #widgets: readonly WidgetType[]
  readonly #later: (run: () => void) => void
  readonly #socket: SocketControl
  readonly #slowed = new Set<WidgetType>()
  #wasGone = false

  constructor(
    host: DashboardHost,
    node: string | null,
    tag: string,
    widgets: readonly WidgetType[],
    later: (run: () => void) => void,
  ) {
    this.#widgets = widgets
    this.#later = later
    this.#socket = host.governor.openSocket(
      'clusterDashboard',
      { node: tag },
      {
        onPhase: (phase) => {
          host.phase(node, phase)
          if (phase.phase !== 'open') return
          this.#begin()
          if (this.#wasGone) host.cameBack()
          this.#wasGone = false
        },
        onFrame: (text, atMs) => {
          const type = host.take({ kind: 'frame', node, text, atMs })
          if (text.length > LARGE_FRAME && type !== null) this.#slow(type)
        },
        onClosed: (_, reason) => {
          if (reason !== 'resting') this.#wasGone = true
          if (node === null) host.closed(reason)
        },
        onStill: () => {
          if (node === null) host.stalled()
        },
      },
      { inBackground: host.isRecording, isKept: true },
    )
  }

  get isSlowed(): boolean {
    return this.#slowed.size > 0
  }

  close(): void {
    this.#socket.close()
  }

  #begin(): void {
    this.#slowed.clear()
    for (const type of this.#widgets) this.#command('watch', type)
  }

  /** A widget sends one frame as soon as it is watched, so one that is large is watched for one frame now and then. */
  #slow(type: WidgetType | 'ServerTime'): void {
    if (type === 'ServerTime' || !PER_DATABASE.includes(type)) return
    this.#slowed.add(type)
    this.#command('unwatch', type)
    this.#later(() => {
      if (this.#slowed.has(type)) this.#command('watch', type)
    })
  }

  #command(command: 'watch' | 'unwatch', type: WidgetType): void {
    const id = WIDGETS.indexOf(type) + 1
    this.#socket.send(
      JSON.stringify(
        command === 'watch' ? { Command: command, Id: id, Type: type, Config: null } : { Command: command, Id: id },
      ),
    )
  }
}

/** Null: it may work the next time, and the dashboard's phase says what is wrong. */
function lackingOf(error: RavenError, what: string, endpoint: string): Lacking | null {
  const { message, hint } = error
  const base = { what, endpoint, message: hint === '' ? message : `${message} ${hint}`, error: error.toInfo() }
  switch (error.kind) {
    case 'refused':
      return { kind: 'right', ...base }
    case 'licence':
      return { kind: 'licence', ...base }
    case 'route-missing':
      return { kind: 'version', ...base }
    default:
      return null
  }
}
