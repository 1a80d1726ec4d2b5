import { isCrowded, outcomeOf, type BlockingOutcome } from './blocking.ts'
import type { Candidate } from './candidates.ts'
import { countWithin, type Claim, type Interval, type Lane, type Stall } from './events.ts'
import {
  backgroundOf,
  chanceOf,
  isTogether,
  lateClass,
  place,
  type Chance,
  type Exposed,
  type Placement,
} from './exposure.ts'

/** So many of the stalls that do not end with what is blamed may be there by chance. */
const BY_CHANCE = 0.1
/** Shifts for what chance gives of those that are left. */
const FEW_SHIFTS = 30

/** How one candidate was judged on one volume. */
export interface CandidateResult {
  readonly candidate: Candidate
  readonly outcome: BlockingOutcome
  readonly placement: Placement
  readonly chance: Chance
  /** All writes that started inside its intervals, stalled or not. */
  readonly exposedWrites: number
  /** What indices of the placement are of. */
  readonly stalls: readonly Stall[]
}

interface Judging {
  readonly lanes: readonly Lane[]
  /** Of the volume. */
  readonly ids: readonly number[]
  readonly medians: readonly number[]
  /** How many candidates are tried in all. */
  readonly tried: number
  readonly random: () => number
  readonly step: () => Promise<void>
}

/**
 * Which of the candidates hold up writes of a volume. What several of them would explain counts for the one that explains
 * most: the others must be guilty without it, so that a companion of the guilty one is not blamed.
 */
export async function judgeCandidates(
  judging: Judging,
  candidates: readonly Candidate[],
  stalls: readonly Stall[],
): Promise<CandidateResult[]> {
  const found = new Map<Candidate, CandidateResult>()
  const guilty = new Set<Candidate>()
  let open = stalls
  for (;;) {
    let best: CandidateResult | null = null
    for (const candidate of candidates) {
      if (guilty.has(candidate)) continue
      const result = await judgeCandidate(judging, candidate, open)
      // For an innocent one, how all stalls overlap with it is reported.
      if (!found.has(candidate) || isGuilty(result)) found.set(candidate, result)
      else found.set(candidate, { ...(found.get(candidate) as CandidateResult), outcome: acquitted(result.outcome) })
      if (isGuilty(result) && (best === null || excessOf(result) > excessOf(best))) best = result
    }
    if (best === null) return [...found.values()]
    guilty.add(best.candidate)
    found.set(best.candidate, best)
    const { inside, endedWith } = best.placement
    const held = best.outcome === 'crowds' ? inside : endedWith
    open = open.filter((_, at) => !held.has(at))
  }
}

const isGuilty = ({ outcome }: CandidateResult): boolean => outcome === 'blocks' || outcome === 'crowds'

const acquitted = (outcome: BlockingOutcome): BlockingOutcome =>
  outcome === 'blocks' || outcome === 'crowds' ? 'no-evidence' : outcome

const excessOf = ({ placement, chance }: CandidateResult): number => placement.endedWith.size - chance.endedWith

async function judgeCandidate(
  judging: Judging,
  candidate: Candidate,
  stalls: readonly Stall[],
): Promise<CandidateResult> {
  const { medians, random, step } = judging
  const exposed: Exposed = { ...candidate, stalls, medians, random, step }
  const placement = place(exposed)
  const chance = await chanceOf(exposed)
  const exposedWrites = Math.max(exposedWritesOf(judging, candidate), placement.inside.size)
  const blocking = outcomeOf(exposed, placement, chance, exposedWrites, judging.tried)
  const isCrowd =
    candidate.cause === 'neighbour' && blocking === 'no-evidence' && isCrowded(exposed, placement, exposedWrites)
  const outcome = isCrowd ? 'crowds' : blocking
  return { candidate, outcome, placement, chance, exposedWrites, stalls }
}

function exposedWritesOf({ lanes, ids }: Judging, { intervals, concerns }: Candidate): number {
  let count = 0
  for (const lane of ids) {
    const { writes } = lanes[lane] as Lane
    let until = Number.NEGATIVE_INFINITY
    for (const interval of intervals) {
      if (!concerns(interval, { lane, bytes: 0 })) continue
      // What overlaps is counted once.
      count += countWithin(writes, Math.max(interval.start, until), Math.max(interval.end, until))
      until = Math.max(until, interval.end)
    }
  }
  return count
}

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
    const { inside, endedWith } = place(exposed)
    const holding = new Set([...endedWith].map((at) => inside.get(at)))
    return [true, false].map((holds) => {
      const part = partOf(exposed, (interval) => holding.has(interval) === holds)
      return { result, exposed: part, placement: place(part) }
    })
  })
  const ended = new Set(placed.flatMap(({ placement }) => [...placement.endedWith]))
  const others = stalls.filter((_, at) => !ended.has(at))
  const best = new Map<number, { readonly late: number; readonly claim: Claim }>()
  for (const { result, exposed, placement } of placed) {
    const { candidate, chance } = result
    const { inside, late, endedWith } = placement
    const left = await chanceOf({ ...exposed, stalls: others }, FEW_SHIFTS)
    const raised = backgroundOf({ ...exposed, stalls: others }) / Math.max(sumOf(left.late), Number.EPSILON)
    const byChanceOf = byChance(
      late,
      left.late.map((expected) => expected * Math.min(1, raised) * freeShare(exposed, endedWith)),
    )
    const endedConfidence = 1 - Math.min(0.5, chance.endedWith / Math.max(1, result.placement.endedWith.size))
    for (const [at, interval] of inside) {
      const stall = stalls[at] as Stall
      const isEnd = isTogether(interval, stall, medians[stall.lane] ?? 0)
      const chanceShare = isEnd ? 0 : byChanceOf(lateClass(interval, stall))
      if (chanceShare > BY_CHANCE) continue
      const lateMs = Math.abs(stall.end - interval.end) + (isEnd ? 0 : 1e6)
      const before = best.get(at)
      if (before !== undefined && before.late <= lateMs) continue
      const blamed = interval.lane === stall.lane ? null : interval.lane
      const confidence = isEnd ? endedConfidence : 1 - chanceShare
      best.set(at, { late: lateMs, claim: { cause: candidate.cause, confidence, blamed } })
    }
  }
  return new Map([...best].map(([at, { claim }]) => [at, claim]))
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
