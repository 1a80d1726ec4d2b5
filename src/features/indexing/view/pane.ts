/** Axis and frame of a chart of lanes, px. */
export const LANES_FRAME_PX = 38
/** Lanes higher than this scroll in a pane of their own, px: some 40 indexes. */
export const MOST_LANES_PX = 1100
