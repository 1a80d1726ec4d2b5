import type { LaneData, LaneItem } from './lane.ts'
import { nearestMark } from '../../../charts/timeline/marks.ts'

/** Reference to a mark of a composed lane in the URL: `lane|io.journals|<start>|<duration>|<track>`. */
export interface LaneSelection {
  /** `chosenKey`. */
  readonly lane: string
  readonly startTicks: number
  readonly durationTicks: number
  readonly track: string
}

const escaped = (text: string): string => text.replace(/[%|]/g, encodeURIComponent)

export const formatSelection = ({ lane, startTicks, durationTicks, track }: LaneSelection): string =>
  `lane|${escaped(lane)}|${String(startTicks)}|${String(durationTicks)}|${escaped(track)}`

/** Parses a selection of the address; null: not that of a lane, but maybe of the panel. */
export function parseSelection(text: string | null): LaneSelection | null {
  const [, lane, start, duration, track] = /^lane\|([^|]+)\|(-?[\d.e+]+)\|([\d.e+-]+)\|([^|]*)$/s.exec(text ?? '') ?? []
  if (lane === undefined || track === undefined) return null
  try {
    return {
      lane: decodeURIComponent(lane),
      startTicks: Number(start),
      durationTicks: Number(duration),
      track: decodeURIComponent(track),
    }
  } catch {
    return null
  }
}

/** The selected mark among those read, or the nearest within the tolerance, ticks; null: not among them. */
export function findSelected(
  selection: LaneSelection | null,
  lanes: ReadonlyMap<string, LaneData>,
  toleranceTicks = 0,
): { readonly lane: string; readonly item: LaneItem } | null {
  if (selection === null) return null
  const { lane, startTicks } = selection
  const track = lanes.get(lane)?.tracks.find(({ key }) => key === selection.track)
  if (track === undefined) return null
  const near = nearestMark(track.marks, startTicks)
  // An open mark has a longer duration by now; of several with the same start, prefer the one with that duration.
  let found = -1
  for (let i = near; i >= 0 && track.marks.startTicks[i] === startTicks; i--) {
    if (found < 0 || track.marks.durationTicks[i] === selection.durationTicks) found = i
  }
  if (found < 0 && toleranceTicks > 0)
    found =
      [near, near + 1].find((i) => Math.abs((track.marks.startTicks[i] ?? Infinity) - startTicks) <= toleranceTicks) ??
      -1
  return found < 0 ? null : { lane, item: track.itemAt(found) }
}
