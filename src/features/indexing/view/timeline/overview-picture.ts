import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { Frame } from '../../../../charts/canvas/stage.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingOverviewResponse } from '../../../../feeds/indexing/contract/lanes.ts'

export interface OverviewStrip {
  readonly response: IndexingOverviewResponse
  readonly extent: TimeRange
  readonly gaps: readonly Gap[]
}

/** The height covers durations from 1 ms to 100 s, one fifth per decade. */
const LEAST_TICKS = 10_000
const DECADES = 5
const BUSY_PX = 6

const skyline = (slowestTicks: number): number =>
  slowestTicks <= 0 ? 0 : Math.max(0.04, Math.min(1, Math.log10(Math.max(1, slowestTicks / LEAST_TICKS)) / DECADES))

/**
 * Draws the whole capture, one column per pixel. Above: the duration of the longest batch (log, 1 ms … 100 s), with a
 * dot if documents failed. Below, in a strip: how busy all indexes were together.
 */
export function drawOverview(
  context: CanvasRenderingContext2D,
  frame: Frame,
  { response, extent, gaps }: OverviewStrip,
  palette: IndexingPalette,
): void {
  const columns = response.slowestTicks.length
  if (columns === 0) return
  const heightPx = frame.heightPx - BUSY_PX
  const pitch = frame.widthPx / columns
  const widthPx = Math.max(1, pitch)
  const pxPerTick = frame.widthPx / Math.max(1, extent.endTicks - extent.startTicks)
  for (const gap of gaps) {
    if (gap.lane !== null || gap.endTicks <= extent.startTicks || gap.startTicks >= extent.endTicks) continue
    const xPx = Math.max(0, (gap.startTicks - extent.startTicks) * pxPerTick)
    const endPx = Math.min(frame.widthPx, (gap.endTicks - extent.startTicks) * pxPerTick)
    const box = { xPx, yPx: 0, widthPx: Math.max(1, endPx - xPx), heightPx: frame.heightPx }
    drawHatch(context, box, palette.tokens.gap, 6)
  }
  const colour = palette.worked[4] ?? palette.tokens.accent
  context.fillStyle = colour
  for (let column = 0; column < columns; column++) {
    const tall = skyline(response.slowestTicks[column] ?? 0) * (heightPx - 4)
    if (tall > 0) context.fillRect(column * pitch, heightPx - tall, widthPx, tall)
  }
  for (let column = 0; column < columns; column++) {
    const share = Math.min(1, response.busyShare[column] ?? 0)
    if (share <= 0) continue
    context.fillStyle = withAlpha(colour, 0.25 + 0.75 * share)
    context.fillRect(column * pitch, heightPx + 1, widthPx, BUSY_PX - 1)
  }
  context.fillStyle = palette.failed
  for (let column = 0; column < columns; column++)
    if ((response.failed[column] ?? 0) > 0) context.fillRect(column * pitch - 1, 0, 3, 4)
}
