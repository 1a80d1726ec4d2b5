import { FOLDED } from '../frames.ts'
import type { StackStore } from '../table.ts'
import type { Growth, SearchPasses } from './growth.ts'
import type { Siblings, TreeNode } from './node.ts'
import type { Side, StemWeights } from './weights.ts'

/**
 * Grows from the leaves: paths begin where samples end, or (with `from`) at those nodes with everything below them, and
 * go towards the root. A node represents the places on those paths that were reached through the same frames.
 */
export class Upwards implements Growth {
  readonly #store: StackStore
  readonly #weights: StemWeights
  readonly #seen: Int32Array
  readonly #depths: Uint16Array
  readonly #isWhole: boolean
  readonly #begins: readonly number[]
  readonly #own: Float64Array
  readonly #against: Float64Array

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
    this.#isWhole = from === null
    this.#begins = from ?? weights.ends
    const column = (side: Side): Float64Array => (from === null ? side.self : side.whole)
    this.#own = column(weights.own)
    this.#against = column(weights.against)
  }

  begin(root: TreeNode): void {
    for (const node of this.#begins) {
      root.weight += this.#own[node] as number
      root.against += this.#against[node] as number
    }
    // An empty stack begins and ends at the root.
    if (this.#isWhole) {
      root.self = this.#own[0] as number
      root.selfAgainst = this.#against[0] as number
    }
  }

  grow(node: TreeNode, siblings: Siblings): void {
    if (node.depth === 0) {
      for (const start of this.#begins) this.#enter(start, start, siblings)
      return
    }
    const { parents } = this.#store.stacks
    node.parts.forEach((part, i) => this.#enter(parents[part] as number, node.starts[i] as number, siblings))
  }

  height(node: TreeNode): number {
    const { parts } = node
    if (node.depth === 0) return this.#begins.reduce((most, at) => Math.max(most, this.#depths[at] as number), 0)
    return parts.reduce((most, part) => Math.max(most, (this.#depths[part] as number) - 1), 0)
  }

  holds(node: TreeNode): (end: number) => boolean {
    const starts = new Set(node.depth === 0 ? this.#begins : node.starts)
    if (this.#isWhole) return (end) => starts.has(end)
    const { parents } = this.#store.stacks
    const inside = new Uint8Array(this.#weights.length)
    for (const start of starts) inside[start] = 1
    for (let at = 1; at < inside.length; at++) if (inside[parents[at] as number] === 1) inside[at] = 1
    return (end) => inside[end] === 1
  }

  search(hits: Uint8Array): SearchPasses {
    const { parents, frames } = this.#store.stacks
    const { length } = this.#weights
    const seen = this.#seen
    /** 1: a frame at it or above it matches. */
    const matched = new Uint8Array(length)
    for (let node = 1; node < length; node++)
      if (matched[parents[node] as number] === 1 || hits[seen[frames[node] as number] as number] === 1)
        matched[node] = 1
    let weight = 0
    let against = 0
    /** Whether each node is on a path of the view. */
    const isIn = new Uint8Array(length)
    for (const start of this.#begins) {
      isIn[start] = 1
      if (matched[start] !== 1) continue
      weight += this.#own[start] as number
      against += this.#against[start] as number
    }
    const found = new Set<number>()
    for (let node = length - 1; node > 0; node--) {
      if (isIn[node] !== 1) continue
      isIn[parents[node] as number] = 1
      const frame = seen[frames[node] as number] as number
      if (hits[frame] === 1) found.add(frame)
    }
    return { weight, against, frames: found.size, matches: ({ parts }) => parts.some((at) => matched[at] === 1) }
  }

  #enter(at: number, start: number, siblings: Siblings): void {
    if (at === 0) return
    const { parents, frames } = this.#store.stacks
    const frame = this.#seen[frames[at] as number] as number
    let part = at
    let above = parents[part] as number
    // A run of folded frames is one node: go on to its outer end.
    if (frame === FOLDED)
      while (above !== 0 && this.#seen[frames[above] as number] === FOLDED) {
        part = above
        above = parents[part] as number
      }
    const node = siblings.of(frame)
    const own = this.#own[start] as number
    const against = this.#against[start] as number
    node.weight += own
    node.against += against
    node.parts.push(part)
    node.starts.push(start)
    if (above !== 0) return
    node.self += own
    node.selfAgainst += against
  }
}
