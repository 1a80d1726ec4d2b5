import { setTimeout as sleep } from 'node:timers/promises'
import type { Bracket } from './report.ts'

interface Row {
  readonly atMs: number
  readonly values: Readonly<Record<string, number>>
}

/** Delay of the page's figures, which are redrawn every few seconds, ms. */
export interface Lag {
  readonly leastMs: number
  readonly mostMs: number
}

/** Truths as they were over time, sampled by itself: a page shows what was true a while ago. */
export class Recorder {
  readonly #rows: Row[] = []
  readonly #sample: () => Promise<Record<string, number>>
  readonly #everyMs: number
  #running: Promise<void> | undefined
  #isStopped = false
  #longestMs = 0
  #failure: Error | undefined

  constructor(everyMs: number, sample: () => Promise<Record<string, number>>) {
    this.#everyMs = everyMs
    this.#sample = sample
  }

  start(): void {
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const before = Date.now()
        const values = await this.#sample()
        this.#longestMs = Math.max(this.#longestMs, Date.now() - before)
        this.#rows.push({ atMs: (before + Date.now()) / 2, values })
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error))
        return
      }
      await sleep(this.#everyMs)
    }
  }

  /** Longest time that the source took for a sample, ms. */
  get longestMs(): number {
    return this.#longestMs
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Least and greatest value of a figure from the last sample before `fromMs` to the first after `toMs`. */
  range(key: string, fromMs: number, toMs: number): Bracket | undefined {
    return this.combined(({ [key]: value = Number.NaN }) => value, fromMs, toMs)
  }

  /** Like {@link range}, for a figure that is made of several of one moment. */
  combined(
    figure: (values: Readonly<Record<string, number>>) => number,
    fromMs: number,
    toMs: number,
  ): Bracket | undefined {
    if (this.#failure !== undefined) throw this.#failure
    const first = Math.max(
      0,
      this.#rows.findLastIndex(({ atMs }) => atMs <= fromMs),
    )
    const after = this.#rows.findIndex(({ atMs }) => atMs >= toMs)
    const values = this.#rows
      .slice(first, after < 0 ? undefined : after + 1)
      .map((row) => figure(row.values))
      .filter((value) => !Number.isNaN(value))
    return values.length === 0 ? undefined : { least: Math.min(...values), most: Math.max(...values) }
  }

  /** Growth of a sum per second between two moments, or per unit of another sum, for all lags that the page may have. */
  rate(key: string, fromMs: number, toMs: number, lag: Lag, per?: string): Bracket | undefined {
    const rates: number[] = []
    for (let ms = lag.leastMs; ms <= lag.mostMs; ms += 500) {
      const grew = (of: string): number => this.#at(of, toMs - ms) - this.#at(of, fromMs - ms)
      const rate = grew(key) / (per === undefined ? (toMs - fromMs) / 1000 : grew(per))
      if (Number.isFinite(rate)) rates.push(rate)
    }
    return rates.length === 0 ? undefined : { least: Math.min(...rates), most: Math.max(...rates) }
  }

  /** The least and most that a sum grew a second over any stretch of that length between two moments. */
  ratesOver(stretchMs: number, key: string, fromMs: number, toMs: number): Bracket | undefined {
    const lag = { leastMs: 0, mostMs: Math.max(0, toMs - fromMs - stretchMs) }
    return this.rate(key, toMs - stretchMs, toMs, lag)
  }

  /** Between two samples in proportion. */
  #at(key: string, atMs: number): number {
    const next = this.#rows.findIndex((row) => row.atMs >= atMs)
    const [before, after] = [this.#rows[next - 1], this.#rows[next]]
    const [from = Number.NaN, to = Number.NaN] = [before?.values[key], after?.values[key]]
    return from + ((to - from) * (atMs - (before?.atMs ?? 0))) / ((after?.atMs ?? 0) - (before?.atMs ?? 0))
  }
}
