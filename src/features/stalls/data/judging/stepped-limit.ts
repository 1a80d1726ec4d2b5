import { withStalls, type Ceiling } from './at-limit.ts'
import { bunchesOf } from './bunches.ts'
import { BYTES, OPERATIONS, paceOf, ratesOf, type Measure, type VolumeWrites } from './completions.ts'
import type { Stall } from './events.ts'
import { areSpread, ENOUGH_STALLS, limitOf } from './limit.ts'
import { APART_MS } from './rates.ts'
import { covers, unionOf } from './spans.ts'
import { medianOf, spreadOf } from './statistics.ts'

/** Spread of rates over several steps, at most. */
const STEADY = 0.05
/** It is at most this share of that of single ones, unless these are steady themselves; and so many times steadier than the steps. */
const STEPPED = { paced: 0.25, single: 0.1, steadier: 3 }
/**
 * What one step lets through too much is missing in the next, so that the spread over several is at most this share of single ones; by
 * chance it is twice as much. Steps of equal amounts differ by their times alone, and say nothing.
 */
const CARRIED_OVER = { share: 0.2, beyondTimes: 2 }
/** A write waits for so many steps, at most, that are usual. */
const STEPS_WAITED = 2

/**
 * A limit of bytes whose bucket is filled in steps: what one step lets through is complete together, and only over several steps the
 * bytes are a steady rate, while what lets through whatever waits keeps the pace of its steps.
 */
export function steppedOf(volume: VolumeWrites, all: readonly Stall[]): Ceiling | null {
  const bunches = all.length < ENOUGH_STALLS ? null : bunchesOf(volume, all)
  if (bunches === null) return null
  const { volume: bunched, stalls, members } = bunches
  const pacesOf = (measure: Measure): number[] => stalls.map((stall) => paceOf(measure, bunched, stall))
  const rated = { stalls, rates: ratesOf(BYTES, bunched, stalls), paces: pacesOf(BYTES) }
  const spread = spreadOf(rated.paces)
  const ofSingle = spreadOf(rated.rates)
  const isCarriedOver =
    ofSingle <= STEPPED.single &&
    ofSingle >= CARRIED_OVER.beyondTimes * spreadOf(ratesOf(OPERATIONS, bunched, stalls)) &&
    spread <= CARRIED_OVER.share * ofSingle
  const isSteady = spread <= STEPPED.paced * ofSingle || ofSingle <= STEPPED.single
  const isSteadier = isSteady && STEPPED.steadier * spread <= spreadOf(pacesOf(OPERATIONS))
  if (!(spread <= STEADY) || !(isCarriedOver || isSteadier)) return null
  // Several small writes fill each step to the same amount, whatever their sizes.
  const sizes = members.flatMap((own) => (own.length < 2 ? [] : own.map((at) => (all[at] as Stall).bytes)))
  const limit = limitOf(BYTES, bunched, rated, paceOf, sizes.length > 0 && areSpread(sizes))
  if (limit === null) return null
  const found = withStalls(BYTES, bunched, limit, rated)
  const atLimit = [...found.stalls].map((i) => stalls[i] as Stall)
  const slowTimes = unionOf(atLimit.map(({ start, end }) => ({ start: start - APART_MS, end: end + APART_MS })))
  const gapOf = (i: number): number => (stalls[i] as Stall).bytes / (rated.rates[i] as number)
  const mostMs = STEPS_WAITED * medianOf([...found.stalls].map(gapOf))
  // A few completions after a pause have no rate over several steps: they wait for one or two of them, however little they write.
  const others = [...stalls.keys()].filter((i) => gapOf(i) <= mostMs && covers(slowTimes, (stalls[i] as Stall).start))
  const inAll = (of: ReadonlySet<number>): Set<number> => new Set([...of].flatMap((i) => members[i] ?? []))
  return {
    ...found,
    stalls: inAll(found.stalls),
    inLine: inAll(new Set([...found.inLine, ...others])),
    slow: inAll(found.slow),
  }
}
