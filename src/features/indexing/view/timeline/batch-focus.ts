import { nearestMark } from '../../../../charts/timeline/marks.ts'
import type { BatchMarks } from './draw-batches.ts'
import { batchHit, type BatchHit } from './hits.ts'
import type { LaneRow } from './layout.ts'

type Marks = ReadonlyMap<string, BatchMarks>

/** The longest batch among the given lanes that starts in the range: where keyboard focus begins. */
export function firstFocus(
  rows: readonly LaneRow[],
  marks: Marks,
  startTicks: number,
  endTicks: number,
): BatchHit | null {
  let best: BatchHit | null = null
  for (const row of rows) {
    const lane = marks.get(row.key)
    if (lane === undefined) continue
    for (let i = Math.max(0, nearestMark(lane, startTicks)); i < lane.length; i++) {
      const start = lane.startTicks[i] ?? 0
      if (start >= endTicks) break
      if (start >= startTicks && (best === null || (lane.durationTicks[i] ?? 0) > best.durationTicks))
        best = batchHit(row, lane, i)
    }
  }
  return best
}

/** The next batch of the same lane in that direction; null: it was the last that is loaded. */
export function stepBatch(marks: Marks, from: BatchHit, by: 1 | -1): BatchHit | null {
  const lane = marks.get(from.row.key)
  if (lane === undefined) return null
  const at = nearestMark(lane, from.ref.startTicks) + by
  return at < 0 || at >= lane.length ? null : batchHit(from.row, lane, at)
}

/** The batch nearest in time on the next lane up or down that has any. */
export function stepLane(rows: readonly LaneRow[], marks: Marks, from: BatchHit, by: 1 | -1): BatchHit | null {
  const start = rows.findIndex((row) => row.key === from.row.key)
  if (start < 0) return null
  for (let at = start + by; at >= 0 && at < rows.length; at += by) {
    const row = rows[at]
    if (row === undefined || row.index === null) continue
    const lane = marks.get(row.key)
    if (lane === undefined) return null
    const nearest = nearestMark(lane, from.ref.startTicks)
    if (nearest >= 0) return batchHit(row, lane, nearest)
  }
  return null
}
