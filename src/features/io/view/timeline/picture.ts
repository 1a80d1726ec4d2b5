import type { Gap } from '../../../../capture/client/state.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import type { GapBand } from '../../../../charts/timeline/gap-bands.ts'
import type { MarkPicture } from '../../../../charts/timeline/lanes/focus.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import type { StallPicture } from '../stalls/marks.ts'
import type { IoLayout } from './layout.ts'
import type { RowMarks } from './marks.ts'
import type { IoPalette } from './palette.ts'

export interface IoPicture extends MarkPicture<RowMarks>, StallPicture {
  readonly layout: IoLayout
  readonly gaps: readonly GapBand<Gap>[]
  readonly palette: IoPalette
  readonly sizes: SizeScale
  readonly selected: IoEventRef | null
  /** Events that overlap the selected one. */
  readonly overlaps: readonly IoEventRef[]
}
