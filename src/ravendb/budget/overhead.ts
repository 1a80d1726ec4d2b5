import type { GovernorEnv } from '../env.ts'
import { Neighbours, type PageCost } from './neighbours.ts'
import {
  clipLimits,
  DEFAULT_LIMITS,
  planAll,
  type Audience,
  type OverheadLimits,
  type Plan,
  type PollWant,
} from './plan.ts'
import type { Slowdown } from '../health/slowdown.ts'

interface OverheadHost {
  readonly env: GovernorEnv
  readonly slowdown: Slowdown
  /** Cost of this page if there were no limit. */
  readonly wants: () => Pick<PageCost, 'polls' | 'sockets'>
  readonly cost: () => Omit<PageCost, 'polls' | 'sockets' | 'front' | 'stress'>
  /** Called when the budget changes, or its distribution. */
  readonly changed: () => void
  /** Called when the user of another page resumes what the limit has paused. */
  readonly resumed: () => void
  /** Called when another page noticed that the server answers again. */
  readonly outageOver: () => void
}

/**
 * The server CPU that the pages of a browser may use together: the limits, the panel in front of an attentive user, and
 * the slower pace that the server's own figures call for.
 */
export class Overhead {
  readonly #host: OverheadHost
  readonly #neighbours: Neighbours | null
  #limits = DEFAULT_LIMITS
  /** Feeds of the panel in front of an attentive user; null: there is none. */
  #front: readonly string[] | null = null
  /** Finding in the server's figures that calls for a slower pace; null: there is none, or this page does not know. */
  #stress: string | null = null

  constructor(host: OverheadHost) {
    const { env, resumed, outageOver } = host
    this.#host = host
    this.#neighbours =
      env.tabs === null
        ? null
        : new Neighbours(env, env.tabs, {
            own: () => ({ ...host.wants(), ...host.cost(), front: this.#front, stress: this.#stress }),
            changed: () => this.#receivedFromOthers(),
            resumed,
            outageOver,
          })
  }

  get limits(): OverheadLimits {
    return this.#limits
  }

  /** Sets the limits, each clipped to 0.0005–0.2. */
  setLimits(limits: OverheadLimits): void {
    this.#limits = clipLimits(limits)
    this.#host.changed()
  }

  /** Share of one core that this audience may use now. */
  limitOf(audience: Audience): number {
    return this.isFront(audience) ? this.#limits.attended : this.#limits.background
  }

  get isAttended(): boolean {
    return this.#front !== null
  }

  /** `feeds`: those of the panel in front of an attentive user; null: the page is hidden, or its user is away. */
  setFront(feeds: readonly string[] | null): void {
    if (String(this.#front) === String(feeds) && (this.#front === null) === (feeds === null)) return
    this.#front = feeds
    this.#host.changed()
    this.broadcast()
  }

  isFront({ feed, ofAllPages = false }: Audience): boolean {
    if (feed === null) return false
    if (this.#front?.includes(feed) === true) return true
    return ofAllPages && this.others.some(({ front }) => front?.includes(feed) === true)
  }

  /** Whether the panel in front shows a socket, on this page or another one. `shareName` null: no page shares it. */
  isFrontSocket({ audience, shareName }: { readonly audience: Audience; readonly shareName: string | null }): boolean {
    if (this.isFront(audience)) return true
    return shareName !== null && this.others.some(({ frontSockets }) => frontSockets.includes(shareName))
  }

  /**
   * Sets the reason, in one sentence without its full stop, why the server is short of CPU or of CPU credits. Null: it
   * is not, or this page does not know.
   */
  setStress(why: string | null): void {
    if (this.#stress === why) return
    this.#stress = why
    this.broadcast()
    this.#receivedFromOthers()
  }

  /** Applies findings of other pages: one page of a browser sees the server's figures, and all of them slow down. */
  #receivedFromOthers(): void {
    const theirs = this.others.find(({ stress }) => stress !== null)?.stress ?? null
    this.#host.slowdown.pressed(this.#stress ?? theirs)
    this.#host.changed()
  }

  /** Costs of the other pages of this browser. */
  get others(): readonly PageCost[] {
    return this.#neighbours?.costs ?? []
  }

  /**
   * Shares that each poll and socket may use, over all pages of this browser. A poll that several pages share counts
   * once.
   */
  plan(): Plan {
    const { others } = this
    const { polls, sockets } = this.#host.wants()
    const byPath = new Map<string, PollWant>()
    for (const [path, want] of [...polls, ...others.flatMap((each) => each.polls)]) {
      const known = byPath.get(path) ?? want
      byPath.set(path, {
        share: Math.max(known.share, want.share),
        least: Math.max(known.least, want.least),
        vital: Math.max(known.vital, want.vital),
        isFront: known.isFront || want.isFront,
      })
    }
    return planAll(
      { polls: [...byPath.values()], sockets: [...sockets, ...others.flatMap((each) => each.sockets)] },
      this.#limits,
    )
  }

  /** Lower when the server is in trouble, except for sockets that are kept: their data is wanted most then. */
  socketsMayCost(): Plan {
    const { front, background } = this.plan()
    const { factor } = this.#host.slowdown
    return {
      front: { ...front, others: front.others / factor },
      background: { ...background, others: background.others / factor },
    }
  }

  /** Tells the other pages the cost of this page at once. */
  broadcast(): void {
    this.#neighbours?.broadcast()
  }

  /** Resumes what the limit has paused, on the other pages as well. */
  resumeOthers(): void {
    this.#neighbours?.resume()
  }

  reportOutageOver(): void {
    this.#neighbours?.reportOutageOver()
  }

  close(): void {
    this.#neighbours?.close()
  }
}
