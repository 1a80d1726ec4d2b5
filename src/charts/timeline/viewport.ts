import { type Ticks, TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import { rangeAround, type FoldRule } from '../scale.ts'

/** Step of a live axis: each step draws everything again, and data arrives every three seconds. */
const LIVE_STEP_TICKS = TICKS_PER_SECOND

/** End of a live axis at `nowTicks`, up to one step later. */
export const liveEnd = (nowTicks: Ticks): Ticks => (Math.ceil(nowTicks / LIVE_STEP_TICKS) * LIVE_STEP_TICKS) as Ticks

/**
 * Range of the live view: `span` ticks of axis up to `now`. Folded idle ranges do not count, so that the last busy
 * minute stays in view.
 */
export function liveRange(nowTicks: Ticks, span: TickSpan, widthPx: number, rule: FoldRule): TimeRange {
  return rangeAround(nowTicks, widthPx, widthPx, span / Math.max(1, widthPx), rule)
}

/** Bounds for pan and zoom: all data, the current range, and a margin on either side. */
export function viewBounds(extent: TimeRange | null, nowTicks: Ticks | null, range: TimeRange): TimeRange {
  const start = Math.min(extent?.startTicks ?? range.startTicks, range.startTicks)
  const end = Math.max(extent?.endTicks ?? range.endTicks, nowTicks ?? range.endTicks, range.endTicks)
  const airTicks = Math.max((end - start) * 0.05, TICKS_PER_SECOND)
  return { startTicks: (start - airTicks) as Ticks, endTicks: (end + airTicks) as Ticks }
}

/** Range of all data with a small margin; null: no data. */
export function fitRange(extent: TimeRange | null): TimeRange | null {
  if (extent === null) return null
  const airTicks = Math.max((extent.endTicks - extent.startTicks) * 0.01, 1000)
  return { startTicks: (extent.startTicks - airTicks) as Ticks, endTicks: (extent.endTicks + airTicks) as Ticks }
}

/**
 * Range that shows an event: the same length with the event in the middle; longer if it would not fit, shorter if it
 * would be too small to see. Unchanged if the event is in view.
 */
export function revealRange(range: TimeRange, startTicks: number, durationTicks: number): TimeRange {
  const span = range.endTicks - range.startTicks
  const inside = startTicks >= range.startTicks && startTicks + durationTicks <= range.endTicks
  if (inside) return range
  const wanted = Math.max(span, durationTicks * 3)
  const middle = startTicks + durationTicks / 2
  return { startTicks: Math.round(middle - wanted / 2) as Ticks, endTicks: Math.round(middle + wanted / 2) as Ticks }
}
