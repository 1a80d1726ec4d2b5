import type { Ticks } from '../../../../base/ticks.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { LaneContract, LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import { drawSelectedTime, outlineMark, plotY } from '../../../../charts/timeline/lanes/draw.ts'
import { markFocus } from '../../../../charts/timeline/lanes/focus.ts'
import { drawBatches } from './draw-batches.ts'
import { drawIcicle } from './draw-icicle.ts'
import { batchHit, hitTestRows, type BatchHit, type IndexingHit } from './hits.ts'
import { DEPTH_PX, depthTopPx, rowOf, unknownUntil } from './layout.ts'
import type { BatchPicture } from './picture.ts'
import type { IndexingPalette } from '../palette.ts'

/** Lanes of batches; expanded lanes also show operations. */
export const BATCH_LANES: LaneContract<BatchPicture, BatchHit, IndexingHit> = {
  drawGround: (context, { scale, tokens }, row, yPx) => {
    if (row.type === 'source' || row.expanded) {
      context.fillStyle = row.type === 'source' ? tokens.bgRaised : withAlpha(tokens.bgSunken, 0.6)
      context.fillRect(0, yPx, scale.widthPx, row.heightPx)
    }
    const untilPx = row.index === null ? 0 : Math.min(scale.widthPx, scale.toPx(unknownUntil(row.index)))
    if (untilPx <= 1) return
    context.fillStyle = tokens.bgSunken
    context.fillRect(0, yPx, untilPx, row.heightPx)
  },
  drawTrack: (context, picture, row) => {
    const { scale, palette, sizes } = picture
    const marks = picture.marks.get(row.key)
    const { topPx, heightPx } = row.trackPx
    if (marks !== undefined)
      drawBatches(context, scale, { yPx: plotY(picture, topPx), heightPx, marks }, palette, sizes)
    const icicle = row.expanded ? picture.icicles.get(row.key) : undefined
    if (icicle === undefined) return
    const operationsPx = plotY(picture, depthTopPx(row, 1))
    drawIcicle(context, scale, icicle, operationsPx, palette)
    if (icicle.depths === 0 && icicle.response.narrow > 0) drawHint(context, operationsPx, palette)
  },
  drawOverlay: (context, picture, heightPx, pointer) => {
    const { selected, tokens } = picture
    const row = selected === null ? null : rowOf(picture.layout, selected.ref.index)
    if (selected !== null) {
      const { durationTicks } = selected
      const span = { startTicks: selected.ref.startTicks, durationTicks }
      drawSelectedTime(context, picture, heightPx, span, withAlpha(tokens.fg, 0.08))
      if (row !== null) outlineMark(context, picture, { ...span, track: row.trackPx }, tokens.fg, 2)
    }
    if (pointer?.hit?.type === 'operation') {
      const { hit } = pointer
      const track = { topPx: depthTopPx(hit.track, hit.depth), heightPx: DEPTH_PX - 1 }
      outlineMark(context, picture, { ...hit, track }, tokens.fg, 1.5)
    }
    drawSetCursor(context, picture, picture.atTicks, heightPx)
  },
  hitTest: hitTestRows,
  markOf: (hit) => (hit.type === 'batch' ? hit : null),
  outline: (context, picture, batch, colour, lineWidth) =>
    outlineMark(context, picture, { ...batch, track: batch.track.trackPx }, colour, lineWidth),
  focus: markFocus(batchHit),
}

/** Draws the set cursor as a dashed line, to distinguish it from the pointer. */
export function drawSetCursor(
  context: CanvasRenderingContext2D,
  { scale, tokens }: Pick<LanePicture, 'scale' | 'tokens'>,
  atTicks: Ticks | null,
  heightPx: number,
): void {
  const xPx = atTicks === null ? -1 : Math.round(scale.toPx(atTicks)) + 0.5
  if (xPx < 0 || xPx > scale.widthPx) return
  context.strokeStyle = tokens.accent
  context.lineWidth = 1.5
  context.setLineDash([5, 3])
  context.beginPath()
  context.moveTo(xPx, AXIS_PX)
  context.lineTo(xPx, heightPx)
  context.stroke()
  context.setLineDash([])
}

/** Draws a hint if every batch of an expanded lane is too narrow. */
function drawHint(context: CanvasRenderingContext2D, topPx: number, palette: IndexingPalette): void {
  context.font = `11px ${palette.tokens.font}`
  context.textBaseline = 'middle'
  context.fillStyle = palette.tokens.fgMuted
  context.fillText('Zoom in: these batches are too narrow to show their operations.', 8, topPx + DEPTH_PX / 2)
}
