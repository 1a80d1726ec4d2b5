import { formatDuration, type Clock } from '../../base/format.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { axisMarks } from '../../charts/axis.ts'
import { withAlpha } from '../../charts/colour.ts'
import { drawHatch, drawZigzag } from '../../charts/hatch.ts'
import type { TimeScale } from '../../charts/scale.ts'
import { drawMarks, drawPattern, drawRollUps, type TrackPicture } from './draw-marks.ts'
import { GAP_WORDS, type GapBand } from './gaps.ts'
import { visibleSlice, type IoLayout } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoPalette } from './palette.ts'
import type { SizeScale } from './size-scale.ts'

/** Height of the axis on top of the plot; rows begin below it. */
export const AXIS_PX = 34
const LABEL_PX = 96

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
  const { widthPx } = scale
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  const ticks = axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX })
  const bottomPx = Math.min(heightPx, AXIS_PX + layout.heightPx - scrollPx)

  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, widthPx, heightPx - AXIS_PX)
  context.clip()
  drawGround(context, picture, from, to, bottomPx)
  context.fillStyle = withAlpha(tokens.border, 0.55)
  for (const { xPx } of ticks) context.fillRect(Math.round(xPx), AXIS_PX, 1, bottomPx - AXIS_PX)

  for (const track of visibleSlice(layout.tracks, from, to)) {
    const marks = picture.marks.get(track.key)
    if (marks === undefined) continue
    const trackPicture: TrackPicture = { track, yPx: plotY(picture, track.topPx), marks }
    drawRollUps(context, scale, trackPicture, palette)
    drawMarks(context, scale, trackPicture, palette, sizes)
    drawPattern(context, widthPx, trackPicture, palette)
  }
  drawGaps(context, picture, from, to)
  context.restore()
  drawFolds(context, picture, bottomPx)
  drawAxis(context, picture, ticks)
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
  // Before the first thing seen and after the newest nothing is known; that is not the same as idle.
  const unknown = (startPx: number, endPx: number): void => {
    if (endPx - startPx < 1) return
    context.fillStyle = tokens.bgSunken
    context.fillRect(startPx, AXIS_PX, endPx - startPx, bottomPx - AXIS_PX)
  }
  if (known === null) return
  unknown(0, Math.min(scale.widthPx, scale.toPx(known.startTicks)))
  const nowPx = scale.toPx(known.endTicks)
  unknown(Math.max(0, nowPx), scale.widthPx)
  if (nowPx < 0 || nowPx > scale.widthPx) return
  context.fillStyle = withAlpha(tokens.accent, 0.7)
  context.fillRect(Math.min(scale.widthPx - 1, Math.round(nowPx)), AXIS_PX, 1, bottomPx - AXIS_PX)
}

function drawGaps(context: CanvasRenderingContext2D, picture: IoPicture, from: number, to: number): void {
  const { scale, palette } = picture
  const { tokens } = palette
  for (const { gap, topPx, heightPx } of picture.gaps) {
    if (
      gap.endTicks < scale.range.startTicks ||
      gap.startTicks > scale.range.endTicks ||
      topPx + heightPx < from ||
      topPx > to
    )
      continue
    const xPx = Math.max(-1, scale.toPx(gap.startTicks))
    const widthPx = Math.max(2, Math.min(scale.widthPx + 1, scale.toPx(gap.endTicks)) - xPx)
    // Only what is in sight is hatched: 600 lanes are as cheap as six.
    const top = Math.max(topPx, from)
    const shown = Math.min(topPx + heightPx, to) - top
    const yPx = plotY(picture, top)
    context.fillStyle = tokens.bg
    context.fillRect(xPx, yPx, widthPx, shown)
    context.fillStyle = withAlpha(tokens.gap, 0.25)
    context.fillRect(xPx, yPx, widthPx, shown)
    drawHatch(context, { xPx, yPx, widthPx, heightPx: shown }, tokens.gap, 7)
    context.font = `11px ${tokens.font}`
    const text = GAP_WORDS[gap.reason]
    const textPx = context.measureText(text).width
    if (textPx + 14 > widthPx || shown < 14) continue
    context.fillStyle = tokens.bg
    context.fillRect(xPx + widthPx / 2 - textPx / 2 - 5, yPx + 2, textPx + 10, 14)
    context.fillStyle = tokens.fgMuted
    context.textBaseline = 'middle'
    context.fillText(text, xPx + widthPx / 2 - textPx / 2, yPx + 9.5)
  }
}

function drawFolds(context: CanvasRenderingContext2D, picture: IoPicture, bottomPx: number): void {
  const { tokens } = picture.palette
  for (const fold of picture.scale.folds) {
    const widthPx = fold.endPx - fold.startPx
    context.fillStyle = tokens.bgSunken
    context.fillRect(fold.startPx, AXIS_PX, widthPx, bottomPx - AXIS_PX)
    context.save()
    context.beginPath()
    context.rect(fold.startPx - 4, AXIS_PX, widthPx + 8, Math.max(0, bottomPx - AXIS_PX))
    context.clip()
    for (const xPx of [fold.startPx, fold.endPx]) drawZigzag(context, xPx, bottomPx, tokens.borderStrong)
    context.restore()
  }
}

function drawAxis(context: CanvasRenderingContext2D, picture: IoPicture, ticks: ReturnType<typeof axisMarks>): void {
  const { scale, palette } = picture
  const { tokens } = palette
  context.fillStyle = tokens.bgRaised
  context.fillRect(0, 0, scale.widthPx, AXIS_PX)
  context.fillStyle = tokens.border
  context.fillRect(0, AXIS_PX - 1, scale.widthPx, 1)
  context.textBaseline = 'alphabetic'
  for (const { xPx, label, date } of ticks) {
    context.fillStyle = tokens.borderStrong
    context.fillRect(Math.round(xPx), AXIS_PX - (label === '' ? 4 : 7), 1, label === '' ? 3 : 6)
    if (label === '') continue
    context.font = `11px ${tokens.mono}`
    context.fillStyle = tokens.fg
    context.fillText(label, xPx + 3, AXIS_PX - 9)
    if (date === '') continue
    context.font = `10px ${tokens.font}`
    context.fillStyle = tokens.fgMuted
    context.fillText(date, xPx + 3, 11)
  }
  for (const fold of scale.folds) {
    const widthPx = fold.endPx - fold.startPx
    if (widthPx < 10) continue
    const text = formatDuration(fold.endTicks - fold.startTicks)
    context.font = `10px ${tokens.font}`
    const textPx = Math.max(context.measureText(text).width, context.measureText('idle').width)
    const middlePx = (fold.startPx + fold.endPx) / 2
    context.fillStyle = tokens.bgSunken
    context.fillRect(middlePx - textPx / 2 - 3, 0, textPx + 6, AXIS_PX - 1)
    context.fillStyle = tokens.fgMuted
    context.fillText(text, middlePx - context.measureText(text).width / 2, 13)
    context.fillText('idle', middlePx - context.measureText('idle').width / 2, 25)
  }
}
