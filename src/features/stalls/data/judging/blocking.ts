import { backgroundOf, firstStall, isTogether, leadOf, type Chance, type Exposed, type Placement } from './exposure.ts'
import type { Stall } from './events.ts'
import { unionOf } from './spans.ts'
import { poissonTail } from './statistics.ts'

/** Chance that is taken for none, for one of several candidates. */
const SURE = 0.0005
/** A pause of the whole server ends what runs at one moment; it meets intervals no more often than they are there. */
const MORE_INSIDE = 0.001
/** Chance of as few stalls inside, where those that end with the intervals come beside the others. */
const NOT_BESIDE = 0.05
/** Of the stalls that end with the intervals at least so many come beside the others. */
const BESIDE_SHARE = 0.7
const TOGETHER_MS = 5
/** Fewer exposed stalls say nothing. */
const ENOUGH = 3
/** Of exposed stalls beyond chance at least this share ends with what they waited for. */
const MECHANISM_SHARE = 0.4
/** So many intervals may have begun while a stall was under way that ends with them, for each stall that began inside. */
const VICTIM_SHARE = 0.2
/** A stall that began before an interval is looked for so far back, ms. */
const LONGEST_MS = 60_000

/** Of the writes that start inside intervals which crowd them out so many stall, and by chance so many of those. */
const CROWDED_SHARE = 0.5
const CROWDED_BY_CHANCE = 0.1
const ENOUGH_CROWDED = 8
const ENOUGH_CROWDING = 5

/** `blocks`: to its end. `crowds`: as long as it lasts, each for as long as it waits in line. */
export type BlockingOutcome = 'blocks' | 'crowds' | 'no-evidence' | 'too-few'

/**
 * Whether something that lasts for intervals holds up the writes that start inside them. Overlap is not enough: what makes
 * both come together (load) gives that, too. A write that was held up ends when what held it up ends; so stalls must end
 * with the intervals, far more of them than with intervals shifted at random within their neighbourhood. Intervals that
 * began while a write was stalling already are victims of the same thing, and no cause. `tried`: how many candidates are
 * judged: the more, the surer each must be. `exposedWrites`: all writes that started inside, stalled or not.
 */
export function outcomeOf(
  exposed: Exposed,
  { inside, endedWith }: Placement,
  chance: Chance,
  exposedWrites: number,
  tried: number,
): BlockingOutcome {
  if (exposed.intervals.length < ENOUGH || inside.size < ENOUGH) {
    // Enough intervals over enough writes without a stall in them is evidence, too.
    return exposed.intervals.length >= 20 && exposedWrites >= 20 ? 'no-evidence' : 'too-few'
  }
  const isBlocked =
    endedWith.size >= ENOUGH &&
    // A sync that waits itself is longer, for what the writes wait for as well; so no more of them start inside than by chance.
    inside.size > chance.inside &&
    poissonTail(endedWith.size, chance.endedWith + 0.05) < SURE / tried &&
    isMoreThanNear(exposed, inside) &&
    isBeside(exposed, inside.size, endedWith.size - chance.endedWith) &&
    endedWith.size - chance.endedWith >= MECHANISM_SHARE * (inside.size - chance.inside) &&
    victimsOf(exposed) <= VICTIM_SHARE * endedWith.size
  if (isBlocked) return 'blocks'
  return inside.size >= 5 ? 'no-evidence' : 'too-few'
}

/**
 * Whether most writes that start inside the intervals stall, and hardly any near them: a device that serves requests in turn
 * lets small writes through while a large one lasts, late but not with its end. `exposedWrites`: as for `outcomeOf`.
 */
export function isCrowded(exposed: Exposed, { inside, endedWith }: Placement, exposedWrites: number): boolean {
  return (
    inside.size >= ENOUGH_CROWDED &&
    inside.size >= CROWDED_SHARE * exposedWrites &&
    new Set(inside.values()).size >= ENOUGH_CROWDING &&
    backgroundOf(exposed) <= CROWDED_BY_CHANCE * inside.size &&
    isMoreThanNear(exposed, inside) &&
    victimsOf(exposed) <= VICTIM_SHARE * Math.max(1, endedWith.size)
  )
}

/** Whether more stalls start inside the intervals than near them. Those that end together are one event, of several lanes. */
function isMoreThanNear(exposed: Exposed, inside: Placement['inside']): boolean {
  const shares = sharesOfEnds(exposed.stalls)
  const shareOf = (stall: Stall): number => shares.get(stall) ?? 1
  const found = [...inside.keys()].reduce((sum, at) => sum + shareOf(exposed.stalls[at] as Stall), 0)
  // Thirds do not sum up to a whole exactly.
  return poissonTail(Math.floor(found + 1e-6), backgroundOf(exposed, shareOf)) < MORE_INSIDE
}

/**
 * Whether the stalls that end with the intervals come beside those that are there anyway. Where a freeze of the device holds up
 * a write and a sync alike, both end with it, but the stall would have been there without the sync as well. In much data what
 * is there anyway is not known well enough for the chance alone to tell.
 */
function isBeside(exposed: Exposed, inside: number, held: number): boolean {
  const anyway = backgroundOf(exposed)
  return 1 - poissonTail(inside + 1, anyway + held) >= NOT_BESIDE || inside - anyway >= BESIDE_SHARE * held
}

/** Of each stall, its share of those that end at the same moment: they sum up to the number of such moments. */
function sharesOfEnds(stalls: readonly Stall[]): ReadonlyMap<Stall, number> {
  const shares = new Map<Stall, number>()
  let group: Stall[] = []
  const close = (): void => {
    for (const stall of group) shares.set(stall, 1 / group.length)
    group = []
  }
  for (const stall of stalls.toSorted((a, b) => a.end - b.end)) {
    const last = group.at(-1)
    if (last !== undefined && stall.end - last.end > TOGETHER_MS) close()
    group.push(stall)
  }
  close()
  return shares
}

/** How many intervals began while a stall was under way and ended with it: something else slowed both. */
function victimsOf({ intervals, stalls, medians }: Exposed): number {
  const covered = unionOf(intervals)
  let victims = 0
  let at = 0
  for (const interval of intervals) {
    for (let i = firstStall(stalls, interval.start - LONGEST_MS); i < stalls.length; i++) {
      const stall = stalls[i] as Stall
      const medianMs = medians[stall.lane] ?? 0
      if (stall.start >= interval.start - leadOf(medianMs)) break
      if (!isTogether(interval, stall, medianMs)) continue
      // It may have waited for the interval before, which reached into this one.
      while (at + 1 < covered.length && (covered[at + 1]?.start ?? 0) <= interval.start) at++
      if (stall.start >= (covered[at]?.start ?? Number.POSITIVE_INFINITY)) continue
      victims++
      break
    }
  }
  return victims
}
