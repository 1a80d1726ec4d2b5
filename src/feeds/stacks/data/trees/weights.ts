import type { SampleFilter, TreeView } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import type { Trie } from '../trie.ts'
import { leafWeights } from './samples.ts'

/** Weights of stacks, by node of `StackStore.stacks`, for the nodes that existed when it was created. */
export interface Side {
  /** Weight of the stacks that end at the node. */
  readonly self: Float64Array
  /** Weight of the node with everything below it. */
  readonly whole: Float64Array
}

/** Samples of a view on their stacks, independent of the direction: computed once for all directions. */
export interface StemWeights {
  readonly length: number
  readonly own: Side
  /** All 0 without a comparison. */
  readonly against: Side
  /** Nodes at which any sample ends, ascending. */
  readonly ends: readonly number[]
  readonly samples: number
  readonly unknownCpu: number
}

type Weighed = Pick<TreeView, 'samples' | 'against' | 'weight'>

export function weighStem(store: StackStore, { samples, against, weight }: Weighed): StemWeights {
  const isCompared = against !== null
  const of = (filter: SampleFilter) => leafWeights(store, filter, weight, isCompared)
  const own = of(samples)
  const other = against === null ? null : of(against)
  const { length } = own.self
  const selfAgainst = other?.self ?? new Float64Array(length)
  const ends: number[] = []
  for (let node = 0; node < length; node++) if (own.self[node] !== 0 || selfAgainst[node] !== 0) ends.push(node)
  return {
    length,
    own: { self: own.self, whole: summed(store.stacks, own.self) },
    against: { self: selfAgainst, whole: other === null ? selfAgainst : summed(store.stacks, selfAgainst) },
    ends,
    samples: own.samples + (other?.samples ?? 0),
    unknownCpu: own.unknownCpu + (other?.unknownCpu ?? 0),
  }
}

function summed({ parents }: Trie, self: Float64Array): Float64Array {
  const whole = self.slice()
  for (let node = whole.length - 1; node > 0; node--) {
    const weight = whole[node] as number
    if (weight === 0) continue
    const parent = parents[node] as number
    whole[parent] = (whole[parent] as number) + weight
  }
  return whole
}
