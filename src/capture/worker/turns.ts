const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port2.onmessage = () => waiting.shift()?.()

/** Lets the messages that wait have their turn. A timer would be held back to 4 ms after a few rounds. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    channel.port1.postMessage(null)
  })

/** How long work goes on before others get their turn, ms. */
const TURN_MS = 10

/** Long work in slices: gives others their turn every few milliseconds, and throws when it is no longer wanted. */
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
