import { nearestMark } from '../../../../charts/timeline/marks.ts'
import { markHit, type MarkHit } from './hits.ts'
import type { IoLayout } from './layout.ts'
import type { RowMarks } from './marks.ts'

type Marks = ReadonlyMap<string, RowMarks>

/** The slowest mark among the given tracks that starts in the range: where keyboard focus begins. */
export function firstFocus(
  layout: IoLayout,
  marks: Marks,
  startTicks: number,
  endTicks: number,
  trackKeys: ReadonlySet<string>,
): MarkHit | null {
  let best: MarkHit | null = null
  for (const track of layout.tracks) {
    const row = trackKeys.has(track.key) ? marks.get(track.key) : undefined
    if (row === undefined) continue
    for (let i = nearestMark(row, startTicks); i >= 0 && i < row.length; i++) {
      const start = row.startTicks[i] ?? 0
      if (start >= endTicks) break
      if (start >= startTicks && (best === null || (row.durationTicks[i] ?? 0) > best.durationTicks))
        best = markHit(track, row, i)
    }
  }
  return best
}

/** The next mark of the same row in that direction; null: it was the last that is loaded. */
export function stepMark(marks: Marks, from: MarkHit, by: 1 | -1): MarkHit | null {
  const row = marks.get(from.track.key)
  if (row === undefined) return null
  const at = nearestMark(row, from.startTicks) + by
  return at < 0 || at >= row.length ? null : markHit(from.track, row, at)
}

/** The mark nearest in time on the next row up or down that has any. */
export function stepTrack(layout: IoLayout, marks: Marks, from: MarkHit, by: 1 | -1): MarkHit | null {
  let at = layout.tracks.findIndex((track) => track.key === from.track.key)
  if (at < 0) return null
  for (at += by; at >= 0 && at < layout.tracks.length; at += by) {
    const track = layout.tracks[at]
    const row = track === undefined ? undefined : marks.get(track.key)
    if (track === undefined || row === undefined) return null
    const nearest = nearestMark(row, from.startTicks)
    if (nearest >= 0) return markHit(track, row, nearest)
  }
  return null
}
