import type { FrameId, NodeId } from '../../contract/ids.ts'

/** Node of a view. Its children are made on demand: most nodes are narrower than a pixel, and never need theirs. */
export class TreeNode {
  readonly id: NodeId
  /** −1: the root. */
  readonly frame: FrameId
  readonly parent: TreeNode | null
  /** Frames from the root; the root is 0. */
  readonly depth: number
  /** Weights of the node and everything below, and its own part of them. */
  weight = 0
  against = 0
  self = 0
  selfAgainst = 0
  /** Nodes of the store's stacks that it represents. */
  readonly parts: number[] = []
  /** Upwards: beside each part, which of the starts came here. */
  readonly starts: number[] = []
  /** Heaviest first; null: not made yet. */
  children: readonly TreeNode[] | null = null

  constructor(id: NodeId, frame: FrameId, parent: TreeNode | null) {
    this.id = id
    this.frame = frame
    this.parent = parent
    this.depth = parent === null ? 0 : parent.depth + 1
  }

  /** Weight that decides the width of a mark: both sides together, so that swapping them changes no place. */
  get width(): number {
    return this.weight + this.against
  }
}

/** Children of one node by frame, as they come. */
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

  /** Heaviest first; of equal ones in the order of their frames, so that the sides of a comparison change no place. */
  sorted(): TreeNode[] {
    return [...this.#byFrame.values()].toSorted((a, b) => b.width - a.width || a.frame - b.frame)
  }
}
