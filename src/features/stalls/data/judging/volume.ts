import { isCrowded, outcomeOf, type BlockingOutcome } from './blocking.ts'
import type { Candidate } from './candidates.ts'
import { countWithin, type Lane, type Stall } from './events.ts'
import { backgroundOf, chanceOf, place, type Chance, type Exposed, type Placement } from './exposure.ts'
import { boundariesOf, isSlowBefore, isSlowing } from './slowing.ts'

/** Where so many end with what holds them up, the others were let go, and not merely slowed. */
const BLOCKED_SHARE = 0.7
/** Where so many stalls end with one of two causes that come together, the one with more is to blame. */
const ENOUGH_TO_CHOOSE = 8
const SHARED = 0.7
/** Fewer stalls inside are not looked at. */
const ENOUGH_AT_BEGINS = 5

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

export interface Judging {
  readonly lanes: readonly Lane[]
  /** Of the volume. */
  readonly ids: readonly number[]
  readonly medians: readonly number[]
  /** How many candidates are tried in all. */
  readonly tried: number
  /** Stalls of which the cause is known. */
  readonly explained: readonly Stall[]
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
  const explained = [...judging.explained]
  const undecided = new Set<Candidate>()
  let open = stalls
  for (;;) {
    let best: CandidateResult | null = null
    const round: CandidateResult[] = []
    for (const candidate of candidates) {
      if (guilty.has(candidate) || undecided.has(candidate)) continue
      const result = await judgeCandidate({ ...judging, explained }, candidate, open)
      round.push(result)
      // For an innocent one, how all stalls overlap with it is reported.
      if (!found.has(candidate) || isGuilty(result)) found.set(candidate, result)
      else found.set(candidate, { ...(found.get(candidate) as CandidateResult), outcome: acquitted(result.outcome) })
      if (isGuilty(result) && (best === null || excessOf(result) > excessOf(best))) best = result
    }
    if (best === null) return [...found.values()]
    const rivals = [...round, ...[...guilty, ...undecided].map((candidate) => found.get(candidate) as CandidateResult)]
    const isLeft = isLeftByOthers(best, rivals.filter(isGuilty))
    if (isLeft || isUndecided(best, rivals)) {
      undecided.add(best.candidate)
      found.set(best.candidate, { ...best, outcome: isLeft ? 'no-evidence' : 'too-few' })
      continue
    }
    guilty.add(best.candidate)
    found.set(best.candidate, best)
    const held = new Set(heldOf(best.outcome, best.placement))
    // Those that started inside and were let go early tell nothing of its companions.
    explained.push(...open.filter((_, at) => best.placement.inside.has(at)))
    open = open.filter((_, at) => !held.has(at))
  }
}

export const isGuilty = ({ outcome }: CandidateResult): boolean => outcome === 'blocks' || outcome === 'crowds'

/**
 * Whether few stalls ended with the intervals of a candidate, and most of its stalls began inside those of another cause as well, with
 * which some ended: of what comes together each time, few cannot tell which of both it is.
 */
function isUndecided(best: CandidateResult, rivals: readonly CandidateResult[]): boolean {
  if (best.placement.endedWith.size >= ENOUGH_TO_CHOOSE) return false
  const others = ofOtherCauses(best, rivals)
  const shared = sharedWith(best, others)
  const ended = new Set(others.flatMap((other) => stallsAt(other, other.placement.endedWith)))
  return shared.length >= SHARED * best.placement.inside.size && shared.some((stall) => ended.has(stall))
}

/**
 * Whether nearly all of the stalls that a candidate merely slowed down began inside intervals of another guilty cause, too: that lets some
 * go early, and what comes together with it is there each time.
 */
function isLeftByOthers(best: CandidateResult, guilty: readonly CandidateResult[]): boolean {
  if (best.outcome !== 'crowds') return false
  return sharedWith(best, ofOtherCauses(best, guilty)).length >= SHARED * best.placement.inside.size
}

const ofOtherCauses = (best: CandidateResult, results: readonly CandidateResult[]): CandidateResult[] =>
  results.filter(({ candidate }) => candidate.cause !== best.candidate.cause)

/** Stalls that began inside its intervals, and inside those of one of the others. */
function sharedWith(result: CandidateResult, others: readonly CandidateResult[]): Stall[] {
  const inside = new Set(others.flatMap((other) => stallsAt(other, other.placement.inside.keys())))
  return stallsAt(result, result.placement.inside.keys()).filter((stall) => inside.has(stall))
}

const stallsAt = ({ stalls }: CandidateResult, at: Iterable<number>): Stall[] => [...at].map((i) => stalls[i] as Stall)

/** Stalls that a guilty candidate explains. */
export const heldOf = (outcome: BlockingOutcome, { inside, endedWith }: Placement): Iterable<number> =>
  outcome === 'crowds' ? inside.keys() : endedWith

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
  const outcome = outcomeOf(exposed, placement, chance, exposedWrites, judging.tried)
  const result = { candidate, outcome, placement, chance, exposedWrites, stalls }
  if (placement.inside.size < ENOUGH_AT_BEGINS) return result
  const boundaries = boundariesOf(judging, candidate)
  // What slows the environment of a sync and others before it begins is neither its doing there nor here.
  const anywhere =
    outcome === 'blocks' && candidate.cause === 'sync'
      ? boundariesOf(judging, { ...candidate, concerns: () => true })
      : boundaries
  if (outcome === 'blocks' && (isSlowBefore(boundaries) || isSlowBefore(anywhere)))
    return { ...result, outcome: 'no-evidence' }
  const isMostlyBlocked =
    outcome === 'blocks' && excessOf(result) >= BLOCKED_SHARE * (placement.inside.size - backgroundOf(exposed))
  const isCrowd =
    candidate.cause === 'neighbour'
      ? outcome === 'no-evidence' && isCrowded(exposed, placement, exposedWrites)
      : !isMostlyBlocked && isSlowing(boundaries)
  return isCrowd ? { ...result, outcome: 'crowds' } : result
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
