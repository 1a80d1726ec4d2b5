import type { FrameTable } from '../frames.ts'
import { FOLDED } from '../frames.ts'
import type { FrameId, NodeId } from '../queries.ts'
import type { StackStore } from '../table.ts'
import { Trie } from '../trie.ts'

/** Stacks root first, as they are or folded. `of`: where a node of the store stands in it. */
export interface Stem {
  readonly trie: Trie
  readonly of: (node: NodeId) => NodeId
}

/** Methods of the server that only pass a call on. */
const PASSING = new Set(['PoolOfThreads+PooledThread', 'TimeCountingEnumerable+Enumerator'])

const isFolded = (frames: FrameTable, frame: FrameId): boolean => {
  const category = frames.category(frame)
  return category === 'runtime' || category === 'web' || PASSING.has(frames.frame(frame).typeKey)
}

/** The two forms of all stacks; the folded one grows with the store. */
export class Stems {
  readonly #store: StackStore
  readonly #folded = new Trie()
  #places = new Int32Array(1024)
  #known = 1

  constructor(store: StackStore) {
    this.#store = store
  }

  get(fold: boolean): Stem {
    if (!fold) return { trie: this.#store.stacks, of: (node) => node }
    this.#extend()
    return { trie: this.#folded, of: (node) => this.#places[node] as number }
  }

  #extend(): void {
    const { stacks, frames } = this.#store
    if (stacks.length > this.#places.length) {
      const larger = new Int32Array(Math.max(stacks.length, this.#places.length * 2))
      larger.set(this.#places)
      this.#places = larger
    }
    for (; this.#known < stacks.length; this.#known++) {
      const above = this.#places[stacks.parent(this.#known)] as number
      const frame = stacks.frame(this.#known)
      const isJoined = isFolded(frames, frame) && above !== 0 && this.#folded.frame(above) === FOLDED
      this.#places[this.#known] = isJoined ? above : this.#folded.child(above, isFolded(frames, frame) ? FOLDED : frame)
    }
  }
}
