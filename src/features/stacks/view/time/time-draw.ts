import type { Clock } from '../../../../base/text/format.ts'
import { axisMarks } from '../../../../charts/timeline/axis.ts'
import { AXIS_PX, drawAxis, drawGrid, LABEL_PX } from '../../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import type { CaptureId } from '../../contract/ids.ts'
import type { LanesAnswer } from '../../contract/lanes.ts'
import { CELL_PX, cellOf, LANE_PX, type CellColumns } from './time-cells.ts'
import { waitLook, type WaitPattern } from '../threads/wait-styles.ts'

export interface TimePicture {
  readonly answer: LanesAnswer
  readonly columns: CellColumns
  readonly scale: TimeScale
  readonly tokens: CanvasTokens
  readonly clock: Clock
  readonly scrollPx: number
  /** Captures that are looked at, and that they are compared with. */
  readonly chosen: ReadonlySet<CaptureId>
  readonly against: ReadonlySet<CaptureId>
}

/** Top of the cells of a lane on the canvas, CSS pixels. */
export const cellTop = (lane: number, scrollPx: number): number =>
  AXIS_PX + lane * LANE_PX + (LANE_PX - CELL_PX) / 2 - scrollPx

/** Lanes in sight: a cell a capture, coloured and patterned by what it waited for. */
export function drawTime(context: CanvasRenderingContext2D, heightPx: number, picture: TimePicture): void {
  const { answer, columns, scale, tokens, scrollPx } = picture
  const marks = columns.isOrdered ? [] : axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX })
  const bottomPx = Math.min(heightPx, AXIS_PX + answer.lanes.length * LANE_PX - scrollPx)
  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, scale.widthPx, Math.max(0, heightPx - AXIS_PX))
  context.clip()
  drawGrid(context, picture, marks, bottomPx)
  drawChosen(context, picture, bottomPx)
  const first = Math.max(0, Math.floor(scrollPx / LANE_PX))
  const end = Math.min(answer.lanes.length, Math.ceil((scrollPx + heightPx) / LANE_PX))
  for (let at = first; at < end; at++) {
    context.fillStyle = withAlpha(tokens.border, 0.7)
    context.fillRect(0, AXIS_PX + (at + 1) * LANE_PX - 1 - scrollPx, scale.widthPx, 1)
    drawLane(context, picture, at)
  }
  context.restore()
  drawAxis(context, picture, marks)
  if (!columns.isOrdered) return
  context.font = `11px ${tokens.font}`
  context.fillStyle = tokens.fgMuted
  context.fillText('In order of arrival: these documents have no time.', 6, AXIS_PX - 9)
}

function drawChosen(context: CanvasRenderingContext2D, picture: TimePicture, bottomPx: number): void {
  const { answer, columns, tokens, chosen, against } = picture
  answer.captures.forEach((capture, i) => {
    const colour = chosen.has(capture) ? tokens.accent : against.has(capture) ? tokens.warn : null
    if (colour === null) return
    context.fillStyle = withAlpha(colour, 0.22)
    context.fillRect((columns.xPx[i] ?? 0) - 1, AXIS_PX, (columns.widthPx[i] ?? 0) + 2, bottomPx - AXIS_PX)
  })
}

function drawLane(context: CanvasRenderingContext2D, picture: TimePicture, at: number): void {
  const { answer, columns, scale, tokens, scrollPx } = picture
  const lane = answer.lanes[at]
  if (lane === undefined) return
  const yPx = cellTop(at, scrollPx)
  for (let column = 0; column < answer.captures.length; column++) {
    const xPx = columns.xPx[column] ?? 0
    const widthPx = columns.widthPx[column] ?? 0
    if (xPx + widthPx < 0 || xPx > scale.widthPx) continue
    const { wait, threads, dominant } = cellOf(answer, lane, column)
    if (wait === null) continue
    const look = waitLook(wait)
    const colour = tokens.kinds.get(look.token) ?? tokens.fgMuted
    // As high as the part of its threads that do this; the rest is faint.
    const highPx = Math.max(4, (CELL_PX * dominant) / Math.max(1, threads))
    context.fillStyle = withAlpha(colour, 0.3)
    context.fillRect(xPx, yPx, widthPx, CELL_PX)
    context.fillStyle = colour
    context.fillRect(xPx, yPx + CELL_PX - highPx, widthPx, highPx)
    if (widthPx >= 4)
      drawPattern(context, look.pattern, { xPx, yPx: yPx + CELL_PX - highPx, widthPx, heightPx: highPx }, tokens.bg)
  }
}

interface Rect {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Cuts in the colour of the ground. */
function drawPattern(context: CanvasRenderingContext2D, pattern: WaitPattern, rect: Rect, colour: string): void {
  const { xPx, yPx, widthPx, heightPx } = rect
  context.fillStyle = colour
  const across = (share: number): void => context.fillRect(xPx, Math.round(yPx + heightPx * share) - 0.75, widthPx, 1.5)
  const down = (share: number): void => context.fillRect(Math.round(xPx + widthPx * share) - 0.5, yPx, 1, heightPx)
  switch (pattern) {
    case 'solid':
      return
    case 'one-cut':
      return across(0.5)
    case 'two-cuts':
      across(0.34)
      return across(0.67)
    case 'upright':
      return [0.25, 0.5, 0.75].forEach(down)
    case 'cross':
      across(0.5)
      return down(0.5)
    case 'hollow':
      if (widthPx > 5 && heightPx > 5) context.fillRect(xPx + 2, yPx + 2, widthPx - 4, heightPx - 4)
      return
    case 'dotted':
      for (let dotPx = xPx + 1; dotPx < xPx + widthPx - 1; dotPx += 4)
        context.fillRect(dotPx, yPx + heightPx / 2 - 1, 2, 2)
      return
    case 'hatched':
      return drawHatch(context, rect, colour, 5)
    case 'back-hatched':
      return drawHatch(context, rect, colour, 3)
  }
}

/** A frame around a cell. */
export function outlineCell(
  context: CanvasRenderingContext2D,
  picture: TimePicture,
  lane: number,
  column: number,
  colour: string,
  lineWidth: number,
): void {
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.strokeRect(
    (picture.columns.xPx[column] ?? 0) - 1.5,
    cellTop(lane, picture.scrollPx) - 1.5,
    (picture.columns.widthPx[column] ?? 0) + 3,
    CELL_PX + 3,
  )
}
