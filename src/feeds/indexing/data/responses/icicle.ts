import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import type { IndexingIcicleResponse, IndexingIcicleParams } from '../../contract/lanes.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { BatchStore } from '../table.ts'
import { ID, TREE } from '../index-table.ts'
import { newTreeView, type TreeView } from '../trees.ts'
import { forEachMatching, type PartKind, predicateOf, reachingInto, tablesOf } from './parts.ts'
import { shapeOf } from './tree-layout.ts'

const MOST_RECTANGLES = 200_000
/**
 * Maximum difference between reported and drawn duration that can be due to rounding, ticks: the server writes
 * milliseconds with two decimals.
 */
const ROUNDING_TICKS = 100

/** Operation trees of the batches that are wide enough, as rectangles in pre-order. O(batches in view + rectangles). */
export function icicleResponse(store: BatchStore, params: IndexingIcicleParams): IndexingIcicleResponse {
  const index = store.indexes.get(params.index)
  const out = new Rectangles()
  const met = new Map<number, OperationName>()
  let narrow = 0
  const [first] = params.pieces
  if (index !== undefined && first !== undefined) {
    const predicate = predicateOf(store, params.filter)
    const view = newTreeView()
    for (const { kind, events } of tablesOf(store, index, params.filter)) {
      const expand = (row: number, minTicks: number): void => {
        const startTicks = events.read(START, row)
        const durationTicks = events.read(DURATION, row)
        if (durationTicks < minTicks) {
          narrow++
          return
        }
        const id = events.read(ID, row)
        readTree(store, index.open, kind, events.read(TREE, row), `${id}:${startTicks}`, view)
        if (out.length + 2 * view.length <= MOST_RECTANGLES)
          layOut(store, view, id, startTicks, durationTicks, out, met)
      }
      const ticksPerPx = (piece: typeof first): number =>
        (piece.endTicks - piece.startTicks) / Math.max(1e-9, piece.endPx - piece.startPx)
      for (const row of reachingInto(events, first.startTicks)) expand(row, params.minPx * ticksPerPx(first))
      for (const piece of params.pieces) {
        const minTicks = params.minPx * ticksPerPx(piece)
        const [from, to] = [events.lowerBound(piece.startTicks), events.lowerBound(piece.endTicks)]
        forEachMatching({ events, from, to, predicate }, (_, row, firstRow) => expand(firstRow + row, minTicks))
      }
    }
  }
  return { ...out.result(), names: [...met.values()], narrow }
}

/** Reads the tree of a batch: for a completed batch from the store, for an open one as it was last reported. */
export function readTree(
  store: BatchStore,
  open: ReadonlyMap<
    string,
    { readonly batch: { nodes: number; paths: Int32Array; nodeTicks: Float64Array; details: number[] } }
  >,
  kind: PartKind,
  handle: number,
  openKey: string,
  view: TreeView,
): void {
  if (kind !== 'open' && handle !== -1) {
    store.trees.read(handle, view)
    return
  }
  const batch = open.get(openKey)?.batch
  view.length = batch?.nodes ?? 0
  view.paths = batch?.paths.slice() ?? view.paths
  view.ticks = batch?.nodeTicks.slice() ?? view.ticks
  view.details = [...(batch?.details ?? [])]
}

function layOut(
  store: BatchStore,
  view: TreeView,
  id: number,
  batchTicks: number,
  durationTicks: number,
  out: Rectangles,
  met: Map<number, OperationName>,
): void {
  const { names } = store
  const { parent, childTicks } = shapeOf(names, view)
  const start = new Float64Array(view.length)
  const width = new Float64Array(view.length)
  /** Start of the next child of each node. */
  const cursor = new Float64Array(view.length)
  /** Path of nodes from the root to the last node. */
  const open: number[] = []
  const depthOf = (node: number): number => names.pathDepth[view.paths[node] as number] as number
  /**
   * Ends the nodes at or below a depth. The time of a node that no child covers becomes a rectangle after its last
   * child.
   */
  const close = (toDepth: number): void => {
    while (open.length > toDepth) {
      const node = open.pop() as number
      const rest = (start[node] as number) + (width[node] as number) - (cursor[node] as number)
      if ((childTicks[node] as number) > 0 && rest > ROUNDING_TICKS)
        out.add(cursor[node] as number, rest, rest, depthOf(node) + 1, -1, id, batchTicks)
    }
  }
  for (let node = 0; node < view.length; node++) {
    close(depthOf(node))
    open.push(node)
    const above = parent[node] as number
    const reported = view.ticks[node] as number
    if (above === -1) {
      start[node] = batchTicks
      width[node] = node === 0 ? durationTicks : 0
    } else {
      const scale = Math.min(1, (width[above] as number) / Math.max(1, childTicks[above] as number))
      start[node] = cursor[above] as number
      width[node] = reported * scale
      cursor[above] = (start[node] as number) + (width[node] as number)
    }
    cursor[node] = start[node] as number
    const path = view.paths[node] as number
    const nameId = names.pathName[path] as number
    if (!met.has(nameId)) met.set(nameId, { nameId, name: names.name(nameId), family: names.family(nameId) })
    out.add(start[node] as number, width[node] as number, reported, depthOf(node), nameId, id, batchTicks)
  }
  close(0)
}

class Rectangles {
  readonly #columns: [number[], number[], number[], number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ]

  get length(): number {
    return this.#columns[0].length
  }

  add(
    ...values: [
      start: number,
      width: number,
      reported: number,
      depth: number,
      nameId: number,
      id: number,
      batch: number,
    ]
  ) {
    for (const [i, value] of values.entries()) this.#columns[i]?.push(value)
  }

  result() {
    const [start, width, reported, depth, nameId, id, batch] = this.#columns
    return {
      length: this.length,
      startTicks: Float64Array.from(start),
      durationTicks: Float64Array.from(width),
      reportedTicks: Float64Array.from(reported),
      depth: Uint8Array.from(depth),
      nameId: Int32Array.from(nameId),
      id: Float64Array.from(id),
      batchTicks: Float64Array.from(batch),
    }
  }
}
