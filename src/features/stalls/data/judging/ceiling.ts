import { withStalls, type Ceiling } from './at-limit.ts'
import { BYTES, OPERATIONS, paceOf, rateOf, ratesOf, volumeOf, type Measure, type VolumeWrites } from './completions.ts'
import type { Lane, Stall } from './events.ts'
import { ENOUGH_STALLS, limitOf } from './limit.ts'
import { isOfSizes, isWithinSpans } from './not-operations.ts'
import { isOfferedLoad } from './offered-load.ts'
import { areIndependent, isPaced } from './pace.ts'
import { durationMsOf, isWithin, NEAR } from './rates.ts'
import { spansOf } from './spans.ts'
import { spreadOf } from './statistics.ts'
import { steppedOf } from './stepped-limit.ts'

/** Spread of single rates that no device has by itself. */
const EVEN = 0.045

/**
 * A limit per second (a throttled volume, an empty burst bucket): in several slow periods the bytes of a write, over the
 * time since the write before was complete, are one steady rate, whatever the size; and much faster elsewhere. Failing that,
 * the operations. `stalls`: those of one volume, as indices into `all`.
 */
export function findCeiling(
  lanes: readonly Lane[],
  laneIds: readonly number[],
  all: readonly Stall[],
  stalls: readonly number[],
): Ceiling | null {
  const volume = volumeOf(lanes, laneIds)
  const own = stalls.map((at) => all[at] as Stall)
  const single = ceilingOf(BYTES, volume, own) ?? operationsOf(lanes, volume, own)
  const stepped = single?.limit.unit === 'operations' ? null : steppedOf(volume, own)
  const found = single === null || stepped === null ? (single ?? stepped) : bothOf(single, stepped)
  if (found === null) return null
  const inAll = (of: Iterable<number>): Set<number> => new Set([...of].map((i) => stalls[i] as number))
  // Of bytes, what a write takes by itself tells as well: others may be complete while a large one waits for several steps.
  const ownRates =
    found.limit.unit === 'operations' ? [] : own.map((stall) => (stall.bytes * 1000) / durationMsOf(stall))
  const notFaster = [...ownRates.keys()].filter((i) => (ownRates[i] as number) <= NEAR * found.limit.perSecond)
  const atLimit = notFaster.filter((i) => isWithin(ownRates[i] as number, found.limit.perSecond, NEAR))
  return {
    ...found,
    stalls: inAll(found.stalls),
    inLine: inAll([...found.inLine, ...atLimit]),
    slow: inAll([...found.slow, ...notFaster]),
  }
}

/** One limit that was found in two ways: by single writes, and by what its steps let through. */
function bothOf(single: Ceiling, stepped: Ceiling): Ceiling {
  if (!isWithin(stepped.limit.perSecond, single.limit.perSecond, NEAR)) return single
  return {
    stalls: single.stalls,
    inLine: new Set([...single.inLine, ...stepped.stalls, ...stepped.inLine]),
    slow: new Set([...single.slow, ...stepped.slow]),
    limit: single.limit,
  }
}

/** A limit of operations, unless sizes or syncs account for its rate. */
function operationsOf(lanes: readonly Lane[], volume: VolumeWrites, stalls: readonly Stall[]): Ceiling | null {
  const found = ceilingOf(OPERATIONS, volume, stalls)
  if (found === null) return null
  const atLimit = [...found.stalls].map((i) => stalls[i] as Stall)
  const syncs = volume.flatMap(({ id }) => spansOf((lanes[id] as Lane).syncs))
  return isOfSizes(volume, atLimit, found.limit.perSecond / 1000) || isWithinSpans(volume, atLimit, syncs)
    ? null
    : found
}

function ceilingOf(measure: Measure, volume: VolumeWrites, stalls: readonly Stall[]): Ceiling | null {
  if (stalls.length < ENOUGH_STALLS) return null
  const rated = {
    stalls,
    rates: ratesOf(measure, volume, stalls),
    paces: stalls.map((stall) => paceOf(measure, volume, stall)),
  }
  const spread = spreadOf(rated.rates)
  const keepsPace = isPaced(rated.rates, rated.paces)
  // A device that takes about as long for each write has steady gaps as well; what waits meanwhile, at a steady load, is then
  // a steady number of bytes per second, but not of each write.
  const isKept =
    measure.unit === 'bytes'
      ? spread < spreadOf(ratesOf(OPERATIONS, volume, stalls))
      : spread <= EVEN || (keepsPace && !areIndependent(volume, stalls, rated.rates))
  if (!isKept || (measure.unit === 'bytes' && isOfferedLoad(volume, stalls, spread))) return null
  const single = limitOf(measure, volume, rated, rateOf)
  // What a write takes after it was let through blurs single gaps, not the pace of several.
  const limit = single ?? (keepsPace ? limitOf(measure, volume, rated, paceOf) : null)
  return limit === null ? null : withStalls(measure, volume, limit, rated)
}
