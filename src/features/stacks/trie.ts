import type { FrameId, NodeId } from './queries.ts'

/** Nodes of one tree: about 70 MB. Beyond it stacks end at the deepest node that is there. */
export const MAX_NODES = 1 << 22

/**
 * Stacks as a prefix tree: a node is its parent and a frame, and stands for the path from the root. Node 0 is the root
 * (an empty stack). A parent's number is smaller than its children's, so sums over subtrees are one pass backwards.
 *
 *     Main → Run → Wait       0 ─ 1 Main ─ 2 Run ─┬─ 3 Wait
 *     Main → Run → Read                           └─ 4 Read
 */
export class Trie {
  parents: Int32Array
  frames: Int32Array
  /** Nodes, the root included. */
  length = 1
  /** Open addressing over (parent, frame); 0: free. */
  #slots: Int32Array
  #mask: number

  constructor(capacity = 1024) {
    this.parents = new Int32Array(capacity)
    this.frames = new Int32Array(capacity)
    this.parents[0] = -1
    this.frames[0] = -1
    this.#slots = new Int32Array(capacity * 2)
    this.#mask = capacity * 2 - 1
  }

  /** The child of a node by a frame; made where it is missing. The node itself when the tree is full. */
  child(parent: NodeId, frame: FrameId): NodeId {
    let slot = hashOf(parent, frame) & this.#mask
    for (;;) {
      const node = this.#slots[slot] as number
      if (node === 0) break
      if (this.parents[node] === parent && this.frames[node] === frame) return node
      slot = (slot + 1) & this.#mask
    }
    if (this.length >= MAX_NODES) return parent
    const node = this.length++
    if (node === this.parents.length) {
      this.#grow()
      slot = this.#freeSlot(parent, frame)
    }
    this.parents[node] = parent
    this.frames[node] = frame
    this.#slots[slot] = node
    return node
  }

  /** −1: there is none. */
  findChild(parent: NodeId, frame: FrameId): NodeId {
    let slot = hashOf(parent, frame) & this.#mask
    for (;;) {
      const node = this.#slots[slot] as number
      if (node === 0) return -1
      if (this.parents[node] === parent && this.frames[node] === frame) return node
      slot = (slot + 1) & this.#mask
    }
  }

  parent(node: NodeId): NodeId {
    return this.parents[node] as number
  }

  frame(node: NodeId): FrameId {
    return this.frames[node] as number
  }

  /** Frames from the root; the root is 0. */
  depth(node: NodeId): number {
    let depth = 0
    for (let at = node; at > 0; at = this.parents[at] as number) depth++
    return depth
  }

  /** Innermost first. */
  path(node: NodeId): FrameId[] {
    const path: FrameId[] = []
    for (let at = node; at > 0; at = this.parents[at] as number) path.push(this.frames[at] as number)
    return path
  }

  /** Whether `node` is `above` or below it. */
  isWithin(node: NodeId, above: NodeId): boolean {
    let at = node
    while (at > above) at = this.parents[at] as number
    return at === above
  }

  get isFull(): boolean {
    return this.length >= MAX_NODES
  }

  get byteLength(): number {
    return this.parents.byteLength + this.frames.byteLength + this.#slots.byteLength
  }

  #freeSlot(parent: NodeId, frame: FrameId): number {
    let slot = hashOf(parent, frame) & this.#mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
    return slot
  }

  #grow(): void {
    const capacity = this.parents.length * 4
    this.parents = grown(this.parents, capacity)
    this.frames = grown(this.frames, capacity)
    this.#slots = new Int32Array(capacity * 2)
    this.#mask = capacity * 2 - 1
    for (let node = 1; node < this.length - 1; node++)
      this.#slots[this.#freeSlot(this.parents[node] as number, this.frames[node] as number)] = node
  }
}

function grown(column: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity)
  larger.set(column)
  return larger
}

function hashOf(parent: number, frame: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame + 1, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
