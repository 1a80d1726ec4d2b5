import type { FrameName } from './frames.ts'
import type { SnapshotId, NodeId } from './ids.ts'
import type { StackLine } from './jobs.ts'
import type { TreeView } from './samples.ts'

export type StackTextParams =
  { readonly snapshot: SnapshotId; readonly threadId: number } | { readonly view: TreeView; readonly node: NodeId }

export interface StackText {
  /** Text from the leaf, a frame a line, with full names; for a thread with a heading line (id, name, state, CPU). */
  readonly text: string
  /** Frames from the leaf. */
  readonly frames: readonly FrameName[]
  readonly line: StackLine | null
  /** Threads (snapshot and id) with this stack, at most 200. */
  readonly threads: readonly { readonly snapshot: SnapshotId; readonly id: number; readonly name: string }[]
  readonly threadCount: number
  /** Objects on the stack, if the older tool reported them. */
  readonly objects: readonly string[]
}
