import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { Measure, VolumeWrites } from './completions.ts'
import type { Stall } from './events.ts'
import { durationMsOf, isWithin, NEAR } from './rates.ts'
import type { Span } from './spans.ts'

/** What a write takes after it was let through may change the order of those that are so close, ms. */
const OVERTAKEN_MS = 15

/**
 * Whether the volume completed as much as the limit lets through while the write waited, and nothing that came later before it: a
 * small one waits for what large ones took of the bucket.
 */
export function isInLine(measure: Measure, volume: VolumeWrites, stall: Stall, limit: number): boolean {
  if (isOvertaken(volume, stall)) return false
  const durationMs = durationMsOf(stall)
  return isWithin(servedWhile(measure, volume, stall, limit * NEAR * durationMs) / durationMs, limit, NEAR)
}

/** What the volume completed while the write was under way, its own amount included; infinite if more than `most`. */
export function servedWhile(measure: Measure, volume: VolumeWrites, { start, end }: Span, most: number): number {
  let served = 0
  for (const { writes } of volume)
    for (let row = bisectNumbers(writes.end, start); row < writes.end.length; row++) {
      if ((writes.end[row] as number) > end) break
      served += measure.amountOf(writes.bytes[row] as number)
      if (served > most) return Number.POSITIVE_INFINITY
    }
  return served
}

/** Whether a write that began later was complete before it. */
export function isOvertaken(volume: VolumeWrites, { start, end }: Stall): boolean {
  return volume.some(({ writes }) => {
    for (let row = bisectNumbers(writes.start, start + OVERTAKEN_MS); row < writes.start.length; row++) {
      if ((writes.start[row] as number) >= end - OVERTAKEN_MS) return false
      if ((writes.end[row] as number) < end - OVERTAKEN_MS) return true
    }
    return false
  })
}
