import type { Clock } from '../../../../base/text/format.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { drawGaps, isMissingIn, type GapBand } from '../../../../charts/timeline/gap-bands.ts'
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
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { drawBatches, type BatchMarks } from './draw-batches.ts'
import { drawIcicle } from './draw-icicle.ts'
import type { Icicle } from './icicle.ts'
import { DEPTH_PX, depthTopPx, unknownUntil, type LaneLayout } from './layout.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexKey } from '../../contract/batches.ts'

export interface BatchPicture {
  readonly layout: LaneLayout
  readonly scale: TimeScale
  /** A lane without an answer yet is empty. */
  readonly marks: ReadonlyMap<IndexKey, BatchMarks>
  readonly icicles: ReadonlyMap<IndexKey, Icicle>
  readonly gaps: readonly GapBand<Gap>[]
  readonly scrollPx: number
  readonly palette: IndexingPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  /** What has been seen; outside of it nothing is known. Null: nothing yet. */
  readonly known: TimeRange | null
}

/** Canvas y of a layout y. */
export const plotY = (picture: { readonly scrollPx: number }, topPx: number): number =>
  topPx - picture.scrollPx + AXIS_PX

/** The still picture: ground, grid, batches and their operations, gaps, folds, and on top the axis. */
export function drawPlot(context: CanvasRenderingContext2D, heightPx: number, picture: BatchPicture): void {
  const { layout, scale, scrollPx, palette, sizes } = picture
  const { tokens } = palette
  const frame = { scale, tokens, isMissingIn: isMissingIn(picture.gaps) }
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  const ticks = axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX })
  const bottomPx = Math.min(heightPx, AXIS_PX + layout.heightPx - scrollPx)
  const rows = visibleSlice(layout.rows, from, to)

  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, scale.widthPx, heightPx - AXIS_PX)
  context.clip()
  for (const row of rows) {
    const yPx = plotY(picture, row.topPx)
    if (row.type === 'source' || row.expanded) {
      context.fillStyle = row.type === 'source' ? tokens.bgRaised : withAlpha(tokens.bgSunken, 0.6)
      context.fillRect(0, yPx, scale.widthPx, row.heightPx)
    }
    const untilPx = row.index === null ? 0 : Math.min(scale.widthPx, scale.toPx(unknownUntil(row.index)))
    if (untilPx > 1) {
      context.fillStyle = tokens.bgSunken
      context.fillRect(0, yPx, untilPx, row.heightPx)
    }
    context.fillStyle = tokens.border
    context.fillRect(0, yPx + row.heightPx - 1, scale.widthPx, 1)
  }
  drawUnknown(context, frame, picture.known, bottomPx)
  drawGrid(context, frame, ticks, bottomPx)
  for (const row of rows) {
    const marks = picture.marks.get(row.key)
    const { topPx, heightPx: trackPx } = row.trackPx
    if (marks !== undefined)
      drawBatches(context, scale, { yPx: plotY(picture, topPx), heightPx: trackPx, marks }, palette, sizes)
    const icicle = row.expanded ? picture.icicles.get(row.key) : undefined
    if (icicle === undefined) continue
    const operationsPx = plotY(picture, depthTopPx(row, 1))
    drawIcicle(context, scale, icicle, operationsPx, palette)
    if (icicle.depths === 0 && icicle.answer.narrow > 0) drawHint(context, operationsPx, palette)
  }
  drawGaps(context, frame, picture.gaps, scrollPx, heightPx)
  context.restore()
  drawFolds(context, frame, bottomPx)
  drawAxis(context, frame, ticks)
}

/** Where every batch of an expanded lane is too narrow. */
function drawHint(context: CanvasRenderingContext2D, topPx: number, palette: IndexingPalette): void {
  context.font = `11px ${palette.tokens.font}`
  context.textBaseline = 'middle'
  context.fillStyle = palette.tokens.fgMuted
  context.fillText('Zoom in: these batches are too narrow to show their operations.', 8, topPx + DEPTH_PX / 2)
}
