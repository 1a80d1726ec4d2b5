import { type Ticks, TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import { rangeAround, type FoldRule } from '../scale.ts'

/** A live axis moves on in steps of so many ticks: each draws all of it again, and data arrives every three seconds. */
const LIVE_STEP_TICKS = TICKS_PER_SECOND

/** The end of a live axis at `nowTicks`: up to one step later. */
export const liveEnd = (nowTicks: Ticks): Ticks => (Math.ceil(nowTicks / LIVE_STEP_TICKS) * LIVE_STEP_TICKS) as Ticks

/** Range of the live view: `span` ticks of axis up to `now`. With folds the idle stretches do not count, so the last busy minute stays in sight. */
export function liveRange(nowTicks: Ticks, span: TickSpan, widthPx: number, rule: FoldRule): TimeRange {
  return rangeAround(nowTicks, widthPx, widthPx, span / Math.max(1, widthPx), rule)
}

/** How far one may go: everything seen, what is looked at now, and some air on either side. */
export function viewBounds(extent: TimeRange | null, nowTicks: Ticks | null, range: TimeRange): TimeRange {
  const start = Math.min(extent?.startTicks ?? range.startTicks, range.startTicks)
  const end = Math.max(extent?.endTicks ?? range.endTicks, nowTicks ?? range.endTicks, range.endTicks)
  const airTicks = Math.max((end - start) * 0.05, TICKS_PER_SECOND)
  return { startTicks: (start - airTicks) as Ticks, endTicks: (end + airTicks) as Ticks }
}

/** Everything that was seen, with a little air; null: nothing was. */
export function fitRange(extent: TimeRange | null): TimeRange | null {
  if (extent === null) return null
  const airTicks = Math.max((extent.endTicks - extent.startTicks) * 0.01, 1000)
  return { startTicks: (extent.startTicks - airTicks) as Ticks, endTicks: (extent.endTicks + airTicks) as Ticks }
}

/**
 * The range that shows an event: the same span moved so that the event stands in the middle, longer where it would not fit,
 * shorter where it would not be seen. Unchanged where the event is in sight already.
 */
export function revealRange(range: TimeRange, startTicks: number, durationTicks: number): TimeRange {
  const span = range.endTicks - range.startTicks
  const inside = startTicks >= range.startTicks && startTicks + durationTicks <= range.endTicks
  if (inside) return range
  const wanted = Math.max(span, durationTicks * 3)
  const middle = startTicks + durationTicks / 2
  return { startTicks: Math.round(middle - wanted / 2) as Ticks, endTicks: Math.round(middle + wanted / 2) as Ticks }
}
