import { stepShare } from '../../../../base/columns/duration-steps.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { buildSizeScale } from '../../../../charts/canvas/size-scale.ts'
import type { GapBand } from '../../../../charts/timeline/gap-bands.ts'
import type { MarkPicture } from '../../../../charts/timeline/lanes/focus.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import type { StallPicture } from '../stalls/marks.ts'
import type { IoPalette } from '../timeline/palette.ts'
import type { HeatMarks, TrackHeat } from './heat.ts'
import type { HeatLayout, HeatTrack } from './layout.ts'

export interface HeatPicture extends MarkPicture<HeatMarks>, StallPicture {
  readonly layout: HeatLayout
  readonly gaps: readonly GapBand<Gap>[]
  /** Whether only events of some durations or sizes are drawn. */
  readonly isFiltered: boolean
  /** Heats by key of the track. */
  readonly heats: ReadonlyMap<string, TrackHeat>
  readonly palette: IoPalette
  readonly selected: IoEventRef | null
  readonly overlaps: readonly IoEventRef[]
}

/** Four times the events are one step of lightness: 1, 4, 16 … 4,096, more. The same in every view, so colours compare. */
export const COUNTS = buildSizeScale('log', 0, 1)

/** Where a duration lies in a track, in the same pixels as its top. */
export const yOfDuration = (
  { topPx, heightPx }: Pick<HeatTrack, 'topPx' | 'heightPx'>,
  durationTicks: number,
): number => topPx + heightPx * (1 - stepShare(durationTicks))
