import { FOLDED } from '../frames.ts'
import type { StackStore } from '../table.ts'
import type { Growth, SearchPasses } from './growth.ts'
import type { Siblings, TreeNode } from './node.ts'
import type { StemWeights } from './weights.ts'

/**
 * Grows from the roots: a node represents nodes of the store's stacks, and its children represent theirs. With `from`,
 * paths begin at those nodes instead of the root.
 */
export class Downwards implements Growth {
  readonly #store: StackStore
  readonly #weights: StemWeights
  readonly #seen: Int32Array
  readonly #from: readonly number[] | null
  /** Levels of a path, and of the deepest node with any weight below a node. */
  readonly #depths: Uint16Array
  readonly #deepest: Uint16Array

  constructor(
    store: StackStore,
    weights: StemWeights,
    seen: Int32Array,
    depths: Uint16Array,
    from: readonly number[] | null,
  ) {
    this.#store = store
    this.#weights = weights
    this.#seen = seen
    this.#depths = depths
    this.#from = from
    const { parents } = store.stacks
    const deepest = new Uint16Array(weights.length)
    for (const end of weights.ends) deepest[end] = depths[end] as number
    for (let node = weights.length - 1; node > 0; node--) {
      const parent = parents[node] as number
      if ((deepest[node] as number) > (deepest[parent] as number)) deepest[parent] = deepest[node] as number
    }
    this.#deepest = deepest
  }

  begin(root: TreeNode): void {
    const { own, against } = this.#weights
    if (this.#from !== null) {
      for (const node of this.#from) {
        root.weight += own.whole[node] as number
        root.against += against.whole[node] as number
      }
      return
    }
    root.weight = own.whole[0] as number
    root.against = against.whole[0] as number
    root.self = own.self[0] as number
    root.selfAgainst = against.self[0] as number
    root.parts.push(0)
  }

  grow(node: TreeNode, siblings: Siblings): void {
    if (node.depth === 0 && this.#from !== null) {
      for (const part of this.#from) this.#enter(part, siblings)
      return
    }
    const { newest, older, frames } = this.#store.stacks
    const isRun = node.frame === FOLDED
    for (const part of node.parts)
      for (let child = newest[part] as number; child !== 0; child = older[child] as number) {
        // Frames that are folded into a run belong to it already.
        if (isRun && this.#seen[frames[child] as number] === FOLDED) continue
        this.#enter(child, siblings)
      }
  }

  height(node: TreeNode): number {
    if (node.depth === 0 && this.#from !== null)
      return this.#from.reduce((most, part) => Math.max(most, this.#below(part) + 1), 0)
    return node.parts.reduce((most, part) => Math.max(most, this.#below(part)), 0)
  }

  #below(part: number): number {
    return Math.max(0, (this.#deepest[part] as number) - (this.#depths[part] as number))
  }

  /** Whether a path ends somewhere below the node. */
  holds(node: TreeNode): (end: number) => boolean {
    const { parents } = this.#store.stacks
    const inside = new Uint8Array(this.#weights.length)
    for (const part of node.depth === 0 && this.#from !== null ? this.#from : node.parts) inside[part] = 1
    for (let at = 1; at < inside.length; at++) if (inside[parents[at] as number] === 1) inside[at] = 1
    return (end) => inside[end] === 1
  }

  search(hits: Uint8Array): SearchPasses {
    const { parents, frames } = this.#store.stacks
    const { length, own, against, ends } = this.#weights
    const seen = this.#seen
    /** 1: on a path; 2: on a path, and a frame of it has matched. */
    const state = new Uint8Array(length)
    if (this.#from === null) state[0] = 1
    else for (const node of this.#from) state[node] = 1
    const below = new Uint8Array(length)
    const found = new Set<number>()
    for (let node = 0; node < length; node++) {
      const above = node === 0 ? 0 : (state[parents[node] as number] as number)
      if (above > (state[node] as number)) state[node] = above
      if (node === 0 || state[node] === 0) continue
      const frame = seen[frames[node] as number] as number
      if (hits[frame] !== 1 || (own.whole[node] as number) + (against.whole[node] as number) === 0) continue
      state[node] = 2
      below[node] = 1
      found.add(frame)
    }
    for (let node = length - 1; node > 0; node--) if (below[node] === 1) below[parents[node] as number] = 1
    let weight = 0
    let weightAgainst = 0
    for (const end of ends) {
      if (state[end] !== 2) continue
      weight += own.self[end] as number
      weightAgainst += against.self[end] as number
    }
    return {
      weight,
      against: weightAgainst,
      frames: found.size,
      matches: ({ parts }) => parts.some((at) => below[at] === 1),
    }
  }

  #enter(part: number, siblings: Siblings): void {
    const { length, own, against } = this.#weights
    if (part >= length) return
    const weight = own.whole[part] as number
    const weightAgainst = against.whole[part] as number
    if (weight + weightAgainst === 0) return
    const frame = this.#seen[this.#store.stacks.frames[part] as number] as number
    const node = siblings.of(frame)
    node.weight += weight
    node.against += weightAgainst
    this.#take(node, part)
    if (frame === FOLDED) this.#takeRun(node, part)
  }

  #take(node: TreeNode, part: number): void {
    const { own, against } = this.#weights
    node.parts.push(part)
    node.self += own.self[part] as number
    node.selfAgainst += against.self[part] as number
  }

  /** Joins all connected folded nodes below `part` into one node. */
  #takeRun(node: TreeNode, part: number): void {
    const { newest, older, frames } = this.#store.stacks
    const { length, own, against } = this.#weights
    const waiting = [part]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
      for (let child = newest[at] as number; child !== 0; child = older[child] as number) {
        if (child >= length || this.#seen[frames[child] as number] !== FOLDED) continue
        if ((own.whole[child] as number) + (against.whole[child] as number) === 0) continue
        this.#take(node, child)
        waiting.push(child)
      }
  }
}
