import { setTimeout as sleep } from 'node:timers/promises'
import { databasePath, json } from '../../tools/ravendb/client.mjs'
import { ticksOf } from '../../src/testing/server/io-events.ts'
import type { Bracket } from './report.ts'

const TICKS_PER_MS = 10_000
const TICKS_PER_SECOND = 10_000_000
/** Length of the page's samples. */
const SAMPLE_TICKS = 10 * TICKS_PER_SECOND
/** The server keeps the newest 256 of each kind, which a busy merger fills in a second. */
const EVERY_MS = 400

interface Event {
  readonly Start: string
  readonly Duration: number
}
interface Answer {
  readonly PerfMetrics: readonly { readonly MetricType: string; readonly Recent: readonly Event[] }[]
}
const STATES = ['GeneralWait', 'Transaction'] as const

export type MergerState = 'waits' | 'transactions' | 'commits'

/** Work of a database's transaction merger, from single events that another client reads again and again. */
export class MergerRecord {
  readonly #path: string
  readonly #url: string
  /** End by start, ticks. */
  readonly #spans = { GeneralWait: new Map<number, number>(), Transaction: new Map<number, number>() }
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(url: string, database: string) {
    this.#url = url
    this.#path = `${databasePath(database)}/debug/perf-metrics`
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    for (; !this.#isStopped; await sleep(EVERY_MS)) {
      const { PerfMetrics } = (await json(this.#url, this.#path)) as Answer
      for (const state of STATES)
        for (const { Start, Duration } of PerfMetrics.find(({ MetricType }) => MetricType === state)?.Recent ?? []) {
          const startTicks = ticksOf(Start)
          this.#spans[state].set(startTicks, startTicks + Duration * TICKS_PER_MS)
        }
    }
  }

  /** Shares of a time. */
  shares(fromTicks: number, toTicks: number): Readonly<Record<MergerState, number>> {
    const share = (state: (typeof STATES)[number]): number => {
      let ticks = 0
      for (const [start, end] of this.#spans[state])
        ticks += Math.max(0, Math.min(toTicks, end) - Math.max(fromTicks, start))
      return ticks / (toTicks - fromTicks)
    }
    const [waits, transactions] = [share('GeneralWait'), share('Transaction')]
    return { waits, transactions, commits: 1 - waits - transactions }
  }

  /** The least and most of any ten seconds from so much before to so much after: of some of these the page has its own. */
  around(state: MergerState, fromTicks: number, toTicks: number, awaySeconds: number): Bracket {
    const shares: number[] = []
    const lastTicks = toTicks + awaySeconds * TICKS_PER_SECOND - SAMPLE_TICKS
    for (let ticks = fromTicks - awaySeconds * TICKS_PER_SECOND; ticks <= lastTicks; ticks += TICKS_PER_SECOND)
      shares.push(this.shares(ticks, ticks + SAMPLE_TICKS)[state])
    return { least: Math.min(...shares), most: Math.max(...shares) }
  }
}
