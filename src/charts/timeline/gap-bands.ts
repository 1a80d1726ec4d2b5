import type { TimeRange } from '../../base/ticks.ts'
import type { TimeScale } from '../scale.ts'
import { withAlpha } from '../canvas/colour.ts'
import { drawHatch } from '../canvas/hatch.ts'
import { AXIS_PX, type PlotFrame } from './axis-picture.ts'

/** Rows that are hatched over a gap. */
export interface GapBand<Gap extends TimeRange = TimeRange> {
  readonly gap: Gap
  /** Reason of the gap, in a few words. */
  readonly words: string
  readonly topPx: number
  readonly heightPx: number
}

/** Whether a range overlaps a gap in any row. */
export const isMissingIn =
  (bands: readonly GapBand[]) =>
  (range: TimeRange): boolean =>
    bands.some(({ gap }) => gap.startTicks < range.endTicks && gap.endTicks > range.startTicks)

/** Hatches the bands in view, each with its reason if there is room. `scrollPx` is at the top of the plot. */
export function drawGaps(
  context: CanvasRenderingContext2D,
  { scale, tokens }: PlotFrame,
  bands: readonly GapBand[],
  scrollPx: number,
  heightPx: number,
): void {
  const [from, to] = [scrollPx, scrollPx + heightPx - AXIS_PX]
  for (const { gap, words, topPx, heightPx: bandPx } of bands) {
    if (
      gap.endTicks < scale.range.startTicks ||
      gap.startTicks > scale.range.endTicks ||
      topPx + bandPx < from ||
      topPx > to
    )
      continue
    const xPx = Math.max(-1, scale.toPx(gap.startTicks))
    const widthPx = Math.max(2, Math.min(scale.widthPx + 1, scale.toPx(gap.endTicks)) - xPx)
    // Hatches only what is in view, so that 600 lanes cost as much as six.
    const top = Math.max(topPx, from)
    const shown = Math.min(topPx + bandPx, to) - top
    const yPx = top - scrollPx + AXIS_PX
    context.fillStyle = tokens.bg
    context.fillRect(xPx, yPx, widthPx, shown)
    context.fillStyle = withAlpha(tokens.gap, 0.25)
    context.fillRect(xPx, yPx, widthPx, shown)
    drawHatch(context, { xPx, yPx, widthPx, heightPx: shown }, tokens.gap, 7)
    context.font = `11px ${tokens.font}`
    const textPx = context.measureText(words).width
    if (textPx + 14 > widthPx || shown < 14) continue
    context.fillStyle = tokens.bg
    context.fillRect(xPx + widthPx / 2 - textPx / 2 - 5, yPx + 2, textPx + 10, 14)
    context.fillStyle = tokens.fgMuted
    context.textBaseline = 'middle'
    context.fillText(words, xPx + widthPx / 2 - textPx / 2, yPx + 9.5)
  }
}

/** Gap drawn at a point of the content, or less than 2 px beside it; null: none. */
export function gapAt<Gap extends TimeRange>(
  bands: readonly GapBand<Gap>[],
  scale: TimeScale,
  at: { readonly xPx: number; readonly yPx: number },
): Gap | null {
  const found = bands.find(
    ({ gap, topPx, heightPx }) =>
      at.yPx >= topPx &&
      at.yPx < topPx + heightPx &&
      at.xPx >= scale.toPx(gap.startTicks) - 2 &&
      at.xPx < Math.max(scale.toPx(gap.endTicks), scale.toPx(gap.startTicks) + 2),
  )
  return found?.gap ?? null
}

/** Joins vertically adjacent boxes of those that a gap affects. */
export function joinBoxes<Box extends { readonly topPx: number; readonly heightPx: number }>(
  boxes: readonly Box[],
  concerns: (box: Box) => boolean,
): { readonly topPx: number; readonly heightPx: number }[] {
  const joined: { topPx: number; heightPx: number }[] = []
  let open: { topPx: number; heightPx: number } | null = null
  for (const box of boxes) {
    if (!concerns(box)) open = null
    else if (open === null) joined.push((open = { topPx: box.topPx, heightPx: box.heightPx }))
    else open.heightPx += box.heightPx
  }
  return joined
}
