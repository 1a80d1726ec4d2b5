import { area, curveStepAfter, line } from 'd3'
import { formatBytes } from '../../../../base/text/format.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'

/** Area on the canvas for a row of bytes over time. */
export interface PlotBox {
  readonly yPx: number
  readonly heightPx: number
  readonly widthPx: number
  readonly topBytes: number
}

/** Step of a curve; NaN: unknown until the next step. */
export interface Step {
  readonly xPx: number
  readonly low: number
  readonly high: number
}

const PAD_PX = 4

export const toY = (box: PlotBox, bytes: number): number =>
  box.yPx + box.heightPx - PAD_PX - (bytes / Math.max(1, box.topBytes)) * (box.heightPx - PAD_PX * 2)

const isKnown = (step: Step): boolean => !Number.isNaN(step.high)

/** Path of a band between `low` and `high`, in steps: a value is valid until the next one. */
export function bandPath(context: CanvasRenderingContext2D, box: PlotBox, steps: readonly Step[]): void {
  context.beginPath()
  area<Step>()
    .x((step) => step.xPx)
    .y0((step) => toY(box, step.low))
    .y1((step) => toY(box, step.high))
    .defined(isKnown)
    .curve(curveStepAfter)
    .context(context)(steps)
}

/** Path of the upper edge only. */
export function linePath(context: CanvasRenderingContext2D, box: PlotBox, steps: readonly Step[]): void {
  context.beginPath()
  line<Step>()
    .x((step) => step.xPx)
    .y((step) => toY(box, step.high))
    .defined(isKnown)
    .curve(curveStepAfter)
    .context(context)(steps)
}

/** Draws a dashed line over the whole width, with a label on it. */
export function ruleAt(
  context: CanvasRenderingContext2D,
  box: PlotBox,
  bytes: number,
  words: string,
  colour: string,
  tokens: CanvasTokens,
): void {
  const yPx = Math.round(toY(box, bytes)) + 0.5
  context.strokeStyle = colour
  context.lineWidth = 1
  context.setLineDash([6, 4])
  context.beginPath()
  context.moveTo(0, yPx)
  context.lineTo(box.widthPx, yPx)
  context.stroke()
  context.setLineDash([])
  label(context, words, 6, yPx - 7, tokens)
}

/** Draws small text with a background, so that it is readable over any content. */
export function label(
  context: CanvasRenderingContext2D,
  words: string,
  xPx: number,
  yPx: number,
  tokens: CanvasTokens,
): void {
  context.font = `10px ${tokens.font}`
  context.textBaseline = 'middle'
  const widthPx = context.measureText(words).width
  context.globalAlpha = 0.78
  context.fillStyle = tokens.bg
  context.fillRect(xPx - 3, yPx - 6.5, widthPx + 6, 13)
  context.globalAlpha = 1
  context.fillStyle = tokens.fgMuted
  context.fillText(words, xPx, yPx + 0.5)
}

/** Draws the value of a row's upper edge, at its right end. */
export function topLabel(context: CanvasRenderingContext2D, box: PlotBox, tokens: CanvasTokens): void {
  if (box.topBytes <= 0) return
  const words = formatBytes(box.topBytes)
  context.font = `10px ${tokens.font}`
  label(context, words, box.widthPx - context.measureText(words).width - 6, box.yPx + 10, tokens)
}
