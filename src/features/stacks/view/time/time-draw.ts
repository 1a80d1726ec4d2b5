import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { LaneBox } from '../../../../charts/timeline/lanes/box.ts'
import type { LaneContract, LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import { plotY } from '../../../../charts/timeline/lanes/draw.ts'
import type { SnapshotId } from '../../../../feeds/stacks/contract/ids.ts'
import type { LanesResponse, StackLane } from '../../../../feeds/stacks/contract/lanes.ts'
import { CELL_PX, cellOf, columnAt, LANE_PX, type Cell, type CellColumns } from './time-cells.ts'
import { waitLook, type WaitPattern } from '../threads/wait-styles.ts'

/** Offset of the cell in its lane. */
const CELL_TOP_PX = (LANE_PX - CELL_PX) / 2

export interface LaneBoxOf extends LaneBox {
  readonly lane: StackLane
}

export interface TimePicture extends LanePicture {
  readonly layout: {
    readonly rows: readonly LaneBoxOf[]
    readonly tracks: readonly LaneBoxOf[]
    readonly heightPx: number
  }
  readonly response: LanesResponse
  readonly columns: CellColumns
  /** Snapshots in view, and those they are compared with. */
  readonly chosen: ReadonlySet<SnapshotId>
  readonly against: ReadonlySet<SnapshotId>
}

export function layoutStackLanes(lanes: readonly StackLane[]): TimePicture['layout'] {
  const rows = lanes.map((lane, i) => ({ key: lane.job.key, lane, topPx: i * LANE_PX, heightPx: LANE_PX }))
  return { rows, tracks: rows, heightPx: lanes.length * LANE_PX }
}

export interface CellHit {
  readonly track: LaneBoxOf
  readonly startTicks: number
  readonly durationTicks: number
  readonly cell: Cell
}

const cellHit = ({ response }: TimePicture, track: LaneBoxOf, column: number): CellHit => ({
  track,
  startTicks: response.atTicks[column] ?? Number.NaN,
  durationTicks: 1,
  cell: cellOf(response, track.lane, column),
})

/** Lanes of jobs with a cell for each snapshot, coloured and patterned by its wait. */
export const STACK_LANES: LaneContract<TimePicture, CellHit, CellHit> = {
  drawGround: drawChosen,
  drawTrack: drawLane,
  hitTest: (picture, at) => {
    const track = picture.layout.tracks[Math.floor(at.yPx / LANE_PX)]
    const column = columnAt(picture.columns, at.xPx)
    return track === undefined || column < 0 ? null : cellHit(picture, track, column)
  },
  markOf: (hit) => hit,
  outline: (context, picture, { track, cell }, colour, lineWidth) => {
    context.strokeStyle = colour
    context.lineWidth = lineWidth
    context.strokeRect(
      (picture.columns.xPx[cell.column] ?? 0) - 1.5,
      plotY(picture, track.topPx) + CELL_TOP_PX - 1.5,
      (picture.columns.widthPx[cell.column] ?? 0) + 3,
      CELL_PX + 3,
    )
  },
  focus: {
    isArrowBegun: true,
    first: (picture) => {
      const [track] = picture.layout.tracks
      return track === undefined ? null : cellHit(picture, track, picture.response.snapshots.length - 1)
    },
    step: (picture, { track, cell }, by) => {
      const column = cell.column + by
      return column < 0 || column >= picture.response.snapshots.length ? null : cellHit(picture, track, column)
    },
    stepTrack: (picture, { track, cell }, by) => {
      const next = picture.layout.tracks[track.topPx / LANE_PX + by]
      return next === undefined ? null : cellHit(picture, next, cell.column)
    },
  },
}

/** Draws the background of the snapshots in view or compared with. */
function drawChosen(context: CanvasRenderingContext2D, picture: TimePicture, row: LaneBoxOf, yPx: number): void {
  const { response, columns, tokens, chosen, against } = picture
  response.snapshots.forEach((snapshot, i) => {
    const colour = chosen.has(snapshot) ? tokens.accent : against.has(snapshot) ? tokens.warn : null
    if (colour === null) return
    context.fillStyle = withAlpha(colour, 0.22)
    context.fillRect((columns.xPx[i] ?? 0) - 1, yPx, (columns.widthPx[i] ?? 0) + 2, row.heightPx)
  })
}

function drawLane(context: CanvasRenderingContext2D, picture: TimePicture, { lane }: LaneBoxOf, rowPx: number): void {
  const { response, columns, scale, tokens } = picture
  const yPx = rowPx + CELL_TOP_PX
  for (let column = 0; column < response.snapshots.length; column++) {
    const xPx = columns.xPx[column] ?? 0
    const widthPx = columns.widthPx[column] ?? 0
    if (xPx + widthPx < 0 || xPx > scale.widthPx) continue
    const { wait, threads, dominant } = cellOf(response, lane, column)
    if (wait === null) continue
    const look = waitLook(wait)
    const colour = tokens.kinds.get(look.token) ?? tokens.fgMuted
    // Height by the share of threads with this wait; the rest is faint.
    const highPx = Math.max(4, (CELL_PX * dominant) / Math.max(1, threads))
    context.fillStyle = withAlpha(colour, 0.3)
    context.fillRect(xPx, yPx, widthPx, CELL_PX)
    context.fillStyle = colour
    context.fillRect(xPx, yPx + CELL_PX - highPx, widthPx, highPx)
    if (widthPx >= 4)
      drawPattern(context, look.pattern, { xPx, yPx: yPx + CELL_PX - highPx, widthPx, heightPx: highPx }, tokens.bg)
  }
}

interface Rect {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Draws pattern lines in the background colour. */
function drawPattern(context: CanvasRenderingContext2D, pattern: WaitPattern, rect: Rect, colour: string): void {
  const { xPx, yPx, widthPx, heightPx } = rect
  context.fillStyle = colour
  const across = (share: number): void => context.fillRect(xPx, Math.round(yPx + heightPx * share) - 0.75, widthPx, 1.5)
  const down = (share: number): void => context.fillRect(Math.round(xPx + widthPx * share) - 0.5, yPx, 1, heightPx)
  switch (pattern) {
    case 'solid':
      return
    case 'one-cut':
      return across(0.5)
    case 'two-cuts':
      across(0.34)
      return across(0.67)
    case 'upright':
      return [0.25, 0.5, 0.75].forEach(down)
    case 'cross':
      across(0.5)
      return down(0.5)
    case 'hollow':
      if (widthPx > 5 && heightPx > 5) context.fillRect(xPx + 2, yPx + 2, widthPx - 4, heightPx - 4)
      return
    case 'dotted':
      for (let dotPx = xPx + 1; dotPx < xPx + widthPx - 1; dotPx += 4)
        context.fillRect(dotPx, yPx + heightPx / 2 - 1, 2, 2)
      return
    case 'hatched':
      return drawHatch(context, rect, colour, 5)
    case 'back-hatched':
      return drawHatch(context, rect, colour, 3)
  }
}
