import type { Ticks, TimeRange } from '../../../base/ticks.ts'

/** Maximum number of points of one response, by the contract. */
const MAX_POINTS = 4000

/** Range to request: wider than the view and aligned, so that a small move needs no new response. */
export function seriesWindow(range: TimeRange, widthPx: number): TimeRange & { readonly maxPoints: number } {
  const span = Math.max(1, range.endTicks - range.startTicks)
  const step = 2 ** Math.ceil(Math.log2(span / 4))
  const startTicks = Math.floor(range.startTicks / step) * step - step
  const endTicks = Math.ceil(range.endTicks / step) * step + step
  const maxPoints = Math.ceil((widthPx * (endTicks - startTicks)) / span)
  return {
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
    maxPoints: Math.max(1, Math.min(MAX_POINTS, maxPoints)),
  }
}
