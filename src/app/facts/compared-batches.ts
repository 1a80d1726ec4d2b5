import { rangeOf } from '../../base/columns/event-table.ts'
import { joinRanges, type TimeRange } from '../../base/ticks.ts'
import { knownSpans, type KnownUntil } from '../../capture/worker/known-time.ts'
import type { CompareSideParams, FeedLines, LineEvents } from '../../features/compare/contract.ts'
import { DOCUMENTS_IN } from '../../feeds/indexing/data/index-table.ts'
import type { BatchStore } from '../../feeds/indexing/data/table.ts'

/** Completed batches with work, for each index of the sources: duration of a batch and of one document. O(indexes). */
export function comparedBatches(
  store: BatchStore,
  { sources, startTicks, endTicks }: CompareSideParams,
  knownUntil: KnownUntil,
): FeedLines {
  const wanted = new Set(sources)
  const lines: LineEvents[] = []
  const spans = new Map<string, TimeRange>()
  for (const index of store.indexes.values()) {
    if (!wanted.has(index.source)) continue
    // Batches without work appear in no line, but show that the time was observed.
    for (const events of Object.values(index.tables))
      if (events.length > 0) spans.set(index.source, joinRanges(spans.get(index.source), rangeOf(events)))
    const parts = [index.tables.worked.frozen(), index.tables.failed.frozen()].map((events) => ({
      events,
      from: events.lowerBound(startTicks),
      to: events.lowerBound(endTicks),
    }))
    const { source, key: lane, name } = index
    const line = { source, lane, path: name, name, parts, rollUps: 0 }
    lines.push({ ...line, kind: 'batch', per: null }, { ...line, kind: 'time per document', per: DOCUMENTS_IN })
  }
  return { version: store.version, lines, spans: knownSpans(spans, knownUntil) }
}
