import { FOLDED } from '../frames.ts'
import type { FrameId, NodeId } from '../../contract/ids.ts'
import type { TreeView } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import { Trie } from '../trie.ts'
import { Downwards } from './downwards.ts'
import { Folding } from './folding.ts'
import type { Growth, SearchPasses } from './growth.ts'
import { Siblings, TreeNode } from './node.ts'
import { Upwards } from './upwards.ts'
import type { StemWeights } from './weights.ts'
import { weighStem } from './weights.ts'

/**
 * A view with its weights. It is expanded where the user looks, so that a response costs as much as it shows, whatever
 * the size of the tree. Nodes have the same id in every picture of the same direction (`ids`).
 */
export class TreePicture {
  readonly view: TreeView
  readonly root: TreeNode
  readonly ids: Trie
  readonly samples: number
  readonly unknownCpu: number
  readonly #growth: Growth
  readonly #nodes = new Map<NodeId, TreeNode>()
  #searched: { readonly matched: Uint8Array; readonly passes: SearchPasses } | null = null

  constructor(view: TreeView, ids: Trie, growth: Growth, { samples, unknownCpu }: StemWeights) {
    this.view = view
    this.ids = ids
    this.samples = samples
    this.unknownCpu = unknownCpu
    this.#growth = growth
    this.root = new TreeNode(0, -1, null)
    this.#nodes.set(0, this.root)
    growth.begin(this.root)
  }

  /** Children with any weight, heaviest first. */
  childrenOf(node: TreeNode): readonly TreeNode[] {
    if (node.children !== null) return node.children
    const siblings = new Siblings(node, (frame) => this.ids.child(node.id, frame))
    this.#growth.grow(node, siblings)
    const children = siblings.sorted()
    // A full tree creates no new ids.
    for (const child of children) if (!this.#nodes.has(child.id)) this.#nodes.set(child.id, child)
    node.children = children
    return children
  }

  /** Node by its id; null: it has no weight here, or does not exist. */
  at(id: NodeId): TreeNode | null {
    const known = this.#nodes.get(id)
    if (known !== undefined) return known.width > 0 ? known : null
    if (!(id > 0 && id < this.ids.length)) return null
    let node: TreeNode | null = this.root
    for (const frame of this.ids.path(id).toReversed()) node = node === null ? null : this.childOf(node, frame)
    return node
  }

  childOf(node: TreeNode, frame: FrameId): TreeNode | null {
    return this.childrenOf(node).find((child) => child.frame === frame) ?? null
  }

  /** Number of levels below a node. */
  heightOf(node: TreeNode): number {
    return this.#growth.height(node)
  }

  holds(node: TreeNode): (end: number) => boolean {
    return this.#growth.holds(node)
  }

  /** `matched`: 1 for matching frames. Caches the last search. */
  search(matched: Uint8Array): SearchPasses {
    if (this.#searched?.matched !== matched) this.#searched = { matched, passes: this.#growth.search(matched) }
    return this.#searched.passes
  }
}

const KEPT_SPACES = 64
const KEPT_WEIGHTS = 4
const KEPT_PICTURES = 6

/** Paths and visible frames of a view, independent of weights. */
interface Space {
  readonly ids: Trie
  readonly folding: Folding
  depths: Uint16Array
}

/** Views of a store. Results are cached: panning and searching need the same ones again. */
export class Pictures {
  readonly #store: StackStore
  readonly #spaces = new Map<string, Space>()
  readonly #weights = new Map<string, StemWeights>()
  readonly #pictures = new Map<string, TreePicture>()

  constructor(store: StackStore) {
    this.#store = store
  }

  of(view: TreeView): TreePicture {
    return keep(this.#pictures, JSON.stringify(view), KEPT_PICTURES, () => this.#make(view))
  }

  /** Weights of a view's samples on the store's stacks. */
  weightsOf({ samples, against, weight }: TreeView): StemWeights {
    return keep(this.#weights, JSON.stringify([samples, against, weight]), KEPT_WEIGHTS, () =>
      weighStem(this.#store, { samples, against, weight }),
    )
  }

  #make(view: TreeView): TreePicture {
    const { direction, focus, fold } = view
    const store = this.#store
    const space = keep(this.#spaces, JSON.stringify([fold, direction, focus]), KEPT_SPACES, () => ({
      ids: direction === 'top-down' && !fold ? store.stacks : new Trie(),
      folding: new Folding(store.frames, fold, focus),
      depths: new Uint16Array(1),
    }))
    const weights = this.weightsOf(view)
    const seen = space.folding.seen()
    space.depths = depthsOf(store.stacks, seen, space.depths)
    const isAround = direction === 'callers' || direction === 'callees'
    const from = isAround ? outermost(store.stacks, seen, focus, weights) : null
    const Direction = direction === 'top-down' || direction === 'callees' ? Downwards : Upwards
    return new TreePicture(view, space.ids, new Direction(store, weights, seen, space.depths, from), weights)
  }
}

/** Removes the least recently used one if there are too many. */
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

/** Number of levels of the path to each node; a run of folded frames counts as one. Continues `known`. */
function depthsOf({ length, parents, frames }: Trie, seen: Int32Array, known: Uint16Array): Uint16Array {
  if (known.length >= length) return known
  const depths = new Uint16Array(length)
  depths.set(known)
  for (let node = known.length; node < length; node++) {
    const parent = parents[node] as number
    const isJoined =
      parent !== 0 && seen[frames[node] as number] === FOLDED && seen[frames[parent] as number] === FOLDED
    depths[node] = (depths[parent] as number) + (isJoined ? 0 : 1)
  }
  return depths
}

/** Occurrences of a frame with any weight that are not below another one. */
function outermost(
  { parents, frames, repeats }: Trie,
  seen: Int32Array,
  focus: FrameId | null,
  { length, own, against }: StemWeights,
): number[] {
  const places: number[] = []
  if (focus === null) return places
  const weighs = (node: number): boolean => (own.whole[node] as number) + (against.whole[node] as number) !== 0
  if (focus !== FOLDED) {
    for (let node = 1; node < length; node++)
      if (frames[node] === focus && repeats[node] === 0 && weighs(node)) places.push(node)
    return places
  }
  const isIn = new Uint8Array(length)
  for (let node = 1; node < length; node++) {
    isIn[node] = isIn[parents[node] as number] as number
    if (isIn[node] === 1 || seen[frames[node] as number] !== FOLDED) continue
    isIn[node] = 1
    if (weighs(node)) places.push(node)
  }
  return places
}
