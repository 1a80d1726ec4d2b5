import type { GapBand } from '../../../capture/frame/gap-picture.ts'
import type { Gap } from '../../../capture/client/state.ts'
import type { LayoutRow, IoLayout } from './timeline/layout.ts'

const touches = (gap: Gap, row: LayoutRow): boolean =>
  row.source === gap.source &&
  row.type !== 'source' &&
  (gap.lane === null || row.lane?.id === gap.lane) &&
  (gap.kind === null || row.kind === null || row.kind === gap.kind)

/** The server reported the sum of what is missing: a roll-up is drawn there. */
const isRolledUp = ({ kind, missingBytes }: Gap): boolean => kind !== null && missingBytes !== null

/** Gaps → bands over the rows that they concern; neighbouring rows join. In a collapsed lane a gap of one kind covers that kind's track alone. */
export function layoutGaps(layout: IoLayout, gaps: readonly Gap[]): GapBand[] {
  const bands: GapBand[] = []
  for (const gap of gaps) {
    if (isRolledUp(gap)) continue
    let open: { topPx: number; heightPx: number } | null = null
    const close = (): void => {
      if (open !== null) bands.push({ gap, ...open })
      open = null
    }
    for (const row of layout.rows) {
      if (!touches(gap, row)) {
        close()
        continue
      }
      if (gap.kind !== null && row.kind === null) {
        close()
        const track = row.expanded
          ? undefined
          : layout.tracks.find((each) => each.lane.id === gap.lane && each.ref.kind === gap.kind)
        if (track !== undefined) bands.push({ gap, topPx: track.topPx, heightPx: track.heightPx })
        continue
      }
      open =
        open === null
          ? { topPx: row.topPx, heightPx: row.heightPx }
          : { topPx: open.topPx, heightPx: open.heightPx + row.heightPx }
    }
    close()
  }
  return bands
}
