import { BLOCKS } from '../../../base/statistics/block-error.ts'
import type { TimeRange } from '../../../base/ticks.ts'

/**
 * Covered ticks in each of the `BLOCKS` equal parts of the range: its length without the unknown spans, which may
 * overlap and extend beyond it.
 */
export function knownBlocks({ startTicks, endTicks }: TimeRange, unknown: readonly TimeRange[]): Float64Array {
  const length = (endTicks - startTicks) / BLOCKS
  const blocks = new Float64Array(BLOCKS).fill(length)
  let upTo: number = startTicks
  for (const span of unknown.toSorted((a, b) => a.startTicks - b.startTicks)) {
    const from = Math.max(upTo, span.startTicks)
    const to = Math.min(endTicks, span.endTicks)
    if (to <= from) continue
    upTo = to
    for (let i = Math.floor((from - startTicks) / length); i < BLOCKS && startTicks + i * length < to; i++) {
      const begin = startTicks + i * length
      const cut = Math.min(to, begin + length) - Math.max(from, begin)
      blocks[i] = Math.max(0, (blocks[i] as number) - cut)
    }
  }
  return blocks
}
