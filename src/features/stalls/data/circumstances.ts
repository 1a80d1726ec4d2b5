import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { isFileSource } from '../../../capture/client/state.ts'
import type { IoLaneColumns } from '../../../feeds/io/contract.ts'
import type { Circumstance, CircumstanceJudgement, CircumstanceVerdict } from '../contract.ts'
import type { JudgedStall } from './evidence.ts'
import { covers, unionOf, type Span } from '../../../base/spans.ts'
import { binomialTail } from '../../../base/statistics/binomial.ts'

/** Spans in which a circumstance was present, within the time in which that is known. */
export interface CircumstanceSpans {
  readonly circumstance: Circumstance
  readonly known: readonly TimeRange[]
  readonly present: readonly TimeRange[]
}

/** Stalls closer to each other than this have one origin, and count once. */
const EPISODE_TICKS = 2 * TICKS_PER_SECOND
/** Least number of episodes for a verdict. */
const ENOUGH_EPISODES = 5
/** Share of the writes above which what came with them has nothing to be compared with. */
const MOST_SHARE = 0.95
/** Chance of so many at random, from which on they are no coincidence; each circumstance is one try. */
const LEAST_CHANCE = 0.005

const spansOf = (ranges: readonly TimeRange[]): Span[] =>
  unionOf(ranges.map(({ startTicks, endTicks }) => ({ start: startTicks, end: endTicks })))

/**
 * Whether stalls that nothing explains begin while a circumstance is present more often than writes do. All writes are what
 * stalls are compared with, since load brings writes and the circumstance together. Only of the server that is watched.
 * `originTicks`: what times of stalls count from.
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

/** Share of the writes in known time that began in the present spans, 0 to 1; NaN without writes. */
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
