import { Pace } from '../../../capture/turns.ts'
import type { OperationTotal } from '../queries/operations.ts'
import type { IndexingCompareAnswer, IndexingCompareAsk, IndexingCompareSide } from '../queries/summary.ts'
import type { BatchStore } from '../table.ts'
import { OperationSums } from './operations.ts'
import { partsOf } from './parts.ts'
import { summarise } from './summary.ts'

/** Two indexes, or one in two ranges, side by side. */
export async function answerCompare(
  store: BatchStore,
  ask: IndexingCompareAsk,
  signal: AbortSignal,
): Promise<IndexingCompareAnswer> {
  const { version } = store
  const pace = new Pace(signal)
  const side = async (each: IndexingCompareSide) => {
    const whole = { ...each, indexes: [each.index], filter: ask.filter }
    const operations = new OperationSums(store.names)
    const summary = await summarise(store, each.index, partsOf(store, whole), whole, pace, operations)
    return { summary, operations: operations.result() }
  }
  const a = await side(ask.a)
  const b = await side(ask.b)
  const sameIndex = ask.a.index === ask.b.index
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
  return { version, a: a.summary, b: b.summary, operations: inTreeOrder(operations) }
}

interface Joined {
  readonly depth: number
  readonly family: OperationTotal['family']
  ticks: number
}

/** Collections and fields of two indexes differ by name; what they are is what is compared. */
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

/** Parents before their children, siblings by the larger of the two sides. */
function inTreeOrder<T extends { readonly path: string; readonly aTicks: number; readonly bTicks: number }>(
  rows: readonly T[],
): T[] {
  const size = (row: T): number => Math.max(row.aTicks || 0, row.bTicks || 0)
  const children = new Map<string, T[]>()
  for (const row of rows) {
    const cut = row.path.lastIndexOf(' › ')
    const parent = cut === -1 ? '' : row.path.slice(0, cut)
    children.set(parent, [...(children.get(parent) ?? []), row])
  }
  const ordered: T[] = []
  const visit = (path: string): void => {
    for (const row of (children.get(path) ?? []).toSorted((a, b) => size(b) - size(a))) {
      ordered.push(row)
      visit(row.path)
    }
  }
  visit('')
  return ordered
}
