import { asRavenError, type RavenError } from '../../../ravendb/errors/errors.ts'
import type { CloseReason, SocketPhase } from '../../../ravendb/sockets/socket-events.ts'
import { watchKernelMemory } from '../../../ravendb/machine/kernel-memory.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import { AUDIENCE, Collecting, lackingOf, type CollectingHost } from './polling.ts'
import { Dashboard } from './dashboard-socket.ts'
import { POLLS, type PollName } from './model-inputs.ts'
import { VITAL_WIDGETS } from './wire/widgets.ts'

/** Maximum age, ms, of the time of running queries that do not change. */
const SAME_QUERIES_MS = 5000

/** Time, ms, after which the identity is requested again if a request failed. */
const AGAIN_MS = 3000
/** Maximum number of such requests; after these only the poll requests it. */
const AGAIN_MOST = 100

export interface VitalsHost extends CollectingHost {
  /** Tag of the node that this page is connected to; null: not known yet. */
  readonly ownTag: () => string | null
  /**
   * Whether the server's own memory figures are needed, because the kernel's are not sufficient. They make the server
   * walk through its page tables.
   */
  readonly needsMemoryWidget: () => boolean
  /** Called when the state of the connection to the dashboard changes. */
  readonly phase: (phase: SocketPhase) => void
  /** Called when the dashboard's frames stop arriving. */
  readonly closed: (reason: CloseReason) => void
  /** Takes whether a connection is open on which the server sends data each second. */
  readonly expectHeartbeat: (isExpected: boolean) => void
}

/**
 * Vital signs of the server, collected on every panel and never deferred: running queries (which are the heartbeat),
 * CPU, databases, volumes, traffic, alerts, and a few polls. Together they cost the server 0.03 to 0.06 % of a core,
 * and load no database.
 */
export class Vitals {
  readonly #host: VitalsHost
  readonly #collecting: Collecting
  readonly #open = new Set<string>()
  #dashboard: Dashboard | null = null
  /** Number of the newest request for the identity: an older one is not repeated. */
  #again = 0

  constructor(host: VitalsHost) {
    this.#host = host
    this.#collecting = new Collecting(host, 'vitals')
    for (const poll of Object.keys(POLLS) as PollName[]) if (POLLS[poll].isVital) this.#collecting.poll(poll)
    this.#kernelMemory()
    this.#queries()
    this.#notifications()
  }

  get isSlowed(): boolean {
    return this.#dashboard?.isSlowed === true
  }

  /** Opens the dashboard again if the topology gives the server another tag, as when it joins a cluster. */
  connect(): void {
    const tag = this.#host.ownTag()
    if (tag === null || this.#collecting.isEnded || this.#dashboard?.tag === tag) return
    // Another tag may mean another server: a new server has no tag before its first database.
    if (this.#dashboard !== null) void this.#requestAgain()
    this.#dashboard?.close()
    const later = (delayMs: number, run: () => void): void => this.#collecting.later(delayMs, run)
    const spec = { node: null, tag, widgets: VITAL_WIDGETS, isVital: true, later }
    this.#dashboard = new Dashboard(this.#host, spec, {
      onPhase: (phase) => {
        this.#expect('dashboard', phase)
        this.#host.phase(phase)
      },
      onClosed: (reason) => this.#host.closed(reason),
      onBack: () => void this.#requestAgain(),
    })
    this.#watchMemory()
  }

  close(): void {
    this.#collecting.end()
    this.#dashboard?.close()
    this.#host.expectHeartbeat(false)
  }

  #expect(name: string, { phase }: SocketPhase): void {
    // A lost connection is expected to open again; a refused one is not.
    if (phase === 'open') this.#open.add(name)
    else if (phase === 'refused' || phase === 'paused') this.#open.delete(name)
    this.#host.expectHeartbeat(this.#open.size > 0)
  }

  #kernelMemory(): void {
    const { governor, isRecording, take } = this.#host
    const lacking = (error: RavenError | null, atMs: number): void =>
      this.#collecting.setLacking(
        'kernelMemory',
        error === null ? null : lackingOf(error, 'memory by kind', ENDPOINTS.procStatus.route),
        atMs,
      )
    const stop = watchKernelMemory(governor, {
      inBackground: isRecording,
      onMemory: (memory, atMs) => {
        lacking(null, atMs)
        take({ kind: 'kernel-memory', memory, atMs })
        this.#watchMemory()
      },
      onLacking: (why, error, atMs) => {
        if (why === 'right') lacking(error, atMs)
        take({ kind: 'no-kernel-memory', why, atMs })
        this.#watchMemory()
      },
    })
    this.#collecting.onEnd(stop)
  }

  /** Subscribes to the server's own memory figures only if the kernel's are not sufficient. */
  #watchMemory(): void {
    this.#dashboard?.want('MemoryUsage', this.#host.needsMemoryWidget())
  }

  #notifications(): void {
    const { governor, isRecording, take } = this.#host
    const socket = governor.openSocket(
      'serverNotifications',
      {},
      {
        onPhase: ({ phase }) => {
          if (phase === 'open') take({ kind: 'notifications-restarted', atMs: governor.env.now() })
        },
        onFrame: (text, atMs) => take({ kind: 'notification', text, atMs }),
      },
      { inBackground: isRecording, isKept: true, audience: AUDIENCE },
    )
    this.#collecting.onEnd(socket.close)
  }

  #queries(): void {
    const { governor, isRecording, take } = this.#host
    // Usually no query runs. Unchanged frames are then not passed on each second; the page shows the time of the data.
    let last: string | null = null
    let passedMs = -Infinity
    const pass = (text: string | null, atMs: number): void => {
      if (text === last && atMs - passedMs < SAME_QUERIES_MS) return
      take({ kind: 'queries', text, atMs })
      last = text
      passedMs = atMs
    }
    const socket = governor.openSocket(
      'runningQueries',
      {},
      {
        onPhase: (phase) => this.#expect('queries', phase),
        onFrame: (text, atMs) => pass(text.trim(), atMs),
        onClosed: (atMs) => pass(null, atMs),
      },
      { inBackground: isRecording, vital: true, audience: AUDIENCE },
    )
    this.#collecting.onEnd(socket.close)
  }

  /** Reads the identity and the start time of the server now, since their polls are minutes apart. */
  async #requestAgain(tries = 1): Promise<void> {
    const { governor, take } = this.#host
    const own = ++this.#again
    for (const poll of ['serverId', 'adminStats'] as const) {
      try {
        const response = await governor.json(poll, {})
        if (!this.#collecting.isEnded) take({ kind: 'response', poll, response, atMs: governor.env.now() })
      } catch (error) {
        const { route } = ENDPOINTS[poll]
        // A refusal lasts; its poll reports it.
        if (lackingOf(asRavenError(error, route).toInfo(), POLLS[poll].what, route) !== null) continue
        // A server that has just come back may not respond yet, and the next poll is minutes away.
        if (tries < AGAIN_MOST)
          this.#collecting.later(AGAIN_MS, () => {
            if (own === this.#again) void this.#requestAgain(tries + 1)
          })
        return
      }
    }
  }
}
