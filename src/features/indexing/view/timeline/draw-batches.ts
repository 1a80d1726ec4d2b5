import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import { markSpans } from '../../../../charts/timeline/mark-spans.ts'
import { markSpan, type Indexed } from '../../../../charts/timeline/marks.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { SIZE_STEPS, type SizeScale } from '../../../../charts/canvas/size-scale.ts'
import type { IndexingPalette } from '../palette.ts'
import { batchStateCode } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexMarks } from '../../../../feeds/indexing/contract/lanes.ts'
import { stateOf } from '../states.ts'

export type BatchMarks = Indexed<IndexMarks>

/** Codes of appearances by priority in a pixel: empty, worked by size, lost, running, waiting, failed. */
const EMPTY = 0
const LOST = SIZE_STEPS + 1
const RUNNING = SIZE_STEPS + 2
const WAITING = SIZE_STEPS + 3
const FAILED = SIZE_STEPS + 4
const TRAINING = SIZE_STEPS + 5
const CODES = SIZE_STEPS + 6

const FAILED_BIT = 1 << batchStateCode('failed')

function codeOf(marks: IndexMarks, i: number, sizes: SizeScale): number {
  switch (stateOf(marks.state[i] ?? 0)) {
    case 'empty':
      return EMPTY
    case 'worked':
      return 1 + sizes.step(marks.largestBytes[i] ?? 0)
    case 'running':
      return RUNNING
    case 'waiting':
      return WAITING
    case 'failed':
      return FAILED
    case 'training':
      return TRAINING
    case 'lost':
      return LOST
  }
}

/** Width below which a batch has room only for its colour. */
const DETAIL_PX = 5

export interface BatchRowPicture {
  readonly yPx: number
  readonly heightPx: number
  readonly marks: BatchMarks
}

/** Draws the batches of one index: one rectangle each, true to scale, distinguished by colour and by pattern. */
export function drawBatches(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  { yPx, heightPx, marks }: BatchRowPicture,
  palette: IndexingPalette,
  sizes: SizeScale,
): void {
  const { wide, narrow } = markSpans(scale, marks, CODES, (i) => codeOf(marks, i, sizes))
  const colour = (code: number): string => {
    if (code === EMPTY) return palette.empty
    if (code === FAILED) return palette.failed
    if (code === WAITING) return withAlpha(palette.waiting, 0.4)
    if (code === LOST) return withAlpha(palette.empty, 0.35)
    if (code === TRAINING) return withAlpha(palette.empty, 0.7)
    if (code === RUNNING) return palette.worked.at(-2) ?? palette.tokens.accent
    return palette.worked[code - 1] ?? palette.tokens.accent
  }
  for (const layer of [wide, narrow])
    layer.forEach((spans, code) => {
      if (spans.length === 0) return
      context.fillStyle = colour(code)
      const thin = code === EMPTY
      const top = thin ? yPx + heightPx / 2 - 1 : yPx
      for (let i = 0; i < spans.length; i += 2)
        context.fillRect(spans[i] ?? 0, top, spans[i + 1] ?? 0, thin ? 2 : heightPx)
    })
  for (let i = 0; i < marks.length; i++) {
    const { startPx, endPx } = markSpan(scale, marks.startTicks[i] ?? 0, marks.durationTicks[i] ?? 0)
    if (endPx <= 0) continue
    if (startPx >= scale.widthPx) break
    if (endPx - startPx >= DETAIL_PX) drawDetail(context, scale, { marks, i, startPx, endPx, yPx, heightPx }, palette)
    else if (((marks.states[i] ?? 0) & FAILED_BIT) !== 0 && stateOf(marks.state[i] ?? 0) !== 'failed') {
      // A failed batch is not hidden by a longer one in the same pixel.
      context.fillStyle = palette.failed
      context.fillRect(startPx - 1, yPx - 2, 3, 3)
    }
  }
}

interface Detail {
  readonly marks: IndexMarks
  readonly i: number
  readonly startPx: number
  readonly endPx: number
  readonly yPx: number
  readonly heightPx: number
}

/** Draws patterns: waiting parts hatched, failures cut across, the end of a running batch open, a lost batch dashed. */
function drawDetail(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  { marks, i, startPx, endPx, yPx, heightPx }: Detail,
  palette: IndexingPalette,
): void {
  const { tokens } = palette
  const state = stateOf(marks.state[i] ?? 0)
  const left = Math.max(-2, startPx)
  const widthPx = Math.min(scale.widthPx + 2, endPx) - left
  const waitTicks = marks.waitTicks[i] ?? 0
  if (waitTicks > 0 && state !== 'waiting') {
    const waitedPx = Math.min(endPx, scale.toPx((marks.startTicks[i] ?? 0) + waitTicks)) - left
    if (waitedPx > 1) {
      context.fillStyle = tokens.bg
      context.fillRect(left, yPx, waitedPx, heightPx)
      context.fillStyle = withAlpha(palette.waiting, 0.4)
      context.fillRect(left, yPx, waitedPx, heightPx)
      drawHatch(context, { xPx: left, yPx, widthPx: waitedPx, heightPx }, palette.waiting, 5)
    }
  }
  if (state === 'failed') {
    context.fillStyle = tokens.bg
    context.fillRect(left, Math.round(yPx + heightPx / 2) - 1, widthPx, 2)
  } else if (state === 'training') {
    context.fillStyle = tokens.bg
    for (const part of [0.3, 0.7]) context.fillRect(left, Math.round(yPx + heightPx * part), widthPx, 1)
  } else if (state === 'waiting') drawHatch(context, { xPx: left, yPx, widthPx, heightPx }, palette.waiting, 5)
  else if (state === 'running') {
    // Teeth at the end, because the batch is still running.
    context.fillStyle = tokens.bg
    for (let y = 0; y < heightPx; y += 4) context.fillRect(endPx - 3, yPx + y, 3, 2)
  } else if (state === 'lost') {
    context.strokeStyle = palette.empty
    context.lineWidth = 1
    context.setLineDash([3, 3])
    context.strokeRect(left + 0.5, yPx + 0.5, widthPx - 1, heightPx - 1)
    context.setLineDash([])
  }
  if (((marks.states[i] ?? 0) & FAILED_BIT) !== 0 && state !== 'failed') {
    context.fillStyle = palette.failed
    context.fillRect(startPx - 1, yPx - 2, 3, 3)
  }
}
