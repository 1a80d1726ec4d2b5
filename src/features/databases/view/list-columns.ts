import type { ListColumn } from '../../../capture/exporting/list-text.ts'
import { idleFor, unloadsIn, type ListedDatabase } from '../data/facts.ts'

/** Columns of the exported list of databases; empty or null: not reported, for instance because it is not loaded. */
export const DATABASE_COLUMNS: readonly ListColumn<ListedDatabase>[] = [
  { name: 'name', value: (row) => row.name },
  { name: 'state', value: (row) => row.state },
  { name: 'documents', value: (row) => row.documents },
  { name: 'indexes', value: (row) => row.indexes },
  { name: 'size_bytes', value: (row) => row.sizeBytes },
  { name: 'temp_bytes', value: (row) => row.tempBytes },
  { name: 'up_time_ms', value: (row) => row.upTimeMs },
  { name: 'indexing_errors', value: (row) => row.indexingErrors },
  { name: 'alerts', value: (row) => row.alerts },
  { name: 'performance_hints', value: (row) => row.hints },
  { name: 'indexing_status', value: (row) => row.indexingStatus },
  { name: 'error', value: (row) => row.error },
  { name: 'is_shard', value: (row) => row.isSharded },
  { name: 'unloads_soon', value: (row) => row.unloadsSoon },
  { name: 'idle_ms', value: idleFor },
  { name: 'unloads_in_ms', value: unloadsIn },
  { name: 'stays_loaded_because', value: (row) => row.facts?.idle?.blockers.join('; ') ?? null },
  { name: 'requests_per_second', value: (row) => row.facts?.requestsPerSecond ?? null },
  { name: 'average_request_ms', value: (row) => row.facts?.averageMs ?? null },
  { name: 'writes_per_second', value: (row) => row.facts?.writesPerSecond ?? null },
  { name: 'indexed_per_second', value: (row) => row.facts?.indexedPerSecond ?? null },
  { name: 'mapped_per_second', value: (row) => row.facts?.mappedPerSecond ?? null },
  { name: 'reduced_per_second', value: (row) => row.facts?.reducedPerSecond ?? null },
  { name: 'stale_indexes', value: (row) => row.facts?.work?.staleIndexes ?? null },
  { name: 'stopped_indexes', value: (row) => row.facts?.work?.stoppedIndexes ?? null },
  { name: 'index_items_left', value: (row) => row.facts?.work?.itemsLeft ?? null },
  { name: 'errored_indexes', value: (row) => row.facts?.erroredIndexes ?? null },
]
