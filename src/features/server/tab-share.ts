import type { ServerInput } from './inputs.ts'

/** The parts of the browser that are used. */
export interface TabShareEnv {
  readonly locks: {
    readonly request: (
      name: string,
      options: { readonly signal: AbortSignal },
      run: () => Promise<void>,
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
export function browserTabShare(): TabShareEnv | null {
  const locks = (globalThis as { navigator?: { locks?: TabShareEnv['locks'] } }).navigator?.locks
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return {
    locks: { request: (name, options, run) => locks.request(name, options, run) },
    openChannel: (name) => new BroadcastChannel(name) as unknown as ChannelLike,
  }
}

type Message =
  | { readonly type: 'hello'; readonly from: number }
  /** `to` null: to everybody. */
  | { readonly type: 'input'; readonly to: number | null; readonly input: ServerInput }

export interface TabHandlers {
  /** This tab is the one that collects now; until `leave`. */
  readonly lead: () => void
  /** Another one heard this. */
  readonly input: (input: ServerInput) => void
  /** What one that comes later has to know. */
  readonly replay: () => Iterable<ServerInput>
}

const NAME = 'rookery-server'

/**
 * Tabs of one browser that want the same server: the one that holds the lock collects and tells the others what it
 * hears, word for word. When it is closed, hidden or no longer wants it, the lock goes to the next. The lock and the
 * channel are of an origin, and so of one server.
 */
export class TabShare {
  readonly #channel: ChannelLike
  readonly #abort = new AbortController()
  readonly #self = Math.random()
  #release: (() => void) | null = null

  constructor(env: TabShareEnv, handlers: TabHandlers) {
    this.#channel = env.openChannel(NAME)
    this.#channel.onmessage = ({ data }) => {
      const message = data as Message
      if (message.type === 'input') {
        if (this.#release === null && (message.to === null || message.to === this.#self)) handlers.input(message.input)
      } else if (this.#release !== null) {
        for (const input of handlers.replay()) this.#post({ type: 'input', to: message.from, input })
      }
    }
    this.#post({ type: 'hello', from: this.#self })
    env.locks
      .request(NAME, { signal: this.#abort.signal }, () => {
        if (this.#abort.signal.aborted) return Promise.resolve()
        return new Promise<void>((release) => {
          this.#release = release
          handlers.lead()
        })
      })
      // Left before its turn came.
      .catch(() => {})
  }

  /** What the collecting tab heard. */
  tell(input: ServerInput): void {
    this.#post({ type: 'input', to: null, input })
  }

  leave(): void {
    this.#abort.abort()
    this.#channel.onmessage = null
    this.#channel.close()
    this.#release?.()
    this.#release = null
  }

  #post(message: Message): void {
    this.#channel.postMessage(message)
  }
}
