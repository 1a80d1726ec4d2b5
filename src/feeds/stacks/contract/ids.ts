/*
 * Numbers of this page: they hold while it is open, and mean nothing in a link. A link carries texts: `JobKey`, a frame's
 * full text (`stacks.findFrame`), a path of them (`stacks.findNode`).
 */

/** A snapshot; ids increase in order of arrival. */
export type SnapshotId = number
/** Id of a distinct frame; −1: none, or several (see `FlameMarks`). */
export type FrameId = number
/** A node of a view; 0 is its root, −1 none. The same path keeps its id when snapshots are added. */
export type NodeId = number

/** Stable text for links: `index:bench/Orders/ByCompany`, `merger:bench`, `pool`, `unrecognised:My thread`. */
export type JobKey = string
