/** How pages of one browser (and panels of one page) agree on who asks the server: the parts of the browser that are used. */
export interface TabsEnv {
  readonly locks: {
    readonly request: (
      name: string,
      options: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
      run: (lock: unknown) => Promise<void>,
    ) => Promise<unknown>
  }
  readonly openChannel: (name: string) => ChannelLike
}

export interface ChannelLike {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  readonly postMessage: (message: unknown) => void
  readonly close: () => void
}

/** The real one; null where a browser (or a page that is not on https or loopback) lacks either: each tab is on its own. */
export function browserTabs(): TabsEnv | null {
  const locks = (globalThis as { navigator?: { locks?: TabsEnv['locks'] } }).navigator?.locks
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return {
    locks: { request: (name, options, run) => locks.request(name, options, run) },
    openChannel: (name) => new BroadcastChannel(name) as unknown as ChannelLike,
  }
}

type Message<Sent> =
  | { readonly type: 'hello'; readonly from: number }
  /** `to` null: to everybody. */
  | { readonly type: 'message'; readonly to: number | null; readonly sent: Sent }

export interface TabLeaderHandlers<Sent> {
  /** This one leads from now on, until `leave`. */
  readonly lead: () => void
  /** The one that leads said this. */
  readonly received: (sent: Sent) => void
  /** What one that comes later has to know. */
  readonly replay: () => Iterable<Sent>
}

/** Pages of different builds may be open side by side; what they say to each other changes with this. */
const PREFIX = 'rookery 7 '

/** Of an origin, and so of one server. */
export const tabName = (name: string): string => PREFIX + name

/**
 * Tabs of one browser that want the same: the one that holds the lock of that name leads, and tells the others what it
 * hears. When it is closed, hidden or no longer wants it, the lock goes to the next, in the order in which they came.
 */
export class TabLeader<Sent> {
  readonly #channel: ChannelLike
  readonly #abort = new AbortController()
  readonly #self = Math.random()
  #release: (() => void) | null = null

  constructor(env: TabsEnv, name: string, handlers: TabLeaderHandlers<Sent>) {
    this.#channel = env.openChannel(tabName(name))
    this.#channel.onmessage = ({ data }) => {
      const message = data as Message<Sent>
      if (message.type === 'message') {
        if (this.#release === null && (message.to === null || message.to === this.#self))
          handlers.received(message.sent)
      } else if (this.#release !== null) {
        for (const sent of handlers.replay()) this.#post({ type: 'message', to: message.from, sent })
      }
    }
    this.#post({ type: 'hello', from: this.#self })
    env.locks
      .request(tabName(name), { signal: this.#abort.signal }, () => {
        if (this.#abort.signal.aborted) return Promise.resolve()
        return new Promise<void>((release) => {
          this.#release = release
          handlers.lead()
        })
      })
      // Left before its turn came.
      .catch(() => {})
  }

  get leads(): boolean {
    return this.#release !== null
  }

  /** To all the others; only the one that leads is listened to. */
  broadcast(sent: Sent): void {
    if (!this.#abort.signal.aborted) this.#post({ type: 'message', to: null, sent })
  }

  leave(): void {
    this.#abort.abort()
    this.#channel.onmessage = null
    this.#channel.close()
    this.#release?.()
    this.#release = null
  }

  #post(message: Message<Sent>): void {
    this.#channel.postMessage(message)
  }
}
