import { AXIS_PX, drawUnknown } from '../../../../charts/timeline/axis-picture.ts'
import type { LaneContract, LaneMark } from '../../../../charts/timeline/lanes/contract.ts'
import { drawSetCursor } from '../timeline/draw.ts'
import { drawIndexBudget, drawStack } from './draw-budgets.ts'
import { drawMachine } from './draw-machine.ts'
import { hitTestBudgets, type BudgetHit } from './hits.ts'
import { boxOf, type BudgetPicture } from './picture.ts'

/** The machine, all budgets, and each budget, on one time axis; without marks, but with a cursor that can be set. */
export const BUDGET_LANES: LaneContract<BudgetPicture, LaneMark, BudgetHit> = {
  drawTrack: (context, picture, row) => {
    const { scale, palette, columns, memory, stack, layout } = picture
    const box = boxOf(picture, row)
    context.save()
    context.beginPath()
    context.rect(0, box.yPx, box.widthPx, box.heightPx - 1)
    context.clip()
    if (row.type === 'machine' && memory !== null) drawMachine(context, scale, memory, box, palette)
    else if (row.type === 'stack' && columns !== null && stack !== null)
      drawStack(context, scale, columns, stack, box, palette)
    else if (row.series !== null && columns !== null) {
      const place = layout.rows.indexOf(row) - 2
      const steps = picture.stepsOf.get(row.key) ?? []
      drawIndexBudget(context, scale, columns, { series: row.series, place, steps }, box, palette)
    }
    context.restore()
  },
  // Areas extend their last value to the edge, so the part that is not known yet is covered again.
  drawAbove: (context, picture, heightPx) => {
    const { layout, scrollPx, known } = picture
    drawUnknown(context, picture, known, Math.min(heightPx, AXIS_PX + layout.heightPx - scrollPx))
  },
  drawOverlay: (context, picture, heightPx) => drawSetCursor(context, picture, picture.atTicks, heightPx),
  hitTest: hitTestBudgets,
  markOf: () => null,
  focus: null,
}
