import type { NodeId, TreeView } from '../queries.ts'
import type { StackStore } from '../table.ts'
import type { Trie } from '../trie.ts'
import { directed } from './directions.ts'
import type { Directed } from './directions.ts'
import { leafWeights } from './samples.ts'
import type { Stem } from './stems.ts'
import { Stems } from './stems.ts'

/** A view with its weights: columns by node of `trie`, for those nodes that were there when it was made. */
export interface TreePicture {
  readonly view: TreeView
  readonly trie: Trie
  readonly stem: Stem
  readonly tree: Directed
  readonly length: number
  /** Of the node and everything below; own part of it. */
  readonly weight: Float64Array
  readonly against: Float64Array
  readonly self: Float64Array
  readonly selfAgainst: Float64Array
  /** Levels below each node. */
  readonly height: Uint16Array
  /** Children that weigh anything, heaviest first: `children[childrenFrom[n], childrenFrom[n + 1])`. */
  readonly childrenFrom: Uint32Array
  readonly children: Uint32Array
  readonly samples: number
  readonly unknownCpu: number
}

const KEPT_TREES = 8
const KEPT_PICTURES = 6

/** Views of one store. What was worked out is kept for a while: panning and searching ask for the same again. */
export class Pictures {
  readonly #store: StackStore
  #stems: Stems
  #generation: number
  readonly #trees = new Map<string, Directed>()
  readonly #pictures = new Map<string, TreePicture>()

  constructor(store: StackStore) {
    this.#store = store
    this.#stems = new Stems(store)
    this.#generation = store.generation
  }

  of(view: TreeView): TreePicture {
    if (this.#generation !== this.#store.generation) {
      this.#stems = new Stems(this.#store)
      this.#generation = this.#store.generation
      this.#trees.clear()
      this.#pictures.clear()
    }
    const key = JSON.stringify(view)
    return keep(this.#pictures, key, KEPT_PICTURES, () => this.#make(view))
  }

  #make(view: TreeView): TreePicture {
    const stem = this.#stems.get(view.fold)
    const { direction, focus } = view
    const tree = keep(this.#trees, JSON.stringify([view.fold, direction, focus]), KEPT_TREES, () =>
      directed(stem, direction, focus),
    )
    const own = leafWeights(this.#store, view.samples, view.weight, view.against !== null)
    const other = view.against === null ? null : leafWeights(this.#store, view.against, view.weight, true)
    const self = tree.place(onStem(stem, own.self))
    const selfAgainst = other === null ? null : tree.place(onStem(stem, other.self))
    const { length } = tree.trie
    return {
      view,
      trie: tree.trie,
      stem,
      tree,
      length,
      ...summed(tree.trie, fitted(self, length), fitted(selfAgainst, length)),
      samples: own.samples + (other?.samples ?? 0),
      unknownCpu: own.unknownCpu + (other?.unknownCpu ?? 0),
    }
  }
}

/** The least recently used one goes. */
function keep<T>(kept: Map<string, T>, key: string, most: number, make: () => T): T {
  const value = kept.get(key) ?? make()
  kept.delete(key)
  kept.set(key, value)
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break
    kept.delete(oldest)
  }
  return value
}

function onStem(stem: Stem, self: Float64Array): Float64Array {
  const placed = new Float64Array(stem.trie.length)
  self.forEach((weight, node) => {
    if (weight === 0) return
    const at = stem.of(node)
    placed[at] = (placed[at] as number) + weight
  })
  return placed
}

/** The second side may have made nodes that the first did not know. */
function fitted(column: Float64Array | null, length: number): Float64Array {
  if (column !== null && column.length === length) return column
  const longer = new Float64Array(length)
  if (column !== null) longer.set(column)
  return longer
}

function summed(trie: Trie, self: Float64Array, selfAgainst: Float64Array) {
  const { length } = self
  const weight = self.slice()
  const against = selfAgainst.slice()
  const height = new Uint16Array(length)
  const childrenFrom = new Uint32Array(length + 1)
  for (let node = length - 1; node > 0; node--) {
    const both = (weight[node] as number) + (against[node] as number)
    if (both === 0) continue
    const parent = trie.parent(node)
    weight[parent] = (weight[parent] as number) + (weight[node] as number)
    against[parent] = (against[parent] as number) + (against[node] as number)
    height[parent] = Math.max(height[parent] as number, (height[node] as number) + 1)
    childrenFrom[parent + 1] = (childrenFrom[parent + 1] as number) + 1
  }
  for (let node = 0; node < length; node++)
    childrenFrom[node + 1] = (childrenFrom[node + 1] as number) + (childrenFrom[node] as number)
  const children = new Uint32Array(childrenFrom[length] as number)
  const filled = childrenFrom.slice()
  for (let node = 1; node < length; node++) {
    if ((weight[node] as number) + (against[node] as number) === 0) continue
    const parent = trie.parent(node)
    const at = filled[parent] as number
    children[at] = node
    filled[parent] = at + 1
  }
  const both = (node: NodeId): number => (weight[node] as number) + (against[node] as number)
  for (let node = 0; node < length; node++) {
    const from = childrenFrom[node] as number
    const to = childrenFrom[node + 1] as number
    if (to - from > 1) {
      // eslint-disable-next-line unicorn/no-array-sort -- a part of a typed array of our own, sorted in place on purpose
      children.subarray(from, to).sort((a, b) => both(b) - both(a) || a - b)
    }
  }
  return { weight, against, self, selfAgainst, height, childrenFrom, children }
}

export const childrenOf = ({ childrenFrom, children }: TreePicture, node: NodeId): Uint32Array =>
  children.subarray(childrenFrom[node], childrenFrom[node + 1])

/** What decides the width of a mark: both sides together, so that turning them round changes no place. */
export const widthOf = ({ weight, against }: TreePicture, node: NodeId): number =>
  (weight[node] ?? 0) + (against[node] ?? 0)
