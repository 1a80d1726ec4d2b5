import type { FrameId, NodeId, TreeView } from '../queries.ts'
import { Trie } from '../trie.ts'
import type { Stem } from './stems.ts'

/** A tree of one direction over a stem. It only grows: the same path keeps its node. */
export interface Directed {
  readonly trie: Trie
  /** Weights of the stem (`self`: ends there) → what ends at each node of the tree. */
  readonly place: (self: Float64Array) => Float64Array
  /** Where a sample that ends at this node of the stem ends in the tree; −1: nowhere. */
  readonly endOf: (node: NodeId) => NodeId
}

/** Not even the root's, which is −1. */
const NO_FRAME: FrameId = -2

export function directed(stem: Stem, direction: TreeView['direction'], focus: FrameId | null): Directed {
  if (direction === 'top-down') return { trie: stem.trie, place: (self) => self, endOf: (node) => node }
  if (direction === 'bottom-up') return new BottomUp(stem)
  return direction === 'callees' ? new Callees(stem, focus ?? NO_FRAME) : new Callers(stem, focus ?? NO_FRAME)
}

/** A column by node that grows with a tree; `unset` where nothing was written. */
class NodeColumn {
  #values = new Int32Array(0)
  readonly #unset: number

  constructor(unset: number) {
    this.#unset = unset
  }

  get(node: NodeId): number {
    return this.#values[node] ?? this.#unset
  }

  reserve(length: number): void {
    if (length <= this.#values.length) return
    const larger = new Int32Array(Math.max(length, this.#values.length * 2)).fill(this.#unset)
    larger.set(this.#values)
    this.#values = larger
  }

  set(node: NodeId, value: number): void {
    this.#values[node] = value
  }
}

/** Leaves first: a path is the stack turned round. */
class BottomUp implements Directed {
  readonly trie = new Trie()
  readonly #stem: Stem
  readonly #ends = new NodeColumn(-1)

  constructor(stem: Stem) {
    this.#stem = stem
  }

  endOf(node: NodeId): NodeId {
    this.#ends.reserve(node + 1)
    const known = this.#ends.get(node)
    if (known !== -1) return known
    const end = turned(this.#stem.trie, node, this.trie)
    this.#ends.set(node, end)
    return end
  }

  place(self: Float64Array): Float64Array {
    const ends: NodeId[] = []
    self.forEach((weight, node) => {
      if (weight > 0) ends[node] = this.endOf(node)
    })
    const placed = new Float64Array(this.trie.length)
    ends.forEach((end, node) => (placed[end] = (placed[end] as number) + (self[node] as number)))
    return placed
  }
}

/** What a frame calls. Where it calls itself, the outermost is where the path begins. */
class Callees implements Directed {
  readonly trie = new Trie()
  readonly #stem: Stem
  readonly #focus: FrameId
  readonly #places = new NodeColumn(-1)
  #known = 0

  constructor(stem: Stem, focus: FrameId) {
    this.#stem = stem
    this.#focus = focus
  }

  endOf(node: NodeId): NodeId {
    this.#extend()
    return this.#places.get(node)
  }

  place(self: Float64Array): Float64Array {
    this.#extend()
    const placed = new Float64Array(this.trie.length)
    self.forEach((weight, node) => {
      const place = this.#places.get(node)
      if (place !== -1) placed[place] = (placed[place] as number) + weight
    })
    return placed
  }

  #extend(): void {
    const { trie } = this.#stem
    this.#places.reserve(trie.length)
    for (; this.#known < trie.length; this.#known++) {
      const frame = trie.frame(this.#known)
      const above = this.#known === 0 ? -1 : this.#places.get(trie.parent(this.#known))
      if (above !== -1) this.#places.set(this.#known, this.trie.child(above, frame))
      else if (frame === this.#focus) this.#places.set(this.#known, this.trie.child(0, frame))
    }
  }
}

/** Who calls a frame: the paths above its outermost places, turned round. */
class Callers implements Directed {
  readonly trie = new Trie()
  readonly #stem: Stem
  readonly #focus: FrameId
  /** Outermost place of the focus at or above a node; −1: none. */
  readonly #outermost = new NodeColumn(-1)
  readonly #ends = new NodeColumn(-1)
  #known = 0

  constructor(stem: Stem, focus: FrameId) {
    this.#stem = stem
    this.#focus = focus
  }

  endOf(node: NodeId): NodeId {
    this.#extend()
    const at = this.#outermost.get(node)
    if (at === -1) return -1
    this.#ends.reserve(at + 1)
    const known = this.#ends.get(at)
    if (known !== -1) return known
    const end = turned(this.#stem.trie, at, this.trie)
    this.#ends.set(at, end)
    return end
  }

  place(self: Float64Array): Float64Array {
    const ends: NodeId[] = []
    self.forEach((weight, node) => {
      if (weight > 0) ends[node] = this.endOf(node)
    })
    const placed = new Float64Array(this.trie.length)
    ends.forEach((end, node) => {
      if (end !== -1) placed[end] = (placed[end] as number) + (self[node] as number)
    })
    return placed
  }

  #extend(): void {
    const { trie } = this.#stem
    this.#outermost.reserve(trie.length)
    for (; this.#known < trie.length; this.#known++) {
      const above = this.#known === 0 ? -1 : this.#outermost.get(trie.parent(this.#known))
      if (above !== -1) this.#outermost.set(this.#known, above)
      else if (trie.frame(this.#known) === this.#focus) this.#outermost.set(this.#known, this.#known)
    }
  }
}

function turned(from: Trie, node: NodeId, into: Trie): NodeId {
  let end = 0
  for (let at = node; at > 0; at = from.parent(at)) end = into.child(end, from.frame(at))
  return end
}
