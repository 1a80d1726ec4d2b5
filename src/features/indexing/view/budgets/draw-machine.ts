import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingMemoryResponse } from '../../../../feeds/indexing/contract/memory.ts'
import { bandPath, linePath, ruleAt, topLabel, type PlotBox, type Step } from './box.ts'

/**
 * Maximum time, ticks, for which a sample is valid. Samples come every 5 to 15 s; if they are further apart, the time
 * between them is unknown.
 */
export const SAMPLE_HOLDS_TICKS = 400_000_000

/** Stacked parts of the machine's memory, from the bottom. Private memory is first because indexes compete for it. */
const PARTS = ['private', 'other', 'clean'] as const
export type MachinePart = (typeof PARTS)[number]

/**
 * Bytes of a part in sample `i`; NaN: not reported. `clean`: memory that the system can free at once (available beyond
 * free). `other`: the rest in use, or everything in use if private memory is not known. Together with free memory the
 * parts are the whole machine.
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

/** Steps of a figure; nothing is drawn between samples that are too far apart. */
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

/**
 * Draws the machine's memory: private at the bottom, other memory in use above it, freeable memory only hatched, and
 * the low-memory limit.
 */
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
      // Pages that the system can free at once do not block indexes, so they are hatched instead of filled.
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

/** Hatches times without a sample nearby, because unknown is not the same as empty. */
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

/** Draws low-memory events as lines from a mark that points down, and the return from one that points up. */
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

/** Path of a triangle that points down if the height is positive. */
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
