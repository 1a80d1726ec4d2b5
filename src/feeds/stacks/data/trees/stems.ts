import { FOLDED } from '../frames.ts'
import type { NodeId } from '../../contract/ids.ts'
import type { StackStore } from '../table.ts'
import { Trie } from '../trie.ts'
import { isFolded } from './folding.ts'

/** Stacks from the root, as they are or folded. `of`: node in it for each node of the store. */
export interface Stem {
  readonly trie: Trie
  readonly of: (node: NodeId) => NodeId
}

/** All complete stacks of a store, for exports. */
export function stemOf({ stacks, frames }: StackStore, fold: boolean): Stem {
  if (!fold) return { trie: stacks, of: (node) => node }
  const trie = new Trie()
  const places = new Int32Array(stacks.length)
  for (let node = 1; node < stacks.length; node++) {
    const above = places[stacks.parent(node)] as number
    const frame = stacks.frame(node)
    const isJoined = isFolded(frames, frame)
    places[node] = isJoined && trie.frame(above) === FOLDED ? above : trie.child(above, isJoined ? FOLDED : frame)
  }
  return { trie, of: (node) => places[node] as number }
}
