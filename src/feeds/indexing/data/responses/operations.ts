import { DURATION } from '../../../../base/columns/event-chunk.ts'
import type { TickSpan } from '../../../../base/ticks.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type {
  IndexingOperationsParams,
  IndexingOperationsResponse,
  OperationTotal,
  UnlistedOperations,
} from '../../contract/operations.ts'
import { LEFT_OUT, TREE } from '../index-table.ts'
import type { OperationNames } from '../names.ts'
import type { BatchStore } from '../table.ts'
import { newTreeView, type TreeView } from '../trees.ts'
import { largestNodes, MOST_LISTED } from './largest.ts'
import { eachSlice, forEachMatching, partsOf, type Part } from './parts.ts'

/** Time by operation. O(operations in range), in slices between which other responses are served. */
export async function operationsResponse(
  store: BatchStore,
  params: IndexingOperationsParams,
  signal: AbortSignal,
): Promise<IndexingOperationsResponse> {
  const sums = new OperationSums(store.names)
  const of = await addOperations(store, partsOf(store, params), new Pace(signal), sums)
  const otherTicks = (of.busyTicks - sums.topTicks) as TickSpan
  return { ...sums.result(MOST_LISTED), leftOut: sums.leftOut, otherTicks, ...of }
}

/** Adds the trees of completed batches, without passes that only trained. Returns the total time of these batches. */
export async function addOperations(
  store: BatchStore,
  parts: readonly Part[],
  pace: Pace,
  sums: OperationSums,
): Promise<Pick<IndexingOperationsResponse, 'batches' | 'busyTicks' | 'longestTicks'>> {
  const view = newTreeView()
  let batches = 0
  let busyTicks = 0
  let longestTicks = Number.NaN
  for (const part of parts)
    if (part.kind !== 'training' && part.kind !== 'open')
      await eachSlice(part, pace, (slice) =>
        forEachMatching(slice, (chunk, row) => {
          const duration = chunk.read(DURATION, row)
          batches++
          busyTicks += duration
          if (part.kind !== 'empty' && !(longestTicks >= duration)) longestTicks = duration
          store.trees.read(chunk.read(TREE, row), view)
          sums.add(view, chunk.read(LEFT_OUT, row))
        }),
      )
  return { batches, busyTicks: busyTicks as TickSpan, longestTicks }
}

/** Sums of time by the path of operations, over many trees, without the roots. */
export class OperationSums {
  readonly #names: OperationNames
  /** Paths in the order in which they first appeared. The sums of a path are at the index of its id. */
  readonly #met: number[] = []
  #batches = new Float64Array(0)
  #totalTicks = new Float64Array(0)
  #childTicks = new Float64Array(0)
  #longestTicks = new Float64Array(0)
  /** Number of the last tree that had each path, so that a name that occurs twice in a tree counts as one batch. */
  #lastTree = new Float64Array(0)
  #trees = 0
  /** Total time of the operations directly below the roots. */
  topTicks = 0
  leftOut = 0

  constructor(names: OperationNames) {
    this.#names = names
  }

  /** `leftOut`: number of operations of the tree that are counted as part of others. */
  add({ length, paths, ticks }: TreeView, leftOut: number): void {
    this.leftOut += leftOut
    const tree = ++this.#trees
    const { pathParent, pathDepth } = this.#names
    if (pathDepth.length > this.#batches.length) this.#grow(pathDepth.length)
    const lastTree = this.#lastTree
    for (let node = 0; node < length; node++) {
      const path = paths[node] as number
      const depth = pathDepth[path] as number
      if (depth === 0) continue
      const took = ticks[node] as number
      const last = lastTree[path]
      if (last !== tree) {
        if (last === 0) this.#met.push(path)
        lastTree[path] = tree
        this.#batches[path] = (this.#batches[path] as number) + 1
      }
      this.#totalTicks[path] = (this.#totalTicks[path] as number) + took
      if (took > (this.#longestTicks[path] as number)) this.#longestTicks[path] = took
      if (depth === 1) this.topTicks += took
      else {
        const parent = pathParent[path] as number
        this.#childTicks[parent] = (this.#childTicks[parent] as number) + took
      }
    }
  }

  /** Grows the columns to twice `length` paths, so that they rarely grow again. */
  #grow(length: number): void {
    const grown = (values: Float64Array): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(length * 2)
      larger.set(values)
      return larger
    }
    this.#batches = grown(this.#batches)
    this.#totalTicks = grown(this.#totalTicks)
    this.#childTicks = grown(this.#childTicks)
    this.#longestTicks = grown(this.#longestTicks)
    this.#lastTree = grown(this.#lastTree)
  }

  /** Operations in pre-order, siblings by total time: the `most` largest ones and all their ancestors. */
  result(most: number): { readonly operations: OperationTotal[]; readonly unlisted: UnlistedOperations } {
    const { pathName, pathDepth } = this.#names
    const ordered = this.#ordered()
    const listed = largestNodes(
      Float64Array.from(ordered, ({ path }) => this.#totalTicks[path] as number),
      Int32Array.from(ordered, ({ parent }) => parent),
      most,
    )
    const operations: OperationTotal[] = []
    const unlisted = { count: 0, selfTicks: 0 }
    const placeOf = new Map<number, number>([[-1, -1]])
    for (const [i, { path, parent }] of ordered.entries()) {
      const totalTicks = this.#totalTicks[path] as number
      const selfTicks = (totalTicks - (this.#childTicks[path] as number)) as TickSpan
      if (listed !== null && listed[i] === 0) {
        unlisted.count++
        unlisted.selfTicks += selfTicks
        continue
      }
      placeOf.set(i, operations.length)
      const name = pathName[path] as number
      operations.push({
        path: this.#names.pathText(path),
        name: this.#names.name(name),
        family: this.#names.family(name),
        depth: (pathDepth[path] as number) - 1,
        parent: placeOf.get(parent) ?? -1,
        batches: this.#batches[path] as number,
        totalTicks: totalTicks as TickSpan,
        selfTicks,
        longestTicks: this.#longestTicks[path] as TickSpan,
      })
    }
    return { operations, unlisted }
  }

  /** Paths in pre-order, siblings by total time. `parent` is the position of the parent in this list. */
  #ordered(): { readonly path: number; readonly parent: number }[] {
    const { pathParent, pathDepth } = this.#names
    const children = new Map<number, number[]>()
    for (const path of this.#met) {
      const parent = (pathDepth[path] as number) === 1 ? -1 : (pathParent[path] as number)
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [path])
      else siblings.push(path)
    }
    const ordered: { path: number; parent: number }[] = []
    const visit = (above: number, parent: number): void => {
      const paths = (children.get(above) ?? []).toSorted(
        (a, b) => (this.#totalTicks[b] as number) - (this.#totalTicks[a] as number),
      )
      for (const path of paths) {
        const at = ordered.length
        ordered.push({ path, parent })
        visit(path, at)
      }
    }
    visit(-1, -1)
    return ordered
  }
}
