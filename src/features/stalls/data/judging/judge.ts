import { groupBy } from '../../../../base/columns/group-by.ts'
import type { StallRule } from '../../contract.ts'
import { findStalls, stallMsOf } from './baseline.ts'
import { slowBeside } from './size-beside.ts'
import { candidatesOf } from './candidates.ts'
import { findCeiling, type Ceiling } from './ceiling.ts'
import { findCompression } from './compression.ts'
import { claimBlocked } from './claiming.ts'
import type { Claim, JudgedStall, Lane, Stall } from './events.ts'
import { judgementsOf, type Judgement } from './judgements.ts'
import { findOutside } from './outside.ts'
import { isSharedRate } from './shared-rate.ts'
import { SizePeers } from './size.ts'
import { judgeCandidates, type CandidateResult } from './volume.ts'

export interface Judged {
  readonly stalls: readonly JudgedStall[]
  readonly judgements: readonly Judgement[]
}

/** What is judged. */
interface Writes {
  readonly lanes: readonly Lane[]
  /** Median write of each lane, ms. */
  readonly medians: readonly number[]
  readonly rule: StallRule
  /** Stalls that are known only from sums. */
  readonly summed: number
}

const ENOUGH_BY_SIZE = 3
const NOTHING_CLAIMED: Claim = { cause: 'unexplained', confidence: 1, blamed: null }

/**
 * Finds the stalls of the lanes and the main cause of each, at most one. A cause is claimed from its mechanism, against what
 * chance would give, never from overlap alone; what is left is unexplained. Times in ms. `step` is awaited between parts.
 */
export async function judgeStalls(
  { lanes, medians, rule, summed }: Writes,
  random: () => number,
  step: () => Promise<void> = () => Promise.resolve(),
): Promise<Judged> {
  const stalls = findStalls(lanes, rule, medians)
  await step()
  const claims = new Map<number, Claim>()
  const groups = groupBy([...lanes.keys()], (lane) => lanes[lane]?.volume ?? '').map(([, ids]) => ids)
  const results: CandidateResult[] = []
  const ceilings: Ceiling[] = []
  for (const ids of groups) {
    const inGroup = new Set(ids)
    const own = [...stalls.keys()].filter((at) => inGroup.has((stalls[at] as Stall).lane))
    const peers = new SizePeers(lanes, ids)
    await step()
    // First, for a limit makes sizes take their time, and one write wait for another.
    const ceiling = findCeiling(lanes, ids, stalls, own)
    if (ceiling !== null) {
      ceilings.push(ceiling)
      for (const at of ceiling.stalls) claims.set(at, { cause: 'ceiling', confidence: 0.9, blamed: null })
    }
    const usual = own.filter((at) => {
      const { lane, bytes, start, end } = stalls[at] as Stall
      // In its slow periods all sizes wait.
      return (
        ceiling?.slow.has(at) !== true && peers.explains(lane, bytes, end - start, stallMsOf(rule, medians[lane] ?? 0))
      )
    })
    const slow = slowBeside(
      lanes,
      usual.map((at) => stalls[at] as Stall),
      own.map((at) => stalls[at] as Stall),
    )
    const bySize = usual.filter((at) => !slow.has(stalls[at] as Stall))
    // Where the size decides, its peers stall as well.
    if (bySize.length >= ENOUGH_BY_SIZE)
      for (const at of bySize) claims.set(at, { cause: 'size', confidence: 0.95, blamed: null })
    await step()
    const open = own.filter((at) => !claims.has(at))
    const candidates = candidatesOf(lanes, ids, peers)
    const explained = own.filter((at) => claims.has(at)).map((at) => stalls[at] as Stall)
    const tried = candidates.length * groups.length
    const judging = { lanes, ids, medians, explained, tried, random, step }
    const unclaimed = open.map((at) => stalls[at] as Stall)
    const judged = await judgeCandidates(judging, candidates, unclaimed)
    results.push(...judged)
    for (const [i, claim] of await claimBlocked(judging, judged, unclaimed)) claims.set(open[i] as number, claim)
    for (const at of ceiling?.inLine ?? [])
      if (!claims.has(at)) claims.set(at, { cause: 'ceiling', confidence: 0.8, blamed: null })
    const stallsOf = (some: readonly number[]): Stall[] => some.map((at) => stalls[at] as Stall)
    const sized = own.filter((at) => claims.get(at)?.cause === 'size')
    const unclaimedYet = own.filter((at) => !claims.has(at))
    if (isSharedRate(lanes, ids, stallsOf(sized), stallsOf(unclaimedYet))) for (const at of sized) claims.delete(at)
    await step()
  }
  // What its own size seems to explain may follow a compression each time.
  const isHeld = (at: number): boolean => (claims.get(at)?.cause ?? 'size') !== 'size'
  const compression = await findCompression({ lanes, medians, rule, stalls, isHeld, random, step })
  if (compression.isGuilty) {
    const claim: Claim = { cause: 'compression', confidence: 1 - compression.byChance, blamed: null }
    for (const at of compression.stalled) claims.set(at, claim)
  }
  await step()
  const left = [...stalls.keys()].filter((at) => !claims.has(at))
  const outside = findOutside(lanes, stalls, left, medians, random)
  if (outside.isMoreThanChance) {
    const confidence = 1 - Math.min(1, outside.expected / outside.together.size)
    for (const at of outside.together) claims.set(at, { cause: 'outside', confidence, blamed: null })
  }
  const judgedStalls = stalls.map((stall, at): JudgedStall => Object.assign(stall, claims.get(at) ?? NOTHING_CLAIMED))
  return {
    stalls: judgedStalls,
    judgements: judgementsOf({ lanes, stalls: judgedStalls, summed, results, ceilings, compression, outside, random }),
  }
}
