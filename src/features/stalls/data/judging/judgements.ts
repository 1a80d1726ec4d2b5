import type { CauseJudgement, CauseVerdict, StallCause } from '../../contract.ts'
import type { Ceiling } from './at-limit.ts'
import type { CompressionResult } from './compression.ts'
import { durationOf, rowsWithin, type Interval, type JudgedStall, type Lane, type WriteRef } from './events.ts'
import { ENOUGH_PERIODS, periodsOf } from './limit.ts'
import type { Outside } from './outside.ts'
import { differenceOfMeans } from './statistics.ts'
import type { CandidateResult } from './volume.ts'

/** Counter-examples of a cause that are shown. */
const EXAMPLES = 20
const EXAMPLES_OF_INTERVAL = 3
/** Fewer stalls that were reported one by one, beside others in sums, tell nothing. */
const ENOUGH_SINGLE = 3
/** Intervals and writes from which the effect is estimated. */
const SAMPLE = { intervals: 300, writes: 20_000 }

/** With counter-examples as rows of lanes. */
export type Judgement = Omit<CauseJudgement, 'counterExamples'> & { readonly counterExamples: readonly WriteRef[] }

interface Findings {
  readonly lanes: readonly Lane[]
  readonly stalls: readonly JudgedStall[]
  /** Stalls that are known only from sums: they count for shares, and tell nothing of causes. */
  readonly summed: number
  readonly results: readonly CandidateResult[]
  readonly ceilings: readonly Ceiling[]
  /** Some stalls seem to take as long as their size, but it cannot be told. */
  readonly isSizeUnclear: boolean
  readonly compression: CompressionResult
  readonly outside: Outside
  readonly random: () => number
}

/** The verdict on each cause, over all volumes. */
export function judgementsOf({
  lanes,
  stalls,
  summed,
  results,
  ceilings,
  isSizeUnclear,
  compression,
  outside,
  random,
}: Findings): Judgement[] {
  const single = stalls.length
  const allStalls = single + summed
  const isFromSums = summed > 0 && single < ENOUGH_SINGLE
  const counts = new Map<StallCause, number>()
  for (const { cause } of stalls) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const verdictOf = (cause: StallCause, isEnough: boolean): CauseVerdict => {
    const own = counts.get(cause) ?? 0
    if (own > 0) return own * 2 >= allStalls ? 'explains' : 'contributes'
    return isEnough && !isFromSums ? 'no-evidence' : 'too-few'
  }
  const blocking = (cause: 'sync' | 'neighbour'): Judgement => {
    const own = results.filter(({ candidate }) => candidate.cause === cause)
    const sum = (of: (result: CandidateResult) => number): number => own.reduce((all, result) => all + of(result), 0)
    return {
      cause,
      verdict: verdictOf(
        cause,
        own.some(({ outcome }) => outcome !== 'too-few'),
      ),
      stalls: counts.get(cause) ?? 0,
      allStalls,
      exposed: sum(({ exposedWrites }) => exposedWrites),
      exposedStalls: sum(({ placement }) => placement.inside.size),
      expected: sum(({ chance }) => chance.inside),
      endedWith: sum(({ placement }) => placement.endedWith.size),
      expectedEndedWith: sum(({ chance }) => chance.endedWith),
      effectMs: effectOf(lanes, own, random),
      limit: null,
      compressions: null,
      counterExamples: counterExamplesOf(lanes, stalls, own),
    }
  }
  const plain = (cause: StallCause, isEnough: boolean, parts: Partial<Judgement> = {}): Judgement => ({
    cause,
    verdict: verdictOf(cause, isEnough),
    stalls: counts.get(cause) ?? 0,
    allStalls,
    exposed: 0,
    exposedStalls: counts.get(cause) ?? 0,
    expected: null,
    endedWith: null,
    expectedEndedWith: null,
    effectMs: null,
    limit: null,
    compressions: null,
    counterExamples: [],
    ...parts,
  })
  return [
    blocking('sync'),
    blocking('neighbour'),
    plain('compression', compression.isEnough, {
      exposed: compression.exposed,
      exposedStalls: compression.stalled.length,
      expected: compression.expected,
      effectMs: compression.effectMs,
      compressions: compression.compressions,
      counterExamples: compression.counterExamples,
    }),
    plain('size', single >= 5 && !isSizeUnclear),
    plain('ceiling', single >= 10 && periodsOf(stalls) >= ENOUGH_PERIODS, { limit: ceilings[0]?.limit ?? null }),
    plain('outside', outside.isTried && single >= 10, { expected: outside.isTried ? outside.expected : null }),
    plain('unexplained', !isFromSums),
  ]
}

/** Calls `visit` with rows of writes that an interval of the candidates concerns, for intervals spread evenly, until it says so. */
function forEachExposed(
  lanes: readonly Lane[],
  results: readonly CandidateResult[],
  visit: (interval: Interval, lane: number) => boolean,
): void {
  for (const { candidate } of results) {
    const { intervals, concerns } = candidate
    const step = Math.max(1, Math.floor(intervals.length / SAMPLE.intervals))
    const volumes = new Set(intervals.map(({ lane }) => lanes[lane]?.volume))
    const ids = [...lanes.keys()].filter((lane) => volumes.has(lanes[lane]?.volume))
    for (let i = 0; i < intervals.length; i += step) {
      const interval = intervals[i] as Interval
      for (const lane of ids) if (concerns(interval, { lane, bytes: 0 }) && !visit(interval, lane)) return
    }
  }
}

/** Writes that started inside and did not stall. */
function counterExamplesOf(
  lanes: readonly Lane[],
  stalls: readonly JudgedStall[],
  results: readonly CandidateResult[],
): WriteRef[] {
  const stalled = new Set(stalls.map(({ lane, row }) => `${lane} ${row}`))
  const found = new Map<string, WriteRef>()
  forEachExposed(lanes, results, (interval, lane) => {
    const [first, end] = rowsWithin((lanes[lane] as Lane).writes, interval.start, interval.end)
    let left = EXAMPLES_OF_INTERVAL
    for (let row = first; row < end && left > 0; row++) {
      if (stalled.has(`${lane} ${row}`)) continue
      found.set(`${lane} ${row}`, { lane, row })
      left--
    }
    return found.size < EXAMPLES
  })
  return [...found.values()].slice(0, EXAMPLES)
}

/** Writes that started inside, against those of the same lanes shortly before. */
function effectOf(
  lanes: readonly Lane[],
  results: readonly CandidateResult[],
  random: () => number,
): CauseJudgement['effectMs'] {
  const inside: number[] = []
  const outside: number[] = []
  const add = (into: number[], { writes }: Lane, from: number, to: number): void => {
    const [first, end] = rowsWithin(writes, from, to)
    for (let row = first; row < end; row++) into.push(durationOf(writes, row))
  }
  forEachExposed(lanes, results, (interval, lane) => {
    add(inside, lanes[lane] as Lane, interval.start, interval.end)
    add(outside, lanes[lane] as Lane, interval.start - 3 * (interval.end - interval.start), interval.start)
    return inside.length + outside.length <= SAMPLE.writes
  })
  return differenceOfMeans(inside, outside, random)
}
