import { nearestMark, type MarkColumns } from '../marks.ts'
import type { LaneBox } from './box.ts'
import type { LaneFocus, LaneMark, LanePicture } from './contract.ts'

/** Picture with the marks of each track as columns, by the track's key. Tracks without a response are missing. */
export interface MarkPicture<Marks extends MarkColumns> extends LanePicture {
  readonly marks: ReadonlyMap<string, Marks>
}

/** Keyboard focus for marks in columns. Begins at the longest mark in view. */
export function markFocus<Marks extends MarkColumns, Picture extends MarkPicture<Marks>, Mark extends LaneMark>(
  markAt: (track: Picture['layout']['tracks'][number], marks: Marks, mark: number) => Mark,
): LaneFocus<Picture, Mark> {
  return {
    first: ({ layout, marks, scale }, inSight) => {
      const { startTicks, endTicks } = scale.range
      let best: Mark | null = null
      for (const track of layout.tracks) {
        const row = inSight.has(track.key) ? marks.get(track.key) : undefined
        if (row === undefined) continue
        for (let i = nearestMark(row, startTicks); i >= 0 && i < row.length; i++) {
          const start = row.startTicks[i] ?? 0
          if (start >= endTicks) break
          if (start >= startTicks && (best === null || (row.durationTicks[i] ?? 0) > best.durationTicks))
            best = markAt(track, row, i)
        }
      }
      return best
    },
    step: ({ marks }, from, by) => {
      const row = marks.get(from.track.key)
      if (row === undefined) return null
      const at = placeOf(row, from, by) + by
      return at < 0 || at >= row.length ? null : markAt(from.track, row, at)
    },
    stepTrack: ({ layout, marks }, from, by) => {
      const { tracks } = layout
      let at = tracks.findIndex((track: LaneBox) => track.key === from.track.key)
      if (at < 0) return null
      for (at += by; at >= 0 && at < tracks.length; at += by) {
        const track = tracks[at]
        const row = track === undefined ? undefined : marks.get(track.key)
        if (track === undefined || row === undefined) return null
        const nearest = nearestMark(row, from.startTicks)
        if (nearest >= 0) return markAt(track, row, nearest)
      }
      return null
    },
  }
}

/** Index of a mark. Of identical marks the last one in the direction, so that steps get past them. */
function placeOf(row: MarkColumns, { startTicks, durationTicks }: LaneMark, by: 1 | -1): number {
  const last = nearestMark(row, startTicks)
  let found = last
  for (let at = last; at >= 0 && row.startTicks[at] === startTicks; at--) {
    if (row.durationTicks[at] !== durationTicks) continue
    if (by === 1) return at
    found = at
  }
  return found
}
