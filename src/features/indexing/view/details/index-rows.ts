import { compareNames } from '../../../../base/text/compare-names.ts'
import type { IndexSort } from '../../contract.ts'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import type { IndexSummary } from '../../../../feeds/indexing/contract/summary.ts'

const FIGURES: Record<Exclude<IndexSort, 'name'>, (summary: IndexSummary) => number> = {
  batches: ({ counts }) => counts.batches,
  busy: ({ busyTicks }) => busyTicks,
  share: ({ busyShare }) => busyShare,
  documents: ({ documentsIn }) => documentsIn,
  busyRate: ({ documentsPerBusySecond }) => documentsPerBusySecond,
  rate: ({ documentsPerSecond }) => documentsPerSecond,
  bytes: ({ bytes }) => bytes,
  p50: ({ p50Ticks }) => p50Ticks,
  p99: ({ p99Ticks }) => p99Ticks,
  max: ({ maxTicks }) => maxTicks,
  failed: ({ documentsFailed }) => documentsFailed,
  waited: ({ waitTicks }) => waitTicks,
}

const nameOf = (summary: IndexSummary): string => (summary.index === null ? '' : splitIndexKey(summary.index).name)

/** Sorts rows in the order that the table requests; unknown figures come last in either direction. */
export function sortIndexes(rows: readonly IndexSummary[], sort: IndexSort, descending: boolean): IndexSummary[] {
  const way = descending ? -1 : 1
  if (sort === 'name') return rows.toSorted((a, b) => way * compareNames(nameOf(a), nameOf(b)))
  const figure = FIGURES[sort]
  return rows.toSorted((a, b) => {
    const [left, right] = [figure(a), figure(b)]
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    return way * (left - right) || compareNames(nameOf(a), nameOf(b))
  })
}
