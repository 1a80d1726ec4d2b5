import { plotY } from '../../../../charts/timeline/lanes/draw.ts'
import type { LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { BudgetStep } from '../../../../feeds/indexing/contract/budgets.ts'
import type { IndexingMemoryResponse } from '../../../../feeds/indexing/contract/memory.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BudgetColumns } from '../useIndexingData.ts'
import type { PlotBox } from './box.ts'
import type { BudgetLayout, BudgetRow } from './layout.ts'
import type { BudgetStack } from './series.ts'

export interface BudgetPicture extends LanePicture {
  readonly layout: BudgetLayout
  readonly columns: BudgetColumns | null
  readonly stack: BudgetStack | null
  readonly memory: IndexingMemoryResponse | null
  readonly stepsOf: ReadonlyMap<string, readonly BudgetStep[]>
  readonly palette: IndexingPalette
  /** Time of the cursor; null: not set. */
  readonly atTicks: Ticks | null
}

/** Area of a row on the canvas, with the bytes at its upper edge. */
export function boxOf(picture: BudgetPicture, row: BudgetRow): PlotBox {
  const { memory } = picture
  const topBytes =
    row.type === 'machine'
      ? (memory?.physicalBytes[memory.length - 1] ?? 0)
      : row.type === 'stack'
        ? (picture.stack?.topBytes ?? 0)
        : (row.series?.topBytes ?? 0)
  return {
    yPx: plotY(picture, row.topPx),
    heightPx: row.heightPx,
    widthPx: picture.scale.widthPx,
    topBytes: Number.isNaN(topBytes) ? 0 : topBytes,
  }
}
