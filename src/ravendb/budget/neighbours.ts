import type { GovernorEnv, TimerId } from '../env.ts'
import type { PollWant, SocketWant } from './plan.ts'
import { tabName, type ChannelLike, type TabsEnv } from '../tabs/tabs.ts'

/** Cost of a page, as sent to the other pages of its browser. Shares are of one core. */
export interface PageCost {
  /** Planned polls that it may have to send itself, by path; polls of the same path are sent once for all pages. */
  readonly polls: readonly (readonly [path: string, want: PollWant])[]
  /** Cost of its sockets without pauses. */
  readonly sockets: readonly SocketWant[]
  /** Feeds of the panel in front of its attentive user; null: there is none. */
  readonly front: readonly string[] | null
  /** Shared sockets that this panel shows, whichever page has the connection. */
  readonly frontSockets: readonly string[]
  /** Its total cost in the last minute. */
  readonly share: number
  readonly requestsPerMinute: number
  readonly bytesPerMinute: number
  /** Finding in the server's figures that calls for a slower pace; null: none, or the page does not see the figures. */
  readonly stress: string | null
}

type Message =
  | { readonly type: 'cost'; readonly from: number; readonly cost: PageCost }
  /**
   * Event of a page: it opened and requests the costs of the others; it leaves; its user resumes what the overhead
   * limit has paused; or it noticed that the server answers again.
   */
  | { readonly type: 'hello' | 'bye' | 'resume' | 'outage-over'; readonly from: number }

const TELL_EVERY_MS = 5000
/** Time, ms, after which a silent page counts as gone, or as hidden with throttled timers. */
const FORGET_MS = 15_000

/**
 * The other pages of this browser. The overhead limit applies to all pages together, so each must know the cost of the
 * others.
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

  /** Costs of all other pages with any cost now. */
  get costs(): PageCost[] {
    const now = this.#env.now()
    return [...this.#others.values()].filter(({ atMs }) => now - atMs < FORGET_MS).map(({ cost }) => cost)
  }

  /** Sends the cost at once, for instance when this page was hidden. */
  broadcast(): void {
    this.#post({ type: 'cost', from: this.#self, cost: this.#own() })
  }

  /** Resumes, on all pages, what the overhead limit has paused. */
  resume(): void {
    this.#post({ type: 'resume', from: this.#self })
  }

  /** Tells the other pages, which may have received nothing since, that the server answers again. */
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
