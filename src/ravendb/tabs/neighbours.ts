import type { GovernorEnv, TimerId } from '../env.ts'
import type { PollWant, SocketWant } from '../budget/plan.ts'
import { tabName, type ChannelLike, type TabsEnv } from './tabs.ts'

/** The cost of a page, as sent to the other pages of its browser. Shares are of one core. */
export interface PageCost {
  /** Planned polls that it may have to make itself, by path; those of the same path are made once for all pages. */
  readonly polls: readonly (readonly [path: string, want: PollWant])[]
  /** Cost of the sockets that the page has, without pauses. */
  readonly sockets: readonly SocketWant[]
  /** Feeds that the panel in front of its attentive user shows; null: there is none. */
  readonly front: readonly string[] | null
  /** Shared sockets that the panel in front of its attentive user shows, whichever page has the connection. */
  readonly frontSockets: readonly string[]
  /** All that it cost in the last minute. */
  readonly share: number
  readonly requestsPerMinute: number
  readonly bytesPerMinute: number
  /** Finding in the server's own figures that calls for a slower pace; null: nothing, or the page does not see them. */
  readonly stress: string | null
}

type Message =
  | { readonly type: 'cost'; readonly from: number; readonly cost: PageCost }
  /**
   * Event of a page: it has come, and requests the costs of the others; it leaves; its user resumes what the overhead
   * limit has paused; or it noticed that the server answers again.
   */
  | { readonly type: 'hello' | 'bye' | 'resume' | 'outage-over'; readonly from: number }

const TELL_EVERY_MS = 5000
/** A page that sent nothing for so long is gone, or hidden and its timers are throttled. */
const FORGET_MS = 15_000

/**
 * The other pages of this browser: the overhead limit is for all of them together, so each knows what the others cost.
 */
export class Neighbours {
  readonly #env: GovernorEnv
  readonly #channel: ChannelLike
  readonly #own: () => PageCost
  readonly #changed: () => void
  readonly #resumed: () => void
  readonly #outageOver: () => void
  readonly #self = Math.random()
  readonly #others = new Map<number, { readonly cost: PageCost; readonly atMs: number }>()
  #timer: TimerId | null = null

  constructor(
    env: GovernorEnv,
    tabs: TabsEnv,
    {
      own,
      changed,
      resumed,
      outageOver,
    }: Readonly<Record<'changed' | 'resumed' | 'outageOver', () => void>> & {
      readonly own: () => PageCost
    },
  ) {
    this.#env = env
    this.#own = own
    this.#changed = changed
    this.#resumed = resumed
    this.#outageOver = outageOver
    this.#channel = tabs.openChannel(tabName('cost'))
    this.#channel.onmessage = ({ data }) => this.#receive(data as Message)
    this.#post({ type: 'hello', from: this.#self })
    this.#later()
  }

  /** Costs of all other pages that cost anything now. */
  get costs(): PageCost[] {
    const now = this.#env.now()
    return [...this.#others.values()].filter(({ atMs }) => now - atMs < FORGET_MS).map(({ cost }) => cost)
  }

  /** Reports at once, as when this page was hidden. */
  broadcast(): void {
    this.#post({ type: 'cost', from: this.#self, cost: this.#own() })
  }

  /** The user of this page wants what the overhead limit has paused. */
  resume(): void {
    this.#post({ type: 'resume', from: this.#self })
  }

  /** The others may have received less from the server, or nothing since. */
  reportOutageOver(): void {
    this.#post({ type: 'outage-over', from: this.#self })
  }

  close(): void {
    this.#post({ type: 'bye', from: this.#self })
    if (this.#timer !== null) this.#env.clearTimeout(this.#timer)
    this.#channel.onmessage = null
    this.#channel.close()
  }

  #later(): void {
    this.#timer = this.#env.setTimeout(() => {
      this.broadcast()
      this.#later()
    }, TELL_EVERY_MS)
  }

  #receive(message: Message): void {
    if (message.type === 'hello') return this.broadcast()
    if (message.type === 'resume') return this.#resumed()
    if (message.type === 'outage-over') return this.#outageOver()
    if (message.type === 'cost') this.#others.set(message.from, { cost: message.cost, atMs: this.#env.now() })
    else this.#others.delete(message.from)
    this.#changed()
  }

  #post(message: Message): void {
    this.#channel.postMessage(message)
  }
}
