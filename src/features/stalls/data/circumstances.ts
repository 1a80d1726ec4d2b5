import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { isFileSource } from '../../../capture/client/state.ts'
import type { IoLaneColumns } from '../../../feeds/io/contract.ts'
import type { Circumstance, CircumstanceJudgement, CircumstanceVerdict } from '../contract.ts'
import type { JudgedStall } from './evidence.ts'
import { covers, unionOf, type Span } from '../../../base/spans.ts'
import { binomialTail } from '../../../base/statistics/binomial.ts'

/** Spans in which a circumstance was present, within the time for which that is known. */
export interface CircumstanceSpans {
  readonly circumstance: Circumstance
  readonly known: readonly TimeRange[]
  readonly present: readonly TimeRange[]
}

/** Maximum time between stalls that count as one episode, with one origin. */
const EPISODE_TICKS = 2 * TICKS_PER_SECOND
/** Minimum number of episodes for a verdict. */
const ENOUGH_EPISODES = 5
/** Share of writes during a circumstance above which there is nothing to compare with. */
const MOST_SHARE = 0.95
/** Probability of a coincidence below which a circumstance may contribute. Each circumstance is one test. */
const LEAST_CHANCE = 0.005

const spansOf = (ranges: readonly TimeRange[]): Span[] =>
  unionOf(ranges.map(({ startTicks, endTicks }) => ({ start: startTicks, end: endTicks })))

/**
 * Judges whether unexplained stalls begin during a circumstance more often than writes do. Stalls are compared with all
 * writes, since load causes both writes and the circumstance. Only the watched server is judged, not files.
 * `originTicks`: time from which the times of stalls count.
 */
export function judgeCircumstances(
  all: readonly CircumstanceSpans[],
  columns: readonly IoLaneColumns[],
  stalls: readonly JudgedStall[],
  originTicks: number,
): CircumstanceJudgement[] {
  const isLive = columns.map(({ source }) => !isFileSource(source))
  const starts = stalls
    .filter(({ cause, lane }) => cause === 'unexplained' && isLive[lane] === true)
    .map(({ start }) => originTicks + start * TICKS_PER_MS)
    .toSorted((a, b) => a - b)
  return all.map(({ circumstance, ...ranges }): CircumstanceJudgement => {
    const [known, present] = [spansOf(ranges.known), spansOf(ranges.present)]
    const own = starts.filter((at) => covers(known, at))
    const firsts = own.filter((at, i) => i === 0 || at - (own[i - 1] ?? 0) > EPISODE_TICKS)
    const episodesDuring = firsts.filter((at) => covers(present, at)).length
    const writesShare = shareOf(
      columns.filter((_, lane) => isLive[lane] === true),
      known,
      present,
    )
    return {
      circumstance,
      verdict: verdictOf(firsts.length, episodesDuring, known.length === 0 ? null : writesShare),
      episodes: firsts.length,
      episodesDuring,
      stalls: own.filter((at) => covers(present, at)).length,
      writesShare,
    }
  })
}

function verdictOf(episodes: number, during: number, share: number | null): CircumstanceVerdict {
  if (share === null) return 'not-recorded'
  if (share > MOST_SHARE && episodes > 0) return 'always'
  if (Number.isNaN(share) || episodes < ENOUGH_EPISODES) return 'too-few'
  if (during === 0) return 'no-evidence'
  return binomialTail(during, episodes, Math.max(share, 1e-6)) < LEAST_CHANCE ? 'may-contribute' : 'no-evidence'
}

/**
 * Share of the writes in known time that began while the circumstance was present, 0 to 1. NaN: there are no writes.
 */
function shareOf(columns: readonly IoLaneColumns[], known: readonly Span[], present: readonly Span[]): number {
  const within = (spans: readonly Span[]): number => {
    let count = 0
    for (const { writes } of columns)
      for (const { start, end } of spans)
        count += bisectNumbers(writes.startTicks, end) - bisectNumbers(writes.startTicks, start)
    return count
  }
  return within(present) / within(known)
}
