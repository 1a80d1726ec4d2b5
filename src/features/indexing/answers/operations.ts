import type { OperationTotal } from '../queries/operations.ts'
import type { TickSpan } from '../../../base/brand.ts'
import type { OperationNames } from '../names.ts'
import type { TreeView } from '../trees.ts'

interface Sum {
  batches: number
  totalTicks: number
  childTicks: number
  longestTicks: number
  /** Tree that was last counted, so that a name that stands twice in a tree is one batch. */
  lastTree: number
}

/** Time by operation over many trees: sums by path, below the root. */
export class OperationSums {
  readonly #names: OperationNames
  readonly #sums = new Map<number, Sum>()
  #trees = 0
  /** Time of everything right below the roots. */
  topTicks = 0

  constructor(names: OperationNames) {
    this.#names = names
  }

  add({ length, paths, ticks }: TreeView): void {
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

  /** Pre-order, siblings by total time. */
  result(): OperationTotal[] {
    const { pathParent, pathDepth, pathName } = this.#names
    const children = new Map<number, number[]>()
    for (const path of this.#sums.keys()) {
      const parent = (pathDepth[path] as number) === 1 ? -1 : (pathParent[path] as number)
      children.set(parent, [...(children.get(parent) ?? []), path])
    }
    const rows: OperationTotal[] = []
    const visit = (above: number, parent: number): void => {
      const paths = (children.get(above) ?? []).toSorted((a, b) => this.#of(b).totalTicks - this.#of(a).totalTicks)
      for (const path of paths) {
        const { batches, totalTicks, childTicks, longestTicks } = this.#of(path)
        const name = pathName[path] as number
        const at = rows.length
        rows.push({
          path: this.#names.pathText(path),
          name: this.#names.name(name),
          family: this.#names.family(name),
          depth: (pathDepth[path] as number) - 1,
          parent,
          batches,
          totalTicks: totalTicks as TickSpan,
          selfTicks: (totalTicks - childTicks) as TickSpan,
          longestTicks: longestTicks as TickSpan,
        })
        visit(path, at)
      }
    }
    visit(-1, -1)
    return rows
  }
}
