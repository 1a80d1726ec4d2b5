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
  /** Whether only events with certain durations or sizes are drawn. */
  readonly isFiltered: boolean
  /** Heats by the key of the track. */
  readonly heats: ReadonlyMap<string, TrackHeat>
  readonly palette: IoPalette
  readonly selected: IoEventRef | null
  readonly overlaps: readonly IoEventRef[]
}

/**
 * Scale of counts: each step of lightness is four times the events: 1, 4, 16 … 4,096, more. The same in every view, so
 * that colours can be compared.
 */
export const COUNTS = buildSizeScale('log', 0, 1)

/** Vertical position of a duration in a track, in the same pixels as the track's top. */
export const yOfDuration = (
  { topPx, heightPx }: Pick<HeatTrack, 'topPx' | 'heightPx'>,
  durationTicks: number,
): number => topPx + heightPx * (1 - stepShare(durationTicks))
