import type { ChannelLike, TabsEnv } from './tabs.ts'

/**
 * Locks and channels within one page, for browsers that provide none, so that its panels share responses. Same order as
 * the browser's: a lock goes to the request that waited longest; a message arrives later, and not at the channel that
 * sent it.
 */
export class LocalTabs implements TabsEnv {
  readonly #held = new Set<string>()
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #channels = new Map<string, Set<ChannelLike>>()

  readonly locks: TabsEnv['locks'] = {
    request: (name, { signal, ifAvailable }, run) =>
      new Promise<void>((resolve, reject) => {
        const go = (): void => {
          if (signal?.aborted === true) this.#next(name)
          else void this.#hold(name, run).then(resolve, reject)
        }
        signal?.addEventListener('abort', () => reject(new DOMException('Left the queue.', 'AbortError')))
        if (!this.#held.has(name)) go()
        else if (ifAvailable === true) run(null).then(resolve, reject)
        else this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), go])
      }),
  }

  openChannel(name: string): ChannelLike {
    const all = this.#channels.get(name) ?? new Set<ChannelLike>()
    this.#channels.set(name, all)
    const channel: ChannelLike = {
      onmessage: null,
      postMessage: (message) => {
        for (const other of all) if (other !== channel) queueMicrotask(() => other.onmessage?.({ data: message }))
      },
      close: () => {
        all.delete(channel)
        if (all.size === 0) this.#channels.delete(name)
      },
    }
    all.add(channel)
    return channel
  }

  async #hold(name: string, run: (lock: unknown) => Promise<void>): Promise<void> {
    this.#held.add(name)
    try {
      // As in a browser, never before the caller continues.
      await Promise.resolve()
      await run(name)
    } finally {
      this.#held.delete(name)
      this.#next(name)
    }
  }

  #next(name: string): void {
    const [first, ...others] = this.#waiting.get(name) ?? []
    if (others.length > 0) this.#waiting.set(name, others)
    else this.#waiting.delete(name)
    first?.()
  }
}
