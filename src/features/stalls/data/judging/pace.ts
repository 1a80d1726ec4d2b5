import { completedBefore, servedFrom, type VolumeWrites } from './completions.ts'
import type { Stall } from './events.ts'
import { medianOf, quantileOf, spreadOf } from './statistics.ts'

/**
 * How much less rates over several completions spread than single ones: by the root of their number (0.35) where each service is
 * independent, by the number itself (0.125) where something keeps a pace.
 */
const PACED = 0.22
/** Shares of all that the slowest are, without what anything else delayed; of enough stalls. */
const SLOWEST = { least: 0.05, most: 0.25 }
const ENOUGH_SLOWEST = 40
/** Stalls that follow each other, at least, to tell whether one makes up for the one before. */
const ENOUGH_PAIRS = 30
/** Their correlation: -0.5 where something keeps a pace, 0 where each service is independent. */
const MADE_UP = -0.25
/** Spread of rates below which they differ by no more than clocks do. */
const ALIKE = 0.002
/** What differs by more than so many times the spread has another reason. */
const OUTLIER = 4

/**
 * Whether rates over several completions, `paces`, are so much steadier than single ones that something keeps a pace. Both of the
 * same stalls, as amounts by time.
 */
export function isPaced(rates: readonly number[], paces: readonly number[]): boolean {
  if (spreadOf(paces) <= PACED * spreadOf(rates)) return true
  return rates.length >= ENOUGH_SLOWEST && slowestSpreadOf(paces) <= PACED * slowestSpreadOf(rates)
}

/**
 * How far the slowest lie from each other, as logarithms. A limit is what several writes are never slower than; faster they
 * are as long as something is left in a burst bucket. Where each service is independent, both sides spread alike.
 */
function slowestSpreadOf(rates: readonly number[]): number {
  const known = rates.filter((rate) => !Number.isNaN(rate))
  return Math.log(quantileOf(known, SLOWEST.most) / quantileOf(known, SLOWEST.least))
}

/**
 * Whether the times between completions are independent of each other, as those of a device are. At a limit, a completion that comes
 * late makes the next time shorter. False where too few follow each other to tell. `rates`: of the stalls.
 */
export function areIndependent(volume: VolumeWrites, stalls: readonly Stall[], rates: readonly number[]): boolean {
  const spread = spreadOf(rates)
  if (spread <= ALIKE) return false
  const order = [...stalls.keys()].toSorted((a, b) => (stalls[a] as Stall).end - (stalls[b] as Stall).end)
  const byEnd = order.map((at) => stalls[at] as Stall)
  const logs = order.map((at) => Math.log(rates[at] as number))
  const middle = medianOf(logs)
  const differenceOf = (at: number): number => (logs[at] as number) - middle
  let [pairs, product, square] = [0, 0, 0]
  for (let at = 1; at < byEnd.length; at++) {
    const stall = byEnd[at] as Stall
    const before = completedBefore(volume, stall.end)
    if (before?.end !== byEnd[at - 1]?.end || servedFrom(before, stall) === stall.start) continue
    const [one, other] = [differenceOf(at - 1), differenceOf(at)]
    if (Math.max(Math.abs(one), Math.abs(other)) > OUTLIER * spread) continue
    pairs++
    product += one * other
    square += (one * one + other * other) / 2
  }
  return pairs >= ENOUGH_PAIRS && product > MADE_UP * square
}
