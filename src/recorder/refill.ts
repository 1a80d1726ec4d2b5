import { DURATION, SIZE, START } from '../base/columns/event-chunk.ts'
import type { IoRecord, RollUpRecord } from '../capture/archive/records.ts'
import { wireKind, ACCELERATION, COMPRESSED, FILE_SIZE, IO_COLUMNS } from '../feeds/io/data/reading/wire.ts'
import { rollUpOf } from '../feeds/io/data/archive-records.ts'
import type { IoStore } from '../feeds/io/data/table.ts'

/** Columns of the table, in the order of a record's columns. The table fills in FILE itself. */
const RECORD_COLUMNS = [START, DURATION, SIZE, FILE_SIZE, COMPRESSED, ACCELERATION]

/** Adds recorded rows to the table, so that they are recognised when the server reports them again. */
export function refill(store: IoStore, record: IoRecord | RollUpRecord): void {
  const length = record.t === 'io' ? (record.c[0]?.length ?? 0) : 0
  const columns = Array.from({ length: IO_COLUMNS }, () => new Float64Array(length))
  if (record.t === 'io') RECORD_COLUMNS.forEach((column, i) => columns[column]?.set(record.c[i] ?? []))
  const rollUps = record.t === 'io' ? [] : [rollUpOf(record.r)]
  const kinds = [{ kind: wireKind(record.kind), events: { columns, length }, rollUps }]
  const files = [{ name: record.file, status: null, kinds }]
  const environments = [{ path: record.path, type: record.type, files }]
  store.ingest(record.source, { environments, problems: { count: 0, first: null } }, true)
}
