import { groupBy } from '../../../../base/columns/group-by.ts'
import { plotY } from '../../../../charts/timeline/lanes/draw.ts'
import type { LaneBox } from '../../../../charts/timeline/lanes/box.ts'
import type { LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import { countUntil } from '../../../../charts/timeline/marks.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import type { TimeScale } from '../../../../charts/scale.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import type { StallMark } from '../../../stalls/contract.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import type { LaneId } from '../../../../feeds/io/contract/lanes.ts'
import { STALL_LOOKS } from './looks.ts'

/** Stalls of one lane, ascending by start. */
interface LaneStalls {
  readonly marks: readonly StallMark[]
  readonly startTicks: Float64Array
}

export type StallsOfLanes = ReadonlyMap<LaneId, LaneStalls>

export const NO_STALLS: StallsOfLanes = new Map()

/** Groups the marks by lane; `marks` must ascend by start. */
export function stallsByLane(marks: readonly StallMark[]): StallsOfLanes {
  return new Map(
    groupBy(marks, ({ lane }) => lane).map(([lane, own]) => [
      lane,
      { marks: own, startTicks: Float64Array.from(own, ({ startTicks }) => startTicks) },
    ]),
  )
}

/** Stall mark of an event; null: not a stall, or not marked. */
export function stallOf(
  stalls: StallsOfLanes,
  { lane, kind, startTicks, durationTicks }: IoEventRef,
): StallMark | null {
  const own = kind === 'JournalWrite' ? stalls.get(lane) : undefined
  if (own === undefined) return null
  for (let i = countUntil(own.startTicks, own.marks.length, startTicks) - 1; i >= 0; i--) {
    const mark = own.marks[i] as StallMark
    if (mark.startTicks !== startTicks) return null
    if (mark.durationTicks === durationTicks) return mark
  }
  return null
}

/** Half the width of a marker. */
const HALF_PX = 4
/** Distance below which markers are combined into one, for the longest stall. */
const APART_PX = 2 * HALF_PX

/** A marker on the canvas; `yPx` in the content. */
interface PlacedStall {
  readonly mark: StallMark
  readonly xPx: number
  readonly yPx: number
}

/** Longest stall that begins in each `APART_PX` pixels of the view, ascending. */
export function placeStalls({ marks, startTicks }: LaneStalls, scale: TimeScale): { mark: StallMark; xPx: number }[] {
  const placed: { mark: StallMark; xPx: number }[] = []
  let columnOfLast = Number.NEGATIVE_INFINITY
  for (let i = countUntil(startTicks, marks.length, scale.toTicks(-APART_PX)); i < marks.length; i++) {
    const mark = marks[i] as StallMark
    const xPx = scale.toPx(mark.startTicks)
    if (xPx > scale.widthPx + APART_PX) break
    const column = Math.floor(xPx / APART_PX)
    const last = placed.at(-1)
    if (last === undefined || column !== columnOfLast) placed.push({ mark, xPx })
    else if (mark.durationTicks > last.mark.durationTicks) placed[placed.length - 1] = { mark, xPx }
    columnOfLast = column
  }
  return placed
}

/** Data for drawing markers. */
export interface StallPicture extends LanePicture {
  readonly stalls: StallsOfLanes
}

/** Position of a lane's markers: its track of journal writes, and the height of a stall in it. */
export interface StallPlaces<Picture extends StallPicture> {
  /** Lane of a track; null: the track does not show the journal writes of a whole lane. */
  readonly laneOf: (track: Picture['layout']['tracks'][number]) => LaneId | null
  /** Vertical position in the content. */
  readonly yOf: (picture: Picture, track: LaneBox, mark: StallMark) => number
}

function* markersIn<Picture extends StallPicture>(
  picture: Picture,
  { laneOf, yOf }: StallPlaces<Picture>,
  fromPx: number,
  toPx: number,
): Generator<PlacedStall> {
  if (picture.stalls.size === 0) return
  for (const track of visibleSlice(picture.layout.tracks, fromPx - HALF_PX, toPx + HALF_PX)) {
    const lane = laneOf(track)
    const stalls = lane === null ? undefined : picture.stalls.get(lane)
    if (stalls === undefined) continue
    for (const { mark, xPx } of placeStalls(stalls, picture.scale)) yield { mark, xPx, yPx: yOf(picture, track, mark) }
  }
}

/** Draws markers over marks and gaps, each with an edge in the background colour. `heightPx`: height of the canvas. */
export function drawStalls<Picture extends StallPicture>(
  context: CanvasRenderingContext2D,
  picture: Picture,
  heightPx: number,
  places: StallPlaces<Picture>,
): void {
  const { tokens, scrollPx } = picture
  for (const { mark, xPx, yPx } of markersIn(picture, places, scrollPx, scrollPx + heightPx)) {
    const { token, corners } = STALL_LOOKS[mark.cause]
    const middlePx = plotY(picture, yPx)
    context.beginPath()
    corners.forEach(([x, y], i) => {
      if (i === 0) context.moveTo(xPx + x * HALF_PX, middlePx + y * HALF_PX)
      else context.lineTo(xPx + x * HALF_PX, middlePx + y * HALF_PX)
    })
    context.closePath()
    context.strokeStyle = tokens.bg
    context.lineWidth = 3
    context.stroke()
    context.fillStyle = tokens.kinds.get(token) ?? tokens.fg
    context.fill()
  }
}

/** Stall whose marker is at a point of the content; null: none. */
export function stallAt<Picture extends StallPicture>(
  picture: Picture,
  at: Point,
  places: StallPlaces<Picture>,
): StallMark | null {
  const reachPx = HALF_PX + 1
  let best: StallMark | null = null
  let bestPx = Number.POSITIVE_INFINITY
  for (const { mark, xPx, yPx } of markersIn(picture, places, at.yPx - reachPx, at.yPx + reachPx)) {
    const awayPx = Math.max(Math.abs(xPx - at.xPx), Math.abs(yPx - at.yPx))
    if (awayPx > reachPx || awayPx >= bestPx) continue
    best = mark
    bestPx = awayPx
  }
  return best
}
