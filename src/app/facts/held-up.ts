import { spanFromMs, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { groupBy } from '../../base/columns/group-by.ts'
import { isFileSource } from '../../capture/client/state.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import { STALLS_SPAN_TICKS } from '../../features/triage/data/thresholds.ts'
import type { HeldUpCommits, OtherFacts } from '../../features/triage/data/facts.ts'
import {
  DEFAULT_RULE,
  FEW_EVENTS,
  type RecentStalls,
  STALL_CAUSES,
  type StallCause,
  type StallsResponse,
} from '../../features/stalls/contract.ts'
import type { StallSource, StallsJudge } from '../../features/stalls/data/responses.ts'

/** Minimum time between two judgements. */
const EVERY_TICKS = 30 * TICKS_PER_SECOND

/** Judgement of the panel Stalls, for Triage; null: not judged. */
export type JudgedCommits = Pick<OtherFacts, 'heldUp' | 'slowCommits'>

export const NOT_JUDGED: JudgedCommits = { heldUp: null, slowCommits: null }

/** Stalls of the watched sources in the last ten minutes, judged as in the panel Stalls. */
export class HeldUpWatch {
  readonly #io: Pick<IoFeed, 'store'>
  readonly #source: StallSource
  #judge: StallsJudge | null = null
  #known = NOT_JUDGED
  #judgedTicks = Number.NEGATIVE_INFINITY
  #isBusy = false
  /** Stalls of the newest judgement. Null: there is none, or it failed. */
  recent: RecentStalls | null = null

  constructor(io: Pick<IoFeed, 'store'>, source: StallSource) {
    this.#io = io
    this.#source = source
  }

  /** Returns the last judgement at once and starts a new one. */
  newest(nowTicks: Ticks): JudgedCommits {
    const sources = [...new Set([...this.#io.store.lanes.values()].map(({ source }) => source))].filter(
      (source) => !isFileSource(source),
    )
    if (sources.length === 0) return NOT_JUDGED
    if (!this.#isBusy && Math.abs(nowTicks - this.#judgedTicks) >= EVERY_TICKS) {
      this.#isBusy = true
      this.#judgedTicks = nowTicks
      void this.#judgeAgain(sources, nowTicks)
        // Code may be missing while its server is away. The next judgement loads it; the last one is out of date.
        .catch(() => {
          this.#known = NOT_JUDGED
          this.recent = null
        })
        .finally(() => {
          this.#isBusy = false
        })
    }
    return this.#known
  }

  async #judgeAgain(sources: readonly string[], nowTicks: Ticks): Promise<void> {
    this.#judge ??= new (await import('../../features/stalls/data/responses.ts')).StallsJudge(this.#source)
    const range = { startTicks: (nowTicks - STALLS_SPAN_TICKS) as Ticks, endTicks: Number.MAX_SAFE_INTEGER as Ticks }
    const params = { sources, rule: DEFAULT_RULE, volumes: [], unknown: [], range, most: FEW_EVENTS }
    const response = await this.#judge.respond(params, new AbortController().signal)
    this.#known = commitsOf(response)
    this.recent = { atTicks: nowTicks, byCause: byCause(response) }
  }
}

/** Share of its stalls from which on a cause is named; a smaller one does not explain the rest. */
const NAMED_SHARE = 0.2

function byCause({ judgements }: StallsResponse): RecentStalls['byCause'] {
  const counts = new Map(judgements.map(({ cause, stalls }) => [cause, stalls]))
  return Object.fromEntries(STALL_CAUSES.map((cause) => [cause, counts.get(cause) ?? 0])) as Record<StallCause, number>
}

/** Commits that were held up or slow by a judgement with the default rule. */
export const commitsOf = (response: StallsResponse): JudgedCommits => ({
  heldUp: heldUpOf(response),
  slowCommits: response.slow.map((storage) =>
    Object.assign({}, storage, { environment: storage.label, leastMs: DEFAULT_RULE.leastMs }),
  ),
})

/** Held-up commits by environment, with the cause that most of its explained stalls have. */
export function heldUpOf({ stalls, lanes }: StallsResponse): HeldUpCommits[] {
  const writes = stalls.filter(({ of }) => of === 'write')
  return groupBy(writes, ({ source, environment }) => `${source}|${environment}`).map(([, own]): HeldUpCommits => {
    const [{ source, environment, label }] = own
    const causes = groupBy(own, (stall) => stall.cause).toSorted((a, b) => b[1].length - a[1].length)
    const [cause, ofCause] = causes.find(
      ([each, { length }]) => each !== 'unexplained' && length >= NAMED_SHARE * own.length,
    ) ?? ['unexplained' as const, own.filter((stall) => stall.cause === 'unexplained')]
    return {
      source,
      environment: label,
      stalls: own.length,
      stalledShare: lanes.find((lane) => lane.source === source && lane.environment === environment)?.stalledShare ?? 0,
      longestTicks: spanFromMs(Math.max(...own.map(({ durationMs }) => durationMs))),
      sinceTicks: Math.min(...own.map(({ startTicks }) => startTicks)) as Ticks,
      untilTicks: Math.max(...own.map(({ startTicks, durationMs }) => startTicks + spanFromMs(durationMs))) as Ticks,
      cause,
      ofCause: ofCause.length,
    }
  })
}
