import type { TimeRange } from '../../base/ticks.ts'
import { AXIS_PX, type PlotFrame } from '../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../charts/canvas/colour.ts'
import { drawHatch } from '../../charts/canvas/hatch.ts'
import { GAP_WORDS } from './gap-words.ts'
import type { Gap } from '../client/state.ts'

/** A stretch of rows to hatch. */
export interface GapBand {
  readonly gap: Gap
  readonly topPx: number
  readonly heightPx: number
}

/** Whether a range holds part of a gap in any of the rows. */
export const isMissingIn =
  (bands: readonly GapBand[]) =>
  (range: TimeRange): boolean =>
    bands.some(({ gap }) => gap.startTicks < range.endTicks && gap.endTicks > range.startTicks)

/** Hatches the bands that are in sight, each with its reason where there is room. `scrollPx` is at the top of the plot. */
export function drawGaps(
  context: CanvasRenderingContext2D,
  { scale, tokens }: PlotFrame,
  bands: readonly GapBand[],
  scrollPx: number,
  heightPx: number,
): void {
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  for (const { gap, topPx, heightPx: bandPx } of bands) {
    if (
      gap.endTicks < scale.range.startTicks ||
      gap.startTicks > scale.range.endTicks ||
      topPx + bandPx < from ||
      topPx > to
    )
      continue
    const xPx = Math.max(-1, scale.toPx(gap.startTicks))
    const widthPx = Math.max(2, Math.min(scale.widthPx + 1, scale.toPx(gap.endTicks)) - xPx)
    // Only what is in sight is hatched: 600 lanes are as cheap as six.
    const top = Math.max(topPx, from)
    const shown = Math.min(topPx + bandPx, to) - top
    const yPx = top - scrollPx + AXIS_PX
    context.fillStyle = tokens.bg
    context.fillRect(xPx, yPx, widthPx, shown)
    context.fillStyle = withAlpha(tokens.gap, 0.25)
    context.fillRect(xPx, yPx, widthPx, shown)
    drawHatch(context, { xPx, yPx, widthPx, heightPx: shown }, tokens.gap, 7)
    context.font = `11px ${tokens.font}`
    const text = GAP_WORDS[gap.reason]
    const textPx = context.measureText(text).width
    if (textPx + 14 > widthPx || shown < 14) continue
    context.fillStyle = tokens.bg
    context.fillRect(xPx + widthPx / 2 - textPx / 2 - 5, yPx + 2, textPx + 10, 14)
    context.fillStyle = tokens.fgMuted
    context.textBaseline = 'middle'
    context.fillText(text, xPx + widthPx / 2 - textPx / 2, yPx + 9.5)
  }
}
