import type { FrameId, NodeId } from '../../contract/ids.ts'

/** Node of a view. Its children are created on demand: most nodes are narrower than a pixel and never need them. */
export class TreeNode {
  readonly id: NodeId
  /** −1: the root. */
  readonly frame: FrameId
  readonly parent: TreeNode | null
  /** Number of frames from the root, which has 0. */
  readonly depth: number
  /** Weights of the node with everything below it, and of its own. */
  weight = 0
  against = 0
  self = 0
  selfAgainst = 0
  /** Nodes of the store's stacks that it represents. */
  readonly parts: number[] = []
  /** For `Upwards`: beside each part, the number of the start that led to it. */
  readonly starts: number[] = []
  /** Heaviest first; null: not created yet. */
  children: readonly TreeNode[] | null = null

  constructor(id: NodeId, frame: FrameId, parent: TreeNode | null) {
    this.id = id
    this.frame = frame
    this.parent = parent
    this.depth = parent === null ? 0 : parent.depth + 1
  }

  /** Weight that determines the width of a mark: both sides together, so that swapping them moves nothing. */
  get width(): number {
    return this.weight + this.against
  }
}

/** Children of one node by frame, while they are created. */
export class Siblings {
  readonly #byFrame = new Map<FrameId, TreeNode>()
  readonly #parent: TreeNode
  readonly #idOf: (frame: FrameId) => NodeId

  constructor(parent: TreeNode, idOf: (frame: FrameId) => NodeId) {
    this.#parent = parent
    this.#idOf = idOf
  }

  of(frame: FrameId): TreeNode {
    const known = this.#byFrame.get(frame)
    if (known !== undefined) return known
    const node = new TreeNode(this.#idOf(frame), frame, this.#parent)
    this.#byFrame.set(frame, node)
    return node
  }

  /** Heaviest first; equal ones by frame, so that swapping the sides of a comparison moves nothing. */
  sorted(): TreeNode[] {
    return [...this.#byFrame.values()].toSorted((a, b) => b.width - a.width || a.frame - b.frame)
  }
}
