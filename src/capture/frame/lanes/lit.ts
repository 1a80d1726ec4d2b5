import { AXIS_PX } from '../../../charts/timeline/axis-picture.ts'
import { withAlpha } from '../../../charts/canvas/colour.ts'
import type { LanePicture } from '../../../charts/timeline/lanes/contract.ts'
import { drawSelectedTime, outlineMark } from '../../../charts/timeline/lanes/draw.ts'
import type { MarkPicture } from '../../../charts/timeline/lanes/focus.ts'
import type { DrawOver } from '../../../charts/timeline/lanes/shared-time.ts'
import type { Indexed, MarkColumns } from '../../../charts/timeline/marks.ts'
import { visibleSlice } from '../../../charts/timeline/visible-slice.ts'
import type { LaneRelations, LaneSubject } from './lane.ts'
import { MOST_OF_TRACK, overlapping, sharedBy } from './related.ts'

/** Relations of a track of the panel, by its key: marks of other objects than the selected one are not highlighted. */
export type RelationsOfTrack = (key: string) => LaneRelations

/** Highlights the mark that is selected in the lanes below in a panel's timeline, with what it overlaps. */
export const litBy =
  (selected: LaneSubject, ofTrack: RelationsOfTrack): DrawOver =>
  (context, picture, heightPx) => {
    const { tokens, layout, scrollPx } = picture
    drawSelectedTime(context, picture, heightPx, selected, withAlpha(tokens.accent, 0.14))
    if (!hasMarks(picture)) return
    for (const track of visibleSlice(layout.tracks, scrollPx, scrollPx + heightPx - AXIS_PX)) {
      const marks = picture.marks.get(track.key)
      if (marks === undefined || sharedBy(selected.of, ofTrack(track.key)) === false) continue
      for (const mark of overlapping(marks, selected).slice(0, MOST_OF_TRACK)) {
        const startTicks = marks.startTicks[mark] ?? Number.NaN
        const durationTicks = marks.durationTicks[mark] ?? 0
        outlineMark(context, picture, { track, startTicks, durationTicks }, tokens.fg, 1)
      }
    }
  }

/** Heat maps and charts have no single marks. */
const hasMarks = (picture: LanePicture): picture is MarkPicture<Indexed<MarkColumns>> =>
  'marks' in picture &&
  picture.marks instanceof Map &&
  [...picture.marks.values()].every((marks: object) => 'latestEndTicks' in marks)
