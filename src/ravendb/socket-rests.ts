import type { GovernorEnv, TimerId } from './env.ts'
import type { RestingSocket } from './meter.ts'
import type { LiveSocket } from './socket.ts'
import { planRests } from './spending.ts'

const LOOK_EVERY_MS = 2500
/** One that rested is said to do so for so long after it opened again: it will, or it turns out not to, ms. */
const SAID_AFTER_MS = 10_000

/** Keeps sockets within what they may cost: those that cost more are closed now and then. */
export class SocketRests {
  readonly #env: GovernorEnv
  readonly #sockets: ReadonlySet<LiveSocket>
  readonly #mayCost: () => number
  readonly #resting = new Map<LiveSocket, RestingSocket & { readonly untilMs: number }>()
  #timer: TimerId | null = null

  constructor(env: GovernorEnv, sockets: ReadonlySet<LiveSocket>, mayCost: () => number) {
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
    const open = [...this.#sockets].flatMap((socket) => {
      const { spent } = socket
      return spent === null ? [] : [{ socket, spent: { ...spent, hasHistory: hasHistory(socket) } }]
    })
    // What one that rests will cost again is not there for the others to take.
    const resting = [...this.#resting].flatMap(([socket, { shareOfCore: share }]) =>
      socket.spent === null ? [{ share, openMs: 0, spentMs: 0, hasHistory: hasHistory(socket) }] : [],
    )
    const restMs = planRests([...open.map(({ spent }) => spent), ...resting], this.#mayCost())
    for (const [at, { socket, spent }] of open.entries()) {
      const ms = restMs[at] ?? 0
      if (ms === 0) continue
      const percent = Number((spent.share * 100).toPrecision(2))
      socket.rest(
        nowMs + ms,
        `While open it costs the server ${percent} % of a core: it rests, so that looking costs no more than is promised.`,
      )
      const { share: shareOfCore, openMs } = spent
      this.#resting.set(socket, {
        endpoint: socket.endpoint.route,
        what: socket.endpoint.what,
        shareOfCore,
        openMs,
        restMs: ms,
        untilMs: nowMs + ms,
      })
    }
  }
}

const hasHistory = ({ endpoint: { history } }: LiveSocket): boolean => history !== null && history !== 'nothing'
