import { isMissingIn } from '../../../../charts/timeline/gap-bands.ts'
import type { Ticks, TickSpan } from '../../../../base/brand.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { hitMark } from '../../../../charts/timeline/marks.ts'
import type { ScalePiece } from '../../../../charts/scale.ts'
import type { BatchMarks } from './draw-batches.ts'
import type { BatchPicture } from './draw.ts'
import { operationAt, type Icicle } from './icicle.ts'
import { DEPTH_PX, depthTopPx, rowAt, type LaneRow } from './layout.ts'
import type { BatchRef, BatchState } from '../../contract/batches.ts'
import type { OperationName } from '../../contract/operations.ts'
import { stateOf } from '../states.ts'

export interface BatchHit {
  readonly type: 'batch'
  readonly row: LaneRow
  readonly ref: BatchRef
  readonly durationTicks: TickSpan
  readonly state: BatchState
  readonly documents: number
  readonly bytes: number
  /** How many batches the mark stands for, of which this is the longest. */
  readonly count: number
}

export interface OperationHit {
  readonly type: 'operation'
  readonly row: LaneRow
  readonly ref: BatchRef
  /** Null: the rest that no operation tells of. */
  readonly name: OperationName | null
  /** From the batch down to it. */
  readonly path: readonly string[]
  readonly depth: number
  readonly startTicks: number
  readonly durationTicks: number
  readonly toldTicks: number
  readonly parentTicks: number
  readonly batchTicks: number
}

export type IndexingHit =
  | BatchHit
  | OperationHit
  | { readonly type: 'gap'; readonly gap: Gap }
  | { readonly type: 'fold'; readonly fold: ScalePiece; readonly isMissing: boolean }

export function batchHit(row: LaneRow, marks: BatchMarks, i: number): BatchHit {
  return {
    type: 'batch',
    row,
    ref: { index: row.key, startTicks: (marks.startTicks[i] ?? 0) as Ticks, id: marks.id[i] ?? 0 },
    durationTicks: (marks.durationTicks[i] ?? 0) as TickSpan,
    state: stateOf(marks.state[i] ?? 0),
    documents: marks.documents[i] ?? Number.NaN,
    bytes: marks.largestBytes[i] ?? Number.NaN,
    count: marks.count[i] ?? 1,
  }
}

function operationHit(row: LaneRow, { answer }: Icicle, i: number): OperationHit {
  const nameOf = (at: number): OperationName | null =>
    answer.names.find((each) => each.nameId === answer.nameId[at]) ?? null
  const path = [nameOf(i)?.name ?? 'other']
  let depth = answer.depth[i] ?? 0
  let parentTicks = Number.NaN
  // Rectangles are in pre-order: the nearest one before that is less deep is the parent.
  for (let at = i - 1; at >= 0 && depth > 0; at--) {
    const here = answer.depth[at] ?? 0
    if (here >= depth) continue
    if (Number.isNaN(parentTicks)) parentTicks = answer.toldTicks[at] ?? Number.NaN
    if (here > 0) path.unshift(nameOf(at)?.name ?? 'other')
    depth = here
  }
  let root = i
  while (root > 0 && answer.depth[root] !== 0) root--
  return {
    type: 'operation',
    row,
    ref: { index: row.key, startTicks: (answer.batchTicks[i] ?? 0) as Ticks, id: answer.id[i] ?? 0 },
    name: nameOf(i),
    path,
    depth: answer.depth[i] ?? 0,
    startTicks: answer.startTicks[i] ?? 0,
    durationTicks: answer.durationTicks[i] ?? 0,
    toldTicks: answer.toldTicks[i] ?? Number.NaN,
    parentTicks,
    batchTicks: answer.durationTicks[root] ?? Number.NaN,
  }
}

/** What is drawn at a point of the canvas: a batch, an operation, a gap, a fold; null: nothing, or the axis. */
export function hitTestPicture(picture: BatchPicture, at: Point): IndexingHit | null {
  const { scale, layout } = picture
  const yPx = at.yPx - AXIS_PX + picture.scrollPx
  const fold = scale.folds.find((each) => at.xPx >= each.startPx && at.xPx < each.endPx)
  if (fold !== undefined && yPx < layout.heightPx)
    return { type: 'fold', fold, isMissing: isMissingIn(picture.gaps)(fold) }
  if (at.yPx < AXIS_PX) return null
  const row = rowAt(layout, yPx)
  if (row?.index != null) {
    const inTrack = yPx < row.trackPx.topPx + row.trackPx.heightPx + 2
    const marks = picture.marks.get(row.key)
    const mark = !inTrack || marks === undefined ? -1 : hitMark(marks, scale, at.xPx)
    if (mark >= 0 && marks !== undefined) return batchHit(row, marks, mark)
    const icicle = row.expanded ? picture.icicles.get(row.key) : undefined
    const depth = Math.floor((yPx - depthTopPx(row, 1)) / DEPTH_PX) + 1
    const found = icicle === undefined || depth < 1 ? -1 : operationAt(icicle, depth, scale.toTicks(at.xPx))
    if (icicle !== undefined && found >= 0) return operationHit(row, icicle, found)
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
