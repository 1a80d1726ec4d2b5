import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { fitLabel } from '../../../../charts/flame/flame-draw.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { eachBatchIn, type Icicle } from './icicle.ts'
import { DEPTH_PX } from './layout.ts'
import type { IndexingPalette } from '../palette.ts'
import type { OperationName } from '../../../../feeds/indexing/contract/operations.ts'

/**
 * Width below which consecutive operations, if they are also closer than this, form one mark; so the drawing cost is
 * bounded by pixels.
 */
const LEAST_PX = 0.75
const LABEL_PX = 26
/** Approximate width of a letter of the small font. */
const LETTER_PX = 5.4

/** Operations that are too narrow to draw individually, as one mark in the colour of the longest. */
interface Run {
  readonly startPx: number
  endPx: number
  longestPx: number
  name: OperationName | undefined
}

/** Draws operations under their batches, one row per depth. Colour by family; the name inside if there is room. */
export function drawIcicle(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  icicle: Icicle,
  topPx: number,
  palette: IndexingPalette,
): void {
  const { response } = icicle
  const names = new Map(response.names.map((each) => [each.nameId, each]))
  const labels: { text: string; xPx: number; yPx: number; faint: boolean }[] = []
  /** Pending runs by depth. */
  const runs: (Run | undefined)[] = []
  const drawRun = (depth: number): void => {
    const run = runs[depth]
    runs[depth] = undefined
    if (run === undefined) return
    const widthPx = Math.max(LEAST_PX, run.endPx - run.startPx)
    drawOperation(context, { xPx: run.startPx, yPx: topPx + (depth - 1) * DEPTH_PX, widthPx }, run.name, palette)
  }
  eachBatchIn(icicle, scale.range.startTicks, scale.range.endTicks, (first, end) => {
    for (let i = first; i < end; i++) {
      const depth = response.depth[i] ?? 0
      if (depth === 0) continue
      const start = response.startTicks[i] ?? 0
      const startPx = scale.toPx(start)
      const endPx = scale.toPx(start + (response.durationTicks[i] ?? 0))
      if (endPx <= startPx || endPx < 0 || startPx > scale.widthPx) continue
      const name = names.get(response.nameId[i] ?? -1)
      const run = runs[depth]
      if (endPx - startPx < LEAST_PX) {
        const isNear = run !== undefined && startPx >= run.startPx && startPx - run.endPx < LEAST_PX
        if (!isNear) drawRun(depth)
        const joined = isNear ? run : (runs[depth] = { startPx, endPx, longestPx: -1, name })
        joined.endPx = Math.max(joined.endPx, endPx)
        if (endPx - startPx > joined.longestPx) {
          joined.longestPx = endPx - startPx
          joined.name = name
        }
        continue
      }
      drawRun(depth)
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
  for (const depth of runs.keys()) drawRun(depth)
  context.font = `10px ${palette.tokens.font}`
  context.textBaseline = 'middle'
  for (const { text, xPx, yPx, faint } of labels) {
    context.fillStyle = faint ? palette.tokens.fg : ON_FAMILY
    context.fillText(text, xPx, yPx)
  }
}

/** Text colour on a family's colour; these have medium lightness in both themes. */
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
