/*
 * Numbers of this page: they hold while it is open, and mean nothing in a link. A link carries texts: `JobKey`, a frame's
 * full text (`stacks.findFrame`), a path of them (`stacks.findNode`).
 */

/** A snapshot; ascending in the order in which they came. */
export type SnapshotId = number
/** An interned frame; −1: none, or many (see `FlameMarks`). */
export type FrameId = number
/** A node of a view; 0 is the view's root, −1 none. The same path keeps its id when snapshots are added. */
export type NodeId = number

/** Stable and fit for a link: `index:bench/Orders/ByCompany`, `merger:bench`, `pool`, `unrecognised:My thread`. */
export type JobKey = string
