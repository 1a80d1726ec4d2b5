import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { hitMark } from '../../../../charts/timeline/marks.ts'
import type { BatchMarks } from './draw-batches.ts'
import type { BatchPicture } from './picture.ts'
import { operationAt, type Icicle } from './icicle.ts'
import { DEPTH_PX, depthTopPx, rowAt, type LaneRow } from './layout.ts'
import type { BatchRef, BatchState } from '../../../../feeds/indexing/contract/batches.ts'
import type { OperationName } from '../../../../feeds/indexing/contract/operations.ts'
import { stateOf } from '../states.ts'

export interface BatchHit {
  readonly type: 'batch'
  readonly track: LaneRow
  readonly ref: BatchRef
  readonly startTicks: Ticks
  readonly durationTicks: TickSpan
  readonly state: BatchState
  readonly documents: number
  readonly bytes: number
  /** Number of batches that the mark represents; this is the longest. */
  readonly count: number
}

export interface OperationHit {
  readonly type: 'operation'
  readonly track: LaneRow
  readonly ref: BatchRef
  /** Name of the operation; null: the rest that no operation accounts for. */
  readonly name: OperationName | null
  /** Names from the batch down to the operation. */
  readonly path: readonly string[]
  readonly depth: number
  readonly startTicks: number
  readonly durationTicks: number
  readonly reportedTicks: number
  readonly parentTicks: number
  readonly batchTicks: number
}

export type IndexingHit = BatchHit | OperationHit

export function batchHit(track: LaneRow, marks: BatchMarks, i: number): BatchHit {
  const startTicks = (marks.startTicks[i] ?? 0) as Ticks
  return {
    type: 'batch',
    track,
    ref: { index: track.key, startTicks, id: marks.id[i] ?? 0 },
    startTicks,
    durationTicks: (marks.durationTicks[i] ?? 0) as TickSpan,
    state: stateOf(marks.state[i] ?? 0),
    documents: marks.documents[i] ?? Number.NaN,
    bytes: marks.largestBytes[i] ?? Number.NaN,
    count: marks.count[i] ?? 1,
  }
}

function operationHit(track: LaneRow, { response }: Icicle, i: number): OperationHit {
  const nameOf = (at: number): OperationName | null =>
    response.names.find((each) => each.nameId === response.nameId[at]) ?? null
  const path = [nameOf(i)?.name ?? 'other']
  let depth = response.depth[i] ?? 0
  let parentTicks = Number.NaN
  // Rectangles are in pre-order, so the nearest previous one with a smaller depth is the parent.
  for (let at = i - 1; at >= 0 && depth > 0; at--) {
    const here = response.depth[at] ?? 0
    if (here >= depth) continue
    if (Number.isNaN(parentTicks)) parentTicks = response.reportedTicks[at] ?? Number.NaN
    if (here > 0) path.unshift(nameOf(at)?.name ?? 'other')
    depth = here
  }
  let root = i
  while (root > 0 && response.depth[root] !== 0) root--
  return {
    type: 'operation',
    track,
    ref: { index: track.key, startTicks: (response.batchTicks[i] ?? 0) as Ticks, id: response.id[i] ?? 0 },
    name: nameOf(i),
    path,
    depth: response.depth[i] ?? 0,
    startTicks: response.startTicks[i] ?? 0,
    durationTicks: response.durationTicks[i] ?? 0,
    reportedTicks: response.reportedTicks[i] ?? Number.NaN,
    parentTicks,
    batchTicks: response.durationTicks[root] ?? Number.NaN,
  }
}

/** Batch or operation at a point of the content; null: none. */
export function hitTestRows({ scale, layout, marks: held, icicles }: BatchPicture, at: Point): IndexingHit | null {
  const row = rowAt(layout, at.yPx)
  if (row?.index == null) return null
  const inTrack = at.yPx < row.trackPx.topPx + row.trackPx.heightPx + 2
  const marks = held.get(row.key)
  const mark = !inTrack || marks === undefined ? -1 : hitMark(marks, scale, at.xPx)
  if (mark >= 0 && marks !== undefined) return batchHit(row, marks, mark)
  const icicle = row.expanded ? icicles.get(row.key) : undefined
  const depth = Math.floor((at.yPx - depthTopPx(row, 1)) / DEPTH_PX) + 1
  const found = icicle === undefined || depth < 1 ? -1 : operationAt(icicle, depth, scale.toTicks(at.xPx))
  return icicle === undefined || found < 0 ? null : operationHit(row, icicle, found)
}
