import { visibleSlice } from '../visible-slice.ts'
import type { LaneBox } from './box.ts'

/** Stretch of the content that is in sight, below the axis. */
export interface LaneSight {
  readonly scrollPx: number
  readonly heightPx: number
  /** Width of the plot. */
  readonly widthPx: number
}

/** Boxes beyond the edges are requested as well, in steps, so that a scroll finds them there. */
const OVERSCAN_PX = 240

/** Boxes in and near sight: those whose marks are requested. None before the plot has a size. */
export function nearSight<Box extends LaneBox>(
  { scrollPx, heightPx, widthPx }: LaneSight,
  boxes: readonly Box[],
): readonly Box[] {
  if (widthPx <= 0) return []
  const from = Math.floor(scrollPx / OVERSCAN_PX) * OVERSCAN_PX - OVERSCAN_PX
  const to = Math.ceil((scrollPx + heightPx) / OVERSCAN_PX) * OVERSCAN_PX + OVERSCAN_PX
  return visibleSlice(boxes, from, to)
}
