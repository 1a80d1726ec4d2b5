import { AXIS_PX, drawCursor } from '../../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { markSpan } from '../../../../charts/timeline/marks.ts'
import { plotY, type IoPicture } from './draw.ts'
import { trackOf, type Track } from './layout.ts'
import type { IoEventRef } from '../../contract.ts'

export interface IoOverlay {
  readonly picture: IoPicture
  readonly cursorPx: number | null
  readonly hovered: { readonly track: Track; readonly startTicks: number; readonly durationTicks: number } | null
  readonly focused: { readonly track: Track; readonly startTicks: number; readonly durationTicks: number } | null
  readonly selected: IoEventRef | null
  /** What overlaps the selected event. */
  readonly overlaps: readonly IoEventRef[]
}

/** Everything that moves with the pointer, the focus or the selection; never the marks themselves. */
export function drawOverlay(context: CanvasRenderingContext2D, heightPx: number, overlay: IoOverlay): void {
  const { picture } = overlay
  const { tokens } = picture.palette
  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, picture.scale.widthPx, Math.max(0, heightPx - AXIS_PX))
  context.clip()
  if (overlay.selected !== null) {
    const { startPx, endPx } = markSpan(picture.scale, overlay.selected.startTicks, overlay.selected.durationTicks)
    context.fillStyle = withAlpha(tokens.accent, 0.12)
    context.fillRect(startPx, AXIS_PX, endPx - startPx, heightPx - AXIS_PX)
    for (const other of overlay.overlaps) markOverlap(context, picture, other, tokens.warn)
    outlineEvent(context, picture, overlay.selected, tokens.accent, 2)
  }
  if (overlay.hovered !== null) outline(context, picture, overlay.hovered.track, overlay.hovered, tokens.fg, 1.5)
  if (overlay.focused !== null) outline(context, picture, overlay.focused.track, overlay.focused, tokens.focus, 2.5)
  context.restore()
  if (overlay.cursorPx !== null)
    drawCursor(context, { scale: picture.scale, tokens }, heightPx, overlay.cursorPx, picture.clock)
}

/** Wide enough ones get an outline; thin ones are painted over, or their outlines would hide each other. */
function markOverlap(context: CanvasRenderingContext2D, picture: IoPicture, ref: IoEventRef, colour: string): void {
  const track = trackOf(picture.layout, ref.lane, ref.kind)
  if (track === null) return
  const { startPx, endPx } = markSpan(picture.scale, ref.startTicks, ref.durationTicks)
  if (endPx - startPx >= 4) return outline(context, picture, track, ref, colour, 1.5)
  context.fillStyle = colour
  context.fillRect(startPx, plotY(picture, track.topPx) - 1, endPx - startPx, track.heightPx + 2)
}

function outlineEvent(
  context: CanvasRenderingContext2D,
  picture: IoPicture,
  ref: IoEventRef,
  colour: string,
  lineWidth: number,
): void {
  const track = trackOf(picture.layout, ref.lane, ref.kind)
  if (track !== null) outline(context, picture, track, ref, colour, lineWidth)
}

function outline(
  context: CanvasRenderingContext2D,
  picture: IoPicture,
  track: Track,
  event: { readonly startTicks: number; readonly durationTicks: number },
  colour: string,
  lineWidth: number,
): void {
  const { startPx, endPx } = markSpan(picture.scale, event.startTicks, event.durationTicks)
  if (endPx < -4 || startPx > picture.scale.widthPx + 4) return
  const yPx = plotY(picture, track.topPx)
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  const left = Math.max(-4, startPx) - 1.5
  context.strokeRect(left, yPx - 1.5, Math.min(picture.scale.widthPx + 4, endPx) + 1.5 - left, track.heightPx + 3)
}
