import type { ListColumn } from '../../capture/exporting/list-text.ts'
import type { DatabaseRow } from '../../ravendb/databases.ts'

/** The list of databases as it goes out; empty or null: not told, as of one that is not loaded. */
export const DATABASE_COLUMNS: readonly ListColumn<DatabaseRow>[] = [
  { name: 'name', value: (row) => row.name },
  { name: 'state', value: (row) => row.state },
  { name: 'documents', value: (row) => row.documents },
  { name: 'indexes', value: (row) => row.indexes },
  { name: 'size_bytes', value: (row) => row.sizeBytes },
  { name: 'temp_bytes', value: (row) => row.tempBytes },
  { name: 'up_time_ms', value: (row) => row.upTimeMs },
  { name: 'indexing_errors', value: (row) => row.indexingErrors },
  { name: 'alerts', value: (row) => row.alerts },
  { name: 'indexing_status', value: (row) => row.indexingStatus },
  { name: 'error', value: (row) => row.error },
  { name: 'is_shard', value: (row) => row.isSharded },
  { name: 'unloads_soon', value: (row) => row.unloadsSoon },
]
