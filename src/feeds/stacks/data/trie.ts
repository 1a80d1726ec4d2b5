import type { FrameId, NodeId } from '../contract/ids.ts'

/** Maximum number of nodes of a tree, about 100 MB. Beyond it stacks end at the deepest existing node. */
export const MAX_NODES = 1 << 22

/**
 * Stacks as a prefix tree: a node is its parent and a frame, and represents the path from the root. Node 0 is the root
 * (an empty stack). A parent's number is smaller than its children's, so sums over subtrees are one pass backwards.
 *
 *     Main → Run → Wait       0 ─ 1 Main ─ 2 Run ─┬─ 3 Wait
 *     Main → Run → Read                           └─ 4 Read
 */
export class Trie {
  parents: Int32Array
  frames: Int32Array
  /** The newest child of a node, and its next older sibling; 0: none. */
  newest: Int32Array
  older: Int32Array
  /** 1: the frame is above it as well (recursion). For nodes created by `add`. */
  repeats: Uint8Array
  /** Number of nodes, the root included. */
  length = 1
  /** Open addressing over (parent, frame), for children with siblings, which are few; 0: free. */
  #slots = new Int32Array(1024)
  #placed = 0
  /** Number of the last `add` that met a frame, by frame. */
  #metBy = new Uint32Array(0)
  #adds = 0

  constructor(capacity = 1024) {
    this.parents = new Int32Array(capacity)
    this.frames = new Int32Array(capacity)
    this.newest = new Int32Array(capacity)
    this.older = new Int32Array(capacity)
    this.repeats = new Uint8Array(capacity)
    this.parents[0] = -1
    this.frames[0] = -1
  }

  /** Child of a node by frame, created if missing. The node itself if the tree is full. */
  child(parent: NodeId, frame: FrameId): NodeId {
    const newest = this.newest[parent] as number
    if (newest !== 0) {
      if (this.frames[newest] === frame) return newest
      if (this.older[newest] !== 0) {
        const known = this.#slots[this.#slotOf(parent, frame)] as number
        if (known !== 0) return known
      }
    }
    if (this.length >= MAX_NODES) return parent
    const node = this.length++
    if (node === this.parents.length) this.#grow()
    this.parents[node] = parent
    this.frames[node] = frame
    this.older[node] = newest
    this.newest[parent] = node
    if (newest !== 0) {
      if (this.older[newest] === 0) this.#place(newest)
      this.#place(node)
    }
    return node
  }

  /** Node of a complete stack, innermost frame first; creates missing nodes. */
  add(frames: readonly FrameId[]): NodeId {
    const add = ++this.#adds
    let node = 0
    for (let at = frames.length - 1; at >= 0; at--) {
      const frame = frames[at] as number
      const known = this.length
      node = this.child(node, frame)
      if (frame >= this.#metBy.length) this.#metBy = grown(this.#metBy, Math.max(1024, frame * 2))
      if (this.length > known && this.#metBy[frame] === add) this.repeats[node] = 1
      this.#metBy[frame] = add
    }
    return node
  }

  parent(node: NodeId): NodeId {
    return this.parents[node] as number
  }

  frame(node: NodeId): FrameId {
    return this.frames[node] as number
  }

  /** Number of frames from the root, which has 0. */
  depth(node: NodeId): number {
    let depth = 0
    for (let at = node; at > 0; at = this.parents[at] as number) depth++
    return depth
  }

  /** Frames, innermost first. */
  path(node: NodeId): FrameId[] {
    const path: FrameId[] = []
    for (let at = node; at > 0; at = this.parents[at] as number) path.push(this.frames[at] as number)
    return path
  }

  get isFull(): boolean {
    return this.length >= MAX_NODES
  }

  get byteLength(): number {
    return this.parents.byteLength * 4 + this.repeats.byteLength + this.#slots.byteLength
  }

  /** Slot of the child of a parent by frame, used or free. */
  #slotOf(parent: NodeId, frame: FrameId): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(parent, frame) & mask
    for (;;) {
      const node = this.#slots[slot] as number
      if (node === 0 || (this.parents[node] === parent && this.frames[node] === frame)) return slot
      slot = (slot + 1) & mask
    }
  }

  #place(node: NodeId): void {
    if (++this.#placed * 2 > this.#slots.length) this.#rehash()
    this.#slots[this.#slotOf(this.parents[node] as number, this.frames[node] as number)] = node
  }

  #rehash(): void {
    const placed = this.#slots
    this.#slots = new Int32Array(placed.length * 4)
    for (const node of placed)
      if (node !== 0) this.#slots[this.#slotOf(this.parents[node] as number, this.frames[node] as number)] = node
  }

  #grow(): void {
    const capacity = this.parents.length * 4
    this.parents = grown(this.parents, capacity)
    this.frames = grown(this.frames, capacity)
    this.newest = grown(this.newest, capacity)
    this.older = grown(this.older, capacity)
    this.repeats = grown(this.repeats, capacity)
  }
}

function grown<Column extends Int32Array | Uint32Array | Uint8Array>(column: Column, capacity: number): Column {
  const larger = new (column.constructor as new (length: number) => Column)(capacity)
  larger.set(column)
  return larger
}

function hashOf(parent: number, frame: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame + 1, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
