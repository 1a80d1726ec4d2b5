import type { LaneId } from '../../../capture/frame/lanes/lane.ts'

/** Height above which lanes scroll in a pane of their own, px; about 40 indexes. */
export const MOST_LANES_PX = 1100

/** Constant, so that nothing is redrawn for a new array. */
export const NO_LANES_BELOW: readonly LaneId[] = []
