import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { Frame } from '../../../../charts/canvas/stage.ts'
import { compareKinds } from './kinds.ts'
import type { IoPalette } from './palette.ts'
import type { IoOverviewResponse } from '../../../../feeds/io/contract/marks.ts'

export interface OverviewStrip {
  readonly response: IoOverviewResponse
  readonly extent: TimeRange
  readonly gaps: readonly Gap[]
}

/** The height covers durations from 0.1 ms to 10 s, one fifth per decade. */
const LEAST_TICKS = 1_000
const DECADES = 5
const BUSY_PX = 6

/** Height of a duration, 0…1, logarithmic. */
export const skyline = (slowestTicks: number): number =>
  slowestTicks <= 0 ? 0 : Math.max(0.04, Math.min(1, Math.log10(Math.max(1, slowestTicks / LEAST_TICKS)) / DECADES))

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
  const pxPerTick = frame.widthPx / Math.max(1, extent.endTicks - extent.startTicks)
  // Draws only gaps of whole sources: one kind of one lane is too small a part of this picture.
  for (const gap of gaps.filter(
    (each) => each.lane === null && each.endTicks > extent.startTicks && each.startTicks < extent.endTicks,
  )) {
    const xPx = Math.max(0, (gap.startTicks - extent.startTicks) * pxPerTick)
    const endPx = Math.min(frame.widthPx, (gap.endTicks - extent.startTicks) * pxPerTick)
    drawHatch(
      context,
      { xPx, yPx: 0, widthPx: Math.max(1, endPx - xPx), heightPx: frame.heightPx },
      palette.tokens.gap,
      6,
    )
  }
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
