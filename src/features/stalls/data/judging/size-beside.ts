import { groupBy } from '../../../../base/columns/group-by.ts'
import { durationOf, type Lane, type Stall } from './events.ts'
import { medianOf } from './statistics.ts'

/** A write next to another is no longer beside it after this, ms. */
const BESIDE_MS = 2000
/** It is smaller by this factor, at least. */
const TIMES_SMALLER = 1.5
/** Fewer tell nothing; then all stalls of about the size are taken. */
const ENOUGH = 5
const NEAR_OCTAVES = 2

/**
 * Of stalls that their size seems to explain, those that it does not: the smaller writes next to them take about as long, so that
 * something slows all, and what waits meanwhile is committed together. Where at least half of the time goes to the bytes, a
 * smaller write takes no more than the other half and its share of the first. Stalls of a lane count together by their
 * octave of size. `all`: stalls, whether their size explains them or not.
 */
export function slowBeside(
  lanes: readonly Lane[],
  stalls: readonly Stall[],
  all: readonly Stall[],
): ReadonlySet<Stall> {
  const found = new Set<Stall>()
  const allOf = new Map(groupBy(all, (stall) => stall.lane))
  for (const [lane, own] of groupBy(stalls, (stall) => stall.lane)) {
    const { writes } = lanes[lane] as Lane
    const excessesOf = ({ row, start, end, bytes }: Stall): number[] => {
      const excesses = [row - 1, row + 1].flatMap((beside) => {
        const other = writes.bytes[beside]
        if (other === undefined || other * TIMES_SMALLER > bytes) return []
        const apartMs = beside < row ? start - (writes.end[beside] ?? 0) : (writes.start[beside] ?? 0) - end
        if (apartMs > BESIDE_MS) return []
        return Math.log(durationOf(writes, beside) / ((end - start) * (0.5 + (0.5 * other) / bytes)))
      })
      // What was held up by something else before lets much gather, whose size then explains it.
      return excesses.length === 0 ? [] : [Math.min(...excesses)]
    }
    for (const [octave, alike] of groupBy(own, ({ bytes }) => Math.round(Math.log2(bytes)))) {
      const excesses = alike.flatMap(excessesOf)
      const isNear = ({ bytes }: Stall): boolean => Math.abs(Math.log2(bytes) - octave) <= NEAR_OCTAVES
      const telling = excesses.length >= ENOUGH ? excesses : (allOf.get(lane) ?? []).filter(isNear).flatMap(excessesOf)
      if (telling.length >= ENOUGH && medianOf(telling) > 0) for (const stall of alike) found.add(stall)
    }
  }
  return found
}
