import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { Frame } from '../../../../charts/canvas/stage.ts'
import { BUSY_PX, hatchGaps, skylineFrom } from '../../../../charts/timeline/overview-strip.ts'
import { compareKinds } from './kinds.ts'
import type { IoPalette } from './palette.ts'
import type { IoOverviewResponse } from '../../../../feeds/io/contract/marks.ts'

export interface OverviewStrip {
  readonly response: IoOverviewResponse
  readonly extent: TimeRange
  readonly gaps: readonly Gap[]
}

/** Durations from 0.1 ms to 10 s. */
export const skyline = skylineFrom(1_000)

/**
 * Draws the whole capture, one column per pixel. Above: the slowest event of each kind (log, 0.1 ms … 10 s), the
 * tallest behind. Below, in a strip: how busy that kind was. A single slow event is as tall as many of them.
 */
export function drawOverview(
  context: CanvasRenderingContext2D,
  frame: Frame,
  strip: OverviewStrip,
  palette: IoPalette,
): void {
  const { response, extent, gaps } = strip
  const heightPx = frame.heightPx - BUSY_PX
  const kinds = response.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind))
  const columns = Math.max(0, ...kinds.map((kind) => kind.slowestTicks.length))
  if (columns === 0) return
  const pitch = frame.widthPx / columns
  const widthPx = Math.max(1, pitch)
  // A gap of one kind of one lane is too small a part of this picture.
  hatchGaps(context, frame, extent, gaps, palette.tokens.gap)
  const tallestFirst = [...kinds]
  for (let column = 0; column < columns; column++) {
    tallestFirst.sort((a, b) => (b.slowestTicks[column] ?? 0) - (a.slowestTicks[column] ?? 0))
    let [busiest, share] = ['', 0]
    for (const { kind, slowestTicks, busyShare } of tallestFirst) {
      const busy = busyShare[column] ?? 0
      if (busy > share) [busiest, share] = [kind, busy]
      const tall = skyline(slowestTicks[column] ?? 0) * (heightPx - 2)
      if (tall <= 0) continue
      context.fillStyle = palette.hue(kind)
      context.fillRect(column * pitch, heightPx - tall, widthPx, tall)
    }
    if (share <= 0) continue
    context.globalAlpha = 0.25 + 0.75 * Math.min(1, share)
    context.fillStyle = palette.hue(busiest)
    context.fillRect(column * pitch, heightPx + 1, widthPx, BUSY_PX - 1)
    context.globalAlpha = 1
  }
}
