import { isMissingIn } from '../../../../capture/frame/gap-picture.ts'
import type { Bytes, Ticks, TickSpan } from '../../../../base/brand.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { hitMark } from '../../../../charts/timeline/marks.ts'
import type { ScalePiece } from '../../../../charts/scale.ts'
import type { IoPicture } from './draw.ts'
import { trackAt, type Track } from './layout.ts'
import { hitRollUp, type RowMarks } from './marks.ts'
import type { IoEventRef } from '../../contract.ts'

export interface MarkHit {
  readonly type: 'mark'
  readonly track: Track
  readonly ref: IoEventRef
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  /** How many events the mark stands for, of which this is the slowest. */
  readonly count: number
}

export interface RollUpHit {
  readonly type: 'rollup'
  readonly track: Track
  readonly startTicks: number
  readonly endTicks: number
  readonly sizeBytes: number
  readonly busyTicks: number
  readonly minTicks: number
  readonly maxTicks: number
}

export type IoHit =
  | MarkHit
  | RollUpHit
  | { readonly type: 'gap'; readonly gap: Gap }
  | { readonly type: 'fold'; readonly fold: ScalePiece; readonly isMissing: boolean }

export function markHit(track: Track, marks: RowMarks, i: number): MarkHit {
  const startTicks = (marks.startTicks[i] ?? 0) as Ticks
  const durationTicks = (marks.durationTicks[i] ?? 0) as TickSpan
  return {
    type: 'mark',
    track,
    ref: {
      lane: track.ref.lane,
      kind: track.ref.kind,
      startTicks,
      durationTicks,
      sizeBytes: (marks.sizeBytes[i] ?? 0) as Bytes,
    },
    startTicks,
    durationTicks,
    count: marks.count[i] ?? 1,
  }
}

/** What is drawn at a point of the canvas: a mark before a roll-up before a gap; null: nothing, or the axis. */
export function hitTestPicture(picture: IoPicture, at: Point): IoHit | null {
  const { scale, layout } = picture
  const yPx = at.yPx - AXIS_PX + picture.scrollPx
  const fold = scale.folds.find((each) => at.xPx >= each.startPx && at.xPx < each.endPx)
  if (fold !== undefined && yPx < layout.heightPx)
    return { type: 'fold', fold, isMissing: isMissingIn(picture.gaps)(fold) }
  if (at.yPx < AXIS_PX) return null
  const track = trackAt(layout, yPx, 3)
  const marks = track === null ? undefined : picture.marks.get(track.key)
  if (track !== null && marks !== undefined) {
    const mark = hitMark(marks, scale, at.xPx)
    if (mark >= 0) return markHit(track, marks, mark)
    const band = hitRollUp(marks, scale, at.xPx)
    const { rollUps } = marks
    if (band >= 0)
      return {
        type: 'rollup',
        track,
        startTicks: rollUps.startTicks[band] ?? Number.NaN,
        endTicks: rollUps.endTicks[band] ?? Number.NaN,
        sizeBytes: rollUps.sizeBytes[band] ?? Number.NaN,
        busyTicks: rollUps.busyTicks[band] ?? Number.NaN,
        minTicks: rollUps.minTicks[band] ?? Number.NaN,
        maxTicks: rollUps.maxTicks[band] ?? Number.NaN,
      }
  }
  const gap = picture.gaps.find(
    (band) =>
      yPx >= band.topPx &&
      yPx < band.topPx + band.heightPx &&
      at.xPx >= scale.toPx(band.gap.startTicks) - 2 &&
      at.xPx < Math.max(scale.toPx(band.gap.endTicks), scale.toPx(band.gap.startTicks) + 2),
  )
  return gap === undefined ? null : { type: 'gap', gap: gap.gap }
}
