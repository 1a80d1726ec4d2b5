import { Pace } from '../../../../capture/worker/turns.ts'
import type { OperationTotal } from '../../contract/operations.ts'
import type { IndexingCompareResponse, IndexingCompareParams, IndexingCompareSide } from '../../contract/summary.ts'
import type { BatchStore } from '../table.ts'
import { largestNodes } from './largest.ts'
import { addOperations, OperationSums } from './operations.ts'
import { partsOf } from './parts.ts'
import { summarise } from './summary.ts'

/** Compares two indexes, or one index in two ranges. */
export async function compareResponse(
  store: BatchStore,
  params: IndexingCompareParams,
  signal: AbortSignal,
): Promise<IndexingCompareResponse> {
  const pace = new Pace(signal)
  const side = async (each: IndexingCompareSide) => {
    const whole = { ...each, indexes: [each.index], filter: params.filter }
    const parts = partsOf(store, whole)
    const summary = await summarise(store, each.index, parts, whole, pace)
    const operations = new OperationSums(store.names)
    await addOperations(store, parts, pace, operations)
    return { summary, operations: operations.result(Number.POSITIVE_INFINITY).operations }
  }
  const a = await side(params.a)
  const b = await side(params.b)
  const sameIndex = params.a.index === params.b.index
  const left = byPath(a.operations, sameIndex)
  const right = byPath(b.operations, sameIndex)
  const operations = [...new Set([...left.keys(), ...right.keys()])].map((path) => {
    const [mine, other] = [left.get(path), right.get(path)]
    const { depth, family } = (mine ?? other) as Joined
    const aTicks = mine?.ticks ?? Number.NaN
    const bTicks = other?.ticks ?? Number.NaN
    return {
      path,
      depth,
      family,
      aTicks,
      bTicks,
      aPerDocument: aTicks / (a.summary.documentsIn || Number.NaN),
      bPerDocument: bTicks / (b.summary.documentsIn || Number.NaN),
    }
  })
  return { a: a.summary, b: b.summary, ...listed(inTreeOrder(operations)) }
}

interface Joined {
  readonly depth: number
  readonly family: OperationTotal['family']
  ticks: number
}

/** The largest operations, with all their ancestors. */
function listed<T extends Sided>(rows: readonly T[]): { readonly operations: T[]; readonly unlisted: number } {
  const places = new Map(rows.map(({ path }, i) => [path, i]))
  const parents = rows.map(({ path }) => places.get(parentPath(path)) ?? -1)
  const marks = largestNodes(rows.map(sizeOf), parents)
  const operations = marks === null ? [...rows] : rows.filter((_, i) => marks[i] === 1)
  return { operations, unlisted: rows.length - operations.length }
}

interface Sided {
  readonly path: string
  readonly aTicks: number
  readonly bTicks: number
}

const sizeOf = ({ aTicks, bTicks }: Sided): number => Math.max(aTicks || 0, bTicks || 0)

function parentPath(path: string): string {
  const cut = path.lastIndexOf(' › ')
  return cut === -1 ? '' : path.slice(0, cut)
}

/**
 * Sums up operations by path. Between two indexes, the names of collections and fields differ, so all collections share
 * one path, and so do all fields.
 */
function byPath(operations: readonly OperationTotal[], sameIndex: boolean): Map<string, Joined> {
  const joined = new Map<string, Joined>()
  const paths: string[] = []
  for (const [i, { name, family, depth, parent, totalTicks }] of operations.entries()) {
    const own = sameIndex ? name : family === 'collection' ? 'Collection_…' : family === 'field' ? 'Field_…' : name
    const path = parent === -1 ? own : `${paths[parent] ?? ''} › ${own}`
    paths[i] = path
    const known = joined.get(path)
    if (known === undefined) joined.set(path, { depth, family, ticks: totalTicks })
    else known.ticks += totalTicks
  }
  return joined
}

/** Orders parents before their children, and siblings by the larger of their two sides. */
function inTreeOrder<T extends Sided>(rows: readonly T[]): T[] {
  const children = new Map<string, T[]>()
  for (const row of rows) {
    const parent = parentPath(row.path)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [row])
    else siblings.push(row)
  }
  const ordered: T[] = []
  const visit = (path: string): void => {
    for (const row of (children.get(path) ?? []).toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
      ordered.push(row)
      visit(row.path)
    }
  }
  visit('')
  return ordered
}
