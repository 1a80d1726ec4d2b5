import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { withAlpha } from '../../../charts/canvas/colour.ts'
import type { Point } from '../../../charts/canvas/gestures.ts'
import type { CanvasTokens } from '../../../charts/canvas/tokens.ts'
import type { TimeScale } from '../../../charts/scale.ts'
import { seriesColour, seriesDash } from '../../../charts/series/styles.ts'
import { axisMarks } from '../../../charts/timeline/axis.ts'
import { AXIS_PX, drawAxis, drawGrid, LABEL_PX } from '../../../charts/timeline/axis-picture.ts'
import { type AskedLines, type AskedPoint, formatValue, runsOf } from './asked-chart.ts'

export interface AskedPicture {
  readonly lines: AskedLines
  readonly scale: TimeScale
  /** Height below the axis. */
  readonly heightPx: number
  readonly tokens: CanvasTokens
}

/** A point, and the index of its series. */
export interface AskedHit {
  readonly series: number
  readonly point: AskedPoint
}

const PAD_PX = 14
const SLACK_PX = 24
const DOT_PX = 3
/** Points that are closer are drawn as a line alone. */
const CLOSE_PX = 7

/** Range with room beside the first and the last point. */
export function paddedRange({ startTicks, endTicks }: TimeRange): TimeRange {
  const air = Math.max((endTicks - startTicks) * 0.02, TICKS_PER_SECOND)
  return { startTicks: (startTicks - air) as Ticks, endTicks: (endTicks + air) as Ticks }
}

/** Position of a value on the canvas. */
function valueY({ lines: { least, most }, heightPx }: AskedPicture, value: number): number {
  const span = most - least || 1
  const bottom = AXIS_PX + heightPx - PAD_PX
  return bottom - ((value - least) / span) * Math.max(0, heightPx - 2 * PAD_PX)
}

export function drawAsked(context: CanvasRenderingContext2D, picture: AskedPicture): void {
  const { lines, scale, heightPx, tokens } = picture
  const marks = axisMarks(scale, { clock: 'utc', labelPx: LABEL_PX })
  drawGrid(context, { scale, tokens }, marks, AXIS_PX + heightPx)
  drawAxis(context, { scale, tokens }, marks)
  drawValues(context, picture)
  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, scale.widthPx, heightPx)
  context.clip()
  // The series with the largest values is drawn last, in front.
  for (let at = lines.series.length - 1; at >= 0; at--) drawSeries(context, picture, at)
  context.restore()
}

/** Draws zero and the limits of the values. */
function drawValues(context: CanvasRenderingContext2D, picture: AskedPicture): void {
  const { lines, scale, tokens } = picture
  context.font = `10px ${tokens.font}`
  context.textBaseline = 'bottom'
  for (const value of new Set([0, lines.least, lines.most])) {
    const y = Math.round(valueY(picture, value))
    context.fillStyle = withAlpha(tokens.border, 0.9)
    context.fillRect(0, y, scale.widthPx, 1)
    context.fillStyle = tokens.fgMuted
    context.fillText(formatValue(value), 3, y - 1)
  }
}

function drawSeries(context: CanvasRenderingContext2D, picture: AskedPicture, at: number): void {
  const { lines, scale, tokens } = picture
  const series = lines.series[at]
  if (series === undefined) return
  const colour = seriesColour(tokens, at)
  context.strokeStyle = context.fillStyle = colour
  context.lineWidth = 1.5
  for (const run of runsOf(series, lines.stepTicks)) {
    const places = run.map(({ ticks, value }) => [scale.toPx(ticks), valueY(picture, value)] as const)
    context.setLineDash([...seriesDash(at)])
    context.beginPath()
    for (const [i, [x, y]] of places.entries())
      if (i === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    context.stroke()
    context.setLineDash([])
    const [first] = places
    const last = places.at(-1)
    if (first === undefined || last === undefined) continue
    if (run.length > 1 && (last[0] - first[0]) / (run.length - 1) < CLOSE_PX) continue
    for (const [x, y] of places) drawDot(context, x, y, at)
  }
}

/** Draws a point: the shape differs by series, since single points have no dashes. */
function drawDot(context: CanvasRenderingContext2D, x: number, y: number, series: number): void {
  const isHollow = series % 2 === 1
  const sizePx = isHollow ? DOT_PX + 2 : DOT_PX
  context.beginPath()
  if (series < 2) context.rect(x - sizePx / 2, y - sizePx / 2, sizePx, sizePx)
  else context.arc(x, y, sizePx / 2, 0, 2 * Math.PI)
  if (isHollow) context.stroke()
  else context.fill()
}

export function drawRing(
  context: CanvasRenderingContext2D,
  picture: AskedPicture,
  { point }: AskedHit,
  colour: string,
): void {
  context.strokeStyle = colour
  context.lineWidth = 2
  context.beginPath()
  context.arc(picture.scale.toPx(point.ticks), valueY(picture, point.value), 5, 0, 2 * Math.PI)
  context.stroke()
}

/** The nearest point; null: none is near. */
export function nearestPoint(picture: AskedPicture, { xPx, yPx }: Point): AskedHit | null {
  let nearest: AskedHit | null = null
  let nearestPx = SLACK_PX
  for (const [series, { points }] of picture.lines.series.entries())
    for (const point of points) {
      const distancePx = Math.hypot(picture.scale.toPx(point.ticks) - xPx, valueY(picture, point.value) - yPx)
      if (distancePx >= nearestPx) continue
      nearestPx = distancePx
      nearest = { series, point }
    }
  return nearest
}
