import type { OperationTotal, UnlistedOperations } from '../../contract/operations.ts'
import type { TickSpan } from '../../../../base/ticks.ts'
import type { OperationNames } from '../names.ts'
import type { TreeView } from '../trees.ts'
import { largestNodes } from './largest.ts'

interface Sum {
  batches: number
  totalTicks: number
  childTicks: number
  longestTicks: number
  /** Tree that was last counted, so that a name that occurs twice in a tree counts as one batch. */
  lastTree: number
}

/** Time by operation over many trees: sums by path, below the root. */
export class OperationSums {
  readonly #names: OperationNames
  readonly #sums = new Map<number, Sum>()
  #trees = 0
  /** Time of everything right below the roots. */
  topTicks = 0
  leftOut = 0

  constructor(names: OperationNames) {
    this.#names = names
  }

  /** `leftOut`: operations of the tree that are counted as part of others. */
  add({ length, paths, ticks }: TreeView, leftOut: number): void {
    this.leftOut += leftOut
    const tree = ++this.#trees
    const { pathParent, pathDepth } = this.#names
    for (let node = 0; node < length; node++) {
      const path = paths[node] as number
      const depth = pathDepth[path] as number
      if (depth === 0) continue
      const took = ticks[node] as number
      const sum = this.#of(path)
      if (sum.lastTree !== tree) sum.batches++
      sum.lastTree = tree
      sum.totalTicks += took
      if (took > sum.longestTicks) sum.longestTicks = took
      if (depth === 1) this.topTicks += took
      else this.#of(pathParent[path] as number).childTicks += took
    }
  }

  #of(path: number): Sum {
    let sum = this.#sums.get(path)
    if (sum === undefined)
      this.#sums.set(path, (sum = { batches: 0, totalTicks: 0, childTicks: 0, longestTicks: 0, lastTree: 0 }))
    return sum
  }

  /** Pre-order, siblings by total time; the largest `most` and what lies above them. */
  result(most: number): { readonly operations: OperationTotal[]; readonly unlisted: UnlistedOperations } {
    const { pathName, pathDepth } = this.#names
    const ordered = this.#ordered()
    const listed = largestNodes(
      Float64Array.from(ordered, ({ path }) => this.#of(path).totalTicks),
      Int32Array.from(ordered, ({ parent }) => parent),
      most,
    )
    const operations: OperationTotal[] = []
    const unlisted = { count: 0, selfTicks: 0 }
    const placeOf = new Map<number, number>([[-1, -1]])
    for (const [i, { path, parent }] of ordered.entries()) {
      const { batches, totalTicks, childTicks, longestTicks } = this.#of(path)
      if (listed !== null && listed[i] === 0) {
        unlisted.count++
        unlisted.selfTicks += totalTicks - childTicks
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
        batches,
        totalTicks: totalTicks as TickSpan,
        selfTicks: (totalTicks - childTicks) as TickSpan,
        longestTicks: longestTicks as TickSpan,
      })
    }
    return { operations, unlisted }
  }

  /** Paths in pre-order, siblings by total time, each with its parent's place. */
  #ordered(): { readonly path: number; readonly parent: number }[] {
    const { pathParent, pathDepth } = this.#names
    const children = new Map<number, number[]>()
    for (const path of this.#sums.keys()) {
      const parent = (pathDepth[path] as number) === 1 ? -1 : (pathParent[path] as number)
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [path])
      else siblings.push(path)
    }
    const ordered: { path: number; parent: number }[] = []
    const visit = (above: number, parent: number): void => {
      const paths = (children.get(above) ?? []).toSorted((a, b) => this.#of(b).totalTicks - this.#of(a).totalTicks)
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
