import { TICKS_PER_SECOND, type Ticks, type TimeRange } from '../../../../base/ticks.ts'
import type { ScalePiece, TimeScale } from '../../../../charts/scale.ts'
import type { MarksWindow } from '../../../../charts/timeline/marks-window.ts'
import type { Gap, SourceId } from '../../../client/state.ts'
import type { ViewParts } from '../../../client/view.ts'
import type { LaneData, LaneFrame, LaneItem, LaneRelations, LaneTrack } from '../lane.ts'

/* Lanes of another server on the axis of this page: `byTicks` is what its times need to be added. */

const shiftRange = <Range extends TimeRange>(range: Range, byTicks: number): Range => ({
  ...range,
  startTicks: (range.startTicks + byTicks) as Ticks,
  endTicks: (range.endTicks + byTicks) as Ticks,
})

/** Window of this page in the time of the other server. */
export const windowAt = (window: MarksWindow, byTicks: number): MarksWindow => ({
  ...shiftRange(window, -byTicks),
  pieces: window.pieces.map((piece) => shiftRange(piece, -byTicks)),
})

/** The same axis for times of the other server. */
function scaleAt(scale: TimeScale, byTicks: number): TimeScale {
  const shifted = (pieces: readonly ScalePiece[]): readonly ScalePiece[] =>
    pieces.map((piece) => shiftRange(piece, -byTicks))
  return {
    ...scale,
    range: shiftRange(scale.range, -byTicks),
    pieces: shifted(scale.pieces),
    folds: shifted(scale.folds),
    toPx: (at) => scale.toPx(at + byTicks),
    toTicks: (xPx) => (scale.toTicks(xPx) - byTicks) as Ticks,
  }
}

const frameAt = (frame: LaneFrame, byTicks: number): LaneFrame => ({ ...frame, scale: scaleAt(frame.scale, byTicks) })

/** A lane as read from its server. */
export interface ForeignLane {
  readonly server: string
  readonly source: SourceId
  readonly data: LaneData
  /** Gaps of the lane's sources. */
  readonly gaps: readonly Gap[]
  readonly byTicks: number
  /** Current time on the axis of this page, at which open gaps end; null: not known. */
  readonly nowTicks: Ticks | null
}

/** The lane on the axis of this page. Its relations apply only to its server, and its links lead there. */
export function shiftLane(lane: ForeignLane): LaneData {
  const { data, gaps, byTicks, nowTicks } = lane
  return {
    ...data,
    tracks: data.tracks.map((track) => shiftTrack(track, lane)),
    summarize: (range) => data.summarize(shiftRange(range, -byTicks)),
    // Gaps of this page belong to other sources, whatever their names.
    hasGap: () => false,
    gaps: [
      ...data.gaps.map((gap) => shiftRange(gap, byTicks)),
      ...gaps.filter((gap) => data.hasGap(gap)).map((gap) => untilNow(shiftRange(gap, byTicks), nowTicks)),
    ],
  }
}

/** Without an answer of its server, the clock of the other capture stops, and with it the end of open gaps. */
const untilNow = (gap: Gap, nowTicks: Ticks | null): Gap =>
  gap.isOpen === true && nowTicks !== null && nowTicks > gap.endTicks ? { ...gap, endTicks: nowTicks } : gap

function shiftTrack(track: LaneTrack, lane: ForeignLane): LaneTrack {
  const { marks } = track
  const { byTicks } = lane
  return {
    ...track,
    marks: {
      ...marks,
      startTicks: marks.startTicks.map((ticks) => ticks + byTicks),
      latestEndTicks: marks.latestEndTicks.map((ticks) => ticks + byTicks),
    },
    itemAt: (mark) => shiftItem(track.itemAt(mark), lane),
    draw: (context, frame, box) => track.draw(context, frameAt(frame, byTicks), box),
  }
}

const shiftItem = (item: LaneItem, { server, source, byTicks }: ForeignLane): LaneItem => ({
  ...item,
  startTicks: (item.startTicks + byTicks) as Ticks,
  of: relationsOn(server, item.of),
  link: item.link === null ? null : { ...item.link, server, parts: { ...viewThere(item, source), ...item.link.parts } },
})

/** Time on either side of a mark in the view of its link. */
const AROUND_TICKS = 30 * TICKS_PER_SECOND

/** View on the mark's own server, by its clock, without the sources and range of this page. */
const viewThere = ({ startTicks, durationTicks }: LaneItem, source: SourceId): ViewParts => ({
  sources: [source],
  range: {
    startTicks: (startTicks - AROUND_TICKS) as Ticks,
    endTicks: (startTicks + durationTicks + AROUND_TICKS) as Ticks,
  },
  selection: null,
})

/** Two servers may have objects of the same name. */
const relationsOn = (server: string, relations: LaneRelations): LaneRelations =>
  Object.fromEntries(Object.entries(relations).map(([kind, id]: [string, string]) => [kind, `${server} ${id}`]))
