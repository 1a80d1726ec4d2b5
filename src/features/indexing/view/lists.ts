import { formatTicks, msFromSpan } from '../../../base/ticks.ts'
import type { ListColumn } from '../../../capture/exporting/list-text.ts'
import { splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import type { BatchRow } from '../../../feeds/indexing/contract/batches.ts'
import type { OperationNode, OperationTotal } from '../../../feeds/indexing/contract/operations.ts'
import type { IndexSummary } from '../../../feeds/indexing/contract/summary.ts'

/* Columns of exported lists, with the unit in the name of each. */

export const NODE_COLUMNS: readonly ListColumn<OperationNode>[] = [
  { name: 'depth', value: ({ depth }) => depth },
  { name: 'operation', value: ({ name }) => name },
  { name: 'duration_ms', value: ({ durationTicks }) => msFromSpan(durationTicks) },
  { name: 'other_ms', value: ({ otherTicks }) => msFromSpan(otherTicks) },
]

export const BATCH_COLUMNS: readonly ListColumn<BatchRow>[] = [
  { name: 'start_utc', value: ({ startTicks }) => formatTicks(startTicks) },
  { name: 'duration_ms', value: ({ durationTicks }) => msFromSpan(durationTicks) },
  { name: 'index', value: ({ indexName }) => indexName },
  { name: 'source', value: ({ source }) => source },
  { name: 'id', value: ({ id }) => id },
  { name: 'state', value: ({ state }) => state },
  { name: 'documents_in', value: ({ documentsIn }) => documentsIn },
  { name: 'documents_out', value: ({ documentsOut }) => documentsOut },
  { name: 'documents_failed', value: ({ documentsFailed }) => documentsFailed },
  { name: 'size_bytes', value: ({ bytes }) => bytes },
  { name: 'allocated_bytes', value: ({ allocatedBytes }) => allocatedBytes },
  { name: 'budget_bytes', value: ({ budgetBytes }) => budgetBytes },
  { name: 'stop_reason', value: ({ reason }) => reason.text ?? '' },
]

export const INDEX_COLUMNS: readonly ListColumn<IndexSummary>[] = [
  { name: 'index', value: ({ index }) => (index === null ? 'all' : splitIndexKey(index).name) },
  { name: 'source', value: ({ index }) => (index === null ? '' : splitIndexKey(index).source) },
  { name: 'batches', value: ({ counts }) => counts.batches },
  { name: 'empty', value: ({ counts }) => counts.empty },
  { name: 'failed', value: ({ counts }) => counts.failed },
  { name: 'busy_ms', value: ({ busyTicks }) => msFromSpan(busyTicks) },
  { name: 'busy_share', value: ({ busyShare }) => busyShare },
  { name: 'documents_in', value: ({ documentsIn }) => documentsIn },
  { name: 'documents_per_busy_s', value: ({ documentsPerBusySecond }) => documentsPerBusySecond },
  { name: 'documents_per_s', value: ({ documentsPerSecond }) => documentsPerSecond },
  { name: 'size_bytes', value: ({ bytes }) => bytes },
  { name: 'p50_ms', value: ({ p50Ticks }) => p50Ticks / 10_000 },
  { name: 'p99_ms', value: ({ p99Ticks }) => p99Ticks / 10_000 },
  { name: 'max_ms', value: ({ maxTicks }) => maxTicks / 10_000 },
  { name: 'waited_ms', value: ({ waitTicks }) => msFromSpan(waitTicks) },
  { name: 'dictionary_training_documents', value: ({ training }) => training.documents },
  { name: 'dictionary_training_ms', value: ({ training }) => msFromSpan(training.busyTicks) },
  {
    name: 'stop_reasons',
    value: ({ reasons }) => reasons.map((reason) => `${reason.code}: ${reason.count}`).join('; '),
  },
]

export const OPERATION_COLUMNS: readonly ListColumn<OperationTotal>[] = [
  { name: 'operation', value: ({ path }) => path },
  { name: 'total_ms', value: ({ totalTicks }) => msFromSpan(totalTicks) },
  { name: 'self_ms', value: ({ selfTicks }) => msFromSpan(selfTicks) },
  { name: 'batches', value: ({ batches }) => batches },
  { name: 'longest_ms', value: ({ longestTicks }) => msFromSpan(longestTicks) },
]
