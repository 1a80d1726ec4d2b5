import { type Clock, formatDate, formatDateTime, formatTime } from '../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { useCaptureState } from './useCaptureState.ts'
import { useView } from './view.ts'

/** Formats a moment with that many digits of its second. */
export type TimeText = (at: Ticks, fractionDigits: number) => string

/** Formats times of a range, with the date if it has more than one. */
export const timesIn = (range: TimeRange | null, clock: Clock): TimeText =>
  range === null || formatDate(range.startTicks, clock) === formatDate(range.endTicks, clock)
    ? (at, digits) => formatTime(at, clock, digits)
    : (at, digits) => formatDateTime(at, clock, digits)

/** Formats times of the range in view, or of all data while the view has no range of its own. */
export function useTimes(): TimeText {
  const { view } = useView()
  const { extent } = useCaptureState()
  return timesIn(view.range ?? extent, view.clock)
}
