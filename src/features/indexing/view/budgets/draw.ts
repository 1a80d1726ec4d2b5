import type { Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { axisMarks } from '../../../../charts/timeline/axis.ts'
import {
  AXIS_PX,
  drawAxis,
  drawFolds,
  drawGrid,
  drawUnknown,
  LABEL_PX,
} from '../../../../charts/timeline/axis-picture.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BudgetStep } from '../../contract/budgets.ts'
import type { IndexingMemoryAnswer } from '../../contract/memory.ts'
import type { BudgetColumns } from '../useIndexingData.ts'
import type { PlotBox } from './box.ts'
import { drawIndexBudget, drawStack } from './draw-budgets.ts'
import { drawMachine } from './draw-machine.ts'
import type { BudgetRow } from './layout.ts'
import type { BudgetStack } from './series.ts'

export interface BudgetPicture {
  readonly rows: readonly BudgetRow[]
  readonly heightPx: number
  readonly scale: TimeScale
  readonly scrollPx: number
  readonly columns: BudgetColumns | null
  readonly stack: BudgetStack | null
  readonly memory: IndexingMemoryAnswer | null
  readonly stepsOf: ReadonlyMap<string, readonly BudgetStep[]>
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly known: TimeRange | null
}

/** The still picture of the budgets. */
export function drawPlot(context: CanvasRenderingContext2D, heightPx: number, picture: BudgetPicture): void {
  const { scale, scrollPx, palette, columns } = picture
  const { tokens } = palette
  const frame = { scale, tokens }
  const ticks = axisMarks(scale, { clock: picture.clock, labelPx: LABEL_PX })
  const bottomPx = Math.min(heightPx, AXIS_PX + picture.heightPx - scrollPx)
  const rows = visibleSlice(picture.rows, scrollPx, scrollPx + heightPx - AXIS_PX)
  context.save()
  context.beginPath()
  context.rect(0, AXIS_PX, scale.widthPx, heightPx - AXIS_PX)
  context.clip()
  drawGrid(context, frame, ticks, bottomPx)
  for (const row of rows) {
    const box = boxOf(picture, row)
    context.save()
    context.beginPath()
    context.rect(0, box.yPx, box.widthPx, box.heightPx)
    context.clip()
    if (row.type === 'machine' && picture.memory !== null) drawMachine(context, scale, picture.memory, box, palette)
    else if (row.type === 'stack' && columns !== null && picture.stack !== null)
      drawStack(context, scale, columns, picture.stack, box, palette)
    else if (row.series !== null && columns !== null) {
      const place = picture.rows.indexOf(row) - 2
      const steps = picture.stepsOf.get(row.key) ?? []
      drawIndexBudget(context, scale, columns, { series: row.series, place, steps }, box, palette)
    }
    context.restore()
    context.fillStyle = tokens.border
    context.fillRect(0, box.yPx + box.heightPx - 1, scale.widthPx, 1)
  }
  context.restore()
  drawUnknown(context, frame, picture.known, bottomPx)
  drawFolds(context, frame, bottomPx)
  drawAxis(context, frame, ticks)
}

/** Where a row stands on the canvas, and what its top means. */
export function boxOf(picture: BudgetPicture, row: BudgetRow): PlotBox {
  const { memory } = picture
  const topBytes =
    row.type === 'machine'
      ? (memory?.physicalBytes[memory.length - 1] ?? 0)
      : row.type === 'stack'
        ? (picture.stack?.topBytes ?? 0)
        : (row.series?.topBytes ?? 0)
  return {
    yPx: row.topPx - picture.scrollPx + AXIS_PX,
    heightPx: row.heightPx,
    widthPx: picture.scale.widthPx,
    topBytes: Number.isNaN(topBytes) ? 0 : topBytes,
  }
}
