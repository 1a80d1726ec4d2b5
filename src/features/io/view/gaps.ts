import { GAP_WORDS } from '../../../capture/frame/gap-words.ts'
import type { Gap } from '../../../capture/client/state.ts'
import { joinBoxes, type GapBand } from '../../../charts/timeline/gap-bands.ts'
import type { LayoutRow, IoLayout } from './timeline/layout.ts'

/** Rows that a gap covers whole: one of a kind covers that kind's rows, and nothing of a row for several kinds. */
const covers = (gap: Gap, row: LayoutRow): boolean =>
  row.source === gap.source &&
  row.type !== 'source' &&
  (gap.lane === null || row.lane?.id === gap.lane) &&
  (gap.kind === null || row.kind === gap.kind)

/** The server reported the sum of what is missing: a roll-up is drawn there. */
const isRolledUp = ({ kind, missingBytes }: Gap): boolean => kind !== null && missingBytes !== null

/** Gaps → bands over the rows that they concern; neighbouring rows join. In a collapsed lane a gap of one kind covers that kind's track alone. */
export function layoutGaps(layout: IoLayout, gaps: readonly Gap[]): GapBand<Gap>[] {
  return gaps.flatMap((gap) => {
    if (isRolledUp(gap)) return []
    const isClosed = layout.rows.some((row) => row.type === 'lane' && row.lane?.id === gap.lane && !row.expanded)
    const track =
      gap.kind === null || !isClosed
        ? undefined
        : layout.tracks.find((each) => each.lane.id === gap.lane && each.ref.kind === gap.kind)
    const boxes = [...joinBoxes(layout.rows, (row) => covers(gap, row)), ...(track === undefined ? [] : [track])]
    return boxes.map(({ topPx, heightPx }) => ({ gap, words: GAP_WORDS[gap.reason], topPx, heightPx }))
  })
}
