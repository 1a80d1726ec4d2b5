import type { Siblings, TreeNode } from './node.ts'

/** Matches of a search in a view. */
export interface SearchPasses {
  /** Weight of the samples with a matching frame, each counted once. */
  readonly weight: number
  readonly against: number
  /** Number of distinct matching frames. */
  readonly frames: number
  /** Whether the node's frame, or one below it, matches. */
  readonly matches: (node: TreeNode) => boolean
}

/** Expands a view of one direction, a node at a time. */
export interface Growth {
  /** Computes the root's weights. */
  readonly begin: (root: TreeNode) => void
  /** Creates the children of a node. */
  readonly grow: (node: TreeNode, siblings: Siblings) => void
  /** Number of levels below a node. */
  readonly height: (node: TreeNode) => number
  /** Whether samples that end at a node of the store's stacks belong to `node`. */
  readonly holds: (node: TreeNode) => (end: number) => boolean
  /** `hits`: 1 for matching frames. O(nodes of the store), four fast passes. */
  readonly search: (hits: Uint8Array) => SearchPasses
}
