import { DURATION_STEPS, STEP_BOUNDS } from '../../../../base/columns/duration-steps.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { countUntil } from '../../../../charts/timeline/marks.ts'
import type { IoRowRef } from '../../../../feeds/io/contract/rows.ts'
import { stallAt, type StallPlaces } from '../stalls/marks.ts'
import { markHit, rollUpHit, type MarkHit, type RollUpHit, type StallHit } from '../timeline/hits.ts'
import { kindIndex } from '../timeline/kinds.ts'
import { trackAt, type Track } from '../timeline/layout.ts'
import { hitRollUp } from '../timeline/marks.ts'
import { cellCounts, columnAt, type HeatMarks, type TrackHeat } from './heat.ts'
import type { HeatTrack } from './layout.ts'
import { yOfDuration, type HeatPicture } from './picture.ts'

/** Events with about the same duration at about the same time. */
export interface CellHit {
  readonly type: 'cell'
  readonly startTicks: number
  readonly endTicks: number
  /** Lower bound of the duration, ticks; null: open. */
  readonly fromTicks: number | null
  readonly toTicks: number | null
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  /** Slowest event of the whole column. */
  readonly slowest: MarkHit
}

export type HeatHit = MarkHit | CellHit | RollUpHit | StallHit

/** Maximum distance at which the pointer still hits a dot. */
const DOT_REACH_PX = 5
/** Number of steps above and below the pointer that are searched, since a step may be one pixel high. */
const STEP_REACH = 2

/** Place of one row within a track that may show several. */
const trackOfRow = (track: HeatTrack, ref: IoRowRef): Track => ({ ...track, ref, kindIndex: kindIndex(ref.kind) })

export const heatMark = (track: HeatTrack, marks: HeatMarks, i: number): MarkHit =>
  markHit(trackOfRow(track, track.refs[marks.place[i] ?? 0] as IoRowRef), marks, i)

/** Places stalls at the height of their duration. */
export const HEAT_STALLS: StallPlaces<HeatPicture> = {
  laneOf: ({ refs }) => refs.find(({ kind, file }) => kind === 'JournalWrite' && file === null)?.lane ?? null,
  yOf: (_picture, track, { durationTicks }) => yOfDuration(track, durationTicks),
}

/** Object at a point `at` of the content, in the order stall, dot, cell, roll-up; null: none. */
export function hitTestHeat(picture: HeatPicture, at: Point): HeatHit | null {
  const stall = stallAt(picture, at, HEAT_STALLS)
  if (stall !== null) return { type: 'stall', stall }
  const track = trackAt(picture.layout.tracks, at.yPx, 3)
  const heat = track === null ? undefined : picture.heats.get(track.key)
  if (track === null || heat === undefined) return null
  return dotAt(picture, track, heat, at) ?? cellAt(picture, track, heat, at) ?? rollUpAt(picture, track, heat, at)
}

function dotAt({ scale }: HeatPicture, track: HeatTrack, { marks }: TrackHeat, at: Point): MarkHit | null {
  let best = -1
  let bestPx = DOT_REACH_PX
  const from = countUntil(marks.startTicks, marks.length, scale.toTicks(at.xPx - DOT_REACH_PX)) - 1
  for (let i = Math.max(0, from); i < marks.length; i++) {
    const xPx = scale.toPx(marks.startTicks[i] ?? 0)
    if (xPx > at.xPx + DOT_REACH_PX) break
    if (marks.isApart[i] !== 1) continue
    const awayPx = Math.hypot(xPx - at.xPx, yOfDuration(track, marks.durationTicks[i] ?? 0) - at.yPx)
    if (awayPx > bestPx) continue
    best = i
    bestPx = awayPx
  }
  return best === -1 ? null : heatMark(track, marks, best)
}

function cellAt({ scale }: HeatPicture, track: HeatTrack, heat: TrackHeat, at: Point): CellHit | null {
  const column = columnAt(heat, scale.toTicks(at.xPx))
  if (column === -1) return null
  const pointed = Math.floor((1 - (at.yPx - track.topPx) / track.heightPx) * DURATION_STEPS)
  const near = Array.from({ length: 2 * STEP_REACH + 1 }, (_, i) => pointed + (i % 2 === 0 ? -i : i + 1) / 2)
  const step = near.find(
    (each) => each >= 0 && each < DURATION_STEPS && (heat.counts[column * DURATION_STEPS + each] ?? 0) > 0,
  )
  if (step === undefined) return null
  const startTicks = heat.columnTicks[column] ?? 0
  return {
    type: 'cell',
    startTicks,
    endTicks: startTicks + heat.widthTicks,
    fromTicks: step === 0 ? null : (STEP_BOUNDS[step] ?? null),
    toTicks: step === DURATION_STEPS - 1 ? null : (STEP_BOUNDS[step + 1] ?? null),
    kinds: cellCounts(heat, column, step).flatMap((count, place) =>
      count === 0 ? [] : [{ kind: track.refs[place]?.kind ?? '', count }],
    ),
    slowest: slowestOf(track, heat, startTicks),
  }
}

function slowestOf(track: HeatTrack, { marks, widthTicks }: TrackHeat, columnTicks: number): MarkHit {
  let slowest = -1
  for (let i = countUntil(marks.startTicks, marks.length, columnTicks - 1); i < marks.length; i++) {
    if ((marks.startTicks[i] ?? 0) >= columnTicks + widthTicks) break
    if (slowest === -1 || (marks.durationTicks[i] ?? 0) > (marks.durationTicks[slowest] ?? 0)) slowest = i
  }
  return heatMark(track, marks, slowest)
}

function rollUpAt({ scale }: HeatPicture, track: HeatTrack, heat: TrackHeat, at: Point): RollUpHit | null {
  for (const [place, row] of heat.rows.entries()) {
    const found = row === null ? -1 : hitRollUp(row.rollUps, scale, at.xPx)
    if (row !== null && found >= 0)
      return rollUpHit(trackOfRow(track, track.refs[place] as IoRowRef), row.rollUps, found)
  }
  return null
}
