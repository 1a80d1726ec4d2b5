import type { Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { drawGaps, isMissingIn, type GapBand } from '../../../../capture/frame/gap-picture.ts'
import { axisMarks } from '../../../../charts/timeline/axis.ts'
import {
  AXIS_PX,
  drawAxis,
  drawFolds,
  drawGrid,
  drawUnknown,
  LABEL_PX,
} from '../../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { drawMarks, drawPattern, drawRollUps, type TrackPicture } from './draw-marks.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import type { IoLayout } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoPalette } from './palette.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'

export interface IoPicture {
  readonly layout: IoLayout
  readonly scale: TimeScale
  /** By track key; a track without an answer yet is empty. */
  readonly marks: ReadonlyMap<string, RowMarks>
  readonly gaps: readonly GapBand[]
  readonly scrollPx: number
  readonly palette: IoPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  /** What has been seen; outside of it nothing is known. Null: nothing yet. */
  readonly known: TimeRange | null
}

/** Canvas y of a layout y. */
export const plotY = (picture: IoPicture, topPx: number): number => topPx - picture.scrollPx + AXIS_PX

/** The still picture: ground, grid, marks of the rows in sight, gaps, folds, and on top the axis. */
export function drawPlot(context: CanvasRenderingContext2D, heightPx: number, picture: IoPicture): void {
  const { layout, scale, scrollPx, palette, sizes } = picture
  const { tokens } = palette
  const frame = { scale, tokens, isMissingIn: isMissingIn(picture.gaps) }
  const { widthPx } = scale
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  const ticks = axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX })
  const bottomPx = Math.min(heightPx, AXIS_PX + layout.heightPx - scrollPx)

  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, widthPx, heightPx - AXIS_PX)
  context.clip()
  drawGround(context, picture, from, to, bottomPx)
  drawGrid(context, frame, ticks, bottomPx)

  for (const track of visibleSlice(layout.tracks, from, to)) {
    const marks = picture.marks.get(track.key)
    if (marks === undefined) continue
    const trackPicture: TrackPicture = { track, yPx: plotY(picture, track.topPx), marks }
    drawRollUps(context, scale, trackPicture, palette)
    drawMarks(context, scale, trackPicture, palette, sizes)
    drawPattern(context, widthPx, trackPicture, palette)
  }
  drawGaps(context, frame, picture.gaps, scrollPx, heightPx)
  context.restore()
  drawFolds(context, frame, bottomPx)
  drawAxis(context, frame, ticks)
}

function drawGround(
  context: CanvasRenderingContext2D,
  picture: IoPicture,
  from: number,
  to: number,
  bottomPx: number,
): void {
  const { layout, scale, palette, known } = picture
  const { tokens } = palette
  for (const row of visibleSlice(layout.rows, from, to)) {
    const yPx = plotY(picture, row.topPx)
    if (row.type === 'source') {
      context.fillStyle = tokens.bgRaised
      context.fillRect(0, yPx, scale.widthPx, row.heightPx)
    } else if (row.type === 'kind' || row.type === 'file') {
      context.fillStyle = withAlpha(tokens.bgSunken, 0.6)
      context.fillRect(0, yPx, scale.widthPx, row.heightPx)
    }
    context.fillStyle = row.type === 'kind' || row.type === 'file' ? withAlpha(tokens.border, 0.5) : tokens.border
    context.fillRect(0, yPx + row.heightPx - 1, scale.widthPx, 1)
  }
  drawUnknown(context, { scale, tokens }, known, bottomPx)
}
