import { ALL_TIMES } from '../../../../base/ticks.ts'
import type { Part } from '../responses/parts.ts'
import { forEachMatching, partsOf } from '../responses/parts.ts'
import type { BatchExportParams } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'

/** Snapshot of the batches, index by index. Batches that arrive later do not change it. */
export function exportParts(store: BatchStore, params: BatchExportParams): Part[] {
  const known = [...store.indexes.values()]
  const all = params.sources.flatMap((source) => known.filter((index) => index.source === source).map(({ key }) => key))
  return partsOf(store, { ...(params.range ?? ALL_TIMES), indexes: params.indexes ?? all, filter: params.filter })
}

export function countParts(parts: readonly Part[]): number {
  let count = 0
  for (const part of parts)
    if (part.predicate === null) count += part.to - part.from
    else forEachMatching(part, () => count++)
  return count
}
