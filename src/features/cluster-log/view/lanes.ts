import { withAlpha } from '../../../charts/canvas/colour.ts'
import { hitMark, indexMarks, type Indexed, type MarkColumns } from '../../../charts/timeline/marks.ts'
import type { LaneBox } from '../../../charts/timeline/lanes/box.ts'
import type { LaneContract, LaneMark } from '../../../charts/timeline/lanes/contract.ts'
import { markFocus, type MarkPicture } from '../../../charts/timeline/lanes/focus.ts'
import type { ClusterCommands } from '../contract.ts'

const LANE_PX = 26
const PAD_PX = 5
/** Width of a command's mark, which has no duration. */
const MARK_PX = 3

export interface KindMarks extends MarkColumns {
  /** Indexes of rows in `ClusterCommands`. */
  readonly rows: Uint32Array
}

export interface CommandPicture extends MarkPicture<Indexed<KindMarks>> {
  /** Commands above it are not committed. */
  readonly commitIndex: number
  readonly commands: ClusterCommands
  /** Row of the selected command; −1: none. */
  readonly selected: number
}

export interface CommandHit extends LaneMark {
  readonly row: number
}

export interface KindLanes {
  readonly layout: CommandPicture['layout']
  readonly marks: CommandPicture['marks']
}

/** Lane for each kind of command. O(commands) */
export function layoutKinds({ kinds, kind, atTicks, length }: ClusterCommands): KindLanes {
  const rows = kinds.map((key, i) => ({ key, topPx: i * LANE_PX, heightPx: LANE_PX }))
  const marks = kinds.map((key, of) => {
    const own = Uint32Array.from(Array.from({ length }, (_, row) => row).filter((row) => kind[row] === of))
    const startTicks = Float64Array.from(own, (row) => atTicks[row] ?? Number.NaN)
    const columns = { length: own.length, startTicks, durationTicks: new Float64Array(own.length), rows: own }
    return [key, indexMarks(columns)] as const
  })
  return { layout: { rows, tracks: rows, heightPx: kinds.length * LANE_PX }, marks: new Map(marks) }
}

const commandAt = (track: LaneBox, marks: Indexed<KindMarks>, mark: number): CommandHit => ({
  track,
  startTicks: marks.startTicks[mark] ?? Number.NaN,
  durationTicks: 0,
  row: marks.rows[mark] ?? -1,
})

/** Commands as bars; uncommitted ones are hollow. */
export const COMMAND_LANES: LaneContract<CommandPicture, CommandHit, CommandHit> = {
  drawTrack: (context, picture, track, yPx) => {
    const { scale, tokens, commands, commitIndex, selected } = picture
    const marks = picture.marks.get(track.key)
    if (marks === undefined) return
    let lastPx = Number.NEGATIVE_INFINITY
    for (let i = 0; i < marks.length; i++) {
      const xPx = Math.round(scale.toPx(marks.startTicks[i] ?? 0)) - 1
      const row = marks.rows[i] ?? -1
      const isPending = (commands.index[row] ?? 0) > commitIndex
      // Draws one of several in a pixel, unless it is uncommitted or selected.
      if (xPx < -MARK_PX || xPx > scale.widthPx || (xPx === lastPx && !isPending && row !== selected)) continue
      lastPx = xPx
      const box = [xPx, yPx + PAD_PX, MARK_PX, LANE_PX - 2 * PAD_PX] as const
      if (row === selected) {
        context.fillStyle = withAlpha(tokens.accent, 0.3)
        context.fillRect(xPx - 4, yPx, MARK_PX + 8, LANE_PX - 1)
      }
      context.fillStyle = isPending ? tokens.warn : tokens.accent
      context.fillRect(...box)
      if (!isPending) continue
      context.fillStyle = tokens.bg
      context.fillRect(xPx + 1, yPx + PAD_PX + 1, MARK_PX - 2, LANE_PX - 2 * PAD_PX - 2)
    }
  },
  hitTest: ({ layout, marks, scale }, at) => {
    const track = layout.tracks[Math.floor(at.yPx / LANE_PX)]
    const row = track === undefined ? undefined : marks.get(track.key)
    const mark = row === undefined ? -1 : hitMark(row, scale, at.xPx)
    return track === undefined || row === undefined || mark < 0 ? null : commandAt(track, row, mark)
  },
  markOf: (hit) => hit,
  focus: markFocus(commandAt),
}
