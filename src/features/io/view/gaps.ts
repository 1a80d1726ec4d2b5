import { GAP_WORDS } from '../../../capture/frame/notices/gap-words.ts'
import type { Gap } from '../../../capture/client/state.ts'
import { joinBoxes, type GapBand } from '../../../charts/timeline/gap-bands.ts'
import type { LaneBox } from '../../../charts/timeline/lanes/box.ts'
import type { LaneRows, LayoutRow, Track } from './timeline/layout.ts'

/** Whether a gap covers a whole row. A gap of one kind covers rows of that kind only. */
const covers = (gap: Gap, row: LayoutRow): boolean =>
  row.source === gap.source &&
  row.type !== 'source' &&
  (gap.lane === null || row.lane?.id === gap.lane) &&
  (gap.kind === null || row.kind === gap.kind)

/** Whether the server reported the sum of the missing events, so that a roll-up is drawn there. */
const isRolledUp = ({ kind, missingBytes }: Gap): boolean => kind !== null && missingBytes !== null

type GapBox = Pick<LaneBox, 'topPx' | 'heightPx'>

/** Area of a gap in a track: in a collapsed lane, a gap of one kind covers only the track of that kind. */
export const gapOfTrack = (track: Track, { lane, kind }: Gap): GapBox | null =>
  track.lane.id === lane && track.ref.kind === kind ? track : null

/**
 * Converts gaps to bands over their rows; adjacent rows are joined. `bandOf`: area that a gap of one kind covers in a
 * collapsed lane.
 */
export function layoutGaps<T>(
  layout: LaneRows<T>,
  gaps: readonly Gap[],
  bandOf: (track: T, gap: Gap) => GapBox | null,
): GapBand<Gap>[] {
  return gaps.flatMap((gap) => {
    if (isRolledUp(gap)) return []
    const isClosed = layout.rows.some((row) => row.type === 'lane' && row.lane?.id === gap.lane && !row.expanded)
    const own = gap.kind === null || !isClosed ? [] : layout.tracks.flatMap((track) => bandOf(track, gap) ?? [])
    const boxes = [...joinBoxes(layout.rows, (row) => covers(gap, row)), ...own]
    return boxes.map(({ topPx, heightPx }) => ({ gap, words: GAP_WORDS[gap.reason], topPx, heightPx }))
  })
}
