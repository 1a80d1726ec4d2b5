import type { Ticks } from '../../../../base/brand.ts'
import { AXIS_PX, drawCursor } from '../../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { markSpan } from '../../../../charts/timeline/marks.ts'
import { plotY, type BatchPicture } from './draw.ts'
import type { IndexingHit } from './hits.ts'
import { DEPTH_PX, depthTopPx, rowOf } from './layout.ts'
import type { BatchRef } from '../../contract/batches.ts'

interface Spanned {
  readonly ref: BatchRef
  readonly durationTicks: number
}

export interface BatchOverlay {
  readonly picture: BatchPicture
  readonly cursorPx: number | null
  readonly hovered: IndexingHit | null
  readonly focused: Spanned | null
  readonly selected: Spanned | null
  /** The cursor of the budgets; null: not set. */
  readonly atTicks: Ticks | null
}

/** Everything that moves with the pointer, the focus or the selection; never the batches themselves. */
export function drawOverlay(context: CanvasRenderingContext2D, heightPx: number, overlay: BatchOverlay): void {
  const { picture, hovered, selected } = overlay
  const { scale, palette } = picture
  const { tokens } = palette
  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, scale.widthPx, Math.max(0, heightPx - AXIS_PX))
  context.clip()
  if (selected !== null) {
    const { startPx, endPx } = markSpan(scale, selected.ref.startTicks, selected.durationTicks)
    context.fillStyle = withAlpha(tokens.fg, 0.08)
    context.fillRect(startPx, AXIS_PX, endPx - startPx, heightPx - AXIS_PX)
    outlineBatch(context, picture, selected, tokens.fg, 2)
  }
  if (hovered?.type === 'batch') outlineBatch(context, picture, hovered, tokens.fg, 1.5)
  else if (hovered?.type === 'operation') {
    const { startPx, endPx } = markSpan(scale, hovered.startTicks, hovered.durationTicks)
    const yPx = plotY(picture, depthTopPx(hovered.row, hovered.depth))
    box(context, { startPx, endPx, yPx, heightPx: DEPTH_PX - 1 }, scale.widthPx, tokens.fg, 1.5)
  }
  if (overlay.focused !== null) outlineBatch(context, picture, overlay.focused, tokens.focus, 2.5)
  drawAt(context, picture, overlay.atTicks, heightPx)
  context.restore()
  if (overlay.cursorPx !== null) drawCursor(context, { scale, tokens }, heightPx, overlay.cursorPx, picture.clock)
}

/** The set cursor: a dashed line, so that it is not taken for the pointer. */
export function drawAt(
  context: CanvasRenderingContext2D,
  { scale, palette }: Pick<BatchPicture, 'scale' | 'palette'>,
  atTicks: Ticks | null,
  heightPx: number,
): void {
  const xPx = atTicks === null ? -1 : Math.round(scale.toPx(atTicks)) + 0.5
  if (xPx < 0 || xPx > scale.widthPx) return
  context.strokeStyle = palette.tokens.accent
  context.lineWidth = 1.5
  context.setLineDash([5, 3])
  context.beginPath()
  context.moveTo(xPx, AXIS_PX)
  context.lineTo(xPx, heightPx)
  context.stroke()
  context.setLineDash([])
}

function outlineBatch(
  context: CanvasRenderingContext2D,
  picture: BatchPicture,
  batch: Spanned,
  colour: string,
  lineWidth: number,
): void {
  const row = rowOf(picture.layout, batch.ref.index)
  if (row === null) return
  const span = markSpan(picture.scale, batch.ref.startTicks, batch.durationTicks)
  const yPx = plotY(picture, row.trackPx.topPx)
  box(context, { ...span, yPx, heightPx: row.trackPx.heightPx }, picture.scale.widthPx, colour, lineWidth)
}

function box(
  context: CanvasRenderingContext2D,
  at: { readonly startPx: number; readonly endPx: number; readonly yPx: number; readonly heightPx: number },
  widthPx: number,
  colour: string,
  lineWidth: number,
): void {
  if (at.endPx < -4 || at.startPx > widthPx + 4) return
  const left = Math.max(-4, at.startPx) - 1.5
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.strokeRect(left, at.yPx - 1.5, Math.min(widthPx + 4, at.endPx) + 1.5 - left, at.heightPx + 3)
}
