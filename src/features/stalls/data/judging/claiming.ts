import { bisectLeft } from '../../../../base/columns/bisect.ts'
import type { CeilingLimit } from '../../contract.ts'
import type { Candidate } from './candidates.ts'
import type { Claim, Interval, Stall } from './events.ts'
import { backgroundOf, chanceOf, isTogether, lateClass, lateOf, leadOf, place, type Exposed } from './exposure.ts'
import { BYTES, OPERATIONS, volumeOf } from './completions.ts'
import { servedWhile } from './in-line.ts'
import { durationMsOf, NEAR } from './rates.ts'
import { heldOf, isGuilty, type CandidateResult, type Judging } from './volume.ts'

/** So many of the stalls that do not end with what is blamed may be there by chance. */
const BY_CHANCE = 0.1
/** What the limit delays and a sync lets go before its end takes so many times as long as the limit explains. */
const MORE_THAN_LIMIT = 2
/** Shifts for what chance gives of those that are left. */
const FEW_SHIFTS = 30

/** The cause of each stall that a guilty candidate held up: the one with whose end it ended, else one that it merely started in. */
export async function claimBlocked(
  { medians, random, step }: Judging,
  results: readonly CandidateResult[],
  stalls: readonly Stall[],
): Promise<Map<number, Claim>> {
  const guilty = results.filter(isGuilty)
  const placed = guilty.flatMap((result) => {
    const exposed: Exposed = { ...result.candidate, stalls, medians, random, step }
    // An interval that held up one write held up another sooner than one that held up none.
    const placement = place(exposed)
    // One that crowds writes out does so as long as it lasts.
    if (result.outcome === 'crowds') return [{ result, exposed, placement }]
    const { inside, endedWith } = placement
    const holding = new Set([...endedWith].map((at) => inside.get(at)))
    return [true, false].map((holds) => {
      const part = partOf(exposed, (interval) => holding.has(interval) === holds)
      return { result, exposed: part, placement: place(part) }
    })
  })
  const held = new Set(placed.flatMap(({ result, placement }) => [...heldOf(result.outcome, placement)]))
  const others = stalls.filter((_, at) => !held.has(at))
  const best = new Map<number, { readonly late: number; readonly claim: Claim }>()
  for (const { result, exposed, placement } of placed) {
    const { candidate } = result
    const { inside, late, endedWith } = placement
    const left = await chanceOf({ ...exposed, stalls: others }, FEW_SHIFTS)
    const raised = backgroundOf({ ...exposed, stalls: others }) / Math.max(sumOf(left.late), Number.EPSILON)
    const byChanceOf = byChance(
      late,
      left.late.map((expected) => expected * Math.min(1, raised) * freeShare(exposed, endedWith)),
    )
    for (const [at, interval] of inside) {
      const stall = stalls[at] as Stall
      const isEnd = isTogether(interval, stall, medians[stall.lane] ?? 0)
      const chanceShare = isEnd ? 0 : byChanceOf(lateClass(interval, stall))
      if (chanceShare > BY_CHANCE) continue
      const lateMs = Math.abs(stall.end - interval.end) + (isEnd ? 0 : 1e6)
      const before = best.get(at)
      if (before !== undefined && before.late <= lateMs) continue
      const confidence = isEnd ? endedConfidence(result) : 1 - chanceShare
      best.set(at, { late: lateMs, claim: { cause: candidate.cause, confidence, blamed: blamedOf(interval, stall) } })
    }
  }
  const claims = new Map([...best].map(([at, { claim }]) => [at, claim]))
  for (const { candidate, outcome } of guilty)
    for (const [at, stall] of stalls.entries()) {
      const medianMs = medians[stall.lane] ?? 0
      const interval = claims.has(at) ? undefined : caughtBy(candidate, stall, medianMs)
      if (interval === undefined || (outcome === 'blocks' && !isTogether(interval, stall, medianMs))) continue
      claims.set(at, { cause: candidate.cause, confidence: 1 - BY_CHANCE, blamed: blamedOf(interval, stall) })
    }
  return claims
}

/**
 * Of stalls at a limit those of which a guilty sync took most of the time, by index: they took longer than the limit explains, began in
 * the sync, and ended before it, with it, or no later after it than the limit explains. What gathers meanwhile meets the limit, too, so
 * that they seem to be of its slow period.
 */
export function claimFromLimit(
  { lanes, ids, medians }: Judging,
  results: readonly CandidateResult[],
  stalls: readonly Stall[],
  { unit, perSecond }: CeilingLimit,
): Map<number, Claim> {
  const measure = unit === 'bytes' ? BYTES : OPERATIONS
  const volume = volumeOf(lanes, ids)
  const limitPerMs = perSecond / 1000
  const claims = new Map<number, Claim>()
  for (const result of results) {
    const { candidate, outcome } = result
    if (candidate.cause !== 'sync' || outcome !== 'blocks') continue
    for (const [at, interval] of place({ ...candidate, stalls, medians }).inside) {
      const stall = stalls[at] as Stall
      const durationMs = durationMsOf(stall)
      const limitedMs = servedWhile(measure, volume, stall, limitPerMs * durationMs) / limitPerMs
      const factor = stall.end < interval.end ? MORE_THAN_LIMIT : NEAR
      const lateMs = stall.end - interval.end - lateOf(medians[stall.lane] ?? 0)
      const heldMs = Math.min(stall.end, interval.end) - stall.start
      if (durationMs <= factor * limitedMs || lateMs > NEAR * limitedMs || 2 * heldMs < durationMs) continue
      claims.set(at, { cause: 'sync', confidence: endedConfidence(result), blamed: blamedOf(interval, stall) })
    }
  }
  return claims
}

/** Of a stall that ended with what held it up. */
const endedConfidence = ({ placement, chance }: CandidateResult): number =>
  1 - Math.min(0.5, chance.endedWith / Math.max(1, placement.endedWith.size))

const blamedOf = (interval: Interval, stall: Stall): number | null =>
  interval.lane === stall.lane ? null : interval.lane

/** The interval that began when the stall had been under way for a moment, and lasted for most of it. */
function caughtBy({ intervals, concerns }: Candidate, stall: Stall, medianMs: number): Interval | undefined {
  const mostStart = Math.min(stall.start + leadOf(medianMs), (stall.start + stall.end) / 2)
  for (let i = bisectLeft(intervals, stall.start, ({ start }) => start); i < intervals.length; i++) {
    const interval = intervals[i] as Interval
    if (interval.start > mostStart) return undefined
    const sharedMs = Math.min(interval.end, stall.end) - interval.start
    if (concerns(interval, stall) && 2 * sharedMs >= stall.end - stall.start) return interval
  }
  return undefined
}

const partOf = (exposed: Exposed, has: (interval: Interval) => boolean): Exposed => ({
  ...exposed,
  intervals: exposed.intervals.filter(has),
})

/** Of the time of the intervals, by lane, the share in which no write is held up to their end, so that another may stall by chance. */
function freeShare({ intervals, stalls, concerns }: Exposed, held: ReadonlySet<number>): number {
  const lanes = new Set(stalls.map(({ lane }) => lane))
  let wholeMs = 0
  for (const interval of intervals)
    for (const lane of lanes) if (concerns(interval, { lane, bytes: 0 })) wholeMs += interval.end - interval.start
  const heldMs = [...held].reduce((sum, at) => sum + (stalls[at] as Stall).end - (stalls[at] as Stall).start, 0)
  return Math.max(0, 1 - heldMs / Math.max(wholeMs, Number.EPSILON))
}

const sumOf = (of: readonly number[]): number => of.reduce((all, each) => all + each, 0)

/** Share of stalls of a class that chance would give: of all together where that is small enough, else of the class. */
function byChance(found: readonly number[], expected: readonly number[]): (which: number) => number {
  const all = Math.min(1, sumOf(expected) / Math.max(1, sumOf(found)))
  return (which) => {
    if (all <= BY_CHANCE) return all
    const count = found[which] ?? 0
    return count < 3 ? 1 : Math.min(1, (expected[which] ?? 0) / count)
  }
}
