import type { LaneId } from '../../../capture/frame/lanes/lane.ts'

/** Lanes higher than this scroll in a pane of their own, px: some 40 indexes. */
export const MOST_LANES_PX = 1100

/** Keeps the same empty list each time, so that nothing is redrawn for it. */
export const NO_LANES_BELOW: readonly LaneId[] = []
