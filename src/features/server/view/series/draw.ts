import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import { GAP_WORDS } from '../../../../capture/frame/notices/gap-words.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { TrackBox } from '../../../../capture/frame/lanes/lane.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { joinBoxes, type GapBand } from '../../../../charts/timeline/gap-bands.ts'
import type { LaneContract, LaneMark, LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import { plotY } from '../../../../charts/timeline/lanes/draw.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { Chart } from './charts.ts'
import { rowAt, type PlotLayout, type PlotRow } from './layout.ts'
import { seriesColour, seriesDash } from '../../../../charts/series/styles.ts'
import type { SeriesKey, SeriesRows } from '../../../../feeds/server/contract/series.ts'
import { firstRowAfter, rowNear } from './series.ts'
import { formatUnit } from '../../../../base/text/format-unit.ts'
import { niceTop } from '../units.ts'

export interface ServerPicture extends LanePicture {
  readonly layout: PlotLayout
  readonly series: ReadonlyMap<SeriesKey, SeriesRows>
  readonly gaps: readonly GapBand<Gap>[]
}

/** Row and moment under the pointer. */
export interface SeriesHit {
  readonly row: PlotRow
  readonly atTicks: Ticks
}

const isDetail = ({ chart }: PlotRow): boolean => chart?.series.every(({ isVital }) => !isVital) === true

/** Returns the bands that mark the gaps. A gap of a lane covers only the charts of series that are not vital signs. */
export const layoutGaps = ({ rows, heightPx }: PlotLayout, gaps: readonly Gap[]): GapBand<Gap>[] =>
  gaps.flatMap((gap) => {
    const words = GAP_WORDS[gap.reason]
    return gap.lane === null
      ? [{ gap, words, topPx: 0, heightPx }]
      : joinBoxes(rows, isDetail).map((box) => ({ gap, words, topPx: box.topPx, heightPx: box.heightPx }))
  })

/**
 * Draws all charts below each other: each series as a band from minimum to maximum with its mean as a line. No mark can
 * be focused.
 */
export const SERIES_LANES: LaneContract<ServerPicture, LaneMark, SeriesHit> = {
  drawTrack: drawRow,
  // Scales are drawn above the gaps, where they are valid, too.
  drawAbove: (context, picture, heightPx) => {
    const { layout, scrollPx } = picture
    for (const row of visibleSlice(layout.rows, scrollPx, scrollPx + heightPx - AXIS_PX))
      if (row.chart !== null) drawScale(context, picture, boxOf(picture, row), row.chart)
  },
  drawOverlay: (context, picture, _heightPx, pointer) => {
    if (pointer !== null) drawPoints(context, picture, pointer.xPx)
  },
  hitTest: ({ layout, scale }, at) => {
    const row = rowAt(layout, at.yPx)
    return row === null ? null : { row, atTicks: scale.toTicks(at.xPx) }
  },
  markOf: () => null,
  focus: null,
}

const PAD_TOP_PX = 13
const PAD_BOTTOM_PX = 4
/** Height, px, below which a box has no room for a scale and is drawn without one. */
const LOW_PX = 32
/** Distance of buckets, px, from which on they are drawn as points as well. */
const POINT_PX = 9

/** Upper end of a chart's scale: the largest value in view of any of its series, rounded up. */
export function chartTop(chart: Chart, series: ReadonlyMap<SeriesKey, SeriesRows>, range: TimeRange): number {
  if (chart.topValue !== null) return chart.topValue
  let top = 0
  for (const { key } of chart.series) {
    const rows = series.get(key)
    if (rows === undefined) continue
    for (let row = firstRowAfter(rows, range.startTicks); row < rows.length; row++) {
      if ((rows.startTicks[row] ?? Infinity) >= range.endTicks) break
      top = Math.max(top, (rows.count[row] ?? 0) > 0 ? (rows.max[row] ?? 0) : 0)
    }
  }
  return niceTop(top, chart.unit)
}

/** Data that a chart is drawn from. */
type ChartPicture = Pick<ServerPicture, 'scale' | 'tokens' | 'series'>

const boxOf = (picture: ServerPicture, { topPx, heightPx }: PlotRow): TrackBox => ({
  yPx: plotY(picture, topPx),
  heightPx,
})

function drawRow(context: CanvasRenderingContext2D, picture: ServerPicture, row: PlotRow, yPx: number): void {
  const { scale, tokens } = picture
  if (row.chart === null) {
    context.fillStyle = tokens.bgSunken
    context.fillRect(0, yPx, scale.widthPx, row.heightPx - 1)
    return
  }
  drawLines(context, picture, row.chart, { yPx, heightPx: row.heightPx })
}

function drawLines(context: CanvasRenderingContext2D, picture: ChartPicture, chart: Chart, box: TrackBox): void {
  const top = chartTop(chart, picture.series, picture.scale.range)
  // The first series is drawn last, in front: it is the main one of the chart.
  chart.series.toReversed().forEach(({ key }, i, all) => {
    const rows = picture.series.get(key)
    if (rows !== undefined) drawSeries(context, picture, box, rows, all.length - 1 - i, top)
  })
}

/** Draws a chart in a lane of any timeline, with its scale if there is room for it. */
export function drawChart(context: CanvasRenderingContext2D, picture: ChartPicture, chart: Chart, box: TrackBox): void {
  drawLines(context, picture, chart, box)
  if (!isLow(box)) drawScale(context, picture, box, chart)
}

const isLow = ({ heightPx }: TrackBox): boolean => heightPx < LOW_PX

/** Vertical position of a value of a row, in the canvas. */
function valueY(box: TrackBox, value: number, top: number): number {
  const padPx = isLow(box) ? 1 : PAD_TOP_PX
  const bottom = box.yPx + box.heightPx - (isLow(box) ? 1 : PAD_BOTTOM_PX)
  return bottom - Math.max(0, Math.min(1, value / top)) * (bottom - box.yPx - padPx)
}

function drawSeries(
  context: CanvasRenderingContext2D,
  picture: ChartPicture,
  box: TrackBox,
  rows: SeriesRows,
  position: number,
  top: number,
): void {
  const { scale, tokens } = picture
  const colour = seriesColour(tokens, position)
  const first = Math.max(0, firstRowAfter(rows, scale.range.startTicks) - 1)
  const middle = (at: number): number => scale.toPx((rows.startTicks[at] ?? 0) + rows.bucketTicks / 2)
  for (let from = first; from < rows.length;) {
    if ((rows.startTicks[from] ?? Infinity) > scale.range.endTicks) break
    if ((rows.count[from] ?? 0) === 0) {
      from++
      continue
    }
    let end = from
    while (end < rows.length && (rows.count[end] ?? 0) > 0) {
      end++
      if ((rows.startTicks[end - 1] ?? Infinity) > scale.range.endTicks) break
    }
    drawRun(context, { from, end, middle, colour, dash: seriesDash(position) }, rows, (value) =>
      valueY(box, value, top),
    )
    from = end
  }
}

interface Run {
  readonly from: number
  readonly end: number
  readonly middle: (row: number) => number
  readonly colour: string
  readonly dash: readonly number[]
}

/** Draws rows without a break between them: the band, the mean, and points if there is room for them. */
function drawRun(
  context: CanvasRenderingContext2D,
  { from, end, middle, colour, dash }: Run,
  rows: SeriesRows,
  toY: (value: number) => number,
): void {
  const y = (of: Float64Array, row: number): number => toY(of[row] ?? 0)
  if (end - from > 1) {
    context.fillStyle = withAlpha(colour, 0.28)
    context.beginPath()
    context.moveTo(middle(from), y(rows.max, from))
    for (let row = from + 1; row < end; row++) context.lineTo(middle(row), y(rows.max, row))
    for (let row = end - 1; row >= from; row--) context.lineTo(middle(row), y(rows.min, row))
    context.fill()
    context.strokeStyle = colour
    context.lineWidth = 1.5
    context.setLineDash([...dash])
    context.beginPath()
    context.moveTo(middle(from), y(rows.mean, from))
    for (let row = from + 1; row < end; row++) context.lineTo(middle(row), y(rows.mean, row))
    context.stroke()
    context.setLineDash([])
  }
  const spaced = end - from === 1 || (middle(end - 1) - middle(from)) / (end - from - 1) >= POINT_PX
  if (!spaced) return
  context.fillStyle = colour
  for (let row = from; row < end; row++) {
    const [high, low] = [y(rows.max, row), y(rows.min, row)]
    if (low - high > 3) context.fillRect(middle(row) - 0.5, high, 1, low - high)
    context.fillRect(middle(row) - 1.5, y(rows.mean, row) - 1.5, 3, 3)
  }
}

function drawScale(context: CanvasRenderingContext2D, picture: ChartPicture, box: TrackBox, chart: Chart): void {
  const { tokens, scale } = picture
  const top = chartTop(chart, picture.series, scale.range)
  const topPx = valueY(box, top, top)
  context.fillStyle = withAlpha(tokens.border, 0.9)
  context.fillRect(0, topPx, scale.widthPx, 1)
  context.font = `10px ${tokens.font}`
  context.textBaseline = 'middle'
  const text = formatUnit(top, chart.unit)
  context.fillStyle = withAlpha(tokens.bg, 0.85)
  context.fillRect(2, topPx - 11, context.measureText(text).width + 6, 10)
  context.fillStyle = tokens.fgMuted
  context.fillText(text, 5, topPx - 6)
}

/** Draws the point of each series at the cursor. */
function drawPoints(context: CanvasRenderingContext2D, picture: ServerPicture, cursorPx: number): void {
  const { scale, tokens } = picture
  const at = scale.toTicks(cursorPx)
  for (const row of picture.layout.charts) {
    const top = chartTop(row.chart, picture.series, scale.range)
    row.chart.series.forEach(({ key }, position) => {
      const rows = picture.series.get(key)
      const found = rows === undefined ? -1 : rowNear(rows, at)
      if (rows === undefined || found < 0) return
      const xPx = scale.toPx((rows.startTicks[found] ?? 0) + rows.bucketTicks / 2)
      const yPx = valueY(boxOf(picture, row), rows.mean[found] ?? 0, top)
      context.beginPath()
      context.arc(xPx, yPx, 3.5, 0, 2 * Math.PI)
      context.fillStyle = seriesColour(tokens, position)
      context.fill()
      context.strokeStyle = tokens.bg
      context.lineWidth = 1.5
      context.stroke()
    })
  }
}
