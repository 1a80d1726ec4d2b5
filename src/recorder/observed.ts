import { type Ticks, ticksFromMs, TICKS_PER_SECOND } from '../base/ticks.ts'
import {
  DEFAULT_RULE,
  FEW_EVENTS,
  STALL_CAUSES,
  type StallCause,
  type StallsResponse,
} from '../features/stalls/contract.ts'
import type { RecorderHost } from './host.ts'

/** Newest value of a figure of the server. */
export interface ObservedFigure {
  /** Key, as in the table `vitals` of an archive. */
  readonly key: string
  readonly unit: string
  /** Mean of the last minute. */
  readonly value: number
}

/** State of a server, by what the recorder has received of it. */
export interface ObservedServer {
  readonly figures: readonly ObservedFigure[]
  /** Number of findings of Triage that hold now, by level. */
  readonly findings: Readonly<Record<string, number>>
  /** Number of stalls of the last ten minutes, by cause. Null: they are not judged yet. */
  readonly stalls: Readonly<Record<StallCause, number>> | null
}

const SPAN_MS = 60_000
/** Number of report intervals after which a figure is too old. */
const REPORTS = 3
const STALLS_TICKS = 600 * TICKS_PER_SECOND
/** Minimum time between two judgements of stalls, which may take half a second of CPU, ms. */
const JUDGE_EVERY_MS = 60_000

/** Reads the state of a server for metrics. */
export class Observer {
  #stalls: ObservedServer['stalls'] = null
  #judgedMs = Number.NEGATIVE_INFINITY

  /** Returns the state at once, with the last judgement of stalls, and starts a new one if that is old. */
  read(host: RecorderHost): ObservedServer {
    const nowTicks = ticksFromMs(Date.now() - host.state.clockAheadMs)
    if (Date.now() >= this.#judgedMs + JUDGE_EVERY_MS) {
      this.#judgedMs = Date.now()
      // A judgement that fails is tried again with the next one.
      this.#judge(host, nowTicks).catch(() => (this.#stalls = null))
    }
    const { series, findings } = host.server.model
    const open = findings.logged.filter(({ isOver, goneTicks }) => !isOver && goneTicks === undefined)
    return {
      figures: series.available.flatMap(({ key, unit, everyMs }) => {
        const { mean, count } = series.recent(key, nowTicks, Math.max(SPAN_MS, REPORTS * everyMs))
        return count === 0 ? [] : [{ key, unit, value: mean }]
      }),
      findings: Object.fromEntries(LEVELS.map((level) => [level, open.filter((each) => each.level === level).length])),
      stalls: this.#stalls,
    }
  }

  async #judge(host: RecorderHost, nowTicks: Ticks): Promise<void> {
    const range = { startTicks: (nowTicks - STALLS_TICKS) as Ticks, endTicks: Number.MAX_SAFE_INTEGER as Ticks }
    const sources = host.state.sources.map(({ id }) => id)
    const params = { sources, rule: DEFAULT_RULE, volumes: [], unknown: [], range, most: FEW_EVENTS }
    const { judgements } = (await host.request('stalls.judge', params)) as StallsResponse
    const countOf = (cause: StallCause): number => judgements.find((each) => each.cause === cause)?.stalls ?? 0
    this.#stalls = Object.fromEntries(STALL_CAUSES.map((cause) => [cause, countOf(cause)])) as Record<
      StallCause,
      number
    >
  }
}

const LEVELS = ['critical', 'warning'] as const
