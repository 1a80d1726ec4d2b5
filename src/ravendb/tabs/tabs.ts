/** The parts of the browser by which its pages (and panels of one page) agree on which of them requests data. */
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

/**
 * The real one; null where a browser (or a page that is not on https or loopback) lacks either: each tab is on its own.
 * `scope`: path of the server where an origin has several, whose pages share nothing with those of the others.
 */
export function browserTabs(scope = ''): TabsEnv | null {
  const locks = (globalThis as { navigator?: { locks?: TabsEnv['locks'] } }).navigator?.locks
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return {
    locks: { request: (name, options, run) => locks.request(scope + name, options, run) },
    openChannel: (name) => new BroadcastChannel(scope + name) as unknown as ChannelLike,
  }
}

type Message<Sent> =
  | { readonly type: 'hello'; readonly from: number }
  /** `to` null: to everybody. */
  | { readonly type: 'message'; readonly to: number | null; readonly sent: Sent }

export interface TabLeaderHandlers<Sent> {
  /** This tab leads from now on, until `leave`. */
  readonly lead: () => void
  /** A message of the leader. */
  readonly received: (sent: Sent) => void
  /** State that a tab has to know when it joins later. */
  readonly replay: () => Iterable<Sent>
}

/** Changes with the messages: pages of different builds may be open side by side. */
const PREFIX = 'rookery 8 '

/** Name for the tabs of one server: it has the origin, or the scope of `browserTabs`. */
export const tabName = (name: string): string => PREFIX + name

/**
 * Tabs of one browser that need the same data: the one that holds the lock of that name leads, and sends the others what it
 * receives. When it is closed, hidden or no longer wants it, the lock goes to the next, in the order in which they came.
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

  /** To all others; messages of tabs that do not lead are ignored. */
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
