import type { GovernorEnv } from '../../../../ravendb/env.ts'
import { tabName, type ChannelLike, type TabsEnv } from '../../../../ravendb/tabs/tabs.ts'
import type { SnapshotFailure } from '../../contract/snapshots.ts'

/** The server's response, or the reason why there is none. */
export type TabOutcome =
  { readonly bytes: Uint8Array<ArrayBuffer>; readonly tookMs: number } | { readonly failure: SnapshotFailure }

export interface TakeOptions {
  readonly clock: Pick<GovernorEnv, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly signal: AbortSignal
  /** Takes the snapshot from the server; null: the user withdrew. */
  readonly take: () => Promise<TabOutcome | null>
  /** Called while another tab takes the snapshot that this one waits for. */
  readonly onElsewhere: () => void
  /** Time after its end, ms, for which a snapshot is shared with later requests of other tabs. */
  readonly freshMs: number
}

type Message =
  { readonly type: 'ask' } | { readonly type: 'under-way' } | { readonly type: 'outcome'; readonly outcome: TabOutcome }

/** Lock and channel belong to an origin, and so to one server. */
const NAME = tabName('stacks')

/** Time, ms, within which a message arrives that another tab sent before it released the lock. */
const GRACE_MS = 100

/**
 * Tabs of one browser on the same server take one snapshot at a time: the tab that holds the lock requests it, and all
 * waiting tabs get the result. If that tab is closed or withdraws, the next one takes over.
 */
export class TabSnapshots {
  readonly #env: TabsEnv | null
  #channel: ChannelLike | null = null
  #underWay = false
  #fresh: { readonly outcome: TabOutcome; readonly untilMs: number; readonly now: () => number } | null = null
  #waiting: { readonly received: (outcome: TabOutcome) => void; readonly elsewhere: () => void } | null = null

  constructor(env: TabsEnv | null) {
    this.#env = env
  }

  /** Result from this tab or another one; null: the user withdrew. */
  async one(options: TakeOptions): Promise<TabOutcome | null> {
    const { signal, take } = options
    if (this.#env === null) return take()
    const channel = this.#open(this.#env)
    const { locks } = this.#env
    const leave = new AbortController()
    return new Promise((done, failed) => {
      let isSettled = false
      const settle = (outcome: TabOutcome | null): void => {
        isSettled = true
        this.#waiting = null
        signal.removeEventListener('abort', withdraw)
        leave.abort()
        done(outcome)
      }
      const withdraw = (): void => {
        if (!this.#underWay) settle(null)
      }
      signal.addEventListener('abort', withdraw)
      this.#waiting = { received: settle, elsewhere: options.onElsewhere }
      post(channel, { type: 'ask' })
      locks
        .request(NAME, { signal: leave.signal }, async () => {
          await pause(options.clock)
          if (isSettled) return
          this.#waiting = null
          this.#underWay = true
          const outcome = await take().finally(() => (this.#underWay = false))
          if (outcome !== null) this.#notify(channel, outcome, options)
          settle(outcome)
        })
        .catch((error: unknown) => {
          // The wait for the lock was aborted.
          if (!isSettled) failed(error instanceof Error ? error : new Error(String(error)))
        })
    })
  }

  #notify(channel: ChannelLike, outcome: TabOutcome, { clock, freshMs }: TakeOptions): void {
    post(channel, { type: 'outcome', outcome })
    // After a failure the next attempt may follow at once.
    if ('failure' in outcome) return
    this.#fresh = { outcome, untilMs: clock.now() + freshMs, now: clock.now }
    clock.setTimeout(() => (this.#fresh = null), freshMs)
  }

  #open(env: TabsEnv): ChannelLike {
    if (this.#channel !== null) return this.#channel
    const channel = (this.#channel = env.openChannel(NAME))
    channel.onmessage = ({ data }) => this.#hear(data as Message, channel)
    return channel
  }

  #hear(message: Message, channel: ChannelLike): void {
    switch (message.type) {
      case 'ask':
        if (this.#underWay) post(channel, { type: 'under-way' })
        else if (this.#fresh !== null && this.#fresh.now() < this.#fresh.untilMs)
          post(channel, { type: 'outcome', outcome: this.#fresh.outcome })
        return
      case 'under-way':
        this.#waiting?.elsewhere()
        return
      case 'outcome':
        this.#waiting?.received(message.outcome)
    }
  }
}

const post = (channel: ChannelLike, message: Message): void => channel.postMessage(message)

const pause = (clock: TakeOptions['clock']): Promise<void> =>
  new Promise((done) => void clock.setTimeout(done, GRACE_MS))
