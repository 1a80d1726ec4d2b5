import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { fitLabel } from '../../../../charts/flame/flame-draw.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { eachBatchIn, type Icicle } from './icicle.ts'
import { DEPTH_PX } from './layout.ts'
import type { IndexingPalette } from '../palette.ts'
import type { OperationName } from '../../contract/operations.ts'

/** Narrower ones would be a blur; their parent stands for them. */
const LEAST_PX = 0.75
const LABEL_PX = 26
/** Of the small font, about. */
const LETTER_PX = 5.4

/** Operations under their batches, a row a depth. Colour by family, the name inside where there is room. */
export function drawIcicle(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  icicle: Icicle,
  topPx: number,
  palette: IndexingPalette,
): void {
  const { answer } = icicle
  const names = new Map(answer.names.map((each) => [each.nameId, each]))
  const labels: { text: string; xPx: number; yPx: number; faint: boolean }[] = []
  eachBatchIn(icicle, scale.range.startTicks, scale.range.endTicks, (first, end) => {
    for (let i = first; i < end; i++) {
      const depth = answer.depth[i] ?? 0
      if (depth === 0) continue
      const start = answer.startTicks[i] ?? 0
      const startPx = scale.toPx(start)
      const endPx = scale.toPx(start + (answer.durationTicks[i] ?? 0))
      if (endPx - startPx < LEAST_PX || endPx < 0 || startPx > scale.widthPx) continue
      const name = names.get(answer.nameId[i] ?? -1)
      const left = Math.max(-2, startPx)
      const widthPx = Math.min(scale.widthPx + 2, endPx) - left
      const yPx = topPx + (depth - 1) * DEPTH_PX
      drawOperation(context, { xPx: left, yPx, widthPx: Math.max(LEAST_PX, widthPx - 0.75) }, name, palette)
      if (widthPx >= LABEL_PX)
        labels.push({
          text: fitLabel(name?.name ?? 'other', Math.floor((widthPx - 8) / LETTER_PX)),
          xPx: left + 4,
          yPx: yPx + DEPTH_PX / 2,
          faint: name === undefined || name.family === 'wait',
        })
    }
  })
  context.font = `10px ${palette.tokens.font}`
  context.textBaseline = 'middle'
  for (const { text, xPx, yPx, faint } of labels) {
    context.fillStyle = faint ? palette.tokens.fg : ON_FAMILY
    context.fillText(text, xPx, yPx)
  }
}

/** Fills are of middle lightness in both themes. */
const ON_FAMILY = '#0b0d10'

function drawOperation(
  context: CanvasRenderingContext2D,
  { xPx, yPx, widthPx }: { readonly xPx: number; readonly yPx: number; readonly widthPx: number },
  name: OperationName | undefined,
  palette: IndexingPalette,
): void {
  const family = name?.family ?? 'other'
  const heightPx = DEPTH_PX - 1
  const colour = palette.family(family)
  const pale = family === 'other' || family === 'wait'
  context.fillStyle = pale ? withAlpha(colour, 0.22) : colour
  context.fillRect(xPx, yPx, widthPx, heightPx)
  if (widthPx < 3) return
  if (family === 'wait') drawHatch(context, { xPx, yPx, widthPx, heightPx }, palette.waiting, 5)
  else if (family === 'unknown')
    drawHatch(context, { xPx, yPx, widthPx, heightPx }, withAlpha(palette.tokens.bg, 0.5), 6)
}
