import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingMemoryResponse } from '../../../../feeds/indexing/contract/memory.ts'
import { bandPath, linePath, ruleAt, topLabel, type PlotBox, type Step } from './box.ts'

/** Samples come every 5 to 15 s; further apart than this nothing is known between them. Ticks. */
export const SAMPLE_HOLDS_TICKS = 400_000_000

/** Parts of the machine that are stacked, from the bottom: private memory first, for that is what indexes compete for. */
const PARTS = ['private', 'other', 'clean'] as const
export type MachinePart = (typeof PARTS)[number]

/**
 * Bytes of a part of sample `i`; NaN: not reported. Clean is what the system gives back at once (available beyond free);
 * other is what else is in use, all of it where private memory is not known. With what is free they are all of the machine.
 */
export function partBytes(memory: IndexingMemoryResponse, part: MachinePart, i: number): number {
  const at = (column: Float64Array): number => column[i] ?? Number.NaN
  const own = at(memory.privateBytes)
  if (part === 'private') return own
  const clean = Math.max(0, at(memory.availableForProcessingBytes) - at(memory.availableBytes))
  if (part === 'clean') return clean
  const used = at(memory.physicalBytes) - at(memory.availableBytes) - (Number.isNaN(clean) ? 0 : clean)
  return Math.max(0, used - (Number.isNaN(own) ? 0 : own))
}

const samplePx = (scale: TimeScale, memory: IndexingMemoryResponse, i: number): number =>
  scale.toPx(memory.atTicks[i] ?? 0)

/** Steps of a figure; where samples are too far apart nothing is drawn. */
function stepsOf(
  scale: TimeScale,
  memory: IndexingMemoryResponse,
  value: (i: number) => { readonly low: number; readonly high: number },
): Step[] {
  const steps: Step[] = []
  for (let i = 0; i < memory.length; i++) {
    const at = memory.atTicks[i] ?? 0
    const next = memory.atTicks[i + 1] ?? Infinity
    steps.push({ xPx: samplePx(scale, memory, i), ...value(i) })
    if (next - at <= SAMPLE_HOLDS_TICKS) continue
    const { low, high } = value(i)
    const xPx = scale.toPx(at + SAMPLE_HOLDS_TICKS / 3)
    steps.push({ xPx, low, high }, { xPx, low: Number.NaN, high: Number.NaN })
  }
  return steps
}

/** The machine's memory: private below, the rest in use above it, what costs nothing only hatched, and the low-memory limit. */
export function drawMachine(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  memory: IndexingMemoryResponse,
  box: PlotBox,
  palette: IndexingPalette,
): void {
  const { tokens } = palette
  drawGaps(context, scale, memory, box, palette)
  const below = (part: MachinePart, i: number): number =>
    PARTS.slice(0, PARTS.indexOf(part)).reduce((sum, each) => sum + (partBytes(memory, each, i) || 0), 0)
  for (const part of PARTS) {
    const colour = palette.memory[part]
    const steps = stepsOf(scale, memory, (i) => {
      const low = below(part, i)
      return { low, high: low + partBytes(memory, part, i) }
    })
    bandPath(context, box, steps)
    if (part === 'clean') {
      // Pages that the system gives back at once: not in the way, so not painted as if they were.
      context.save()
      context.clip()
      drawHatch(context, { xPx: 0, yPx: box.yPx, widthPx: box.widthPx, heightPx: box.heightPx }, colour, 6)
      context.restore()
    } else {
      context.fillStyle = withAlpha(colour, part === 'other' ? 0.35 : 0.8)
      context.fill()
    }
    linePath(context, box, steps)
    context.strokeStyle = withAlpha(colour, part === 'clean' || part === 'other' ? 0.6 : 1)
    context.lineWidth = 1
    context.stroke()
  }
  const used = stepsOf(scale, memory, (i) => {
    const free = memory.availableForProcessingBytes[i] ?? Number.NaN
    const available = Number.isNaN(free) ? (memory.availableBytes[i] ?? Number.NaN) : free
    return { low: 0, high: (memory.physicalBytes[i] ?? Number.NaN) - available }
  })
  linePath(context, box, used)
  context.strokeStyle = palette.memory.available
  context.lineWidth = 2
  context.stroke()
  if (box.topBytes > memory.lowLimitBytes)
    ruleAt(context, box, box.topBytes - memory.lowLimitBytes, 'low-memory limit', tokens.borderStrong, tokens)
  drawEvents(context, scale, memory, box, palette)
  topLabel(context, box, tokens)
}

/** Hatches times without a sample near: unknown is not empty. */
function drawGaps(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  memory: IndexingMemoryResponse,
  box: PlotBox,
  palette: IndexingPalette,
): void {
  const gap = (fromPx: number, toPx: number): void => {
    const xPx = Math.max(0, fromPx)
    const widthPx = Math.min(box.widthPx, toPx) - xPx
    if (widthPx < 1) return
    drawHatch(context, { xPx, yPx: box.yPx, widthPx, heightPx: box.heightPx }, palette.tokens.gap, 7)
  }
  let fromPx = 0
  for (let i = 0; i < memory.length; i++) {
    const at = memory.atTicks[i] ?? 0
    const heldPx = scale.toPx(at)
    if (heldPx > fromPx) gap(fromPx, heldPx)
    const next = memory.atTicks[i + 1] ?? Infinity
    fromPx = Math.max(
      fromPx,
      next - at <= SAMPLE_HOLDS_TICKS ? scale.toPx(next) : scale.toPx(at + SAMPLE_HOLDS_TICKS / 3),
    )
  }
  gap(fromPx, box.widthPx)
}

/** Low-memory events: a line down from a mark that points down; back to normal: one that points up. */
function drawEvents(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  memory: IndexingMemoryResponse,
  box: PlotBox,
  palette: IndexingPalette,
): void {
  for (const event of memory.lowMemory) {
    const xPx = scale.toPx(event.atTicks)
    if (xPx < -6 || xPx > box.widthPx + 6) continue
    const colour = event.isLow ? palette.failed : palette.memory.available
    context.fillStyle = withAlpha(colour, 0.8)
    context.fillRect(Math.round(xPx), box.yPx, 1.5, box.heightPx)
    triangle(context, xPx, box.yPx + (event.isLow ? 1 : 9), event.isLow ? 8 : -8, colour)
  }
}

/** Points down for a positive height. */
export function triangle(
  context: CanvasRenderingContext2D,
  xPx: number,
  yPx: number,
  heightPx: number,
  colour: string,
): void {
  const halfPx = Math.abs(heightPx) * 0.6
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(xPx - halfPx, yPx)
  context.lineTo(xPx + halfPx, yPx)
  context.lineTo(xPx, yPx + heightPx)
  context.closePath()
  context.fill()
}
