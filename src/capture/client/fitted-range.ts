import { type Ticks, ticksFromMs, type TimeRange } from '../../base/ticks.ts'
import type { SourceSpan } from './state.ts'

/**
 * Range to which a view is fitted: from the first to the last row of a file; null: no rows. A single moment gets a
 * millisecond around it.
 */
export function rangeOfSpans(spans: readonly SourceSpan[]): TimeRange | null {
  if (spans.length === 0) return null
  const startTicks = Math.floor(ticksFromMs(Math.min(...spans.map(({ firstMs }) => firstMs))))
  const endTicks = Math.ceil(ticksFromMs(Math.max(...spans.map(({ endMs }) => endMs))))
  const aroundTicks = endTicks - startTicks < 20_000 ? 10_000 : Math.ceil((endTicks - startTicks) / 200)
  return { startTicks: (startTicks - aroundTicks) as Ticks, endTicks: (endTicks + aroundTicks) as Ticks }
}
