import type { RavenError } from '../../../ravendb/errors/errors.ts'
import type { CloseReason, SocketPhase } from '../../../ravendb/sockets/socket-events.ts'
import { watchKernelMemory } from '../../../ravendb/machine/kernel-memory.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import { AUDIENCE, Collecting, lackingOf, type CollectingHost } from './polling.ts'
import { Dashboard } from './dashboard-socket.ts'
import { POLLS, type PollName } from './model-inputs.ts'
import { VITAL_WIDGETS } from './wire/widgets.ts'

/** How old the time of unchanged running queries may become. */
const SAME_QUERIES_MS = 5000

/** How long after a failure the identity is requested again, ms. */
const AGAIN_MS = 3000

export interface VitalsHost extends CollectingHost {
  /** Tag of the node this page talks to; null: not known yet. */
  readonly ownTag: () => string | null
  /** The kernel's figures of memory do not do: the server's own are wanted, which cost it a walk through its page tables. */
  readonly needsMemoryWidget: () => boolean
  /** How the way to the dashboard is. */
  readonly phase: (phase: SocketPhase) => void
  /** The dashboard sends nothing from now on. */
  readonly closed: (reason: CloseReason) => void
  /** Whether a connection is open on which the server speaks each second. */
  readonly expectHeartbeat: (isExpected: boolean) => void
}

/**
 * The server's vital signs, on every panel and never held back: running queries (which are the heartbeat), CPU, databases,
 * volumes, traffic, alerts, and a few polls. All of it costs the server 0.03 to 0.06 % of a core, and loads no database.
 */
export class Vitals {
  readonly #host: VitalsHost
  readonly #collecting: Collecting
  readonly #open = new Set<string>()
  #dashboard: Dashboard | null = null

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

  /** Follows the topology: a server that becomes part of a cluster gets another tag. */
  connect(): void {
    const tag = this.#host.ownTag()
    if (tag === null || this.#collecting.isEnded || this.#dashboard?.tag === tag) return
    // A server whose own tag is another one may be another server: a new one has no tag before its first database.
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
    // A lost connection is expected back; a refused one is not.
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

  /** The server's own figures of memory, only where the kernel's do not do. */
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
    // Most of the time nothing runs, and that need not be passed on each second; the page says of when it is.
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

  /** Reads the identity of the server, and since when it runs: the polls are minutes apart. */
  async #requestAgain(): Promise<void> {
    const { governor, take } = this.#host
    for (const poll of ['serverId', 'adminStats'] as const) {
      try {
        const response = await governor.json(poll, {})
        if (!this.#collecting.isEnded) take({ kind: 'response', poll, response, atMs: governor.env.now() })
      } catch {
        // A server that is just back may not answer yet, and the next poll is minutes away.
        this.#collecting.later(AGAIN_MS, () => void this.#requestAgain())
        return
      }
    }
  }
}
