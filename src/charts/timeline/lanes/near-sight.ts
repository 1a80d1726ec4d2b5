import { visibleSlice } from '../visible-slice.ts'
import type { LaneBox } from './box.ts'

/** Part of the content in view, below the axis. */
export interface LaneSight {
  readonly scrollPx: number
  readonly heightPx: number
  /** Width of the plot, CSS pixels. */
  readonly widthPx: number
}

/** Margin, in steps, within which boxes are requested as well, so that a scroll finds them loaded. */
const OVERSCAN_PX = 240

/** Boxes in or near the view, whose marks are requested. Empty before the plot has a size. */
export function nearSight<Box extends LaneBox>(
  { scrollPx, heightPx, widthPx }: LaneSight,
  boxes: readonly Box[],
): readonly Box[] {
  if (widthPx <= 0) return []
  const from = Math.floor(scrollPx / OVERSCAN_PX) * OVERSCAN_PX - OVERSCAN_PX
  const to = Math.ceil((scrollPx + heightPx) / OVERSCAN_PX) * OVERSCAN_PX + OVERSCAN_PX
  return visibleSlice(boxes, from, to)
}
