import { groupBy } from '../../../../base/columns/group-by.ts'
import type { CauseJudgement, CauseVerdict, StallCause, StallRule } from '../../contract.ts'
import { findStalls, medianWriteMs } from './baseline.ts'
import { isTogether, judgeBlocking, type BlockingResult } from './blocking.ts'
import { findCeiling } from './ceiling.ts'
import { durationOf, firstAt, type Interval, type Lane, type Stall } from './events.ts'
import { findOutside } from './outside.ts'
import { SizePeers } from './size.ts'
import { differenceOfMeans } from './statistics.ts'

/** A commit of so many bytes may hold up its neighbours. */
const LARGE_COMMIT = 1 << 20
/** How much larger it is than the write that waits. */
const TIMES_LARGER = 8
/** So many of the stalls that do not end with what is blamed may be there by chance. */
const BY_CHANCE = 0.1
/** Intervals that are judged: the longest ones, where there are more. */
const MOST_INTERVALS = 5000

export interface JudgedStall extends Stall {
  readonly cause: StallCause
  readonly confidence: number
  /** Lane that is to blame; null: itself or nothing. */
  readonly blamed: number | null
}

export interface Judged {
  readonly stalls: readonly JudgedStall[]
  readonly judgements: readonly CauseJudgement[]
}

interface Claim {
  readonly cause: StallCause
  readonly confidence: number
  readonly blamed: number | null
}

const NOTHING_CLAIMED: Claim = { cause: 'unexplained', confidence: 1, blamed: null }

interface Candidate {
  readonly cause: 'sync' | 'neighbour'
  readonly intervals: readonly Interval[]
  readonly concerns: (interval: Interval, stall: Stall) => boolean
}

/**
 * Finds the stalls of the lanes and the main cause of each, at most one. A cause is claimed from its mechanism, against what
 * chance would give, never from overlap alone; what is left is unexplained. Times in ms. `step` is awaited between parts.
 */
export async function judgeStalls(
  lanes: readonly Lane[],
  rule: StallRule,
  random: () => number,
  step: () => Promise<void> = () => Promise.resolve(),
): Promise<Judged> {
  const medians = lanes.map(medianWriteMs)
  const stalls = findStalls(lanes, rule, medians)
  await step()
  const claims = new Map<number, Claim>()
  const groups = groupBy([...lanes.keys()], (lane) => lanes[lane]?.volume ?? '').map(([, ids]) => ids)
  const results: Result[] = []
  let ceilings = 0
  for (const ids of groups) {
    const inGroup = new Set(ids)
    const own = [...stalls.keys()].filter((at) => inGroup.has((stalls[at] as Stall).lane))
    const peers = new SizePeers(ids.map((id) => lanes[id] as Lane))
    await step()
    for (const at of own) {
      const { lane, bytes, start, end } = stalls[at] as Stall
      const stallMs = Math.max(rule.leastMs, rule.timesMedian * (medians[lane] ?? 0))
      if (peers.explains(bytes, end - start, stallMs)) claims.set(at, { cause: 'size', confidence: 0.95, blamed: null })
    }
    await step()
    const open = own.filter((at) => !claims.has(at))
    const candidates = candidatesOf(lanes, ids, peers)
    const judged: Result[] = []
    for (const candidate of candidates) {
      const tried = candidates.length * groups.length
      const unclaimed = open.map((at) => stalls[at] as Stall)
      const result = await judgeBlocking({ ...candidate, stalls: unclaimed, lanes, medians, tried, random, step })
      judged.push({ candidate, result, indices: open })
    }
    results.push(...judged)
    claimBlocked(judged, stalls, medians, claims)
    const ceiling = findCeiling(
      lanes,
      ids,
      stalls,
      open.filter((at) => !claims.has(at)),
    )
    if (ceiling !== null) {
      ceilings += ceiling.stalls.size
      for (const at of ceiling.stalls) claims.set(at, { cause: 'ceiling', confidence: 0.9, blamed: null })
    }
    await step()
  }
  const left = [...stalls.keys()].filter((at) => !claims.has(at))
  const outside = findOutside(lanes, stalls, left, random)
  if (outside.isMoreThanChance)
    for (const at of outside.together)
      claims.set(at, {
        cause: 'outside',
        confidence: 1 - Math.min(1, outside.expected / outside.together.size),
        blamed: null,
      })
  const judgedStalls = stalls.map((stall, at): JudgedStall => Object.assign(stall, claims.get(at) ?? NOTHING_CLAIMED))
  return { stalls: judgedStalls, judgements: judgementsOf(lanes, judgedStalls, results, outside, ceilings, random) }
}

interface Result {
  readonly candidate: Candidate
  readonly result: BlockingResult
  /** Index in the result → index of all stalls. */
  readonly indices: readonly number[]
}

function candidatesOf(lanes: readonly Lane[], ids: readonly number[], peers: SizePeers): Candidate[] {
  const syncs = ids.flatMap((lane) => {
    const events = lanes[lane]?.syncs
    return events === undefined
      ? []
      : Array.from(events.start, (start, row) => ({ start, end: events.end[row] as number, lane }))
  })
  const commits = ids.flatMap((lane) => {
    const { writes } = lanes[lane] as Lane
    const large: (Interval & { readonly bytes: number })[] = []
    for (let row = 0; row < writes.start.length; row++) {
      const bytes = writes.bytes[row] as number
      if (bytes < LARGE_COMMIT) continue
      const durationMs = durationOf(writes, row)
      // Slower than its size explains: it waits for the same thing, and is to blame for nothing.
      const expected = peers.expectedMs(bytes, durationMs)
      if (expected === null || durationMs > 1.8 * expected) continue
      large.push({ start: writes.start[row] as number, end: writes.end[row] as number, lane, bytes })
    }
    return large
  })
  const sizes = new Map<Interval, number>(commits.map((commit) => [commit, commit.bytes]))
  const all: Candidate[] = [
    { cause: 'sync', intervals: capped(syncs), concerns: (interval, stall) => interval.lane === stall.lane },
    { cause: 'sync', intervals: capped(syncs), concerns: (interval, stall) => interval.lane !== stall.lane },
    {
      cause: 'neighbour',
      intervals: capped(commits),
      concerns: (interval, stall) =>
        interval.lane !== stall.lane && (sizes.get(interval) ?? LARGE_COMMIT) >= TIMES_LARGER * stall.bytes,
    },
  ]
  return ids.length === 1 ? all.slice(0, 1) : all
}

function capped(intervals: readonly Interval[]): Interval[] {
  const most =
    intervals.length <= MOST_INTERVALS
      ? [...intervals]
      : intervals.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MOST_INTERVALS)
  return most.toSorted((a, b) => a.start - b.start)
}

/** First those that end with what held them up, then those that merely started inside of it, where chance gives few. */
function claimBlocked(
  results: readonly Result[],
  stalls: readonly Stall[],
  medians: readonly number[],
  claims: Map<number, Claim>,
): void {
  const guilty = results.filter(({ result }) => result.outcome === 'blocks')
  const lateOf = (at: number, interval: Interval): number => Math.abs((stalls[at] as Stall).end - interval.end)
  const best = new Map<number, { late: number; claim: Claim }>()
  for (const { candidate, result, indices } of guilty) {
    // Of those that merely started inside, so many would be there anyway.
    const others = result.inside.size - result.endedWith.size
    const byChance = Math.min(1, result.background / Math.max(1, others))
    const endedConfidence = 1 - Math.min(0.5, result.expectedEndedWith / result.endedWith.size)
    for (const [i, interval] of result.inside) {
      const at = indices[i] as number
      const stall = stalls[at] as Stall
      const isEnd = isTogether(interval, stall, medians[stall.lane] ?? 0)
      if (!isEnd && byChance > BY_CHANCE) continue
      const late = isEnd ? lateOf(at, interval) : 1e6 + lateOf(at, interval)
      const before = best.get(at)
      if (before !== undefined && before.late <= late) continue
      const blamed = interval.lane === stall.lane ? null : interval.lane
      const confidence = isEnd ? endedConfidence : 1 - byChance
      best.set(at, { late, claim: { cause: candidate.cause, confidence, blamed } })
    }
  }
  for (const [at, { claim }] of best) claims.set(at, claim)
}

function judgementsOf(
  lanes: readonly Lane[],
  stalls: readonly JudgedStall[],
  results: readonly Result[],
  outside: { readonly together: ReadonlySet<number>; readonly expected: number },
  ceilings: number,
  random: () => number,
): CauseJudgement[] {
  const allStalls = stalls.length
  const counts = new Map<StallCause, number>()
  for (const { cause } of stalls) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const verdictOf = (cause: StallCause, isEnough: boolean): CauseVerdict => {
    const own = counts.get(cause) ?? 0
    if (own > 0) return own * 2 >= allStalls ? 'explains' : 'contributes'
    return isEnough ? 'no-evidence' : 'too-few'
  }
  const blocking = (cause: 'sync' | 'neighbour'): CauseJudgement => {
    const own = results.filter(({ candidate }) => candidate.cause === cause)
    const sum = (of: (result: BlockingResult) => number): number => own.reduce((all, { result }) => all + of(result), 0)
    const isEnough = own.some(({ result }) => result.outcome !== 'too-few')
    return {
      cause,
      verdict: verdictOf(cause, isEnough),
      stalls: counts.get(cause) ?? 0,
      allStalls,
      exposed: sum(({ writesInside }) => writesInside),
      exposedStalls: sum(({ inside }) => inside.size),
      expected: sum(({ expectedInside }) => expectedInside),
      endedWith: sum(({ endedWith }) => endedWith.size),
      effectMs: effectOf(lanes, own, random),
    }
  }
  const plain = (cause: StallCause, isEnough: boolean, expected: number | null): CauseJudgement => ({
    cause,
    verdict: cause === 'unexplained' ? verdictOf(cause, true) : verdictOf(cause, isEnough),
    stalls: counts.get(cause) ?? 0,
    allStalls,
    exposed: 0,
    exposedStalls: counts.get(cause) ?? 0,
    expected,
    endedWith: null,
    effectMs: null,
  })
  const volumes = new Set(lanes.map(({ volume }) => volume)).size
  return [
    blocking('sync'),
    blocking('neighbour'),
    plain('size', allStalls >= 5, null),
    plain('ceiling', allStalls >= 10 || ceilings > 0, null),
    plain('outside', volumes > 1 && allStalls >= 10, outside.expected),
    plain('unexplained', true, null),
  ]
}

/** Writes that started inside, against those of the same lanes that did not. */
function effectOf(
  lanes: readonly Lane[],
  results: readonly Result[],
  random: () => number,
): CauseJudgement['effectMs'] {
  const inside: number[] = []
  const outside: number[] = []
  for (const { candidate } of results) {
    const step = Math.max(1, Math.floor(candidate.intervals.length / 300))
    for (let i = 0; i < candidate.intervals.length; i += step) {
      const interval = candidate.intervals[i] as Interval
      const length = interval.end - interval.start
      for (const [at, { writes }] of lanes.entries()) {
        const probe = { lane: at, row: 0, start: interval.start, end: interval.end, bytes: 0 }
        if (!candidate.concerns(interval, probe)) continue
        const add = (into: number[], from: number, to: number): void => {
          for (
            let row = firstAt(writes.start, from);
            row < writes.start.length && (writes.start[row] as number) < to;
            row++
          )
            into.push(durationOf(writes, row))
        }
        add(inside, interval.start, interval.end)
        add(outside, interval.start - 3 * length, interval.start)
        if (inside.length + outside.length > 20_000) return differenceOfMeans(inside, outside, random)
      }
    }
  }
  return differenceOfMeans(inside, outside, random)
}
