import { groupBy } from '../../../../base/columns/group-by.ts'
import type { StallRule } from '../../contract.ts'
import { findStalls, stallMsOf } from './baseline.ts'
import { slowBeside } from './size-beside.ts'
import { candidatesOf } from './candidates.ts'
import type { Ceiling } from './at-limit.ts'
import { findCeiling } from './ceiling.ts'
import { findCompression, type CompressionResult } from './compression.ts'
import { claimBlocked, claimFromLimit } from './claiming.ts'
import type { Claim, JudgedStall, Lane, Stall } from './events.ts'
import { judgementsOf, type Judgement } from './judgements.ts'
import { areInChains, isOneRate } from './one-rate.ts'
import { findOutside, type Outside } from './outside.ts'
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

/** All that is known while stalls are put down to causes; `claims` by index of the stall. */
interface Judging extends Writes {
  readonly stalls: readonly Stall[]
  readonly claims: Map<number, Claim>
  readonly random: () => number
  readonly step: () => Promise<void>
}

const ENOUGH_BY_SIZE = 3
/** Fewer beside those at a limit: of so many, some are not known to be at it, and look like their size, or like held up by a large commit. */
const MINOR_SHARE = 0.002
/** So many stalls that are known only from sums, for each that was reported. */
const FROM_SUMS = 0.1
/** Where they are, so many stalls without a cause, for each that its size seems to explain: what slows these may slow that as well. */
const MOSTLY_UNKNOWN = 2
const NOTHING_CLAIMED: Claim = { cause: 'unexplained', confidence: 1, blamed: null }

/**
 * Finds the stalls of the lanes and the main cause of each, at most one. A cause is claimed from its mechanism, against what
 * chance would give, never from overlap alone; what is left is unexplained. Times in ms. `step` is awaited between parts.
 */
export async function judgeStalls(
  writes: Writes,
  random: () => number,
  step: () => Promise<void> = () => Promise.resolve(),
): Promise<Judged> {
  const { lanes, medians, rule, summed } = writes
  const stalls = findStalls(lanes, rule, medians)
  await step()
  const claims = new Map<number, Claim>()
  const judging: Judging = { ...writes, stalls, claims, random, step }
  const volumes = groupBy([...lanes.keys()], (lane) => lanes[lane]?.volume ?? '').map(([, ids]) => ids)
  const results: CandidateResult[] = []
  const ceilings: Ceiling[] = []
  let isSizeUnclear = false
  for (const ids of volumes) {
    const volume = await judgeVolume(judging, ids, volumes.length)
    results.push(...volume.results)
    if (volume.ceiling !== null) ceilings.push(volume.ceiling)
    isSizeUnclear ||= volume.isSizeUnclear
    await step()
  }
  const compression = await judgeCompression(judging)
  await step()
  const outside = judgeOutside(judging)
  const judgedStalls = stalls.map((stall, at): JudgedStall => Object.assign(stall, claims.get(at) ?? NOTHING_CLAIMED))
  return {
    stalls: judgedStalls,
    judgements: judgementsOf({
      lanes,
      stalls: judgedStalls,
      summed,
      results,
      ceilings,
      isSizeUnclear,
      compression,
      outside,
      random,
    }),
  }
}

interface JudgedVolume {
  readonly results: readonly CandidateResult[]
  readonly ceiling: Ceiling | null
  /** Some stalls seem to take as long as their size, but it cannot be told. */
  readonly isSizeUnclear: boolean
}

/** Puts stalls of the lanes `ids` of one volume, of `volumes`, down to it. */
async function judgeVolume(judging: Judging, ids: readonly number[], volumes: number): Promise<JudgedVolume> {
  const { lanes, medians, stalls, claims, random, step } = judging
  const inVolume = new Set(ids)
  const own = [...stalls.keys()].filter((at) => inVolume.has((stalls[at] as Stall).lane))
  const stallsOf = (some: readonly number[]): Stall[] => some.map((at) => stalls[at] as Stall)
  const unclaimed = (): number[] => own.filter((at) => !claims.has(at))
  const peers = new SizePeers(lanes, ids)
  await step()
  // First, for a limit makes sizes take their time, and one write wait for another.
  const ceiling = findCeiling(lanes, ids, stalls, own)
  for (const at of ceiling?.stalls ?? []) claims.set(at, { cause: 'ceiling', confidence: 0.9, blamed: null })
  const fitting = sizedOf(judging, own, peers, ceiling)
  const sized = isOneRate(lanes, ids, stallsOf(fitting)) ? [] : fitting
  for (const at of sized) claims.set(at, { cause: 'size', confidence: 0.95, blamed: null })
  await step()
  const open = unclaimed()
  const candidates = candidatesOf(lanes, ids, peers)
  const explained = stallsOf(own.filter((at) => claims.has(at)))
  const tried = candidates.length * volumes
  const judged = { lanes, ids, medians, explained, tried, random, step }
  const results = await judgeCandidates(judged, candidates, stallsOf(open))
  for (const [i, claim] of await claimBlocked(judged, results, stallsOf(open))) claims.set(open[i] as number, claim)
  if (ceiling !== null) {
    const atLimit = [...ceiling.stalls]
    const held = claimFromLimit(judged, results, stallsOf(atLimit), ceiling.limit)
    for (const [i, claim] of held) claims.set(atLimit[i] as number, claim)
  }
  for (const at of ceiling?.inLine ?? [])
    if (!claims.has(at)) claims.set(at, { cause: 'ceiling', confidence: 0.8, blamed: null })
  const left = stallsOf(unclaimed())
  const isDoubtful = left.length > MOSTLY_UNKNOWN * sized.length || areInChains(lanes, stallsOf(sized))
  const isMinor = (some: readonly number[]): boolean => some.length < MINOR_SHARE * (ceiling?.stalls.size ?? 0)
  const isWithdrawn =
    isMinor(sized) || (isPartlySeen(judging) && isDoubtful) || isSharedRate(lanes, ids, stallsOf(sized), left)
  if (isWithdrawn) for (const at of sized) claims.delete(at)
  const beside = open.filter((at) => claims.get(at)?.cause === 'neighbour')
  if (isMinor(beside)) for (const at of beside) claims.delete(at)
  return { results, ceiling, isSizeUnclear: fitting.length > 0 && (isWithdrawn || sized.length === 0) }
}

/** Whether the rings left only part of what stalled. */
const isPartlySeen = ({ stalls, summed }: Judging): boolean => summed >= FROM_SUMS * stalls.length

/** Of the stalls `own` of a volume, those that their own size explains. */
function sizedOf(
  { lanes, medians, rule, stalls }: Judging,
  own: readonly number[],
  peers: SizePeers,
  ceiling: Ceiling | null,
): readonly number[] {
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
  const sized = usual.filter((at) => !slow.has(stalls[at] as Stall))
  // Where the size decides, its peers stall as well.
  return sized.length >= ENOUGH_BY_SIZE ? sized : []
}

async function judgeCompression(judging: Judging): Promise<CompressionResult> {
  const { claims } = judging
  // What its own size seems to explain may follow a compression each time.
  const isHeld = (at: number): boolean => (claims.get(at)?.cause ?? 'size') !== 'size'
  const compression = await findCompression({ ...judging, isHeld })
  const claim: Claim = { cause: 'compression', confidence: 1 - compression.byChance, blamed: null }
  if (compression.isGuilty) for (const at of compression.stalled) claims.set(at, claim)
  return compression
}

/** Of what is left. */
function judgeOutside({ lanes, medians, stalls, claims, random }: Judging): Outside {
  const left = [...stalls.keys()].filter((at) => !claims.has(at))
  const outside = findOutside(lanes, stalls, left, medians, random)
  const confidence = 1 - Math.min(1, outside.expected / outside.together.size)
  if (outside.isMoreThanChance)
    for (const at of outside.together) claims.set(at, { cause: 'outside', confidence, blamed: null })
  return outside
}
