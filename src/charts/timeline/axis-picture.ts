import { formatDuration, formatTime, type Clock } from '../../base/text/format.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { cursorDigits, type AxisMark } from './axis.ts'
import { withAlpha } from '../canvas/colour.ts'
import { drawZigzag } from '../canvas/hatch.ts'
import type { TimeScale } from '../scale.ts'
import type { CanvasTokens } from '../canvas/tokens.ts'

/** Height of the axis above the plot; rows begin below it. */
export const AXIS_PX = 34
/** Approximate width of a label. */
export const LABEL_PX = 96

/** Inputs for drawing the parts that all time plots share. */
export interface PlotFrame {
  readonly scale: TimeScale
  readonly tokens: CanvasTokens
  /** Whether data is missing in a folded range, which then is not idle. Left out: no data is missing. */
  readonly isMissingIn?: (range: TimeRange) => boolean
}

/** Draws vertical lines at the ticks of the axis. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  { tokens }: PlotFrame,
  marks: readonly AxisMark[],
  bottomPx: number,
): void {
  context.fillStyle = withAlpha(tokens.border, 0.55)
  for (const { xPx } of marks) context.fillRect(Math.round(xPx), AXIS_PX, 1, bottomPx - AXIS_PX)
}

/** Hatches the time before the first and after the newest data: unknown is not idle. */
export function drawUnknown(
  context: CanvasRenderingContext2D,
  { scale, tokens }: PlotFrame,
  known: TimeRange | null,
  bottomPx: number,
): void {
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

/** Draws a zigzag at each fold; hatching below it stays visible. */
export function drawFolds(context: CanvasRenderingContext2D, frame: PlotFrame, bottomPx: number): void {
  const { scale, tokens, isMissingIn } = frame
  for (const fold of scale.folds) {
    const widthPx = fold.endPx - fold.startPx
    if (isMissingIn?.(fold) !== true) {
      context.fillStyle = tokens.bgSunken
      context.fillRect(fold.startPx, AXIS_PX, widthPx, bottomPx - AXIS_PX)
    }
    context.save()
    context.beginPath()
    context.rect(fold.startPx - 4, AXIS_PX, widthPx + 8, Math.max(0, bottomPx - AXIS_PX))
    context.clip()
    for (const xPx of [fold.startPx, fold.endPx]) drawZigzag(context, xPx, bottomPx, tokens.borderStrong)
    context.restore()
  }
}

/** Narrower folds show no duration. */
const LABELLED_FOLD_PX = 10

export function drawAxis(
  context: CanvasRenderingContext2D,
  { scale, tokens, isMissingIn }: PlotFrame,
  marks: readonly AxisMark[],
): void {
  context.fillStyle = tokens.bgRaised
  context.fillRect(0, 0, scale.widthPx, AXIS_PX)
  context.fillStyle = tokens.border
  context.fillRect(0, AXIS_PX - 1, scale.widthPx, 1)
  context.textBaseline = 'alphabetic'
  // Setting a font costs more than drawing text: each is set once.
  context.fillStyle = tokens.borderStrong
  for (const { xPx, label } of marks)
    context.fillRect(Math.round(xPx), AXIS_PX - (label === '' ? 4 : 7), 1, label === '' ? 3 : 6)
  context.font = `11px ${tokens.mono}`
  context.fillStyle = tokens.fg
  for (const { xPx, label } of marks) if (label !== '') context.fillText(label, xPx + 3, AXIS_PX - 9)
  context.font = `10px ${tokens.font}`
  context.fillStyle = tokens.fgMuted
  for (const { xPx, date } of marks) if (date !== '') context.fillText(date, xPx + 3, 11)
  for (const fold of scale.folds) {
    if (fold.endPx - fold.startPx < LABELLED_FOLD_PX) continue
    const text = formatDuration(fold.endTicks - fold.startTicks)
    const textPx = context.measureText(text).width
    const word = isMissingIn?.(fold) === true ? 'unknown' : 'idle'
    const wordPx = context.measureText(word).width
    const halfPx = Math.max(textPx, wordPx) / 2
    const middlePx = (fold.startPx + fold.endPx) / 2
    context.fillStyle = tokens.bgSunken
    context.fillRect(middlePx - halfPx - 3, 0, halfPx * 2 + 6, AXIS_PX - 1)
    context.fillStyle = tokens.fgMuted
    context.fillText(text, middlePx - textPx / 2, 13)
    context.fillText(word, middlePx - wordPx / 2, 25)
  }
}

/** Draws the line at the pointer, and its time. */
export function drawCursor(
  context: CanvasRenderingContext2D,
  { scale, tokens }: PlotFrame,
  heightPx: number,
  xPx: number,
  clock: Clock,
): void {
  context.fillStyle = withAlpha(tokens.fg, 0.5)
  context.fillRect(Math.round(xPx), AXIS_PX - 6, 1, heightPx)
  const text = formatTime(scale.toTicks(xPx), clock, cursorDigits(scale.ticksPerPx))
  context.font = `11px ${tokens.mono}`
  const textPx = context.measureText(text).width
  const left = Math.max(0, Math.min(scale.widthPx - textPx - 10, xPx - textPx / 2 - 5))
  context.fillStyle = tokens.fg
  context.fillRect(left, AXIS_PX - 20, textPx + 10, 17)
  context.fillStyle = tokens.bg
  context.textBaseline = 'middle'
  context.fillText(text, left + 5, AXIS_PX - 11)
}
