import { spanFromMs, type TickSpan } from '../../base/ticks.ts'
import type { FoldRule } from '../../charts/scale.ts'
import type { Gap } from './state.ts'

/** Minimum length of an idle range that is folded; shorter pauses are shown to scale. */
export const FOLD_LEAST: TickSpan = spanFromMs(2000)
/** Gaps up to this length are shown to scale. */
const SHORT_GAP: TickSpan = spanFromMs(60_000)
/** Width of a folded range, CSS pixels, with room for its length in words. */
const FOLD_PX = 40

/** Rule that folds these idle ranges (start and end alternate, ascending) except where they are gaps. */
export const foldRule = (idle: Float64Array, gaps: readonly Gap[]): FoldRule => ({
  idleSpans: withoutGaps(idle, gaps),
  foldPx: FOLD_PX,
})

/**
 * Idle ranges without gaps: a short gap, or one in which the server was unresponsive, keeps its width; one of hours is
 * folded and marked as unknown. Ranges: start, end, start, end …
 */
export function withoutGaps(spans: Float64Array, gaps: readonly Gap[]): Float64Array {
  const kept = gaps
    .filter(
      ({ reason, startTicks, endTicks }) => reason === 'server-unresponsive' || endTicks - startTicks <= SHORT_GAP,
    )
    .toSorted((a, b) => a.startTicks - b.startTicks)
  if (kept.length === 0) return spans
  const rest: number[] = []
  const keep = (startTicks: number, endTicks: number): void => {
    if (endTicks - startTicks >= FOLD_LEAST) rest.push(startTicks, endTicks)
  }
  let next = 0
  for (let i = 0; i + 1 < spans.length; i += 2) {
    let startTicks = spans[i] as number
    const endTicks = spans[i + 1] as number
    // Gaps of several sources may overlap. One that ends before an idle range cannot affect later ranges either.
    while (next < kept.length && (kept[next]?.endTicks ?? 0) <= startTicks) next++
    for (let at = next; at < kept.length; at++) {
      const gap = kept[at]
      if (gap === undefined || gap.startTicks >= endTicks) break
      if (gap.endTicks <= startTicks) continue
      keep(startTicks, gap.startTicks)
      startTicks = gap.endTicks
    }
    keep(startTicks, endTicks)
  }
  return Float64Array.from(rest)
}
