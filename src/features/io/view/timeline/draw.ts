import { withAlpha } from '../../../../charts/canvas/colour.ts'
import type { LaneContract, LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import { drawSelectedTime, outlineMark, plotY } from '../../../../charts/timeline/lanes/draw.ts'
import { markFocus } from '../../../../charts/timeline/lanes/focus.ts'
import { markSpan } from '../../../../charts/timeline/marks.ts'
import { drawMarks, drawPattern, drawRollUps, type TrackPicture } from './draw-marks.ts'
import { drawStalls } from '../stalls/marks.ts'
import { hitTestTracks, markHit, STALL_PLACES, type IoHit, type MarkHit } from './hits.ts'
import { trackOf, type LayoutRow } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoPicture } from './picture.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'

/** Draws the background of rows; sources and parts of a lane have another one than lanes. */
export function drawRowGround(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LanePicture,
  row: LayoutRow,
  yPx: number,
): void {
  if (row.type === 'lane') return
  context.fillStyle = row.type === 'source' ? tokens.bgRaised : withAlpha(tokens.bgSunken, 0.6)
  context.fillRect(0, yPx, scale.widthPx, row.heightPx)
}

/** The I/O timeline: a track for each kind of a lane, roll-ups behind its marks. */
export const IO_LANES: LaneContract<IoPicture, MarkHit, IoHit> = {
  drawGround: drawRowGround,
  drawTrack: (context, { scale, marks: held, palette, sizes }, track, yPx) => {
    const marks = held.get(track.key)
    if (marks === undefined) return
    const picture: TrackPicture = { track, yPx, marks }
    drawRollUps(context, scale, picture, palette)
    drawMarks(context, scale, picture, palette, sizes)
    drawPattern(context, scale.widthPx, picture, palette)
  },
  drawAbove: (context, picture, heightPx) => drawStalls(context, picture, heightPx, STALL_PLACES),
  drawOverlay: (context, picture, heightPx) => {
    const { selected, overlaps, tokens } = picture
    if (selected === null) return
    drawSelectedTime(context, picture, heightPx, selected, withAlpha(tokens.accent, 0.12))
    for (const other of overlaps) drawOverlap(context, picture, other)
    const track = trackOf(picture.layout, selected.lane, selected.kind)
    if (track !== null) outlineMark(context, picture, { ...selected, track }, tokens.accent, 2)
  },
  hitTest: hitTestTracks,
  markOf: (hit) => (hit.type === 'mark' ? hit : null),
  focus: markFocus<RowMarks, IoPicture, MarkHit>(markHit),
}

/**
 * Highlights an event that overlaps the selected one: wide marks get an outline; thin ones are painted over, because
 * their outlines would hide each other.
 */
function drawOverlap(context: CanvasRenderingContext2D, picture: IoPicture, ref: IoEventRef): void {
  const track = trackOf(picture.layout, ref.lane, ref.kind)
  if (track === null) return
  const { startPx, endPx } = markSpan(picture.scale, ref.startTicks, ref.durationTicks)
  const colour = picture.tokens.warn
  if (endPx - startPx >= 4) return outlineMark(context, picture, { ...ref, track }, colour, 1.5)
  context.fillStyle = colour
  context.fillRect(startPx, plotY(picture, track.topPx) - 1, endPx - startPx, track.heightPx + 2)
}
