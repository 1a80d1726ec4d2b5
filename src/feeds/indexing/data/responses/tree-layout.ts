import type { OperationNames } from '../names.ts'
import type { TreeView } from '../trees.ts'

/**
 * Structure of a tree in pre-order: the parent of each node (−1: root) and the total duration of its children, ticks.
 */
export interface TreeShape {
  readonly parent: Int32Array
  readonly childTicks: Float64Array
}

export function shapeOf(names: OperationNames, { length, paths, ticks }: TreeView): TreeShape {
  const parent = new Int32Array(length)
  const childTicks = new Float64Array(length)
  const stack: number[] = []
  for (let node = 0; node < length; node++) {
    const depth = names.pathDepth[paths[node] as number] as number
    stack.length = Math.min(stack.length, depth)
    const above = stack.at(-1) ?? -1
    parent[node] = above
    if (above !== -1) childTicks[above] = (childTicks[above] as number) + (ticks[node] as number)
    stack.push(node)
  }
  return { parent, childTicks }
}
