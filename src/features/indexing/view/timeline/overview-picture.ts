import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { Frame } from '../../../../charts/canvas/stage.ts'
import { BUSY_PX, hatchGaps, skylineFrom } from '../../../../charts/timeline/overview-strip.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingOverviewResponse } from '../../../../feeds/indexing/contract/lanes.ts'

export interface OverviewStrip {
  readonly response: IndexingOverviewResponse
  readonly extent: TimeRange
  readonly gaps: readonly Gap[]
}

/** Durations from 1 ms to 100 s. */
const skyline = skylineFrom(10_000)

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
  hatchGaps(context, frame, extent, gaps, palette.tokens.gap)
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
