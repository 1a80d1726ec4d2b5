import { BYTES, volumeOf } from './completions.ts'
import type { Lane, Stall } from './events.ts'
import { isInLine } from './in-line.ts'
import { covers, unionOf } from './spans.ts'
import { medianOf } from './statistics.ts'

/** Stalls that begin so much before or after another are beside it, ms. */
const NEAR_MS = 2000
/** So many stalls that waited in line, for each that its size explains, show that the rate is shared. */
const IN_LINE = { least: 3, share: 0.25 }

/**
 * Whether other stalls of the volume waited for what was before them in line, at the rate at which those were served that take as long
 * as their size: then the volume is limited, and what each took is no matter of its own size. Few writes, as rings leave them, show
 * this sooner than the limit itself. `lanes`: of `ids`, the volume's.
 */
export function isSharedRate(
  lanes: readonly Lane[],
  ids: readonly number[],
  sized: readonly Stall[],
  others: readonly Stall[],
): boolean {
  const volume = volumeOf(lanes, ids)
  const near = unionOf(sized.map(({ start, end }) => ({ start: start - NEAR_MS, end: end + NEAR_MS })))
  const rate = medianOf(sized.map(({ start, end, bytes }) => bytes / (end - start)))
  const beside = others.filter((stall) => covers(near, stall.start))
  const inLine = beside.filter((stall) => isInLine(BYTES, volume, stall, rate))
  return inLine.length >= Math.max(IN_LINE.least, IN_LINE.share * sized.length)
}
