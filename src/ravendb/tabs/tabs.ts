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
 * The browser's locks and channels; null if it lacks either, or the page is not on https or loopback: then each tab
 * works alone. `scope`: path of the server if an origin has several, whose pages share nothing with each other.
 */
export function browserTabs(scope = ''): TabsEnv | null {
  const locks = (globalThis as { navigator?: { locks?: TabsEnv['locks'] } }).navigator?.locks
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return {
    locks: { request: (name, options, run) => locks.request(scope + name, options, run) },
    openChannel: (name) => openChannel(scope + name),
  }
}

/** Opens a channel of the browser that drops what is posted after its end, where the browser throws. */
export function openChannel(name: string): ChannelLike {
  const channel = new BroadcastChannel(name) as unknown as ChannelLike
  let isClosed = false
  return {
    get onmessage() {
      return channel.onmessage
    },
    set onmessage(listener) {
      channel.onmessage = listener
    },
    postMessage: (message) => {
      if (!isClosed) channel.postMessage(message)
    },
    close: () => {
      isClosed = true
      channel.close()
    },
  }
}

type Message<Sent> =
  | { readonly type: 'hello'; readonly from: number }
  /** `to` null: to all. */
  | { readonly type: 'message'; readonly to: number | null; readonly sent: Sent }

export interface TabLeaderHandlers<Sent> {
  /** Called when this tab becomes the leader, until `leave`. */
  readonly lead: () => void
  /** Called for a message of the leader. */
  readonly received: (sent: Sent) => void
  /** State that a tab needs when it joins later. */
  readonly replay: () => Iterable<Sent>
}

/** Changes with the message format: pages of different builds may be open side by side. */
const PREFIX = 'rookery 9 '

/** Name for the tabs of one server, which is identified by the origin or the scope of `browserTabs`. */
export const tabName = (name: string): string => PREFIX + name

/**
 * Tabs of one browser that need the same data. The tab that holds the lock of that name leads and sends the others what
 * it receives. When it is closed, hidden or no longer needs the data, the lock goes to the next one in order of
 * arrival.
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
      // The tab left before its turn.
      .catch(() => {})
  }

  get leads(): boolean {
    return this.#release !== null
  }

  /** Sends to all others; messages of tabs that do not lead are ignored. */
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
