import type { GovernorEnv, TimerId } from '../env.ts'
import type { PausedSocket } from '../budget/meter.ts'
import type { Plan, SocketWant } from '../budget/plan.ts'
import type { LiveSocket } from './socket.ts'
import { pauseMs, type Spent } from '../budget/spending.ts'

const LOOK_EVERY_MS = 2500
/** Time after reopening, ms, during which a paused socket is still reported as paused: it may pause again. */
const SAID_AFTER_MS = 10_000

/** Time after the user resumed sockets, ms, during which none is paused. */
const RESUMED_MS = 60_000

/** Keeps sockets within the overhead limit: those that cost more than their part are closed at times. */
export class SocketPauses {
  readonly #env: GovernorEnv
  readonly #sockets: ReadonlySet<LiveSocket>
  readonly #mayCost: () => Plan
  readonly #isFront: (socket: LiveSocket) => boolean
  readonly #paused = new Map<LiveSocket, PausedSocket & { readonly untilMs: number }>()
  #timer: TimerId | null = null
  #resumedMs = Number.NEGATIVE_INFINITY

  /** `isFront`: whether the panel in front of an attentive user shows it, on this page or on one that shares it. */
  constructor(
    env: GovernorEnv,
    sockets: ReadonlySet<LiveSocket>,
    mayCost: () => Plan,
    isFront: (socket: LiveSocket) => boolean,
  ) {
    this.#env = env
    this.#sockets = sockets
    this.#mayCost = mayCost
    this.#isFront = isFront
  }

  /** Called when a socket is added. */
  arm(): void {
    if (this.#timer !== null || this.#sockets.size === 0) return
    this.#timer = this.#env.setTimeout(() => {
      this.#timer = null
      this.#probe()
      this.arm()
    }, LOOK_EVERY_MS)
  }

  close(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Opens all of them now, for the user. */
  resume(): void {
    this.#resumedMs = this.#env.now()
    this.#paused.clear()
    for (const socket of this.#sockets) socket.resume()
  }

  /** Cost of this page's sockets without pauses. */
  get wants(): SocketWant[] {
    return [...this.#sockets].flatMap((socket) => {
      const { wantedShare: share, isKept, isVital } = socket
      return share === null ? [] : [{ share, isKept, isVital, isFront: this.#isFront(socket) }]
    })
  }

  /** Another panel is in front, or the limit changed: opens at once what now fits. */
  rearrange(): void {
    if (this.#paused.size === 0) return
    const plan = this.#mayCost()
    for (const [socket, { shareOfCore }] of this.#paused) {
      if (shareOfCore > this.#partOf(socket, plan)) continue
      this.#paused.delete(socket)
      socket.resume()
    }
  }

  #partOf(socket: LiveSocket, plan: Plan): number {
    const parts = this.#isFront(socket) ? plan.front : plan.background
    return socket.isKept ? parts.kept : parts.others
  }

  /** Sockets that are paused, or were a moment ago. */
  now(): PausedSocket[] {
    const nowMs = this.#env.now()
    return [...this.#paused]
      .filter(([socket, { untilMs }]) => this.#sockets.has(socket) && nowMs < untilMs + SAID_AFTER_MS)
      .map(([, paused]) => paused)
  }

  #probe(): void {
    const nowMs = this.#env.now()
    for (const [socket, { untilMs }] of this.#paused)
      if (!this.#sockets.has(socket) || nowMs >= untilMs + SAID_AFTER_MS) this.#paused.delete(socket)
    if (nowMs - this.#resumedMs < RESUMED_MS) return
    const plan = this.#mayCost()
    for (const socket of this.#sockets) {
      const { spent } = socket
      if (spent === null || socket.isVital) continue
      const ms = pauseMs(spent, this.#partOf(socket, plan), socket.endpoint.isSnapshot)
      if (ms > 0) this.#pause(socket, spent, nowMs, ms)
    }
  }

  #pause(socket: LiveSocket, { share: shareOfCore, openMs }: Spent, nowMs: number, ms: number): void {
    const percent = Number((shareOfCore * 100).toPrecision(2))
    socket.pause(
      nowMs + ms,
      `It takes ${percent} % of a core of the server while open, more than the overhead limit leaves for it.`,
    )
    const { route: endpoint, what } = socket.endpoint
    this.#paused.set(socket, { endpoint, what, shareOfCore, openMs, pauseMs: ms, untilMs: nowMs + ms })
  }
}
