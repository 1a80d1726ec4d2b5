import { bisectLeft } from '../../../../base/columns/bisect.ts'
import type { CeilingLimit } from '../../contract.ts'
import { rateOfTwo, type Measure, type VolumeWrites } from './completions.ts'
import type { Stall } from './events.ts'
import { isInLine, isOvertaken } from './in-line.ts'
import type { Limit, Rated } from './limit.ts'
import { APART_MS, isWithin, NEAR } from './rates.ts'

/** The first of a slow period takes what is left in a burst bucket, too: it may be so many times as fast. */
const LEFT_OVER = 4

export interface Ceiling {
  /** Stalls at it, as indices. */
  readonly stalls: ReadonlySet<number>
  /** Others in its slow periods that waited in line for it, if nothing else held them up. */
  readonly inLine: ReadonlySet<number>
  /** All in its slow periods, and those that are not faster than it. */
  readonly slow: ReadonlySet<number>
  readonly limit: CeilingLimit
}

/** Stalls at about the limit and near one that follows another at it; and those that took the last of a burst bucket before. */
export function withStalls(
  measure: Measure,
  volume: VolumeWrites,
  { rate: limit, chained, periods }: Limit,
  rated: Rated,
): Ceiling {
  const { stalls, rates, paces } = rated
  const within = (rate: number | undefined): boolean => rate !== undefined && isWithin(rate, limit, NEAR)
  const isSlowPeriod = ({ start, end }: Stall): boolean => {
    const next = bisectLeft(chained, start - APART_MS, ({ end: until }) => until)
    return (chained[next]?.start ?? Number.POSITIVE_INFINITY) <= end + APART_MS
  }
  const slow = [...stalls.keys()].filter((i) => isSlowPeriod(stalls[i] as Stall))
  const at = slow.filter((i) => {
    const rate = rates[i] as number
    return (
      within(rate) ||
      within(paces[i]) ||
      (rate > limit &&
        ((rate <= LEFT_OVER * limit && within(rates[i + 1])) || within(rateOfTwo(measure, volume, stalls[i] as Stall))))
    )
  })
  const isPassed = (i: number): boolean => isOvertaken(volume, stalls[i] as Stall)
  const inLine = slow.filter((i) => isInLine(measure, volume, stalls[i] as Stall, limit))
  const notFaster = [...stalls.keys()].filter((i) => (rates[i] as number) <= NEAR * limit)
  return {
    stalls: new Set(at.filter((i) => !isPassed(i))),
    // One that is let through at the pace of the others may have waited for something else before.
    inLine: new Set([...inLine, ...at.filter(isPassed)]),
    slow: new Set([...slow, ...notFaster]),
    limit: { unit: measure.unit, perSecond: limit * 1000, periods },
  }
}
