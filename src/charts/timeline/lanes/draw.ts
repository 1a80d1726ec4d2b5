import { AXIS_PX, drawAxis, drawCursor, drawFolds, drawGrid, drawUnknown, LABEL_PX } from '../axis-picture.ts'
import { axisMarks } from '../axis.ts'
import { withAlpha } from '../../canvas/colour.ts'
import type { Point } from '../../canvas/gestures.ts'
import { drawGaps, gapAt, isMissingIn } from '../gap-bands.ts'
import { markSpan } from '../marks.ts'
import { visibleSlice } from '../visible-slice.ts'
import type { LaneBox } from './box.ts'
import type { DrawOver } from './shared-time.ts'
import type { GapOf, LaneContract, LaneMark, LanePicture, StretchHit } from './contract.ts'

/** Canvas y of a content y. */
export const plotY = ({ scrollPx }: Pick<LanePicture, 'scrollPx'>, topPx: number): number => topPx - scrollPx + AXIS_PX

function clipPlot(context: CanvasRenderingContext2D, picture: LanePicture, heightPx: number): void {
  context.beginPath()
  context.rect(0, AXIS_PX, picture.scale.widthPx, Math.max(0, heightPx - AXIS_PX))
  context.clip()
}

/**
 * Draws the static picture: background, grid, marks of the tracks in view, gaps, folds, and the axis on top. `heightPx`
 * of the canvas.
 */
export function drawLanes<Picture extends LanePicture, Mark extends LaneMark, Hit>(
  context: CanvasRenderingContext2D,
  heightPx: number,
  picture: Picture,
  contract: LaneContract<Picture, Mark, Hit>,
): void {
  const { layout, scale, tokens, scrollPx } = picture
  const frame = { scale, tokens, isMissingIn: isMissingIn(picture.gaps) }
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  const ticks = picture.untimed === undefined ? axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX }) : []
  const bottomPx = Math.min(heightPx, AXIS_PX + layout.heightPx - scrollPx)
  context.save()
  clipPlot(context, picture, heightPx)
  for (const row of visibleSlice(layout.rows, from, to)) {
    const yPx = plotY(picture, row.topPx)
    contract.drawGround?.(context, picture, row, yPx)
    context.fillStyle = row.isNested === true ? withAlpha(tokens.border, 0.5) : tokens.border
    context.fillRect(0, yPx + row.heightPx - 1, scale.widthPx, 1)
  }
  drawUnknown(context, frame, picture.known, bottomPx)
  drawGrid(context, frame, ticks, bottomPx)
  for (const track of visibleSlice(layout.tracks, from, to))
    contract.drawTrack(context, picture, track, plotY(picture, track.topPx))
  drawGaps(context, frame, picture.gaps, scrollPx, heightPx)
  contract.drawAbove?.(context, picture, heightPx)
  context.restore()
  drawFolds(context, frame, bottomPx)
  drawAxis(context, frame, ticks)
  if (picture.untimed === undefined) return
  context.font = `11px ${tokens.font}`
  context.fillStyle = tokens.fgMuted
  context.fillText(picture.untimed, 6, AXIS_PX - 9)
}

/** Draws everything that changes with the pointer, the focus or the selection, but no marks. */
export function drawLaneOverlay<Picture extends LanePicture, Mark extends LaneMark, Hit>(
  context: CanvasRenderingContext2D,
  heightPx: number,
  picture: Picture,
  contract: LaneContract<Picture, Mark, Hit>,
  { pointer, cursorPx: elsewherePx = null, lit, focus }: LaneOverlay<Picture, Mark, Hit>,
): void {
  const { tokens } = picture
  const outline = contract.outline ?? outlineMark
  const hit = pointer === null ? null : ownHit<Hit>(pointer.hit)
  const hovered = hit === null ? null : contract.markOf(hit)
  context.save()
  clipPlot(context, picture, heightPx)
  contract.drawOverlay?.(context, picture, heightPx, pointer === null ? null : { xPx: pointer.xPx, hit })
  lit?.(context, picture, heightPx)
  if (hovered !== null) outline(context, picture, hovered, tokens.fg, 1.5)
  if (focus !== null) outline(context, picture, focus, tokens.focus, 2.5)
  context.restore()
  const cursorPx = pointer?.xPx ?? elsewherePx
  if (cursorPx !== null && picture.untimed === undefined)
    drawCursor(context, picture, heightPx, cursorPx, picture.clock)
}

export interface LaneOverlay<Picture extends LanePicture, Mark, Hit> {
  /** Pointer over this timeline; null otherwise. */
  readonly pointer: LanePointer<Picture, Hit> | null
  /** Position of a pointer over another timeline of the viewport. */
  readonly cursorPx?: number | null
  readonly lit?: DrawOver | null
  readonly focus: Mark | null
}

export interface LanePointer<Picture extends LanePicture, Hit> {
  readonly xPx: number
  readonly hit: Found<Picture, Hit> | null
}

/** Result of the hit test: a gap, a fold, or a hit of the timeline's own, wrapped to distinguish it. */
export type Found<Picture extends LanePicture, Hit> =
  { readonly own: Hit; readonly stretch: null } | { readonly own: null; readonly stretch: StretchHit<GapOf<Picture>> }

const ownHit = <Hit>(found: { readonly own: Hit | null } | null): Hit | null => found?.own ?? null

/** Hit at a point of the canvas; folds come before marks, and marks before gaps. Null: nothing, or the axis. */
export function hitTestLanes<Picture extends LanePicture, Mark extends LaneMark, Hit>(
  picture: Picture,
  contract: LaneContract<Picture, Mark, Hit>,
  at: Point,
): Found<Picture, Hit> | null {
  const { scale, layout, gaps } = picture
  const yPx = at.yPx - AXIS_PX + picture.scrollPx
  const fold = scale.folds.find((each) => at.xPx >= each.startPx && at.xPx < each.endPx)
  if (fold !== undefined && yPx < layout.heightPx)
    return { own: null, stretch: { type: 'fold', fold, isMissing: isMissingIn(gaps)(fold) } }
  if (at.yPx < AXIS_PX) return null
  const own = contract.hitTest(picture, { xPx: at.xPx, yPx })
  if (own !== null) return { own, stretch: null }
  const gap = gapAt(gaps, scale, { xPx: at.xPx, yPx })
  return gap === null ? null : { own: null, stretch: { type: 'gap', gap } }
}

/** Draws a frame around a mark's time in its track; nothing if the track is out of view. */
export function outlineMark(
  context: CanvasRenderingContext2D,
  picture: LanePicture,
  {
    track,
    startTicks,
    durationTicks,
  }: { readonly track: Pick<LaneBox, 'topPx' | 'heightPx'> } & Omit<LaneMark, 'track'>,
  colour: string,
  lineWidth: number,
): void {
  const { widthPx } = picture.scale
  const { startPx, endPx } = markSpan(picture.scale, startTicks, durationTicks)
  if (endPx < -4 || startPx > widthPx + 4) return
  const left = Math.max(-4, startPx) - 1.5
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.strokeRect(
    left,
    plotY(picture, track.topPx) - 1.5,
    Math.min(widthPx + 4, endPx) + 1.5 - left,
    track.heightPx + 3,
  )
}

/** Tints the time of the selection through all lanes. */
export function drawSelectedTime(
  context: CanvasRenderingContext2D,
  picture: LanePicture,
  heightPx: number,
  { startTicks, durationTicks }: Omit<LaneMark, 'track'>,
  colour: string,
): void {
  const { startPx, endPx } = markSpan(picture.scale, startTicks, durationTicks)
  context.fillStyle = colour
  context.fillRect(startPx, AXIS_PX, endPx - startPx, heightPx - AXIS_PX)
}
