import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { groupBy } from '../../../base/columns/group-by.ts'
import {
  STALL_CAUSES,
  type CauseJudgement,
  type CauseVerdict,
  type RateJudgement,
  type WriteExample,
  type StallCause,
} from '../contract.ts'
import type { Claim, Tried } from './judge.ts'
import type { Lane, Stall, WriteRef } from './lanes.ts'
import { quantileOf } from '../../../base/statistics/quantile.ts'
import { LEAST_WAITS, MOST_INTERVALS } from './tolerances.ts'

export interface JudgedStall extends Stall, Claim {}

interface Evidence {
  readonly lanes: readonly Lane[]
  /** Stalls of the judged part, by start. */
  readonly stalls: readonly JudgedStall[]
  readonly tried: readonly Tried[]
  /** Bounds of the judged part, ms. */
  readonly fromMs: number
  readonly toMs: number
  /** Whether stalls are known only from sums. */
  readonly isUntold: boolean
  readonly writeOf: (write: WriteRef) => WriteExample
}

/** Maximum number of counter-examples: in total, and for one interval. */
const EXAMPLES = 100
const EXAMPLES_OF_INTERVAL = 3

/** Judges the causes in the order of `STALL_CAUSES`. */
export function judgementsOf(evidence: Evidence): CauseJudgement[] {
  const { lanes, stalls, isUntold } = evidence
  const volumes = new Set(lanes.map(({ volume }) => volume)).size
  return STALL_CAUSES.map((cause): CauseJudgement => {
    const own = stalls.filter((stall) => stall.cause === cause)
    const { exposed, exposedStalls, counterExamples } = exposureOf(evidence, cause)
    const isComparable = cause !== 'bytes' && cause !== 'unexplained'
    const isTooFew = stalls.length < LEAST_WAITS && (stalls.length > 0 || isUntold)
    return {
      cause,
      verdict: verdictOf(own.length, stalls.length, isTooFew || (cause === 'standstill' && volumes < 2)),
      stalls: own.length,
      allStalls: stalls.length,
      expected: isComparable && own.length > 0 ? own.reduce((sum, { confidence }) => sum + 1 - confidence, 0) : null,
      rates: cause === 'bytes' ? ratesOf(own) : [],
      exposed,
      exposedStalls,
      counterExamples,
    }
  })
}

function verdictOf(stalls: number, all: number, isTooFew: boolean): CauseVerdict {
  if (stalls > 0) return stalls >= all / 2 ? 'explains' : 'contributes'
  return isTooFew ? 'too-few' : 'no-evidence'
}

function ratesOf(stalls: readonly JudgedStall[]): RateJudgement[] {
  const rates = stalls.flatMap(({ rate }) => rate ?? [])
  return groupBy(rates, (rate) => rate.of)
    .map(([of, own]): RateJudgement => {
      const all = own.map(({ bytesPerSecond }) => bytesPerSecond)
      return {
        of,
        stalls: own.length,
        bytesPerSecond: [quantileOf(all, 0.25), quantileOf(all, 0.5), quantileOf(all, 0.75)],
      }
    })
    .toSorted((a, b) => b.stalls - a.stalls)
}

/** Counts the writes that started during an I/O which may have held them up, and collects some that did not stall. */
function exposureOf(
  { lanes, stalls, tried, fromMs, toMs, writeOf }: Evidence,
  cause: StallCause,
): Pick<CauseJudgement, 'exposed' | 'exposedStalls' | 'counterExamples'> {
  if (cause !== 'sync' && cause !== 'flush' && cause !== 'neighbour')
    return { exposed: null, exposedStalls: null, counterExamples: [] }
  const stalled = new Set(stalls.map(({ lane, row }) => `${String(lane)} ${String(row)}`))
  const examples = new Map<string, WriteRef>()
  let [exposed, exposedStalls] = [0, 0]
  for (const { ids, intervals, concerns } of tried.filter((each) => each.cause === cause)) {
    const step = Math.max(1, Math.floor(intervals.length / MOST_INTERVALS))
    for (const lane of ids) {
      const { start: starts } = (lanes[lane] as Lane).writes
      // Overlapping intervals are counted once.
      let until = fromMs
      for (let i = 0; i < intervals.length; i += step) {
        const { start, end, lane: holder } = intervals[i] as Tried['intervals'][number]
        if (!concerns(holder, lane) || end <= until || start >= toMs) continue
        const first = bisectNumbers(starts, Math.max(start, until))
        const after = bisectNumbers(starts, Math.min(end, toMs))
        until = end
        exposed += after - first
        let left = EXAMPLES_OF_INTERVAL
        for (let row = first; row < after; row++) {
          const key = `${String(lane)} ${String(row)}`
          if (stalled.has(key)) exposedStalls++
          else if (left > 0 && examples.size < EXAMPLES) {
            examples.set(key, { lane, row })
            left--
          }
        }
      }
    }
  }
  return { exposed, exposedStalls, counterExamples: [...examples.values()].map(writeOf) }
}
