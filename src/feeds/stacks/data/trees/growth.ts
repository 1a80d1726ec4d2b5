import type { Siblings, TreeNode } from './node.ts'

/** Matches of a search in a view. */
export interface SearchPasses {
  /** Weight of the samples with a frame that matches, each once. */
  readonly weight: number
  readonly against: number
  /** Distinct frames that match. */
  readonly frames: number
  /** Whether the node's frame, or one below it, matches. */
  readonly matches: (node: TreeNode) => boolean
}

/** Growth of a view of one direction, a node at a time. */
export interface Growth {
  /** Fills the root's weights. */
  readonly begin: (root: TreeNode) => void
  /** Makes the children of a node. */
  readonly grow: (node: TreeNode, siblings: Siblings) => void
  /** Levels below a node. */
  readonly height: (node: TreeNode) => number
  /** Whether samples that end at a node of the store's stacks are among those of `node`. */
  readonly holds: (node: TreeNode) => (end: number) => boolean
  /** `hits`: 1 for frames that match. O(nodes of the store), four quick passes. */
  readonly search: (hits: Uint8Array) => SearchPasses
}
