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

/** A lane as its server reported it. */
export interface ForeignLane {
  readonly server: string
  readonly source: SourceId
  readonly data: LaneData
  /** Gaps of the sources of the lane. */
  readonly gaps: readonly Gap[]
  readonly byTicks: number
  /** Now on the axis of this page, until which open gaps go on; null: not known. */
  readonly nowTicks: Ticks | null
}

/** The lane on the axis of this page. What it belongs to is of its server alone, and its links lead there. */
export function shiftLane(lane: ForeignLane): LaneData {
  const { data, gaps, byTicks, nowTicks } = lane
  return {
    ...data,
    tracks: data.tracks.map((track) => shiftTrack(track, lane)),
    summarize: (range) => data.summarize(shiftRange(range, -byTicks)),
    // Those of this page are of other sources, whatever these are called.
    hasGap: () => false,
    gaps: [
      ...data.gaps.map((gap) => shiftRange(gap, byTicks)),
      ...gaps.filter((gap) => data.hasGap(gap)).map((gap) => untilNow(shiftRange(gap, byTicks), nowTicks)),
    ],
  }
}

/** Without an answer of its server, the clock of the other capture stands still, and so do its open gaps. */
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

/** Time on either side of a mark that its link shows. */
const AROUND_TICKS = 30 * TICKS_PER_SECOND

/** View on its own server, by the clock of that, in which a mark is in sight: sources and range of this page are of another. */
const viewThere = ({ startTicks, durationTicks }: LaneItem, source: SourceId): ViewParts => ({
  sources: [source],
  range: {
    startTicks: (startTicks - AROUND_TICKS) as Ticks,
    endTicks: (startTicks + durationTicks + AROUND_TICKS) as Ticks,
  },
  selection: null,
})

/** Two servers may each have a thing of one name. */
const relationsOn = (server: string, relations: LaneRelations): LaneRelations =>
  Object.fromEntries(Object.entries(relations).map(([kind, id]: [string, string]) => [kind, `${server} ${id}`]))
