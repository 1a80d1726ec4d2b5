import type { TimeRange } from '../../base/ticks.ts'
import { drawHatch } from '../canvas/hatch.ts'
import type { Frame } from '../canvas/stage.ts'

/** Height of the strip at the foot of an overview that shows how busy it was. */
export const BUSY_PX = 6

/** The height covers five decades of durations. */
const DECADES = 5

/** Height of a duration, 0…1, logarithmic from `leastTicks` on; 0 only if there is none. */
export const skylineFrom =
  (leastTicks: number) =>
  (slowestTicks: number): number =>
    slowestTicks <= 0 ? 0 : Math.max(0.04, Math.min(1, Math.log10(Math.max(1, slowestTicks / leastTicks)) / DECADES))

/** Hatches the gaps of an overview of `extent` that concern all of its lanes. */
export function hatchGaps(
  context: CanvasRenderingContext2D,
  frame: Frame,
  extent: TimeRange,
  gaps: readonly (TimeRange & { readonly lane: string | null })[],
  colour: string,
): void {
  const pxPerTick = frame.widthPx / Math.max(1, extent.endTicks - extent.startTicks)
  for (const gap of gaps) {
    if (gap.lane !== null || gap.endTicks <= extent.startTicks || gap.startTicks >= extent.endTicks) continue
    const xPx = Math.max(0, (gap.startTicks - extent.startTicks) * pxPerTick)
    const endPx = Math.min(frame.widthPx, (gap.endTicks - extent.startTicks) * pxPerTick)
    drawHatch(context, { xPx, yPx: 0, widthPx: Math.max(1, endPx - xPx), heightPx: frame.heightPx }, colour, 6)
  }
}
