import { setTimeout as sleep } from 'node:timers/promises'

interface Late {
  readonly dueMs: number
  readonly ranMs: number
}

const TICK_MS = 250
/** Shorter than this says nothing. */
const LEAST_MS = 20
/** Greatest lateness that counts: beyond it a machine is too busy to excuse any verdict, ms. */
const MOST_MS = 10_000

/** Lateness of things that have their time: what a busy machine takes from all alike. Wall clock, ms. */
export class Lateness {
  readonly #all: Late[] = []
  /** Times in which a fault stopped the server; the end is infinite while it does. */
  readonly #stops: { readonly fromMs: number; toMs: number }[] = []
  #isStopped = false
  #running: Promise<void> | undefined

  /** Watches the timers of this process. */
  start(): void {
    this.#running = this.#run()
  }

  /** Records that something due at `dueMs`, such as the response of a page, came at `ranMs`. */
  note(dueMs: number, ranMs: number): void {
    if (ranMs - dueMs >= LEAST_MS) this.#all.push({ dueMs, ranMs })
  }

  /** Records data due from the server within `withinMs` of `fromMs` that came at `ranMs`. Time while it is stopped is left out. */
  noteSent(fromMs: number, withinMs: number, ranMs: number): void {
    const stoppedMs = this.#stops.reduce(
      (sum, stop) => sum + Math.max(0, Math.min(stop.toMs, ranMs) - Math.max(stop.fromMs, fromMs)),
      0,
    )
    this.note(fromMs + withinMs + stoppedMs, ranMs)
  }

  /** A fault stops the server while this runs: what it sends late because of that is not the machine's doing. */
  async whileStopped(run: () => Promise<void>): Promise<void> {
    const stop = { fromMs: Date.now(), toMs: Infinity }
    this.#stops.push(stop)
    try {
      await run()
    } finally {
      stop.toMs = Date.now()
    }
  }

  /** Greatest lateness of anything that was due or ran between two moments, ms: 0 on a machine at rest, and at most 10 s. */
  most(fromMs: number, toMs: number): number {
    let most = 0
    for (const { dueMs, ranMs } of this.#all) if (ranMs >= fromMs && dueMs <= toMs) most = Math.max(most, ranMs - dueMs)
    return Math.min(MOST_MS, most)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const dueMs = Date.now() + TICK_MS
      await sleep(TICK_MS)
      this.note(dueMs, Date.now())
    }
  }
}
