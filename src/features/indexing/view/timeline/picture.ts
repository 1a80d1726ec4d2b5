import type { Ticks } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import type { GapBand } from '../../../../charts/timeline/gap-bands.ts'
import type { MarkPicture } from '../../../../charts/timeline/lanes/focus.ts'
import type { BatchRef, IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BatchMarks } from './draw-batches.ts'
import type { Icicle } from './icicle.ts'
import type { LaneLayout } from './layout.ts'

export interface BatchPicture extends MarkPicture<BatchMarks> {
  readonly layout: LaneLayout
  readonly gaps: readonly GapBand<Gap>[]
  readonly icicles: ReadonlyMap<IndexKey, Icicle>
  readonly palette: IndexingPalette
  readonly sizes: SizeScale
  readonly selected: { readonly ref: BatchRef; readonly durationTicks: number } | null
  /** Time of the cursor of the budgets; null: not set. */
  readonly atTicks: Ticks | null
}
