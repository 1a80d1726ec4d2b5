import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BudgetStep, IndexBudget } from '../../../../feeds/indexing/contract/budgets.ts'
import type { BudgetColumns } from '../useIndexingData.ts'
import { bandPath, linePath, toY, topLabel, type PlotBox, type Step } from './box.ts'
import { triangle } from './draw-machine.ts'
import { columnsIn, type BudgetSeries, type BudgetStack } from './series.ts'

const NAN = Number.NaN

/** Draws all indexes stacked, with a hatched strip at the foot while indexes without a measured figure ran. */
export function drawStack(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  columns: BudgetColumns,
  stack: BudgetStack,
  box: PlotBox,
  palette: IndexingPalette,
): void {
  const { first, end } = stack
  const px = (i: number): number => scale.toPx(columns.atTicks[i] ?? 0)
  stack.layers.forEach((layer, place) => {
    const lower = stack.layers[place - 1]?.upperBytes
    const steps: Step[] = []
    for (let i = first; i < end; i++) {
      const high = layer.upperBytes[i - first] ?? 0
      const low = lower?.[i - first] ?? 0
      steps.push({ xPx: px(i), low, high: high > low ? high : NAN })
    }
    bandPath(context, box, closed(steps))
    context.fillStyle = layer.index === null ? palette.memory.other : palette.series(place)
    context.fill()
  })
  runs(
    first,
    end,
    (i) => (stack.unmeasured[i - first] ?? 0) > 0,
    (from, to) =>
      drawHatch(
        context,
        { xPx: px(from), yPx: box.yPx + box.heightPx - 6, widthPx: Math.max(1, px(to) - px(from)), heightPx: 5 },
        palette.tokens.fgMuted,
        4,
      ),
  )
  topLabel(context, box, palette.tokens)
}

/** Extends a value to the end of its column, also if the next value is unknown. */
function closed(steps: readonly Step[]): Step[] {
  const out: Step[] = []
  steps.forEach((step, i) => {
    const before = steps[i - 1]
    if (Number.isNaN(step.high) && before !== undefined && !Number.isNaN(before.high))
      out.push({ xPx: step.xPx, low: before.low, high: before.high })
    out.push(step)
  })
  return out
}

/** Calls `visit` for each stretch [from, to) of columns for which `holds` returns true. */
function runs(
  first: number,
  end: number,
  holds: (i: number) => boolean,
  visit: (from: number, to: number) => void,
): void {
  let from = -1
  for (let i = first; i <= end; i++) {
    const on = i < end && holds(i)
    if (on && from < 0) from = i
    else if (!on && from >= 0) {
      visit(from, i)
      from = -1
    }
  }
}

/** Draws the budget of an index: the grant as an area, its use at the last check and its thread's use as lines. */
export function drawIndexBudget(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  columns: BudgetColumns,
  {
    series,
    place,
    steps,
  }: { readonly series: BudgetSeries; readonly place: number; readonly steps: readonly BudgetStep[] },
  box: PlotBox,
  palette: IndexingPalette,
): void {
  const { budget } = series
  const [first, end] = columnsIn(columns.atTicks, scale.range.startTicks, scale.range.endTicks)
  const px = (i: number): number => scale.toPx(columns.atTicks[i] ?? 0)
  const colour = palette.series(place)
  drawUnmeasured(context, budget, { first, end, px }, box, palette)
  const curve = (values: Float64Array): Step[] => {
    const out: Step[] = []
    for (let i = first; i < end; i++) out.push({ xPx: px(i), low: 0, high: values[i] ?? NAN })
    return closed(out)
  }
  const granted = curve(budget.grantedBytes)
  bandPath(context, box, granted)
  context.fillStyle = withAlpha(colour, 0.3)
  context.fill()
  linePath(context, box, granted)
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.stroke()
  linePath(context, box, curve(budget.checkedBytes))
  context.strokeStyle = palette.tokens.fg
  context.lineWidth = 1
  context.stroke()
  linePath(context, box, curve(budget.nowBytes))
  context.strokeStyle = palette.tokens.fgMuted
  context.setLineDash([2, 2])
  context.stroke()
  context.setLineDash([])
  for (const step of steps) drawStep(context, scale, step, box, colour, palette)
  topLabel(context, box, palette.tokens)
}

/**
 * Hatches a batch without figures: over the whole height if its use is not known; at the foot if only the budget is
 * missing because it requested none.
 */
function drawUnmeasured(
  context: CanvasRenderingContext2D,
  budget: IndexBudget,
  at: { readonly first: number; readonly end: number; readonly px: (i: number) => number },
  box: PlotBox,
  palette: IndexingPalette,
): void {
  const hatch = (from: number, to: number, topPx: number, heightPx: number): void => {
    const xPx = Math.max(0, at.px(from))
    const widthPx = Math.min(box.widthPx, at.px(to)) - xPx
    if (widthPx >= 1) drawHatch(context, { xPx, yPx: topPx, widthPx, heightPx }, palette.tokens.gap, 5)
  }
  const isUnknown = (column: Float64Array, i: number): boolean => Number.isNaN(column[i] ?? NAN)
  const ran = (i: number): boolean => budget.ran[i] === 1 && isUnknown(budget.grantedBytes, i)
  runs(
    at.first,
    at.end,
    (i) => ran(i) && isUnknown(budget.checkedBytes, i),
    (from, to) => hatch(from, to, box.yPx + 2, box.heightPx - 4),
  )
  runs(
    at.first,
    at.end,
    (i) => ran(i) && !isUnknown(budget.checkedBytes, i),
    (from, to) => hatch(from, to, box.yPx + box.heightPx - 6, 5),
  )
}

/** Draws a step. Grant: up; refusal: a cross; low memory: down; given back: a tick. */
function drawStep(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  step: BudgetStep,
  box: PlotBox,
  colour: string,
  palette: IndexingPalette,
): void {
  const xPx = scale.toPx(step.atTicks)
  if (xPx < -6 || xPx > box.widthPx + 6) return
  const yPx = toY(
    box,
    Math.min(box.topBytes, step.toBytes === null || step.toBytes === 0 ? (step.fromBytes ?? 0) : step.toBytes),
  )
  if (step.kind === 'grant') triangle(context, xPx, yPx + 4, -5, colour)
  else if (step.kind === 'low-memory') triangle(context, xPx, yPx - 4, 7, palette.failed)
  else if (step.kind === 'end') {
    context.fillStyle = colour
    context.fillRect(xPx - 0.5, yPx - 3, 1.5, 6)
  } else {
    context.strokeStyle = palette.failed
    context.lineWidth = 2
    context.beginPath()
    for (const way of [-1, 1]) {
      context.moveTo(xPx - 3.5, yPx - 3.5 * way)
      context.lineTo(xPx + 3.5, yPx + 3.5 * way)
    }
    context.stroke()
  }
}
