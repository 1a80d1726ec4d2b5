const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port2.onmessage = () => waiting.shift()?.()

/** Lets pending messages run. A timer would be delayed to 4 ms after a few rounds. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    channel.port1.postMessage(null)
  })

/** Time, ms, after which other work runs. */
const TURN_MS = 10

/** Runs long work in slices: lets other work run every few milliseconds, and throws when aborted. */
export class Pace {
  readonly #signal: AbortSignal
  #sinceMs = performance.now()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async step(): Promise<void> {
    if (performance.now() - this.#sinceMs < TURN_MS) return
    await turn()
    this.#signal.throwIfAborted()
    this.#sinceMs = performance.now()
  }
}
