import type { TimeRange } from './ticks.ts'

/** Range from the first to the last moment of a span that no gap covers; null: all of it is covered by gaps. */
export function uncovered(span: TimeRange, gaps: readonly TimeRange[]): TimeRange | null {
  let { startTicks, endTicks } = span
  if (gaps.some((gap) => gap.startTicks <= startTicks && gap.endTicks >= endTicks)) return null
  for (const gap of gaps.toSorted((a, b) => a.startTicks - b.startTicks))
    if (gap.startTicks <= startTicks && gap.endTicks > startTicks) startTicks = gap.endTicks
  for (const gap of gaps.toSorted((a, b) => b.endTicks - a.endTicks))
    if (gap.endTicks >= endTicks && gap.startTicks < endTicks) endTicks = gap.startTicks
  return startTicks < endTicks || span.startTicks >= span.endTicks ? { startTicks, endTicks } : null
}
