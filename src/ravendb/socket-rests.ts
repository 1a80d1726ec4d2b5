import type { GovernorEnv, TimerId } from './env.ts'
import type { RestingSocket } from './meter.ts'
import type { Parts, SocketWant } from './plan.ts'
import type { LiveSocket } from './socket.ts'
import { restMs, type Spent } from './spending.ts'

const LOOK_EVERY_MS = 2500
/** One that rested is said to do so for so long after it opened again: it will, or it turns out not to, ms. */
const SAID_AFTER_MS = 10_000

/** Keeps sockets within what they may cost: those that cost more are closed now and then. */
export class SocketRests {
  readonly #env: GovernorEnv
  readonly #sockets: ReadonlySet<LiveSocket>
  readonly #mayCost: () => Parts
  readonly #resting = new Map<LiveSocket, RestingSocket & { readonly untilMs: number }>()
  #timer: TimerId | null = null

  constructor(env: GovernorEnv, sockets: ReadonlySet<LiveSocket>, mayCost: () => Parts) {
    this.#env = env
    this.#sockets = sockets
    this.#mayCost = mayCost
  }

  /** Called when there is one more. */
  arm(): void {
    if (this.#timer !== null || this.#sockets.size === 0) return
    this.#timer = this.#env.setTimeout(() => {
      this.#timer = null
      this.#look()
      this.arm()
    }, LOOK_EVERY_MS)
  }

  close(): void {
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#timer = null
  }

  /** What those that this page has would cost without rests. */
  get wants(): SocketWant[] {
    return [...this.#sockets].flatMap((socket) => {
      const { wantedShare: share, isKept } = socket
      return share === null ? [] : [{ share, isKept }]
    })
  }

  /** Those that rest, or did a moment ago. */
  now(): RestingSocket[] {
    const nowMs = this.#env.now()
    return [...this.#resting]
      .filter(([socket, { untilMs }]) => this.#sockets.has(socket) && nowMs < untilMs + SAID_AFTER_MS)
      .map(([, resting]) => resting)
  }

  #look(): void {
    const nowMs = this.#env.now()
    for (const [socket, { untilMs }] of this.#resting)
      if (!this.#sockets.has(socket) || nowMs >= untilMs + SAID_AFTER_MS) this.#resting.delete(socket)
    const parts = this.#mayCost()
    for (const socket of this.#sockets) {
      const { spent } = socket
      if (spent === null) continue
      const part = socket.isKept ? parts.kept : parts.others
      const ms = restMs(spent, part, socket.endpoint.tellsAll)
      if (ms > 0) this.#rest(socket, spent, nowMs, ms)
    }
  }

  #rest(socket: LiveSocket, { share: shareOfCore, openMs }: Spent, nowMs: number, ms: number): void {
    const percent = Number((shareOfCore * 100).toPrecision(2))
    socket.rest(
      nowMs + ms,
      `While open it costs the server ${percent} % of a core: it rests, so that looking costs no more than is promised.`,
    )
    const { route: endpoint, what } = socket.endpoint
    this.#resting.set(socket, { endpoint, what, shareOfCore, openMs, restMs: ms, untilMs: nowMs + ms })
  }
}
