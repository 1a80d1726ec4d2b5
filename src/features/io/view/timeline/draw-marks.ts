import { formatBytes, formatDuration } from '../../../../base/text/format.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import { markSpans } from '../../../../charts/timeline/mark-spans.ts'
import { markSpan } from '../../../../charts/timeline/marks.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { kindLook } from './kinds.ts'
import type { Track } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoPalette } from './palette.ts'
import { SIZE_STEPS, type SizeScale } from '../../../../charts/canvas/size-scale.ts'

export interface TrackPicture {
  readonly track: Track
  /** Top of the track on the canvas. */
  readonly yPx: number
  readonly marks: RowMarks
}

/** Height below which a row has no room for a pattern; then the position in the lane shows the kind. */
const PATTERN_PX = 8

/** Draws the marks of one track: one rectangle per mark, batched by colour. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  picture: TrackPicture,
  palette: IoPalette,
  sizes: SizeScale,
): void {
  const { track, yPx, marks } = picture
  const { wide, narrow } = markSpans(scale, marks, SIZE_STEPS, (i) => sizes.step(marks.largestBytes[i] ?? 0))
  const ramp = palette.ramp(track.ref.kind)
  for (const layer of [wide, narrow]) {
    layer.forEach((spans, step) => {
      if (spans.length === 0) return
      context.fillStyle = ramp[step] ?? palette.tokens.fg
      for (let i = 0; i < spans.length; i += 2) context.fillRect(spans[i] ?? 0, yPx, spans[i + 1] ?? 0, track.heightPx)
    })
  }
}

/** Cuts through all marks of a row in the background colour: the pattern of the kind, which is visible with any hue. */
export function drawPattern(
  context: CanvasRenderingContext2D,
  widthPx: number,
  picture: TrackPicture,
  palette: IoPalette,
): void {
  const { track, yPx } = picture
  if (track.heightPx < PATTERN_PX || picture.marks.length === 0) return
  const { pattern } = kindLook(track.ref.kind)
  const cut = (share: number): void => context.fillRect(0, Math.round(yPx + track.heightPx * share) - 1, widthPx, 1.5)
  context.fillStyle = palette.tokens.bg
  if (pattern === 'one-cut') cut(0.5)
  else if (pattern === 'two-cuts') [0.34, 0.67].forEach(cut)
  else if (pattern === 'dotted-cut')
    for (let x = 0; x < widthPx; x += 4) context.fillRect(x, yPx + track.heightPx / 2 - 1, 2, 2)
  else if (pattern === 'hatched')
    drawHatch(context, { xPx: 0, yPx, widthPx, heightPx: track.heightPx }, palette.tokens.bg, 5)
}

/** Minimum width of a band whose sum is drawn. */
const LEAST_LABEL_PX = 40

/**
 * Roll-ups: a hatched band over their whole span, unlike any event, and at its start an inner box whose faint part
 * reaches from the shortest to the longest event in it, both true to scale. The label says the sum.
 *
 * ```
 * [██▒▒▒▒▒////// Σ 31.4 MiB · 0.2–61 ms //////]
 *  ↑ min  ↑ max
 * ```
 */
export function drawRollUps(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  picture: TrackPicture,
  palette: IoPalette,
): void {
  const { rollUps } = picture.marks
  const { track, yPx } = picture
  const hue = palette.hue(track.ref.kind)
  for (let i = 0; i < rollUps.length; i++) {
    const [start, end] = [rollUps.startTicks[i] ?? 0, rollUps.endTicks[i] ?? 0]
    const span = markSpan(scale, start, end - start)
    if (span.endPx < 0 || span.startPx > scale.widthPx) continue
    const left = Math.max(-2, span.startPx)
    const widthPx = Math.min(scale.widthPx + 2, span.endPx) - left
    context.fillStyle = withAlpha(hue, 0.16)
    context.fillRect(left, yPx, widthPx, track.heightPx)
    if (widthPx > 3)
      drawHatch(
        context,
        { xPx: left, yPx, widthPx, heightPx: track.heightPx },
        withAlpha(hue, 0.55),
        track.heightPx < PATTERN_PX ? 4 : 6,
      )
    const [min, max] = [rollUps.minTicks[i] ?? Number.NaN, rollUps.maxTicks[i] ?? Number.NaN]
    const inset = track.heightPx < PATTERN_PX ? 1 : 4
    const box = (durationTicks: number, alpha: number): void => {
      if (!Number.isFinite(durationTicks)) return
      context.fillStyle = withAlpha(hue, alpha)
      const to = Math.max(span.startPx + 1, scale.toPx(start + durationTicks))
      if (to > left) context.fillRect(left, yPx + inset, to - left, track.heightPx - inset * 2)
    }
    box(max, 0.6)
    box(min, 1)
    context.strokeStyle = withAlpha(hue, 0.8)
    context.lineWidth = 1
    if (widthPx > 2) context.strokeRect(left + 0.5, yPx + 0.5, widthPx - 1, track.heightPx - 1)
    if (track.heightPx < PATTERN_PX || widthPx < LEAST_LABEL_PX) continue
    const text = `Σ ${formatBytes(rollUps.sizeBytes[i] ?? Number.NaN)} · ${formatDuration(min)} – ${formatDuration(max)}`
    context.font = `10px ${palette.tokens.font}`
    const textPx = context.measureText(text).width
    const atPx = Math.max(4, scale.toPx(start + (Number.isFinite(max) ? max : 0)) + 6, left + 6)
    if (atPx + textPx + 6 > left + widthPx) continue
    context.fillStyle = withAlpha(palette.tokens.bg, 0.85)
    context.fillRect(atPx - 3, yPx + 2, textPx + 6, track.heightPx - 4)
    context.fillStyle = palette.tokens.fg
    context.textBaseline = 'middle'
    context.fillText(text, atPx, yPx + track.heightPx / 2 + 0.5)
  }
}
